package agentleakprocessor

import (
	"slices"
	"sync"

	"go.opentelemetry.io/collector/component"
)

// A registry lets the instances of one component find each other: the collector makes one for each pipeline that names
// it. It belongs to a factory, and holds no more than the instances that run.
type registry struct {
	mu     sync.RWMutex
	shards map[component.ID][]shardSet
	stores map[component.ID]bool // that are open
}

// A shardSet is the shards of one instance. Each trace falls to one of them.
type shardSet []*shard

func newRegistry() *registry {
	return &registry{shards: map[component.ID][]shardSet{}, stores: map[component.ID]bool{}}
}

// of lists the sets of a component. The list is not to be changed.
func (r *registry) of(id component.ID) []shardSet {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.shards[id]
}

func (r *registry) join(id component.ID, s shardSet) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shards[id] = append(slices.Clone(r.shards[id]), s)
}

func (r *registry) leave(id component.ID, s shardSet) {
	r.mu.Lock()
	defer r.mu.Unlock()
	left := slices.DeleteFunc(slices.Clone(r.shards[id]), func(x shardSet) bool { return &x[0] == &s[0] })
	if r.shards[id] = left; len(left) == 0 {
		delete(r.shards, id)
	}
}

// claim reports whether the caller has the storage of a component for itself, until unclaim.
func (r *registry) claim(id component.ID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.stores[id]
	r.stores[id] = true
	return !was
}

func (r *registry) unclaim(id component.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.stores, id)
}
