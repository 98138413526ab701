package agentleakprocessor

import (
	"context"
	"errors"
	"maps"
	"sync"
	"testing"

	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/extension/xextension/storage"
)

// storeKey encrypts what the tests keep.
const storeKey = "the storage key of the tests, of no value"

var storeID = component.MustNewID("memory_store")

// A store is a storage extension in memory. A copy of it is what a crash leaves.
type store struct {
	component.Component
	mu      sync.Mutex
	m       map[string][]byte
	refuse  error // of each Batch that sets something
	batches int
}

func newStore() *store { return &store{m: map[string][]byte{}} }

func (s *store) GetClient(context.Context, component.Kind, component.ID, string) (storage.Client, error) {
	return &storeClient{s}, nil
}

func (s *store) crash() *store {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &store{m: maps.Clone(s.m)}
}

func (s *store) entries(kind byte) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range s.m {
		if k[0] == kind {
			n++
		}
	}
	return n
}

// len counts all records.
func (s *store) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.m)
}

// on is a host that has the store.
func (s *store) on() component.Host {
	return storeHost{componenttest.NewNopHost(), map[component.ID]component.Component{storeID: s}}
}

type storeHost struct {
	component.Host
	ext map[component.ID]component.Component
}

func (h storeHost) GetExtensions() map[component.ID]component.Component { return h.ext }

type storeClient struct{ *store }

func (c *storeClient) Batch(_ context.Context, ops ...*storage.Operation) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.batches++
	for _, op := range ops {
		if op.Type == storage.Set && c.refuse != nil {
			return c.refuse
		}
	}
	for _, op := range ops {
		switch op.Type {
		case storage.Set:
			c.m[op.Key] = op.Value
		case storage.Delete:
			delete(c.m, op.Key)
		default:
			return errors.New("not used")
		}
	}
	return nil
}

func (c *storeClient) Walk(_ context.Context, fn storage.WalkFunc) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, v := range c.m {
		if _, err := fn(k, v); err != nil {
			return err
		}
	}
	return nil
}

func (c *storeClient) Get(context.Context, string) ([]byte, error) {
	return nil, errors.New("not used")
}
func (c *storeClient) Set(context.Context, string, []byte) error { return errors.New("not used") }
func (c *storeClient) Delete(context.Context, string) error      { return errors.New("not used") }
func (c *storeClient) Close(context.Context) error               { return nil }

// newRigWith starts a rig that keeps what it holds, and waits until it took up what the store had.
func newRigWith(t testing.TB, s *store, change func(*Config)) *rig {
	t.Helper()
	r := newRigOn(t, s.on(), func(c *Config) {
		c.Storage, c.StorageKey = &storeID, storeKey
		if change != nil {
			change(c)
		}
	})
	r.resumed.Wait()
	return r
}
