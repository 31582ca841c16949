//go:build ignore

// Mistake: The timer is set to an hour at most, and its tick is believed: the first item is added, and nobody looks
//   whether its moment has come.
// Killed by: adds-when-ready
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(min(time.Until(w.armed), time.Hour))
	}
}

func (d *DelayingQueue[T]) loop() {
	w := waiting[T]{entries: make(map[T]*entry[T])}
	timer := time.NewTimer(0)
	timer.Stop()
	defer timer.Stop()
	for {
		d.release(&w, timer)
		select {
		case <-d.stop:
			return
		case <-timer.C:
			w.armed = time.Time{}
			if len(w.heap) > 0 {
				d.Add(w.pop())
			}
		case in := <-d.incoming:
			w.put(in)
			d.receive(&w)
		}
	}
}
