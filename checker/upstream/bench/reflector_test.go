package bench

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/watch"
	upstream "k8s.io/client-go/tools/cache"

	"github.com/controllerbook/controllerbook/labs/kit"
	deltafifo "github.com/controllerbook/controllerbook/solutions/14-deltafifo"
	reflector "github.com/controllerbook/controllerbook/solutions/16-reflector"
)

// reflecting is what is measured of a reflector.
type reflecting struct {
	list  func(all []*corev1.Pod)      // lists all into a store, and returns when the store is replaced
	watch func(heard func()) following // follows a server that lists nothing; heard is called for each event
}

func reflectors(b *testing.B, upstream, solution reflecting, measure func(b *testing.B, open func() reflecting)) {
	beside(b, func() reflecting { return upstream }, func() reflecting { return solution }, measure)
}

// alone has reflectors write to a store that keeps nothing, and queued has them
// write to their own side's DeltaFIFO, as in an informer.
func alone(b *testing.B, measure func(b *testing.B, open func() reflecting)) {
	reflectors(b,
		reflecting{
			func(all []*corev1.Pod) { listUpstream(all, nothing[any]{}) },
			func(heard func()) following { return watchUpstream(nothing[any]{heard}, func() {}) },
		},
		reflecting{
			func(all []*corev1.Pod) { listSolution(all, nothing[*corev1.Pod]{}) },
			func(heard func()) following { return watchSolution(nothing[*corev1.Pod]{heard}, func() {}) },
		},
		measure)
}

func queued(b *testing.B, measure func(b *testing.B, open func() reflecting)) {
	reflectors(b,
		reflecting{
			func(all []*corev1.Pod) { listUpstream(all, theirFIFO()) },
			func(heard func()) following {
				q := theirFIFO()
				pop := func() error {
					_, err := q.Pop(func(deltas any, _ bool) error { return each(deltas.(upstream.Deltas), heard) })
					return err
				}
				return watchUpstream(q, popping(pop, q.Close))
			},
		},
		reflecting{
			func(all []*corev1.Pod) { listSolution(all, ourFIFO()) },
			func(heard func()) following {
				q := ourFIFO()
				pop := func() error {
					_, err := q.Pop(func(deltas kit.Deltas[*corev1.Pod], _ bool) error { return each(deltas, heard) })
					return err
				}
				return watchSolution(q, popping(pop, q.Close))
			},
		},
		measure)
}

// BenchmarkReflectorList is a new reflector's first list, of 10 000 pods, until its store is
// replaced. The store keeps nothing.
func BenchmarkReflectorList(b *testing.B) { alone(b, listed) }

// BenchmarkReflectorListQueued is the same with a new DeltaFIFO as the store.
func BenchmarkReflectorListQueued(b *testing.B) { queued(b, listed) }

func listed(b *testing.B, open func() reflecting) {
	all := realPods(10_000)
	for b.Loop() {
		open().list(all)
	}
}

// BenchmarkReflectorWatch is one event of a stream, from the watch to the store, which keeps
// nothing.
func BenchmarkReflectorWatch(b *testing.B) { alone(b, watched) }

// BenchmarkReflectorWatchQueued is the same with a DeltaFIFO as the store, up to the
// goroutine that pops from it.
func BenchmarkReflectorWatchQueued(b *testing.B) { queued(b, watched) }

func watched(b *testing.B, open func() reflecting) {
	all := realPods(1000)
	var heard sync.WaitGroup
	heard.Add(1)
	f := open().watch(heard.Done)
	f.send(all[0])
	heard.Wait() // it watches
	heard.Add(b.N)
	b.ResetTimer()
	for i := range b.N {
		f.send(all[i%len(all)])
	}
	heard.Wait()
	b.StopTimer()
	f.stop()
}

// target is what a reflector writes to. T is any for upstream's, and *corev1.Pod for ours.
type target[T any] interface {
	Add(obj T) error
	Update(obj T) error
	Delete(obj T) error
	Replace(list []T, resourceVersion string) error
	Resync() error
}

// nothing is a target that keeps nothing.
type nothing[T any] struct{ heard func() }

func (nothing[T]) Add(T) error               { return nil }
func (n nothing[T]) Update(T) error          { n.heard(); return nil }
func (nothing[T]) Delete(T) error            { return nil }
func (nothing[T]) Replace([]T, string) error { return nil }
func (nothing[T]) Resync() error             { return nil }

// once is a target that ends what its reflector does with the first Replace.
type once[T any] struct {
	target[T]
	end context.CancelFunc
}

func (o once[T]) Replace(list []T, resourceVersion string) error {
	defer o.end()
	return o.target.Replace(list, resourceVersion)
}

func theirFIFO() *upstream.DeltaFIFO {
	return upstream.NewDeltaFIFOWithOptions(upstream.DeltaFIFOOptions{KeyFunction: realPodKey, EmitDeltaTypeReplaced: true})
}

func realPodKey(obj any) (string, error) { return kit.Key(obj.(*corev1.Pod)), nil }

func ourFIFO() *deltafifo.DeltaFIFO[*corev1.Pod] {
	return deltafifo.New(deltafifo.Options[*corev1.Pod]{})
}

// each calls heard for each delta.
func each[D any](deltas []D, heard func()) error {
	for range deltas {
		heard()
	}
	return nil
}

// popping calls pop until the returned function closes the queue.
func popping(pop func() error, closeQueue func()) (stop func()) {
	var closed atomic.Bool
	var ended sync.WaitGroup
	ended.Go(func() {
		for !closed.Load() {
			_ = pop()
		}
	})
	return func() {
		closed.Store(true)
		closeQueue()
		ended.Wait()
	}
}

func listUpstream(all []*corev1.Pod, t target[any]) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := upstream.NewReflectorWithOptions(theirServer{all, events[watch.Event]{}}, &corev1.Pod{}, once[any]{t, cancel}, upstream.ReflectorOptions{Name: "bench"})
	_ = r.ListAndWatchWithContext(ctx)
}

func listSolution(all []*corev1.Pod, t target[*corev1.Pod]) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_ = reflector.New(ourServer{all, events[kit.Event[*corev1.Pod]]{}}, once[*corev1.Pod]{t, cancel}, reflector.Options{}).ListAndWatch(ctx)
}

// watchUpstream follows until it is stopped, and then calls stop.
func watchUpstream(t target[any], stop func()) following {
	w := newEvents[watch.Event]()
	r := upstream.NewReflectorWithOptions(theirServer{nil, w}, &corev1.Pod{}, t, upstream.ReflectorOptions{Name: "bench"})
	end := running(r.RunWithContext)
	return following{
		send: func(p *corev1.Pod) { w.out <- watch.Event{Type: watch.Modified, Object: p} },
		stop: func() { end(); stop() },
	}
}

func watchSolution(t target[*corev1.Pod], stop func()) following {
	w := newEvents[kit.Event[*corev1.Pod]]()
	end := running(reflector.New(ourServer{nil, w}, t, reflector.Options{}).Run)
	return following{
		send: func(p *corev1.Pod) { w.out <- kit.Event[*corev1.Pod]{Type: kit.Modified, Object: p} },
		stop: func() { end(); stop() },
	}
}
