//go:build ignore

// Mistake: The loop looks every ten seconds whether the queue is shut down, and lives until then.
// Killed by: shutdown-ends-the-loop
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) loop() {
	w := waiting[T]{entries: make(map[T]*entry[T])}
	timer := time.NewTimer(0)
	timer.Stop()
	defer timer.Stop()
	look := time.NewTicker(10 * time.Second)
	defer look.Stop()
	for !d.ShuttingDown() {
		d.release(&w, timer)
		select {
		case <-look.C:
		case <-timer.C:
			w.armed = time.Time{}
		case in := <-d.incoming:
			w.put(in)
			d.receive(&w)
		}
	}
}
