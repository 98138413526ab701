package agentrisk

// Tally is what was seen of a run: for each secret its highest level and the set
// of channels it stood on. It is a join: the order of Add and Merge plays no part
// and repeating one changes nothing, so a trace may be split over batches,
// shards or signals. The zero value is empty and ready. A Tally is not safe for
// concurrent use.
type Tally struct {
	seen map[SecretID]sighting
}

// sighting is four bytes: a tally of a long trace is mostly IDs.
type sighting struct {
	on    ChannelSet
	level Level
}

func (s sighting) join(o sighting) sighting {
	return sighting{s.on.Union(o.on), max(s.level, o.level)}
}

// Add records that the secret stood on c. A level outside L1 to L4 counts as the
// nearest one. Text on ChannelNone is not scored, so Add ignores it, and values
// that are no channel too.
func (t *Tally) Add(id SecretID, l Level, c Channel) {
	if c == ChannelNone || c >= numChannels {
		return
	}
	t.join(id, sighting{ChannelSet(0).With(c), l.clamp()})
}

// Merge adds all that o holds. It keeps nothing of o, which may be nil or t.
func (t *Tally) Merge(o *Tally) {
	if o == nil {
		return
	}
	for id, s := range o.seen {
		t.join(id, s)
	}
}

func (t *Tally) join(id SecretID, s sighting) {
	if t.seen == nil {
		t.seen = make(map[SecretID]sighting)
	}
	t.seen[id] = t.seen[id].join(s)
}

// Len returns the number of distinct secrets.
func (t *Tally) Len() int { return len(t.seen) }
