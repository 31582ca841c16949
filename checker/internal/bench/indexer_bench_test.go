package bench

import (
	"strconv"
	"testing"

	"github.com/controllerbook/controllerbook/labs/kit"
	indexer "github.com/controllerbook/controllerbook/solutions/15-indexer"
)

// indexed is an indexer with 5000 pods on 100 nodes, found by node and by namespace.
func indexed() (*indexer.Indexer[*kit.Pod], []*kit.Pod) {
	x := indexer.New(map[string]kit.IndexFunc[*kit.Pod]{
		"namespace": func(p *kit.Pod) ([]string, error) { return []string{p.Namespace}, nil },
		"node":      func(p *kit.Pod) ([]string, error) { return []string{p.Spec.NodeName}, nil },
	})
	all := pods(5000)
	for i, p := range all {
		p.Spec.NodeName = node(i)
		_ = x.Add(p)
	}
	return x, all
}

func node(i int) string { return "node-" + strconv.Itoa(i%100) }

// BenchmarkIndexerGet finds pods by key.
func BenchmarkIndexerGet(b *testing.B) {
	x, all := indexed()
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		_, _ = x.Get(all[i%len(all)])
	}
}

// BenchmarkIndexerUpdate is upstream's BenchmarkIndexer with two indices: the values
// stay as they are.
func BenchmarkIndexerUpdate(b *testing.B) {
	x, all := indexed()
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		_ = x.Update(all[i%len(all)])
	}
}

// BenchmarkIndexerMove updates pods that move from one node to another.
func BenchmarkIndexerMove(b *testing.B) {
	x, all := indexed()
	moved := pods(len(all))
	for i, p := range moved {
		p.Spec.NodeName = node(i + 1)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		_ = x.Update([][]*kit.Pod{moved, all}[i/len(all)%2][i%len(all)])
	}
}

// BenchmarkIndexerByIndex finds the fifty pods of a node.
func BenchmarkIndexerByIndex(b *testing.B) {
	x, _ := indexed()
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		_, _ = x.ByIndex("node", "node-"+strconv.Itoa(i%100))
	}
}

// BenchmarkIndexerReplace puts 5000 pods in the place of themselves.
func BenchmarkIndexerReplace(b *testing.B) {
	x, all := indexed()
	b.ReportAllocs()
	for b.Loop() {
		_ = x.Replace(all, "1")
	}
}

// BenchmarkIndexerContended reads by key from many goroutines while one in sixteen
// calls writes.
func BenchmarkIndexerContended(b *testing.B) {
	x, all := indexed()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			if i%16 == 0 {
				_ = x.Update(all[i%len(all)])
			}
			_, _ = x.Get(all[i%len(all)])
		}
	})
}
