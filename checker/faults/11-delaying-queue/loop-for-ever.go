//go:build ignore

// Mistake: The loop listens to its timer and to AddAfter, and to no signal that could end it
//   (controller-runtime#649). Upstream's own tests pass.
// Killed by: shutdown-ends-the-loop
// Verdict: goroutine-leak

package delayingqueue

import "time"

func (d *DelayingQueue[T]) loop() {
	w := waiting[T]{entries: make(map[T]*entry[T])}
	timer := time.NewTimer(0)
	timer.Stop()
	defer timer.Stop()
	for {
		d.release(&w, timer)
		select {
		case <-timer.C:
			w.armed = time.Time{}
		case in := <-d.incoming:
			w.put(in)
			d.receive(&w)
		}
	}
}
