// Package nudge has the subject give way at random, so that its goroutines meet in more
// ways than the scheduler alone would find.
//
// The checker compiles the learner's package with -d=maymorestack=…/nudge.MayYield, which
// calls MayYield at the head of every function that has a stack check: one call in four
// asks the scheduler to preempt the goroutine there. And it writes calls of Step between
// the statements: one in sixteen yields. docs/decisions/0012 says what that finds.
//
// The flag is an undocumented debug flag of the Go compiler. If it goes away the
// checker builds without it: nothing here is needed for a correct verdict.
//
// The package is not internal because the learner's, which calls it, is outside checker.
package nudge

import (
	"runtime"
	_ "unsafe" // for go:linkname
)

//go:linkname preempt runtime.mayMoreStackPreempt
func preempt()

// state is a xorshift generator. It is shared and unsynchronised on purpose: a
// lock would order the very goroutines whose disorder is wanted.
var state uint32 = 0x9E3779B9

// Seed makes the sequence of preemptions depend on the run's seed.
func Seed(s uint64) {
	state = uint32(s) ^ uint32(s>>32) | 1
}

// still is set while nobody gives way. It is unsynchronised, as state is.
var still bool

// Still calls f while nobody gives way: what is started then begins when the goroutine that starts it
// waits, or has had its time slice.
func Still(f func()) {
	still = true
	defer func() { still = false }()
	f()
}

// MayYield is called from function prologues, before there is a stack frame: it
// may not grow the stack, allocate or be instrumented by the race detector.
//
//go:nosplit
//go:norace
func MayYield() {
	if !still && roll()&3 == 0 {
		preempt()
	}
}

// Step is called between the statements of the subject.
//
//go:norace
func Step() {
	if !still && roll()&15 == 0 {
		runtime.Gosched()
	}
}

// roll is the next number of the generator.
//
//go:nosplit
//go:norace
func roll() uint32 {
	x := state
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	state = x
	return x
}
