package bench

import (
	"context"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
	deltafifo "github.com/controllerbook/controllerbook/solutions/14-deltafifo"
	indexer "github.com/controllerbook/controllerbook/solutions/15-indexer"
	informer "github.com/controllerbook/controllerbook/solutions/17-informer"
)

// BenchmarkInformerSync is an informer from its first list of 10 000 pods to the last
// initial OnAdd of its handler, and its end. heap-B/pod is what it then keeps for each
// pod, beside the pod itself.
func BenchmarkInformerSync(b *testing.B) {
	all := pods(10_000)
	before := heapInUse()
	var kept int64
	b.ReportAllocs()
	for b.Loop() {
		in := startInformer(all, 1, func() {})
		<-in.added
		b.StopTimer()
		kept = heapInUse() - before
		b.StartTimer()
		in.stop()
	}
	b.ReportMetric(float64(kept)/float64(len(all)), "heap-B/pod")
}

// BenchmarkInformerEvents is one update of one of 10 000 pods, from the reflector's
// write to the last handler's OnUpdate, in a stream of them.
func BenchmarkInformerEvents(b *testing.B) {
	for _, handlers := range []int{1, 10} {
		b.Run(strconv.Itoa(handlers), func(b *testing.B) {
			all := pods(10_000)
			var updates sync.WaitGroup
			updates.Add(handlers * b.N)
			in := startInformer(all, handlers, updates.Done)
			<-in.added
			b.ReportAllocs()
			b.ResetTimer()
			for n := range b.N {
				p := *all[n%len(all)]
				p.ResourceVersion = strconv.Itoa(100_000 + n)
				_ = in.queue.Update(&p)
			}
			updates.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
			in.stop()
		})
	}
}

// BenchmarkInformerLateHandler is a handler that joins an informer with 10 000 pods,
// hears of them and leaves.
func BenchmarkInformerLateHandler(b *testing.B) {
	all := pods(10_000)
	in := startInformer(all, 1, func() {})
	<-in.added
	b.ReportAllocs()
	for b.Loop() {
		var heard sync.WaitGroup
		heard.Add(len(all))
		r, err := in.AddEventHandler(kit.ResourceEventHandlerFuncs[*kit.Pod]{AddFunc: func(*kit.Pod, bool) { heard.Done() }})
		if err != nil {
			b.Fatal(err)
		}
		heard.Wait()
		_ = in.RemoveEventHandler(r)
	}
	b.StopTimer()
	in.stop()
}

// running is an informer under way, made of the solutions of labs 14, 15 and 17 and of
// a reflector that lists once and leaves the rest to the benchmark.
type running struct {
	*informer.SharedInformer[*kit.Pod]
	queue kit.DeltaQueue[*kit.Pod]
	added chan struct{} // closed when every handler has received every pod
	stop  func()
}

func startInformer(all []*kit.Pod, handlers int, updated func()) *running {
	cache := indexer.New(map[string]kit.IndexFunc[*kit.Pod]{
		"namespace": func(p *kit.Pod) ([]string, error) { return []string{p.Namespace}, nil },
	})
	queue := deltafifo.New(deltafifo.Options[*kit.Pod]{KnownObjects: cache})
	r := &running{queue: queue, added: make(chan struct{})}
	r.SharedInformer = informer.New(informer.Options[*kit.Pod]{
		Indexer: cache,
		Queue:   queue,
		Reflect: func(ctx context.Context, store kit.DeltaStore[*kit.Pod], _ time.Duration, _ func() bool) {
			_ = store.Replace(all, "1")
			<-ctx.Done()
		},
	})
	var missing atomic.Int64
	missing.Store(int64(handlers * len(all)))
	for range handlers {
		_, _ = r.AddEventHandler(kit.ResourceEventHandlerFuncs[*kit.Pod]{
			AddFunc: func(*kit.Pod, bool) {
				if missing.Add(-1) == 0 {
					close(r.added)
				}
			},
			UpdateFunc: func(_, _ *kit.Pod) { updated() },
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	var run sync.WaitGroup
	run.Go(func() { r.Run(ctx) })
	r.stop = func() { cancel(); run.Wait() }
	return r
}

// heapInUse is the size of the heap after a collection.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
