package agentleakprocessor

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/open-telemetry/opentelemetry-collector-contrib/extension/storage/filestorage"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/component/componenttest"
	"go.opentelemetry.io/collector/consumer/consumertest"
	"go.opentelemetry.io/collector/extension/extensiontest"
	"go.opentelemetry.io/collector/processor/processortest"
)

// BenchmarkStorage sends traces of ten spans, one in a request, from several senders at once, without a storage and with
// file_storage on a disk: the ratio of the two is what crash safety costs. Budget: half the throughput.
func BenchmarkStorage(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	td := benchTrace(rng, true)
	for _, kept := range []bool{false, true} {
		b.Run(map[bool]string{false: "memory", true: "file_storage"}[kept], func(b *testing.B) {
			c := createDefaultConfig().(*Config)
			c.Grace, c.IdleTimeout, c.Redaction.Key = 0, time.Millisecond, testKey
			host := componenttest.NewNopHost()
			if kept {
				f := filestorage.NewFactory()
				fc := f.CreateDefaultConfig().(*filestorage.Config)
				fc.Directory = b.TempDir()
				ext, err := f.Create(context.Background(), extensiontest.NewNopSettings(f.Type()), fc)
				if err != nil {
					b.Fatal(err)
				}
				c.Storage, c.StorageKey = &storeID, storeKey
				host = storeHost{host, map[component.ID]component.Component{storeID: ext}}
			}
			p, err := NewFactory().CreateTraces(context.Background(), processortest.NewNopSettings(typ), c, drain{consumertest.NewNop()})
			if err != nil {
				b.Fatal(err)
			}
			if err := p.Start(b.Context(), host); err != nil {
				b.Fatal(err)
			}
			var n atomic.Uint64
			b.SetBytes(int64(textOf(td)))
			b.SetParallelism(4)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					td, id := clone(td), n.Add(1)
					for _, s := range spansOf(td) {
						s.SetTraceID(traceID(id))
					}
					for p.ConsumeTraces(context.Background(), td) != nil {
						runtime.Gosched()
					}
				}
			})
			if err := p.Shutdown(context.Background()); err != nil {
				b.Fatal(err)
			}
		})
	}
}
