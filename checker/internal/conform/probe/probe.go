// Package probe looks at what a subject cannot show by itself: how much memory it keeps,
// which of the objects that it was given are still there, whether a channel is closed, on which
// goroutine it calls back, and what happens if many goroutines come to the same place at one
// moment.
package probe

import (
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"weak"
)

// looks is how often a probe of the garbage collector looks before it believes the worse
// answer: right after a collection, what was found dead may still be counted, and the
// machinery around a case allocates too.
const looks = 5

// Heap is how many bytes are reachable. It collects garbage, and reads runtime/metrics,
// which does not stop the world: runtime.ReadMemStats would wait for the watchdog's own look
// at the stacks, and be taken for stuck.
func Heap() int64 {
	runtime.GC()
	runtime.GC() // what a finalizer of the first held
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// Growth is by how many bytes the heap has grown since before. It looks again while that
// is not below limit.
func Growth(before, limit int64) int64 {
	grown := Heap() - before
	for range looks - 1 {
		if grown < limit {
			break
		}
		grown = Heap() - before
	}
	return grown
}

// Alive is how many of the pointers' values are still referenced from somewhere, after as
// many collections as change something. The values are made in a function that
// is not inlined, or on a goroutine of its own, so that no frame of the case holds one.
// A goroutine that was preempted may keep one or two alive by chance.
func Alive[T any](pointers []weak.Pointer[T]) int { return AliveAbove(pointers, 0) }

// AliveAbove is Alive where as many as few of the values may be alive: once that is so, it looks
// no more.
func AliveAbove[T any](pointers []weak.Pointer[T], few int) int {
	alive := len(pointers)
	for range looks {
		if alive <= few {
			break
		}
		runtime.GC()
		alive = 0
		for _, p := range pointers {
			if p.Value() != nil {
				alive++
			}
		}
	}
	return alive
}

// Wakeups is about how often a goroutine of this process began to run, since the process did.
// The runtime looks at one start in eight. Of two calls the difference counts.
func Wakeups() uint64 {
	sample := []metrics.Sample{{Name: "/sched/latencies:seconds"}}
	metrics.Read(sample)
	var seen uint64
	for _, n := range sample[0].Value.Float64Histogram().Counts {
		seen += n
	}
	return 8 * seen
}

// Woken is how often that was since Wakeups returned before, and whether something has polled: that is
// more often than the goroutines that the Go runtime has of its own begin to run while all sleep.
func Woken(before uint64) (times uint64, polled bool) {
	const few = 1000
	times = Wakeups() - before
	return times, times >= few
}

// Closed reports whether a channel that carries no values is closed.
func Closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Goroutine is the number of the goroutine that calls it, as a stack trace has it.
func Goroutine() string {
	var trace [64]byte
	head, _, _ := strings.Cut(string(trace[:runtime.Stack(trace[:], false)]), "[")
	return head
}

// Peak counts how many goroutines are in a place at once. It orders them no more than an atomic does.
type Peak struct{ inside, most atomic.Int32 }

// Enter counts one more, and returns how many there are now.
func (p *Peak) Enter() int {
	now := p.inside.Add(1)
	for m := p.most.Load(); now > m && !p.most.CompareAndSwap(m, now); m = p.most.Load() {
	}
	return int(now)
}

// Leave counts one less.
func (p *Peak) Leave() { p.inside.Add(-1) }

// Most is how many there were at once at most.
func (p *Peak) Most() int { return int(p.most.Load()) }

// Barrier returns a function that blocks until n goroutines have called it.
func Barrier(n int) func() {
	var arrived atomic.Int32
	open := make(chan struct{})
	return func() {
		if int(arrived.Add(1)) == n {
			close(open)
		}
		<-open
	}
}

// Together returns a function that n goroutines call to go on as nearly at one moment as
// can be: they spin until the last has come, and none has to be woken.
func Together(n int) func() {
	var ready atomic.Int32
	return func() {
		for ready.Add(1); int(ready.Load()) < n; {
			runtime.Gosched()
		}
	}
}

// AtOnce makes the calls from goroutines of their own, as nearly at one moment as can be,
// and returns when all have returned.
func AtOnce(calls ...func()) {
	together := Together(len(calls))
	var all sync.WaitGroup
	for _, call := range calls {
		all.Go(func() {
			together()
			call()
		})
	}
	all.Wait()
}
