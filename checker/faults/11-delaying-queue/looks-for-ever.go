//go:build ignore

// Mistake: Beside the loop something looks at the queue every ten seconds, in a timer that sets itself again. No goroutine
//   waits between two looks, and nothing ends them.
// Killed by: shutdown-ends-the-loop
// Verdict: wrong-answer

package delayingqueue

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
	}
	go d.loop()
	d.look()
	return d
}

// look ends the loop when the queue underneath is shut down.
func (d *DelayingQueue[T]) look() {
	if d.ShuttingDown() {
		d.end()
	}
	time.AfterFunc(10*time.Second, d.look)
}
