// Package packtest is the suite for every item of a pack: it calls the item's Kernel.
package packtest

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
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
	// Alone, a kernel may show what among its copies comes after a race.
	with(1, func() { check(t, open) })
	for n := 0; n < batches && time.Since(began) < enough && runtime.NumGoroutine() < crowd; n++ {
		with(processors[n%len(processors)], func() { t.Copies(func(t *conform.T) { check(t, open) }) })
	}
}

func once(t *conform.T, open func() Subject) {
	with(processors[t.Rand().IntN(len(processors))], func() { check(t, open) })
}

// processors are how many the tries have, in turn. With one, what a kernel starts begins late. With more than
// the machine has, the system may halt a goroutine between any two instructions while others go on.
var processors = []int{runtime.NumCPU(), 1, 4 * runtime.NumCPU(), 2 * runtime.NumCPU()}

// with calls f with so many processors.
func with(processors int, f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	f()
}

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
