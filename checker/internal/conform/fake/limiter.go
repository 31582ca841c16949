package fake

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Limiter is a kit.RateLimiter that answers what the case wants, and counts.
type Limiter[T comparable] struct {
	answer func(item T, before int) time.Duration

	mu        sync.Mutex // guards the fields below
	counts    map[T]int
	asked     int
	forgotten []T
}

var _ kit.RateLimiter[string] = (*Limiter[string])(nil)

// NewLimiter is a limiter whose When returns answer, which receives how often the item was
// asked about since it was last forgotten.
func NewLimiter[T comparable](answer func(item T, before int) time.Duration) *Limiter[T] {
	return &Limiter[T]{answer: answer, counts: map[T]int{}}
}

// Always is a limiter with one answer.
func Always[T comparable](d time.Duration) *Limiter[T] {
	return NewLimiter(func(T, int) time.Duration { return d })
}

// Doubling is a limiter that answers base the first time and twice as much each further time.
func Doubling[T comparable](base time.Duration) *Limiter[T] {
	return NewLimiter(func(_ T, before int) time.Duration { return base << before })
}

// When counts and answers.
func (l *Limiter[T]) When(item T) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.counts[item]
	l.counts[item]++
	l.asked++
	return l.answer(item, before)
}

// NumRequeues is how often the item was asked about since it was last forgotten.
func (l *Limiter[T]) NumRequeues(item T) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.counts[item]
}

// Forget forgets an item.
func (l *Limiter[T]) Forget(item T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forgotten = append(l.forgotten, item)
	delete(l.counts, item)
}

// Asked is how often the limiter was asked, in all.
func (l *Limiter[T]) Asked() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked
}

// Counts is NumRequeues for every item that is remembered.
func (l *Limiter[T]) Counts() map[T]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return maps.Clone(l.counts)
}

// Forgotten are the items of all calls of Forget, the oldest first.
func (l *Limiter[T]) Forgotten() []T {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.forgotten)
}
