//go:build ignore

// Mistake: AddAfter looks into the loop's map first, to spare the loop an item that waits already.
// Killed by: many-producers-at-once
// Verdict: data-race

package delayingqueue

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming chan delayed[T]
	stop     chan struct{}
	w        waiting[T]
	stopOnce sync.Once
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
		w:        waiting[T]{entries: make(map[T]*entry[T])},
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
	if known := d.w.entries[item]; known != nil && known.readyAt.Before(time.Now().Add(duration)) {
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}

func (d *DelayingQueue[T]) loop() {
	timer := time.NewTimer(0)
	timer.Stop()
	defer timer.Stop()
	for {
		w := &d.w
		d.release(w, timer)
		select {
		case <-d.stop:
			return
		case <-timer.C:
			w.armed = time.Time{}
		case in := <-d.incoming:
			w.put(in)
			d.receive(w)
		}
	}
}
