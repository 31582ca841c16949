package cancellation

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Until calls f at once and then again and again, until ctx is done. Between two
// calls it waits for period, counted from the moment at which f returned; with a
// period <= 0 it does not wait. It blocks until the loop has ended, and leaves
// nothing running, not even a timer made by time.AfterFunc. The memory that it holds, its
// stack included, does not grow with the number of calls.
//
// f gets ctx. It is never called once ctx is done, not even the first time. A
// cancellation ends the wait at once; a running call of f is waited for. A panic of
// f is not caught: it is to end the process, and what it leaves is not specified.
//
// Its timing is that of apimachinery's wait.UntilWithContext.
func Until(ctx context.Context, period time.Duration, f func(ctx context.Context)) {
	panic(kit.TODO("Until"))
}

// Backoff says how long to wait before each next try. It has the fields and the
// arithmetic of apimachinery's wait.Backoff.
type Backoff struct {
	// Duration is the length of the next step, before jitter.
	Duration time.Duration
	// Factor multiplies Duration after each step, as long as there are Steps left.
	// With Factor 0 Duration stays as it is. Callers never set a negative Factor.
	Factor float64
	// Jitter > 0 lengthens every step by a random amount, drawn anew for each step
	// and evenly distributed between 0 and Jitter * Duration, where Duration is the one
	// that the step began with.
	Jitter float64
	// Steps is how many steps may still change Duration. When it is not positive
	// Duration no longer changes.
	Steps int
	// Cap > 0 bounds what the multiplication may make of Duration. It bounds
	// neither the jitter nor a Duration that was above it from the start, but it does
	// bound the product of such a Duration.
	Cap time.Duration
}

// Step returns how long to wait now, and moves b on to its next step.
//
// It returns Duration, lengthened by Jitter. Then, if Steps is positive, it lowers
// Steps by one and, unless Factor is 0, multiplies Duration by Factor. If Cap is
// positive and the product is above it, Duration becomes Cap and Steps becomes 0. If
// Steps is not positive, Step leaves Duration alone and sets Steps to 0. Jitter never
// goes into Duration: it does not add up.
//
// A nil Backoff returns 0. Not specified are the rounding of fractions of a nanosecond,
// the overflow of a product or a sum, and the jitter of a negative Duration. Step is not
// safe for concurrent use.
func (b *Backoff) Step() time.Duration {
	panic(kit.TODO("Backoff.Step"))
}

// Run calls f at once and then again and again, until ctx is done. Between two
// calls it waits for the next Step; if that is <= 0 it does not wait. It blocks until
// the loop has ended, and leaves nothing running, not even a timer made by time.AfterFunc.
// The memory that it holds, its stack included, does not grow with the number of calls.
//
// If sliding is true the wait begins when f has returned. If it is false the wait
// begins when f is called, so the time that f takes is part of it: when f takes
// longer than the step, the next call follows at once. Calls never overlap and
// missed ones are not made up for.
//
// f gets ctx. It is never called once ctx is done, not even the first time. A
// cancellation ends the wait at once, however long the step; a running call of f
// is waited for. A panic of f is not caught: it is to end the process, and what it leaves
// is not specified.
//
// Run works on a copy: b itself is not changed, and one Backoff may be run many
// times, also concurrently. Its timing is that of apimachinery's
// wait.BackoffUntilWithContext.
func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	panic(kit.TODO("Backoff.Run"))
}
