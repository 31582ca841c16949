//go:build ignore

// Mistake: Each time round the loop makes a new timer and stops none (kubernetes#83895). AfterFunc, because
//   what NewTimer makes can be collected since Go 1.23.
// Killed by: one-entry-one-timer
// Verdict: wrong-answer

package delayingqueue

import "time"

func (d *DelayingQueue[T]) loop() {
	w := waiting[T]{entries: make(map[T]*entry[T])}
	fired := make(chan struct{}, 1)
	for {
		d.release(&w, fired)
		select {
		case <-d.stop:
			return
		case <-fired:
			w.armed = time.Time{}
		case in := <-d.incoming:
			w.put(in)
			d.receive(&w)
		}
	}
}

func (d *DelayingQueue[T]) release(w *waiting[T], fired chan struct{}) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
	}
	if len(w.heap) > 0 {
		w.armed = w.heap[0].readyAt
		time.AfterFunc(time.Until(w.armed), func() {
			select {
			case fired <- struct{}{}:
			default:
			}
		})
	}
}
