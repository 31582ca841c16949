package kit

import (
	"math/rand/v2"
	"time"
)

// Backoff says how long to wait between tries and how many there are
// (apimachinery wait.Backoff, field by field). It is a value: a callee that steps
// its own copy changes nothing for the caller.
type Backoff struct {
	Duration time.Duration // the first wait
	Factor   float64       // each wait is the one before times Factor; 0 for as long as the one before
	Jitter   float64       // each wait is stretched by a random part of up to Jitter times itself
	Steps    int           // how many tries there are left

	// Cap is what a wait that Factor makes longer than Cap becomes, and it ends the
	// tries: Steps is 0 then. It bounds neither the jitter nor a Duration that was
	// above it from the start. 0 is for no cap.
	Cap time.Duration
}

// Step uses up one try and returns how long to wait after it. The jitter is not
// carried over to the next wait.
func (b *Backoff) Step() time.Duration {
	wait := b.Duration
	if b.Steps > 0 {
		b.Steps--
		b.grow()
	}
	if b.Jitter > 0 {
		wait += time.Duration(rand.Float64() * b.Jitter * float64(wait))
	}
	return wait
}

func (b *Backoff) grow() {
	if b.Factor == 0 {
		return
	}
	b.Duration = time.Duration(float64(b.Duration) * b.Factor)
	if b.Cap > 0 && b.Duration > b.Cap {
		b.Duration, b.Steps = b.Cap, 0
	}
}
