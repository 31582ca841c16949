package reconcilertest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// queue is a kit.PriorityQueue with a rate limiter of the case's choice, plain and
// slow, and it writes down what was said to it. A request is added again while it is
// delayed as client-go does: the earlier of two delays counts, and a plain Add is one
// more delivery.
type queue struct {
	limit func(failures int) time.Duration // the rate limiter's answer to so many failures before

	mu         sync.Mutex // guards everything below
	changed    sync.Cond
	waiting    []kit.Request       // in the order of arrival
	dirty      map[kit.Request]int // the priority of all that wait, or will after Done
	processing map[kit.Request]bool
	delayed    map[kit.Request]*delay
	failures   map[kit.Request]int
	asked      int      // how often the rate limiter was asked
	taken      []string // what was handed out, with its priority
	strays     []string // what was said of requests that nobody was working on
	shutdowns  int
}

type delay struct {
	timer    *time.Timer
	at       time.Time
	priority int
}

// newQueue has a rate limiter that answers limit; nil is no delay at all.
func newQueue(limit func(failures int) time.Duration) *queue {
	if limit == nil {
		limit = func(int) time.Duration { return 0 }
	}
	q := &queue{
		limit: limit, dirty: map[kit.Request]int{}, processing: map[kit.Request]bool{},
		delayed: map[kit.Request]*delay{}, failures: map[kit.Request]int{},
	}
	q.changed.L = &q.mu
	return q
}

// doubling is a rate limiter: base, and twice as much after each failure.
func doubling(base time.Duration) func(int) time.Duration {
	return func(failures int) time.Duration { return base << failures }
}

// level is a queue that does not know priorities.
type level struct {
	kit.RateLimitingQueue[kit.Request]
}

// plain is q without its priorities.
func (q *queue) plain() Queue { return level{q} }

// put is how the suite itself adds requests: of these nothing is written down.
func (q *queue) put(names ...string) { q.putAt(0, names...) }

func (q *queue) putAt(priority int, names ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, name := range names {
		q.add(named(name), priority)
	}
}

// add is Add. q.mu is held.
func (q *queue) add(r kit.Request, priority int) {
	if q.shutdowns > 0 {
		return
	}
	if old, ok := q.dirty[r]; ok {
		q.dirty[r] = max(old, priority)
		return
	}
	q.dirty[r] = priority
	if !q.processing[r] {
		q.waiting = append(q.waiting, r)
		q.changed.Broadcast()
	}
}

// addAfter is AddAfter. q.mu is held.
func (q *queue) addAfter(r kit.Request, after time.Duration, priority int) {
	if after <= 0 {
		q.add(r, priority)
		return
	}
	if q.shutdowns > 0 {
		return
	}
	at := time.Now().Add(after)
	if old := q.delayed[r]; old != nil {
		if !at.Before(old.at) {
			return
		}
		old.timer.Stop()
	}
	d := &delay{at: at, priority: priority}
	d.timer = time.AfterFunc(after, func() { q.fire(r, d) })
	q.delayed[r] = d
}

func (q *queue) fire(r kit.Request, d *delay) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.delayed[r] != d {
		return
	}
	delete(q.delayed, r)
	q.add(r, d.priority)
	q.changed.Broadcast()
}

// said notes a word about a request that nobody is working on. q.mu is held.
func (q *queue) said(what string, r kit.Request) {
	if !q.processing[r] {
		q.strays = append(q.strays, what+" "+r.Name)
	}
}

func (q *queue) when(r kit.Request) time.Duration {
	q.asked++
	q.failures[r]++
	return q.limit(q.failures[r] - 1)
}

func (q *queue) Add(r kit.Request) { q.AddWithOpts(kit.AddOpts{}, r) }

func (q *queue) AddAfter(r kit.Request, after time.Duration) {
	q.AddWithOpts(kit.AddOpts{After: after}, r)
}

func (q *queue) AddRateLimited(r kit.Request) { q.AddWithOpts(kit.AddOpts{RateLimited: true}, r) }

func (q *queue) AddWithOpts(o kit.AddOpts, requests ...kit.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, r := range requests {
		q.said("Add", r)
		after := o.After
		if o.RateLimited {
			after = q.when(r)
			if o.After > 0 {
				after = min(after, o.After)
			}
		}
		q.addAfter(r, after, priority)
	}
}

func (q *queue) Forget(r kit.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.said("Forget", r)
	delete(q.failures, r)
}

func (q *queue) NumRequeues(r kit.Request) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.failures[r]
}

func (q *queue) Get() (kit.Request, bool) {
	r, _, shutdown := q.GetWithPriority()
	return r, shutdown
}

func (q *queue) GetWithPriority() (r kit.Request, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting) == 0 {
		if q.shutdowns > 0 {
			return kit.Request{}, 0, true
		}
		q.changed.Wait()
	}
	// MaxFunc is the first of the greatest: the one that came first goes first.
	r = slices.MaxFunc(q.waiting, func(a, b kit.Request) int { return cmp.Compare(q.dirty[a], q.dirty[b]) })
	q.waiting = slices.Delete(q.waiting, slices.Index(q.waiting, r), slices.Index(q.waiting, r)+1)
	priority = q.dirty[r]
	delete(q.dirty, r)
	q.processing[r] = true
	q.taken = append(q.taken, fmt.Sprintf("%s:%d", r.Name, priority))
	return r, priority, false
}

func (q *queue) Done(r kit.Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.processing[r] {
		q.strays = append(q.strays, "Done "+r.Name)
	}
	delete(q.processing, r)
	if _, ok := q.dirty[r]; ok {
		q.waiting = append(q.waiting, r)
	}
	q.changed.Broadcast()
}

func (q *queue) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting)
}

func (q *queue) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutdowns++
	for _, d := range q.delayed {
		d.timer.Stop()
	}
	clear(q.delayed)
	q.changed.Broadcast()
}

func (q *queue) ShutDownWithDrain() {
	q.ShutDown()
	q.drained()
}

func (q *queue) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shutdowns > 0
}

// drained blocks until nothing waits, is delayed, or is being worked on.
func (q *queue) drained() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.waiting)+len(q.processing)+len(q.delayed) > 0 {
		q.changed.Wait()
	}
}

// contents takes out all that waits, with priorities, sorted.
func (q *queue) contents() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	all := []string{}
	for _, r := range q.waiting {
		all = append(all, fmt.Sprintf("%s:%d", r, q.dirty[r]))
	}
	q.waiting = nil
	clear(q.dirty)
	slices.Sort(all)
	return all
}

// handedOut is what has been handed out since the last time, with priorities, in order.
func (q *queue) handedOut() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	taken := q.taken
	q.taken = nil
	return taken
}

// limiter is how often the rate limiter has been asked, and what it remembers.
func (q *queue) limiter() (asked int, failures map[kit.Request]int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.asked, maps.Clone(q.failures)
}

func (q *queue) strayWords() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.strays)
}

func (q *queue) shutDowns() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shutdowns
}

// unfinished is all requests that were taken out and are not done.
func (q *queue) unfinished() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	names := []string{}
	for r := range q.processing {
		names = append(names, r.Name)
	}
	slices.Sort(names)
	return names
}

// working reports whether somebody has the request.
func (q *queue) working(r kit.Request) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.processing[r]
}
