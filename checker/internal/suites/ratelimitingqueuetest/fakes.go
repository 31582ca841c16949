package ratelimitingqueuetest

import (
	"sync"
	"time"
)

// delaying is the delaying queue under the subject's queue: right, slow, and with
// a memory of how it was used.
type delaying struct {
	mu         sync.Mutex // guards the fields below
	ready      *sync.Cond
	queue      []string
	dirty      map[string]bool
	processing map[string]bool
	closed     bool
	adds       []string  // every direct Add
	delays     []delayed // every AddAfter
}

type delayed struct {
	Item  string
	After time.Duration
}

func newDelaying() *delaying {
	q := &delaying{dirty: map[string]bool{}, processing: map[string]bool{}}
	q.ready = sync.NewCond(&q.mu)
	return q
}

func (q *delaying) Add(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.adds = append(q.adds, item)
	q.add(item)
}

func (q *delaying) add(item string) {
	if q.closed || q.dirty[item] {
		return
	}
	q.dirty[item] = true
	if !q.processing[item] {
		q.queue = append(q.queue, item)
		q.ready.Signal()
	}
}

func (q *delaying) AddAfter(item string, after time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.delays = append(q.delays, delayed{item, after})
	if after <= 0 {
		q.add(item)
		return
	}
	time.AfterFunc(after, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.add(item)
	})
}

func (q *delaying) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.queue)
}

func (q *delaying) Get() (item string, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.closed {
		q.ready.Wait()
	}
	if len(q.queue) == 0 {
		return "", true
	}
	item, q.queue = q.queue[0], q.queue[1:]
	delete(q.dirty, item)
	q.processing[item] = true
	return item, false
}

func (q *delaying) Done(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.processing, item)
	if q.dirty[item] {
		q.queue = append(q.queue, item)
		q.ready.Signal()
	}
	q.ready.Broadcast()
}

func (q *delaying) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.ready.Broadcast()
}

func (q *delaying) ShutDownWithDrain() {
	q.ShutDown()
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue)+len(q.processing) > 0 {
		q.ready.Wait()
	}
}

func (q *delaying) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.closed
}

// used is what reached the delaying queue so far.
func (q *delaying) used() (adds []string, delays []delayed) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append([]string(nil), q.adds...), append([]delayed(nil), q.delays...)
}

// scripted is a limiter that answers by script and counts every call.
type scripted struct {
	answer func(item string, before int) time.Duration

	mu     sync.Mutex // guards the fields below
	count  map[string]int
	asked  int
	forgot []string
}

// always is a scripted limiter with one answer.
func always(d time.Duration) *scripted {
	return scriptedBy(func(string, int) time.Duration { return d })
}

func scriptedBy(answer func(item string, before int) time.Duration) *scripted {
	return &scripted{answer: answer, count: map[string]int{}}
}

func (l *scripted) When(item string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.count[item]
	l.count[item]++
	l.asked++
	return l.answer(item, before)
}

func (l *scripted) NumRequeues(item string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count[item]
}

func (l *scripted) Forget(item string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forgot = append(l.forgot, item)
	delete(l.count, item)
}

func (l *scripted) calls() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked
}

func (l *scripted) forgotten() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.forgot...)
}
