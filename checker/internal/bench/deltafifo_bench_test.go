package bench

import (
	"strconv"
	"sync"
	"testing"

	"github.com/controllerbook/controllerbook/labs/kit"
	deltafifo "github.com/controllerbook/controllerbook/solutions/14-deltafifo"
)

// BenchmarkDeltaFIFO is one change of one pod, queued and popped at once: a
// consumer that keeps up.
func BenchmarkDeltaFIFO(b *testing.B) {
	all := pods(1000)
	f := deltafifo.New(deltafifo.Options[*kit.Pod]{})
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		_ = f.Update(all[i%len(all)])
		_, _ = f.Pop(nothing)
	}
}

// BenchmarkDeltaFIFOBacklog queues three changes of each of 1000 pods, and then
// works them off.
func BenchmarkDeltaFIFOBacklog(b *testing.B) {
	all := pods(1000)
	f := deltafifo.New(deltafifo.Options[*kit.Pod]{})
	b.ReportAllocs()
	for b.Loop() {
		for range 3 {
			for _, p := range all {
				_ = f.Update(p)
			}
		}
		for range all {
			_, _ = f.Pop(nothing)
		}
	}
}

// BenchmarkDeltaFIFORelist replaces 1000 pods by themselves, and works that off.
func BenchmarkDeltaFIFORelist(b *testing.B) {
	all := pods(1000)
	f := deltafifo.New(deltafifo.Options[*kit.Pod]{})
	b.ReportAllocs()
	for b.Loop() {
		_ = f.Replace(all, "1")
		for range all {
			_, _ = f.Pop(nothing)
		}
	}
}

// BenchmarkDeltaFIFOContended has so many goroutines queue changes while one pops.
func BenchmarkDeltaFIFOContended(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			all := pods(1000)
			f := deltafifo.New(deltafifo.Options[*kit.Pod]{})
			b.ReportAllocs()
			var writers, reader sync.WaitGroup
			reader.Go(func() {
				for {
					if _, err := f.Pop(nothing); err != nil {
						return
					}
				}
			})
			for w := range n {
				writers.Go(func() {
					for i := w; i < b.N; i += n {
						_ = f.Update(all[i%len(all)])
					}
				})
			}
			writers.Wait()
			f.Close()
			reader.Wait()
		})
	}
}

func nothing(kit.Deltas[*kit.Pod], bool) error { return nil }

func pods(n int) []*kit.Pod {
	all := make([]*kit.Pod, n)
	for i := range all {
		all[i] = &kit.Pod{ObjectMeta: kit.ObjectMeta{
			Namespace:       "ns-" + strconv.Itoa(i%10),
			Name:            "pod-" + strconv.Itoa(i),
			ResourceVersion: strconv.Itoa(i + 1),
		}}
	}
	return all
}
