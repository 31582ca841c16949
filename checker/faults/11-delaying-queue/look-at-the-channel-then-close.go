//go:build ignore

// Mistake: ShutDown asks the channel itself whether it is closed, which no race detector minds; two of them
//   can ask before either closes it.
// Killed by: shutdown-against-producers
// Verdict: panic

package delayingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming chan delayed[T]
	stop     chan struct{}
}

func (d *DelayingQueue[T]) end() {
	select {
	case <-d.stop:
	default:
		close(d.stop)
	}
}
