// Package ratelimitingqueue is lab 12: how long a failing item has to wait before
// it is tried again, and the queue that makes it wait.
//
// The limiters are those of client-go's util/workqueue, without the word Typed in
// their names. All of them may be used from many goroutines at once, and none of
// them ever sleeps: a limiter only answers, the queue does the waiting.
package ratelimitingqueue

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Every limiter is a kit.RateLimiter.
var (
	_ kit.RateLimiter[string] = (*ItemExponentialFailureRateLimiter[string])(nil)
	_ kit.RateLimiter[string] = (*ItemFastSlowRateLimiter[string])(nil)
	_ kit.RateLimiter[string] = (*BucketRateLimiter[string])(nil)
	_ kit.RateLimiter[string] = (*MaxOfRateLimiter[string])(nil)
)

// failures counts how often each item has failed. The two limiters that go by the
// item differ only in what they make of the number, so this is the part that has
// to be right about concurrency and about memory, and it is right once.
type failures[T comparable] struct {
	mu    sync.Mutex // guards count
	count map[T]int  // failures so far; an item that is not there has none
}

func newFailures[T comparable]() failures[T] { return failures[T]{count: map[T]int{}} }

// another counts one more failure of item and returns how many there were before.
// Reading and writing are one critical section: two workers that fail on the same
// item at the same moment must not read the same number, or one failure is lost.
func (f *failures[T]) another(item T) (before int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before = f.count[item]
	f.count[item] = before + 1
	return before
}

// of is how many failures of item are counted.
func (f *failures[T]) of(item T) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count[item]
}

// drop keeps nothing of item. Setting the count to 0 would answer the same and
// keep the key of every object that ever failed, for as long as the process runs.
func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.count, item)
}

// ItemExponentialFailureRateLimiter doubles the wait of an item with every
// failure of that item, up to a maximum.
type ItemExponentialFailureRateLimiter[T comparable] struct {
	failures  failures[T]
	baseDelay time.Duration
	maxDelay  time.Duration
}

// NewItemExponentialFailureRateLimiter makes a limiter whose waits start at
// baseDelay and never exceed maxDelay.
func NewItemExponentialFailureRateLimiter[T comparable](baseDelay, maxDelay time.Duration) *ItemExponentialFailureRateLimiter[T] {
	return &ItemExponentialFailureRateLimiter[T]{newFailures[T](), baseDelay, maxDelay}
}

// When counts one more failure of item and returns baseDelay*2ⁿ, or maxDelay
// where that is less.
//
// The comparison shifts maxDelay down, not baseDelay up. A Duration has 63 bits:
// 1 ms doubled 44 times does not fit and comes out negative, which a queue takes
// for "at once". Shifting down cannot overflow.
func (r *ItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	n := r.failures.another(item)
	if r.baseDelay > r.maxDelay>>n {
		return r.maxDelay
	}
	return r.baseDelay << n
}

// NumRequeues is how many failures of item were counted since it was last forgotten.
func (r *ItemExponentialFailureRateLimiter[T]) NumRequeues(item T) int { return r.failures.of(item) }

// Forget makes item one that never failed.
func (r *ItemExponentialFailureRateLimiter[T]) Forget(item T) { r.failures.drop(item) }

// ItemFastSlowRateLimiter lets an item retry fast a few times and slowly from then on.
type ItemFastSlowRateLimiter[T comparable] struct {
	failures        failures[T]
	fastDelay       time.Duration
	slowDelay       time.Duration
	maxFastAttempts int
}

// NewItemFastSlowRateLimiter makes a limiter that answers fastDelay for the first
// maxFastAttempts failures of an item and slowDelay for every later one.
func NewItemFastSlowRateLimiter[T comparable](fastDelay, slowDelay time.Duration, maxFastAttempts int) *ItemFastSlowRateLimiter[T] {
	return &ItemFastSlowRateLimiter[T]{newFailures[T](), fastDelay, slowDelay, maxFastAttempts}
}

// When counts one more failure of item and returns how long it has to wait.
func (r *ItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	if r.failures.another(item) < r.maxFastAttempts {
		return r.fastDelay
	}
	return r.slowDelay
}

// NumRequeues is how many failures of item were counted since it was last forgotten.
func (r *ItemFastSlowRateLimiter[T]) NumRequeues(item T) int { return r.failures.of(item) }

// Forget makes item one that never failed.
func (r *ItemFastSlowRateLimiter[T]) Forget(item T) { r.failures.drop(item) }

// MaxOfRateLimiter asks several limiters and goes by the strictest. It needs no
// lock: the slice is written before anyone can have the limiter, and never again.
type MaxOfRateLimiter[T comparable] struct {
	limiters []kit.RateLimiter[T]
}

// NewMaxOfRateLimiter makes a limiter of limiters.
func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	return &MaxOfRateLimiter[T]{limiters}
}

// When asks every limiter exactly once and returns the longest wait. It is
// tempting to stop at the first that is strict enough; but asking is also
// counting, and a limiter that was not asked does not know of the failure.
func (r *MaxOfRateLimiter[T]) When(item T) time.Duration {
	var longest time.Duration
	for _, limiter := range r.limiters {
		longest = max(longest, limiter.When(item))
	}
	return longest
}

// NumRequeues is the largest number that any of the limiters gives for item.
func (r *MaxOfRateLimiter[T]) NumRequeues(item T) int {
	most := 0
	for _, limiter := range r.limiters {
		most = max(most, limiter.NumRequeues(item))
	}
	return most
}

// Forget tells every limiter to forget item.
func (r *MaxOfRateLimiter[T]) Forget(item T) {
	for _, limiter := range r.limiters {
		limiter.Forget(item)
	}
}

// DefaultControllerRateLimiter is what a controller on client-go uses unless it is
// told otherwise. The bucket is there for the day when everything fails at once:
// ten thousand items that each wait 5 ms are still ten thousand requests.
func DefaultControllerRateLimiter[T comparable]() kit.RateLimiter[T] {
	return NewMaxOfRateLimiter[T](
		NewItemExponentialFailureRateLimiter[T](5*time.Millisecond, 1000*time.Second),
		NewBucketRateLimiter[T](10, 100),
	)
}
