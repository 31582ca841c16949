package bench

import (
	"context"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	upstream "k8s.io/client-go/tools/cache"

	"github.com/controllerbook/controllerbook/labs/kit"
	deltafifo "github.com/controllerbook/controllerbook/solutions/14-deltafifo"
	indexer "github.com/controllerbook/controllerbook/solutions/15-indexer"
	reflector "github.com/controllerbook/controllerbook/solutions/16-reflector"
	informer "github.com/controllerbook/controllerbook/solutions/17-informer"
)

// objects is how many pods an informer holds.
const objects = 100_000

// following is an informer under way, end to end: a server that lists and watches, a
// reflector, a queue, a cache with two indices, and a handler.
type following struct {
	send func(p *corev1.Pod) // what a watch brings: a pod was modified
	stop func()              // returns when Run has
}

// start begins to follow a server that lists these pods, and calls back for each
// OnAdd and OnUpdate.
type start func(all []*corev1.Pod, heard func()) following

func informers(b *testing.B, measure func(b *testing.B, open func() start)) {
	beside(b, func() start { return startUpstream }, func() start { return startSolution }, measure)
}

// BenchmarkInformerSync is an informer from its first list of 100 000 pods to the last
// initial OnAdd of its handler, and its end. heap-B/pod is what it then keeps for each
// pod, beside the pod itself.
func BenchmarkInformerSync(b *testing.B) {
	all := realPods(objects)
	informers(b, func(b *testing.B, open func() start) {
		before, kept := heapInUse(), int64(0)
		for b.Loop() {
			var added sync.WaitGroup
			added.Add(len(all))
			f := open()(all, added.Done)
			added.Wait()
			b.StopTimer()
			kept = heapInUse() - before
			b.StartTimer()
			f.stop()
		}
		b.ReportMetric(float64(kept)/float64(len(all)), "heap-B/pod")
	})
}

// BenchmarkInformerEvents is one update of one of 100 000 pods, from the watch to the
// handler's OnUpdate, in a stream of them.
func BenchmarkInformerEvents(b *testing.B) {
	all := realPods(objects)
	news := [][]*corev1.Pod{newVersions(all[:1000]), all[:1000]} // by turns, so that each is a change
	informers(b, func(b *testing.B, open func() start) {
		var heard sync.WaitGroup
		heard.Add(len(all))
		f := open()(all, heard.Done)
		heard.Wait()
		heard.Add(b.N)
		b.ResetTimer()
		for i := range b.N {
			f.send(news[i/1000%2][i%1000])
		}
		heard.Wait()
		b.StopTimer()
		f.stop()
	})
}

func realPods(n int) []*corev1.Pod {
	all := make([]*corev1.Pod, n)
	for i := range all {
		all[i] = &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ns-" + strconv.Itoa(i%10), Name: "pod-" + strconv.Itoa(i), ResourceVersion: strconv.Itoa(i + 1)},
			Spec:       corev1.PodSpec{NodeName: node(i / 100)},
		}
	}
	return all
}

func newVersions(pods []*corev1.Pod) []*corev1.Pod {
	all := make([]*corev1.Pod, len(pods))
	for i, p := range pods {
		all[i] = p.DeepCopy()
		all[i].ResourceVersion = strconv.Itoa(objects + i + 1)
	}
	return all
}

// heapInUse is the size of the heap after a collection.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC() // the second one frees what the first has found
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// events is a watch: upstream's, or the kit's.
type events[E any] struct{ out chan E }

func (w events[E]) Stop()                {}
func (w events[E]) ResultChan() <-chan E { return w.out }

func newEvents[E any]() events[E] { return events[E]{make(chan E, 100)} }

// startUpstream starts client-go's informer.
func startUpstream(all []*corev1.Pod, heard func()) following {
	w := newEvents[watch.Event]()
	i := upstream.NewSharedIndexInformer(theirServer{all, w}, &corev1.Pod{}, 0, upstream.Indexers{
		"namespace": func(obj any) ([]string, error) { return []string{obj.(*corev1.Pod).Namespace}, nil },
		"node":      func(obj any) ([]string, error) { return []string{obj.(*corev1.Pod).Spec.NodeName}, nil },
	})
	_, _ = i.AddEventHandler(upstream.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { heard() },
		UpdateFunc: func(_, _ any) { heard() },
	})
	return following{
		send: func(p *corev1.Pod) { w.out <- watch.Event{Type: watch.Modified, Object: p} },
		stop: running(i.RunWithContext),
	}
}

// theirServer lists and watches as client-go asks for it. The list carries pointers, as
// ours does: a PodList's items would be copied once more on the way.
type theirServer struct {
	all []*corev1.Pod
	w   watch.Interface
}

// IsWatchListSemanticsUnSupported makes client-go list and then watch, as the lab does.
func (s theirServer) IsWatchListSemanticsUnSupported() bool { return true }

func (s theirServer) List(metav1.ListOptions) (kruntime.Object, error) {
	list := &podList{ListMeta: metav1.ListMeta{ResourceVersion: "1"}, Items: make([]kruntime.Object, len(s.all))}
	for i, p := range s.all {
		list.Items[i] = p
	}
	return list, nil
}

func (s theirServer) Watch(metav1.ListOptions) (watch.Interface, error) { return s.w, nil }

type podList struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []kruntime.Object
}

func (l *podList) DeepCopyObject() kruntime.Object { return l }

// startSolution starts an informer made of labs 14 to 17.
func startSolution(all []*corev1.Pod, heard func()) following {
	w := newEvents[kit.Event[*corev1.Pod]]()
	cache := indexer.New(map[string]kit.IndexFunc[*corev1.Pod]{
		"namespace": func(p *corev1.Pod) ([]string, error) { return []string{p.Namespace}, nil },
		"node":      func(p *corev1.Pod) ([]string, error) { return []string{p.Spec.NodeName}, nil },
	})
	i := informer.New(informer.Options[*corev1.Pod]{
		Indexer: cache,
		Queue:   deltafifo.New(deltafifo.Options[*corev1.Pod]{KnownObjects: cache}),
		Reflect: func(ctx context.Context, store kit.DeltaStore[*corev1.Pod], _ time.Duration, _ func() bool) {
			reflector.New(ourServer{all, w}, store, reflector.Options{}).Run(ctx)
		},
	})
	_, _ = i.AddEventHandler(kit.ResourceEventHandlerFuncs[*corev1.Pod]{
		AddFunc:    func(*corev1.Pod, bool) { heard() },
		UpdateFunc: func(_, _ *corev1.Pod) { heard() },
	})
	return following{
		send: func(p *corev1.Pod) { w.out <- kit.Event[*corev1.Pod]{Type: kit.Modified, Object: p} },
		stop: running(i.Run),
	}
}

type ourServer struct {
	all []*corev1.Pod
	w   kit.Watch[*corev1.Pod]
}

func (s ourServer) List(context.Context, kit.ListOptions) (kit.List[*corev1.Pod], error) {
	return kit.List[*corev1.Pod]{ResourceVersion: "1", Items: append([]*corev1.Pod(nil), s.all...)}, nil
}

func (s ourServer) Watch(context.Context, kit.ListOptions) (kit.Watch[*corev1.Pod], error) {
	return s.w, nil
}

// running calls run and returns what ends it.
func running(run func(ctx context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	ended.Go(func() { run(ctx) })
	return func() { cancel(); ended.Wait() }
}
