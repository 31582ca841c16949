//go:build ignore

// Mistake: The loop has a heartbeat, notices a drain, and ends. Nobody tells the callers that wait for room in its
//   channel, and nobody receives from it.
// Killed by: drain-releases-producers
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) ShutDownWithDrain() { d.Queue.ShutDownWithDrain() }

func (d *DelayingQueue[T]) loop() {
	w := waiting[T]{entries: make(map[T]*entry[T])}
	timer := time.NewTimer(0)
	timer.Stop()
	defer timer.Stop()
	heartbeat := time.NewTicker(10 * time.Second)
	defer heartbeat.Stop()
	for !d.ShuttingDown() {
		d.release(&w, timer)
		if d.ShuttingDown() {
			return
		}
		select {
		case <-d.stop:
			return
		case <-heartbeat.C:
		case <-timer.C:
			w.armed = time.Time{}
		case in := <-d.incoming:
			w.put(in)
			d.receive(&w)
		}
	}
}
