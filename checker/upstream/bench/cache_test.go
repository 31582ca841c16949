package bench

import (
	"fmt"
	"strconv"
	"testing"

	upstream "k8s.io/client-go/tools/cache"

	"github.com/controllerbook/controllerbook/labs/kit"
	deltafifo "github.com/controllerbook/controllerbook/solutions/14-deltafifo"
	indexer "github.com/controllerbook/controllerbook/solutions/15-indexer"
)

// podKey makes upstream's caches as quick as ours at naming an object: their own
// key function first asks what kind of object it has.
func podKey(obj any) (string, error) { return kit.Key(obj.(*kit.Pod)), nil }

// pods are so many pods, a hundred to a node.
func pods(n int) []*kit.Pod {
	all := make([]*kit.Pod, n)
	for i := range all {
		all[i] = &kit.Pod{
			ObjectMeta: kit.ObjectMeta{Namespace: "ns-" + strconv.Itoa(i%10), Name: "pod-" + strconv.Itoa(i), ResourceVersion: strconv.Itoa(i + 1)},
			Spec:       kit.PodSpec{NodeName: node(i / 100)},
		}
	}
	return all
}

func node(i int) string { return fmt.Sprintf("node-%03d", i) }

// fifo is what is measured of a DeltaFIFO. The two have no interface in common: one
// takes objects of any type.
type fifo struct {
	update func(p *kit.Pod)
	pop    func()
}

func fifos(b *testing.B, measure func(b *testing.B, open func() fifo)) {
	beside(b,
		func() fifo {
			f := upstream.NewDeltaFIFOWithOptions(upstream.DeltaFIFOOptions{KeyFunction: podKey, EmitDeltaTypeReplaced: true})
			process := func(any, bool) error { return nil }
			return fifo{func(p *kit.Pod) { _ = f.Update(p) }, func() { _, _ = f.Pop(process) }}
		},
		func() fifo {
			f := deltafifo.New(deltafifo.Options[*kit.Pod]{})
			process := func(kit.Deltas[*kit.Pod], bool) error { return nil }
			return fifo{func(p *kit.Pod) { _ = f.Update(p) }, func() { _, _ = f.Pop(process) }}
		},
		measure)
}

// BenchmarkDeltaFIFO is one change of one pod, queued and popped at once: a
// consumer that keeps up.
func BenchmarkDeltaFIFO(b *testing.B) {
	all := pods(1000)
	fifos(b, func(b *testing.B, open func() fifo) {
		f := open()
		for i := 0; b.Loop(); i++ {
			f.update(all[i%len(all)])
			f.pop()
		}
	})
}

// BenchmarkDeltaFIFOBacklog queues three changes of each of 1000 pods, and then
// works them off.
func BenchmarkDeltaFIFOBacklog(b *testing.B) {
	all := pods(1000)
	fifos(b, func(b *testing.B, open func() fifo) {
		f := open()
		for b.Loop() {
			for range 3 {
				for _, p := range all {
					f.update(p)
				}
			}
			for range all {
				f.pop()
			}
		}
	})
}

// store is what is measured of an Indexer.
type store struct {
	update func(p *kit.Pod)
	get    func(key string) *kit.Pod
	byNode func(node string) int
}

func stores(b *testing.B, measure func(b *testing.B, open func() store)) {
	const byNode = "node"
	beside(b,
		func() store {
			x := upstream.NewIndexer(podKey, upstream.Indexers{byNode: func(obj any) ([]string, error) {
				return []string{obj.(*kit.Pod).Spec.NodeName}, nil
			}})
			return store{
				func(p *kit.Pod) { _ = x.Update(p) },
				func(key string) *kit.Pod {
					obj, _, _ := x.GetByKey(key)
					return obj.(*kit.Pod)
				},
				func(node string) int {
					all, _ := x.ByIndex(byNode, node)
					return len(all)
				},
			}
		},
		func() store {
			x := indexer.New(map[string]kit.IndexFunc[*kit.Pod]{byNode: func(p *kit.Pod) ([]string, error) {
				return []string{p.Spec.NodeName}, nil
			}})
			return store{
				func(p *kit.Pod) { _ = x.Update(p) },
				func(key string) *kit.Pod {
					p, _ := x.GetByKey(key)
					return p
				},
				func(node string) int {
					all, _ := x.ByIndex(byNode, node)
					return len(all)
				},
			}
		},
		measure)
}

// filled is a store of ten thousand pods on a hundred nodes.
func filled(open func() store) (s store, all []*kit.Pod) {
	s, all = open(), pods(10_000)
	for _, p := range all {
		s.update(p)
	}
	return s, all
}

// BenchmarkIndexerGet reads one of ten thousand pods.
func BenchmarkIndexerGet(b *testing.B) {
	stores(b, func(b *testing.B, open func() store) {
		s, all := filled(open)
		keys := make([]string, len(all))
		for i, p := range all {
			keys[i] = kit.Key(p)
		}
		for i := 0; b.Loop(); i++ {
			s.get(keys[i%len(keys)])
		}
	})
}

// BenchmarkIndexerByIndex reads the hundred pods of one of a hundred nodes.
func BenchmarkIndexerByIndex(b *testing.B) {
	stores(b, func(b *testing.B, open func() store) {
		s, _ := filled(open)
		nodes := make([]string, 100)
		for i := range nodes {
			nodes[i] = node(i)
		}
		for i := 0; b.Loop(); i++ {
			if n := s.byNode(nodes[i%100]); n != 100 {
				b.Fatalf("%d pods on a node of a hundred", n)
			}
		}
	})
}

// BenchmarkIndexerUpdate writes one of ten thousand pods; every other time it is on
// another node than before.
func BenchmarkIndexerUpdate(b *testing.B) {
	stores(b, func(b *testing.B, open func() store) {
		s, all := filled(open)
		moved := pods(len(all))
		for i, p := range moved {
			p.Spec.NodeName = node((i/100 + i%2) % 100)
		}
		for i := 0; b.Loop(); i++ {
			from := all
			if i/len(all)%2 == 0 {
				from = moved
			}
			s.update(from[i%len(all)])
		}
	})
}
