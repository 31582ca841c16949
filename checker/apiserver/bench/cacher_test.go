package bench

import (
	"context"
	"strconv"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
	upstream "k8s.io/apiserver/pkg/storage/cacher"
	fake "k8s.io/apiserver/pkg/storage/cacher/testing"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/controllerbook/controllerbook/labs/kit"
	solution "github.com/controllerbook/controllerbook/solutions/08-watch"
)

// cache is what is measured of a watch cache.
type cache struct {
	commit func(p *corev1.Pod)                                    // a pod was modified
	list   func() int                                             // lists all pods, of whatever moment the cache has
	watch  func(version string) (events func() bool, stop func()) // events takes one, and reports whether there was one
	stop   func()
}

// caches opens watch caches that hold these pods.
func caches(b *testing.B, measure func(b *testing.B, open func(pods []*corev1.Pod) cache)) {
	for _, half := range []struct {
		name string
		open func(pods []*corev1.Pod) cache
	}{{"impl=upstream", openUpstream}, {"impl=solution", openSolution}} {
		b.Run(half.name, func(b *testing.B) {
			b.ReportAllocs()
			measure(b, half.open)
		})
	}
}

// burst is how many changes come one after the other before the watchers are waited for. It
// is the room that upstream gives a watcher: it ends one that has none for too long.
const burst = 10

// BenchmarkWatchCache1 is one change until the one watcher has it.
func BenchmarkWatchCache1(b *testing.B) { fanOut(b, 1) }

// BenchmarkWatchCache100 is one change until a hundred watchers have it.
func BenchmarkWatchCache100(b *testing.B) { fanOut(b, 100) }

func fanOut(b *testing.B, watchers int) {
	all := pods(1000)
	caches(b, func(b *testing.B, open func(pods []*corev1.Pod) cache) {
		c := open(all)
		var had, ended sync.WaitGroup
		for range watchers {
			next, stop := c.watch(strconv.Itoa(len(all)))
			defer stop()
			ended.Go(func() {
				for range b.N {
					if !next() {
						panic("a watcher was too slow, and was ended")
					}
					had.Done()
				}
			})
		}
		b.ResetTimer()
		for i := range b.N {
			if i%burst == 0 {
				had.Wait()
				had.Add(watchers * min(burst, b.N-i))
			}
			c.commit(pod(i%len(all), len(all)+1+i))
		}
		ended.Wait()
		b.StopTimer()
		c.stop()
	})
}

// BenchmarkWatchCacheList lists 1000 pods.
func BenchmarkWatchCacheList(b *testing.B) {
	all := pods(1000)
	caches(b, func(b *testing.B, open func(pods []*corev1.Pod) cache) {
		c := open(all)
		defer c.stop()
		for b.Loop() {
			if n := c.list(); n != len(all) {
				b.Fatalf("%d pods", n)
			}
		}
	})
}

// BenchmarkWatchCacheStart begins a watch that first sends all 1000 pods, and reads these.
func BenchmarkWatchCacheStart(b *testing.B) {
	all := pods(1000)
	caches(b, func(b *testing.B, open func(pods []*corev1.Pod) cache) {
		c := open(all)
		defer c.stop()
		for b.Loop() {
			next, stop := c.watch("0")
			for range all {
				next()
			}
			stop()
		}
	})
}

func pods(n int) []*corev1.Pod {
	all := make([]*corev1.Pod, n)
	for i := range all {
		all[i] = pod(i, i+1)
	}
	return all
}

func pod(i, version int) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns-" + strconv.Itoa(i%10), Name: "pod-" + strconv.Itoa(i), ResourceVersion: strconv.Itoa(version)},
		Spec:       corev1.PodSpec{NodeName: "node-" + strconv.Itoa(i/100)},
	}
}

// openUpstream opens the API server's cache. Where etcd would be is a list and a channel.
func openUpstream(all []*corev1.Pod) cache {
	const prefix = "/pods/"
	changes := theirEvents{make(chan watch.Event, 100)}
	c, err := upstream.NewCacherFromConfig(upstream.Config{
		Storage:             listing(all, changes),
		Versioner:           storage.APIObjectVersioner{},
		GroupResource:       schema.GroupResource{Resource: "pods"},
		EventsHistoryWindow: upstream.DefaultEventFreshDuration,
		ResourcePrefix:      prefix,
		KeyFunc:             func(obj runtime.Object) (string, error) { return storage.NamespaceKeyFunc(prefix, obj) },
		GetAttrsFunc:        attributes,
		NewFunc:             func() runtime.Object { return &corev1.Pod{} },
		NewListFunc:         func() runtime.Object { return &corev1.PodList{} },
		Codec:               scheme.Codecs.LegacyCodec(corev1.SchemeGroupVersion),
	})
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	if err := c.Wait(ctx); err != nil {
		panic(err)
	}
	options := func(version string) storage.ListOptions {
		return storage.ListOptions{ResourceVersion: version, Predicate: storage.Everything, Recursive: true}
	}
	return cache{
		commit: func(p *corev1.Pod) { changes.out <- watch.Event{Type: watch.Modified, Object: p} },
		list: func() int {
			var list corev1.PodList
			if err := c.GetList(ctx, prefix, options("0"), &list); err != nil {
				panic(err)
			}
			return len(list.Items)
		},
		watch: func(version string) (func() bool, func()) {
			w, err := c.Watch(ctx, prefix, options(version))
			if err != nil {
				panic(err)
			}
			return taking(w.ResultChan()), w.Stop
		},
		stop: c.Stop,
	}
}

func attributes(obj runtime.Object) (labels.Set, fields.Set, error) {
	return storage.DefaultNamespaceScopedAttr(obj)
}

// listing is a storage that lists all and sends changes.
func listing(all []*corev1.Pod, changes watch.Interface) *fake.MockStorage {
	return &fake.MockStorage{
		GetListFn: func(_ context.Context, _ string, _ storage.ListOptions, obj runtime.Object) error {
			list := obj.(*corev1.PodList)
			list.ResourceVersion = strconv.Itoa(len(all))
			for _, p := range all {
				list.Items = append(list.Items, *p)
			}
			return nil
		},
		WatchFn: func(context.Context, string, storage.ListOptions) (watch.Interface, error) { return changes, nil },
	}
}

type theirEvents struct{ out chan watch.Event }

func (w theirEvents) Stop()                          {}
func (w theirEvents) ResultChan() <-chan watch.Event { return w.out }

func taking[E any](events <-chan E) func() bool {
	return func() bool { _, ok := <-events; return ok }
}

// openSolution opens the one of lab 08.
func openSolution(all []*corev1.Pod) cache {
	w := solution.New(kit.Type[*corev1.Pod]{
		New:      func() *corev1.Pod { return &corev1.Pod{} },
		DeepCopy: (*corev1.Pod).DeepCopy,
	}, solution.Options{})
	for _, p := range all {
		w.Commit(kit.Event[*corev1.Pod]{Type: kit.Added, Object: p})
	}
	ctx := context.Background()
	return cache{
		commit: func(p *corev1.Pod) { w.Commit(kit.Event[*corev1.Pod]{Type: kit.Modified, Object: p}) },
		list: func() int {
			list, err := w.List(ctx, kit.ListOptions{ResourceVersion: "0"})
			if err != nil {
				panic(err)
			}
			return len(list.Items)
		},
		watch: func(version string) (func() bool, func()) {
			stream, err := w.Watch(ctx, kit.ListOptions{ResourceVersion: version})
			if err != nil {
				panic(err)
			}
			return taking(stream.ResultChan()), stream.Stop
		},
		stop: func() {},
	}
}
