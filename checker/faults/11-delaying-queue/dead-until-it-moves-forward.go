//go:build ignore

// Mistake: Add marks the entry of an item that waits as dead, and only an earlier moment revives it: a later one is dropped for the earlier, and the
//   earlier is thrown away.
// Killed by: again-after-firing
// Verdict: wrong-answer

package delayingqueue

import (
	"container/heap"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DelayingQueue[T comparable] struct {
	kit.Queue[T]

	incoming chan delayed[T]
	stop     chan struct{}
	stopOnce sync.Once

	direct chan T
}

func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue:    q,
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
		direct:   make(chan T, 1000),
	}
	go d.loop()
	return d
}

func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.Queue.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop:
	}
}

func (d *DelayingQueue[T]) Add(item T) {
	select {
	case d.direct <- item:
	default:
	}
	d.Queue.Add(item)
}

func (d *DelayingQueue[T]) loop() {
	w := waiting[T]{entries: make(map[T]*entry[T]), dead: map[T]bool{}}
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
			w.put(in)
			d.receive(&w)
		case item := <-d.direct:
			if w.entries[item] != nil {
				w.dead[item] = true
			}
		}
	}
}

func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		item := w.pop()
		if !w.dead[item] {
			d.Queue.Add(item)
		}
		delete(w.dead, item)
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}

type waiting[T comparable] struct {
	heap    byMoment[T]
	entries map[T]*entry[T]
	armed   time.Time
	dead    map[T]bool
}

func (w *waiting[T]) put(in delayed[T]) {
	known, ok := w.entries[in.item]
	if !ok {
		e := &entry[T]{delayed: in}
		w.entries[in.item] = e
		heap.Push(&w.heap, e)
		return
	}
	if in.readyAt.Before(known.readyAt) {
		delete(w.dead, in.item)
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}
