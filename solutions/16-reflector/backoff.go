package reflector

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// healthy is how long nothing may have failed for the waits to start over.
const healthy = 2 * time.Minute

// backoff is one Backoff shared by everything that can fail. There were once two in
// client-go, one for lists and one for watches, and each success of one
// hid the failures of the other (kubernetes#118129).
//
// It belongs to the goroutine that runs ListAndWatch, so it has no lock.
type backoff struct {
	initial kit.Backoff
	current kit.Backoff
	until   time.Time // when the last wait ended, or is going to; zero before the first
}

func newBackoff(b kit.Backoff) backoff {
	if b == (kit.Backoff{}) {
		b = DefaultBackoff()
	}
	return backoff{initial: b, current: b}
}

// step is how long to wait after a failure that has come to light now.
func (b *backoff) step() time.Duration {
	now := time.Now()
	if now.Sub(b.until) > healthy {
		b.current = b.initial
	}
	wait := b.current.Step()
	b.until = now.Add(wait)
	return wait
}

// wait sleeps one step, or until ctx is done. time.Sleep would be shorter by a
// select, and would keep a process that is told to stop for up to a minute
// (kubernetes#116435).
func (b *backoff) wait(ctx context.Context) {
	timer := time.NewTimer(b.step())
	defer timer.Stop()
	select {
	case <-ctx.Done():
		b.until = time.Now() // not later, as step thought
	case <-timer.C:
	}
}
