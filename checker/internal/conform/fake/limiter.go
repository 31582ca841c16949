package fake

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Limiter is a kit.RateLimiter that answers what the case wants, and counts.
type Limiter[T comparable] struct {
	answer func(item T, before int) time.Duration
	actor  *conform.Actor // nil unless In was called

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

// In has what is asked of l, and what it answers, in the history of t. It is for a limiter that
// the subject calls: what a WorkQueue asks is to be seen in the history of that.
func (l *Limiter[T]) In(t *conform.T) *Limiter[T] {
	l.actor = t.Named("limiter")
	return l
}

func (l *Limiter[T]) asks(answer any, format string, item T) {
	if l.actor != nil {
		l.actor.Call(format, item).Returned("%v", answer)
	}
}

// When counts and answers.
func (l *Limiter[T]) When(item T) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := l.counts[item]
	l.counts[item]++
	l.asked++
	wait := l.answer(item, before)
	l.asks(wait, "When(%v)", item)
	return wait
}

// NumRequeues is how often the item was asked about since it was last forgotten.
func (l *Limiter[T]) NumRequeues(item T) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asks(l.counts[item], "NumRequeues(%v)", item)
	return l.counts[item]
}

// Forget forgets an item.
func (l *Limiter[T]) Forget(item T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asks("", "Forget(%v)", item)
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
