// Package nudge preempts the subject at random.
//
// The checker compiles the learner's package with
// -d=maymorestack=…/nudge.MayYield, which calls MayYield at the head of every
// function that has a stack check. One call in four asks the scheduler to
// preempt the goroutine there. On the 103 GoBench kernels this, with many copies
// side by side, finds 95 bugs in one run, where go test -race alone finds 43.
//
// The flag is an undocumented debug flag of the Go compiler. If it goes away the
// checker builds without it: nothing here is needed for a correct verdict.
package nudge

import _ "unsafe" // for go:linkname

//go:linkname preempt runtime.mayMoreStackPreempt
func preempt()

// state is a xorshift generator. It is shared and unsynchronised on purpose: a
// lock would order the very goroutines whose disorder is wanted.
var state uint32 = 0x9E3779B9

// Seed makes the sequence of preemptions depend on the run's seed.
func Seed(s uint64) {
	state = uint32(s) ^ uint32(s>>32) | 1
}

// MayYield is called from function prologues, before there is a stack frame: it
// may not grow the stack, allocate or be instrumented by the race detector.
//
//go:nosplit
//go:norace
func MayYield() {
	x := state
	x ^= x << 13
	x ^= x >> 17
	x ^= x << 5
	state = x
	if x&3 == 0 {
		preempt()
	}
}
