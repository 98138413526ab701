package agentleakprocessor

import (
	"errors"
	"fmt"

	"github.com/agentleak/otelcol-agentleak/internal/seal"
)

// validateStorage is Validate for the storage options. What is held is what senders sent, before redaction, so nobody
// gets it written in clear by leaving something out.
func (c *Config) validateStorage() (errs []error) {
	if c.Storage == nil {
		if c.StorageKey != "" || c.StorageInClear {
			errs = append(errs, errors.New("storage: not set: want the id of a storage extension where storage_key or storage_in_clear is set"))
		}
		return errs
	}
	switch n := len(c.StorageKey); {
	case c.StorageInClear && n > 0:
		errs = append(errs, errors.New("storage_in_clear: true: want either it or storage_key"))
	case !c.StorageInClear && n == 0:
		errs = append(errs, errors.New("storage_key: empty: want a secret, or storage_in_clear: true to write what is held in clear"))
	case !c.StorageInClear && n < seal.MinKey:
		errs = append(errs, fmt.Errorf("storage_key: %d bytes: want %d or more", n, seal.MinKey))
	}
	if c.Redaction.Key == "" {
		errs = append(errs, errors.New("redaction.key: empty: want one with storage, since what was found before a restart is known by its keyed fingerprint"))
	}
	return errs
}

// ledgerBounds is what the ledgers of a shard may take in bytes, all and each.
type ledgerBounds struct{ all, each int }

// shareOfLedgers is that of one of n shards.
func shareOfLedgers(c *Config, n int) ledgerBounds {
	all := c.Limits.LedgerBytes
	if all == 0 {
		all = c.Limits.HeldBytes / 2
	}
	each := c.Limits.LedgerBytesPerTrace
	if each == 0 {
		each = all / 8
	}
	all = max(1, all/int64(n))
	return ledgerBounds{all: int(all), each: int(max(1, min(each, all)))}
}
