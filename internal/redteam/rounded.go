package redteam

import (
	"cmp"
	"slices"
	"strconv"
)

// Rounded is the published form of m: four decimals, one for the mean privacy score, two for mean numbers of fields,
// halves of the double's exact value to even; the lists of rates by rate, the highest first. m is not changed.
func (m Metrics) Rounded() Metrics {
	for _, x := range []*float64{&m.MeanELR, &m.MedianELR, &m.ASR, &m.MeanRI} {
		*x = round(*x, 4)
	}
	m.MeanPrivacy, m.MeanVaultFields = round(m.MeanPrivacy, 1), round(m.MeanVaultFields, 2)
	m.ELR = slices.Clone(m.ELR)
	for i := range m.ELR {
		m.ELR[i].ELR = round(m.ELR[i].ELR, 4)
	}
	m.CLR = slices.Clone(m.CLR)
	slices.SortStableFunc(m.CLR, func(a, b ChannelRate) int { return cmp.Compare(b.LeakRate, a.LeakRate) })
	for i := range m.CLR {
		m.CLR[i].LeakRate, m.CLR[i].AvgLeaked = round(m.CLR[i].LeakRate, 4), round(m.CLR[i].AvgLeaked, 2)
	}
	m.ByFamily, m.ByClass = roundedRates(m.ByFamily), roundedRates(m.ByClass)
	return m
}

func roundedRates(rates []AttackRate) []AttackRate {
	rates = slices.Clone(rates)
	slices.SortStableFunc(rates, func(a, b AttackRate) int { return cmp.Compare(b.ASR, a.ASR) })
	for i := range rates {
		rates[i].ASR = round(rates[i].ASR, 4)
	}
	return rates
}

// round rounds the decimal expansion of x.
func round(x float64, decimals int) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'f', decimals, 64), 64) // what FormatFloat writes parses
	return y
}
