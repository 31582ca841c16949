package bench

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/controllerbook/controllerbook/labs/kit"
	store "github.com/controllerbook/controllerbook/solutions/07-store"
)

// storedPods is how many pods a store holds while it is measured.
const storedPods = 1000

func newPod(namespace, name string) *kit.Pod {
	p := kit.Pods.New()
	p.Namespace, p.Name = namespace, name
	p.Labels = map[string]string{"app": "web", "tier": "front"}
	p.Annotations = map[string]string{"note": "0"}
	p.Spec.Image = "nginx:1"
	return p
}

func filledStore(b *testing.B, journals ...kit.Journal[*kit.Pod]) (*store.Store[*kit.Pod], []*kit.Pod) {
	s := store.New(kit.Pods, journals...)
	pods := make([]*kit.Pod, storedPods)
	for i := range pods {
		p, err := s.Create(context.Background(), newPod("default", fmt.Sprintf("web-%04d", i)))
		if err != nil {
			b.Fatal(err)
		}
		pods[i] = p
	}
	return s, pods
}

// contend runs f in so many goroutines, b.N times in all, each with a number of its own.
func contend(b *testing.B, goroutines int, f func(goroutine, i int)) {
	b.ReportAllocs()
	b.ResetTimer()
	var next atomic.Int64
	done := make(chan struct{})
	for g := range goroutines {
		go func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= b.N {
					done <- struct{}{}
					return
				}
				f(g, i)
			}
		}()
	}
	for range goroutines {
		<-done
	}
}

func each(b *testing.B, run func(b *testing.B, goroutines int)) {
	for _, n := range []int{1, 4, 16} {
		b.Run(fmt.Sprintf("goroutines=%d", n), func(b *testing.B) { run(b, n) })
	}
}

func BenchmarkStoreGet(b *testing.B) {
	each(b, func(b *testing.B, goroutines int) {
		s, pods := filledStore(b)
		contend(b, goroutines, func(_, i int) {
			if _, err := s.Get(context.Background(), "default", pods[i%len(pods)].Name); err != nil {
				b.Error(err)
			}
		})
	})
}

// BenchmarkStoreUpdate lets each goroutine write pods that are its own.
func BenchmarkStoreUpdate(b *testing.B) {
	each(b, func(b *testing.B, goroutines int) {
		s, pods := filledStore(b)
		contend(b, goroutines, func(g, i int) {
			mine := pods[g]
			mine.Annotations["note"] = fmt.Sprint(i)
			updated, err := s.Update(context.Background(), mine)
			if err != nil {
				b.Error(err)
			}
			pods[g] = updated
		})
	})
}

// BenchmarkStoreUpdateOnePod lets all goroutines write the same pod, with the
// read and the retries that this takes.
func BenchmarkStoreUpdateOnePod(b *testing.B) {
	each(b, func(b *testing.B, goroutines int) {
		s, _ := filledStore(b)
		ctx := context.Background()
		contend(b, goroutines, func(_, i int) {
			for {
				p, err := s.Get(ctx, "default", "web-0000")
				if err != nil {
					b.Error(err)
				}
				p.Annotations["note"] = fmt.Sprint(i)
				if _, err = s.Update(ctx, p); err == nil {
					return
				}
			}
		})
	})
}

func BenchmarkStoreCreateDelete(b *testing.B) {
	each(b, func(b *testing.B, goroutines int) {
		s, _ := filledStore(b)
		ctx := context.Background()
		contend(b, goroutines, func(g, _ int) {
			name := fmt.Sprintf("new-%d", g)
			if _, err := s.Create(ctx, newPod("default", name)); err != nil {
				b.Error(err)
			}
			if _, err := s.Delete(ctx, "default", name, kit.DeleteOptions{}); err != nil {
				b.Error(err)
			}
		})
	})
}

func BenchmarkStoreList1000(b *testing.B) {
	each(b, func(b *testing.B, goroutines int) {
		s, _ := filledStore(b)
		contend(b, goroutines, func(_, _ int) {
			if _, err := s.List(context.Background(), kit.ListOptions{}); err != nil {
				b.Error(err)
			}
		})
	})
}
