//go:build ignore

// Mistake: ShutDown is believed to be called once: it closes the channel without a sync.Once. Upstream's own
//   tests pass.
// Killed by: shutdown-any-number-of-times
// Verdict: panic

package delayingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming chan delayed[T]
	stop     chan struct{}
}

func (d *DelayingQueue[T]) end() {
	close(d.stop)
}
