//go:build ignore

// Mistake: ShutDown asks a flag whether the channel is closed already; two of them can ask before either sets
//   it.
// Killed by: shutdown-against-producers
// Verdict: data-race

package delayingqueue

import "github.com/controllerbook/controllerbook/labs/kit"

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming chan delayed[T]
	stop     chan struct{}
	stopped  bool
}

func (d *DelayingQueue[T]) end() {
	if !d.stopped {
		d.stopped = true
		close(d.stop)
	}
}
