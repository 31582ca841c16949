package cancellation

import (
	"context"
	"math/rand/v2"
	"time"
)

// Until calls f every period until ctx is done: a backoff that never grows.
func Until(ctx context.Context, period time.Duration, f func(ctx context.Context)) {
	Backoff{Duration: period}.Run(ctx, true, f)
}

// Backoff says how long to wait before each next try. It has the fields and the
// arithmetic of apimachinery's wait.Backoff.
type Backoff struct {
	// Duration is the length of the next step, before jitter.
	Duration time.Duration
	// Factor multiplies Duration after each step, as long as there are Steps left.
	// With Factor 0 Duration stays as it is. Callers never set a negative one.
	Factor float64
	// Jitter > 0 lengthens every step by a random amount between 0 and
	// Jitter * Duration, drawn anew for each step.
	Jitter float64
	// Steps is how many steps may still change Duration. When it is not positive
	// Duration no longer changes.
	Steps int
	// Cap > 0 bounds what the multiplication may make of Duration. It bounds
	// neither the jitter nor a Duration that was above it from the start.
	Cap time.Duration
}

// Step returns how long to wait now, and moves b on to its next step.
func (b *Backoff) Step() time.Duration {
	if b == nil {
		return 0
	}
	wait := jittered(b.Duration, b.Jitter)
	b.grow()
	return wait
}

// grow makes Duration what it is for the next step. Jitter has no part in it: if it
// went into Duration, ten small random delays would multiply into one large one.
func (b *Backoff) grow() {
	if b.Steps <= 0 {
		b.Steps = 0
		return
	}
	b.Steps--
	if b.Factor == 0 {
		return
	}
	b.Duration = time.Duration(float64(b.Duration) * b.Factor)
	if b.Cap > 0 && b.Duration > b.Cap {
		b.Duration, b.Steps = b.Cap, 0
	}
}

// jittered lengthens d by up to factor * d. The source is the process's own, seeded
// at random: with a fixed seed a thousand replicas would draw the same numbers
// and come back in the same millisecond, which is what jitter is against.
func jittered(d time.Duration, factor float64) time.Duration {
	if factor <= 0 {
		return d
	}
	return d + time.Duration(rand.Float64()*factor*float64(d))
}

// Run calls f again and again, a Step apart, until ctx is done. The receiver is a
// value, so each Run counts its own steps.
//
// When the wait is over and ctx is done at the same moment, select picks either;
// the loop's condition is what keeps f from running once more. time.After needs no
// Stop here: since Go 1.23 a timer that nobody waits for is collected.
func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	var next <-chan time.Time
	for ctx.Err() == nil {
		if !sliding {
			next = time.After(b.Step())
		}
		f(ctx)
		if sliding {
			next = time.After(b.Step())
		}
		select {
		case <-ctx.Done():
		case <-next:
		}
	}
}
