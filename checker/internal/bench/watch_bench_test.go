package bench

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/controllerbook/controllerbook/labs/kit"
	watch "github.com/controllerbook/controllerbook/solutions/08-watch"
)

// BenchmarkWatchFanOut is what one write costs with so many watchers that all
// receive it. The writer lets them catch up now and then: what is measured is a
// stream that nobody falls behind on.
func BenchmarkWatchFanOut(b *testing.B) {
	for _, watchers := range []int{0, 1, 10, 100} {
		b.Run(fmt.Sprintf("watchers=%d", watchers), func(b *testing.B) {
			w := watch.New(kit.Pods, watch.Options{Window: 4096})
			fanOut(b, w, watchers)
		})
	}
}

func fanOut(b *testing.B, w *watch.Watchable[*kit.Pod], watchers int) {
	const lap = 1000
	var lapped, all sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	for range watchers {
		stream, err := w.Watch(ctx, kit.ListOptions{ResourceVersion: "1"})
		if err != nil {
			b.Fatal(err)
		}
		all.Go(func() {
			n := 0
			for range stream.ResultChan() {
				if n++; n%lap == 0 {
					lapped.Done()
				}
			}
		})
	}
	pod := newPod("default", "web")
	b.ReportAllocs()
	b.ResetTimer()
	lapped.Add(watchers)
	for i := range b.N {
		p := *pod // shares its maps: nobody writes to them
		p.ResourceVersion = fmt.Sprint(i + 2)
		w.Commit(kit.Event[*kit.Pod]{Type: kit.Modified, Object: &p})
		if (i+1)%lap == 0 {
			lapped.Wait()
			lapped.Add(watchers)
		}
	}
	b.StopTimer()
	cancel()
	all.Wait()
}

// BenchmarkWatchWithWriters is what a write to a store costs that is watched,
// with 1, 4 and 16 writers.
func BenchmarkWatchWithWriters(b *testing.B) {
	each(b, func(b *testing.B, goroutines int) {
		w := watch.New(kit.Pods, watch.Options{Window: 1 << 16})
		s, pods := filledStore(b, w)
		var all sync.WaitGroup
		ctx, cancel := context.WithCancel(context.Background())
		for range 10 {
			stream, err := w.Watch(ctx, kit.ListOptions{})
			if err != nil {
				b.Fatal(err)
			}
			all.Go(func() {
				for range stream.ResultChan() {
				}
			})
		}
		contend(b, goroutines, func(g, i int) {
			mine := pods[g]
			mine.Annotations["note"] = fmt.Sprint(i)
			updated, err := s.Update(ctx, mine)
			if err != nil {
				b.Error(err)
			}
			pods[g] = updated
		})
		b.StopTimer()
		cancel()
		all.Wait()
	})
}

// BenchmarkWatchStart is what it costs to begin a watch list of a thousand pods
// and to read all of it.
func BenchmarkWatchStart(b *testing.B) {
	each(b, func(b *testing.B, goroutines int) {
		w := watch.New(kit.Pods, watch.Options{})
		filledStore(b, w)
		contend(b, goroutines, func(_, _ int) {
			stream, err := w.Watch(context.Background(), kit.ListOptions{SendInitialEvents: true, AllowWatchBookmarks: true})
			if err != nil {
				b.Error(err)
				return
			}
			for e := range stream.ResultChan() {
				if e.Type == kit.Bookmark {
					stream.Stop()
				}
			}
		})
	})
}
