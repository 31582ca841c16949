package queues

import (
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Limiter is a rate limiter that answers as a case wants, and counts every call.
type Limiter struct {
	answer func(item string, before int) time.Duration

	mu        sync.Mutex // guards the fields below
	count     map[string]int
	asked     int
	forgotten []string
}

var _ kit.RateLimiter[string] = (*Limiter)(nil)

// LimitedBy is a limiter whose answer depends on how often the item has failed before.
func LimitedBy(answer func(item string, before int) time.Duration) *Limiter {
	return &Limiter{answer: answer, count: map[string]int{}}
}

// Always is a limiter with one answer.
func Always(d time.Duration) *Limiter {
	return LimitedBy(func(string, int) time.Duration { return d })
}

// Doubling is a limiter that answers base the first time and twice as much each further time.
func Doubling(base time.Duration) *Limiter {
	return LimitedBy(func(_ string, before int) time.Duration { return base << before })
}

// When counts one more failure of item.
func (l *Limiter) When(item string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.count[item]
	l.count[item]++
	l.asked++
	return l.answer(item, before)
}

// NumRequeues is how many failures of item were counted since it was last forgotten.
func (l *Limiter) NumRequeues(item string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count[item]
}

// Forget makes item one that has never failed.
func (l *Limiter) Forget(item string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forgotten = append(l.forgotten, item)
	delete(l.count, item)
}

// Asked is how often When was called.
func (l *Limiter) Asked() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked
}

// Forgotten are the items of all calls of Forget, in order.
func (l *Limiter) Forgotten() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.forgotten)
}
