package cancellation

import (
	"context"
	"math/rand/v2"
	"time"
)

// Until calls f every period until ctx is done. Each wait is a context with a timeout.
func Until(ctx context.Context, period time.Duration, f func(ctx context.Context)) {
	for ctx.Err() == nil {
		f(ctx)
		nap, cancel := context.WithTimeout(ctx, period)
		<-nap.Done()
		cancel()
	}
}

// Backoff says how long to wait before each next try.
type Backoff struct {
	Duration time.Duration // of the next step, before jitter
	Factor   float64       // multiplies Duration after each step
	Jitter   float64       // lengthens each step by up to Jitter * Duration
	Steps    int           // how many steps may still change Duration
	Cap      time.Duration // bounds what the multiplication makes
}

// Step returns how long to wait now, and moves b on to its next step.
func (b *Backoff) Step() time.Duration {
	if b == nil {
		return 0
	}
	step := b.Duration
	if n := int64(b.Jitter * float64(step)); n > 0 {
		step += time.Duration(rand.Int64N(n))
	}
	switch {
	case b.Steps <= 0:
		b.Steps = 0
		return step
	default:
		b.Steps--
	}
	if b.Factor == 0 {
		return step
	}
	next := time.Duration(float64(b.Duration) * b.Factor)
	if b.Cap > 0 && next > b.Cap {
		next, b.Steps = b.Cap, 0
	}
	b.Duration = next
	return step
}

// Run calls f again and again, a Step apart, until ctx is done.
func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	for ctx.Err() == nil {
		at := time.Now()
		f(ctx)
		if sliding {
			at = time.Now()
		}
		nap, wake := context.WithDeadline(ctx, at.Add(b.Step()))
		<-nap.Done()
		wake()
	}
}
