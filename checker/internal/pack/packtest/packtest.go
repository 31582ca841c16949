// Package packtest is the suite for every item of a pack: it calls the item's Kernel.
package packtest

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/nudge"
)

// Subject is an item of a pack.
type Subject struct {
	Kernel func(t testing.TB)
	T      testing.TB // the test that runs it, for all that is not about failing
}

// The names of the cases.
const (
	Copies = "copies" // many copies of the kernel side by side
	Once   = "once"   // for kernels with package variables, fixed ports and the like
)

// Cases returns the two ways of running a kernel. An item is run in one of them.
func Cases() []conform.Case[Subject] {
	return []conform.Case[Subject]{
		{Name: Copies, Func: "Kernel", Mode: conform.Plain, Check: inBatches},
		{Name: Once, Func: "Kernel", Mode: conform.Plain, Check: once},
	}
}

// Copies of a kernel run in so many batches, as long as that takes little time and leaves few goroutines:
// what goes wrong on one schedule of a thousand needs a thousand tries, and most kernels take a few
// microseconds. The runtime is slow with thousands of goroutines that wait, and the first of them tell enough.
const (
	batches = 32
	enough  = 500 * time.Millisecond
	crowd   = 500
)

func inBatches(t *conform.T, open func() Subject) {
	began := time.Now()
	try := func(t *conform.T) { check(t, open) }
	// Alone, a kernel may show what among its copies comes after a race.
	late(func() { try(t) })
	with(1, func() { try(t) })
	for n := 0; n < batches && time.Since(began) < enough && runtime.NumGoroutine() < crowd; n++ {
		have, batch := processors[n%len(processors)], try
		if have == 1 {
			batch = func(t *conform.T) { several(t, try) }
		}
		with(have, func() { t.Copies(batch) })
	}
}

// several tries a few kernels at once. On one processor so many of them hold each other up for longer than
// kernels sleep: what one starts may begin when its timer has fired already.
func several(t *conform.T, try func(t *conform.T)) {
	for range 4 {
		t.Go("kernel", func(*conform.Actor) { try(t) })
	}
	t.Join()
}

func once(t *conform.T, open func() Subject) {
	try := func() { check(t, open) }
	if n := t.Rand().IntN(len(processors) + 1); n < len(processors) {
		with(processors[n], try)
	} else {
		late(try)
	}
}

// processors are how many the tries have, in turn. With more than the machine has, the system may halt a
// goroutine between any two instructions while others go on. With one, what a kernel starts begins late.
var processors = []int{runtime.NumCPU(), 4 * runtime.NumCPU(), 2 * runtime.NumCPU(), 1}

// with calls f with so many processors.
func with(processors int, f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	f()
}

// late calls f with one processor, and its goroutine gives way to no other unless it waits or has had its
// time slice: what f starts begins late, or not before f has returned.
func late(f func()) { with(1, func() { nudge.Still(f) }) }

func check(t *conform.T, open func() Subject) {
	s := open()
	b := &tb{TB: s.T, t: t}
	b.ctx, b.cancel = context.WithCancel(t.Context())
	defer b.cleanUp()
	s.Kernel(b)
}

// tb is what a kernel takes for a testing.TB. What the kernel says of its own failure goes
// to the case; the rest is the test's.
type tb struct {
	testing.TB
	t        *conform.T
	ctx      context.Context
	cancel   context.CancelFunc // called before the cleanups, as in package testing: they may wait for what ctx ends
	cleanups []func()           // as in package testing, only the goroutine of the kernel registers one
}

func (b *tb) Helper()                           {}
func (b *tb) Log(...any)                        {}
func (b *tb) Logf(string, ...any)               {}
func (b *tb) Context() context.Context          { return b.ctx }
func (b *tb) Failed() bool                      { return b.t.Failed() }
func (b *tb) Fail()                             { b.t.Errorf("the kernel failed") }
func (b *tb) FailNow()                          { b.Fail(); b.t.FailNow() }
func (b *tb) Error(args ...any)                 { b.t.Errorf("%s", fmt.Sprintln(args...)) }
func (b *tb) Errorf(format string, args ...any) { b.t.Errorf(format, args...) }
func (b *tb) Fatal(args ...any)                 { b.t.Fatalf("%s", fmt.Sprintln(args...)) }
func (b *tb) Fatalf(format string, args ...any) { b.t.Fatalf(format, args...) }
func (b *tb) Cleanup(f func())                  { b.cleanups = append(b.cleanups, f) }

// A kernel that is skipped would count as right, so skipping is a failure.

func (b *tb) Skip(args ...any)                 { b.t.Fatalf("the kernel skipped itself: %s", fmt.Sprint(args...)) }
func (b *tb) Skipf(format string, args ...any) { b.Skip(fmt.Sprintf(format, args...)) }
func (b *tb) SkipNow()                         { b.Skip("SkipNow") }

// cleanUp ends the kernel's context and calls what Cleanup was given, the last first.
func (b *tb) cleanUp() {
	b.cancel()
	for i := len(b.cleanups) - 1; i >= 0; i-- {
		b.cleanups[i]()
	}
}
