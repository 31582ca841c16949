//go:build ignore

// Mistake: AddAfter waits for room in the channel first, and reckons the moment when there is some.
// Killed by: counts-from-the-call
// Verdict: wrong-answer

package delayingqueue

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	room     chan struct{}
	incoming chan delayed[T]
	stop     chan struct{}
	stopOnce sync.Once
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		room:     make(chan struct{}, 1000),
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
	}
	go d.loop()
	return d
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.Add(item)
		return
	}
	select {
	case d.room <- struct{}{}:
		d.incoming <- delayed[T]{item, time.Now().Add(duration)}
	case <-d.stop:
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
		case in := <-d.incoming:
			<-d.room
			w.put(in)
			d.receive(&w)
		}
	}
}

func (d *DelayingQueue[T]) receive(w *waiting[T]) {
	for range len(d.incoming) {
		<-d.room
		w.put(<-d.incoming)
	}
}
