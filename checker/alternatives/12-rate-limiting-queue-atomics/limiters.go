// Package ratelimitingqueue is lab 12 without a lock: counts are atomics in a sync.Map,
// the bucket is one float that is compared and swapped, and the limiter of limiters asks
// all of them at once.
package ratelimitingqueue

import (
	"sync"
	"sync/atomic"
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

// ItemExponentialFailureRateLimiter doubles the wait of an item with every failure of
// that item, up to a maximum.
type ItemExponentialFailureRateLimiter[T comparable] struct {
	counts    sync.Map // T to *atomic.Int64
	base, max time.Duration
}

// NewItemExponentialFailureRateLimiter makes a limiter whose waits start at baseDelay
// and never exceed maxDelay.
func NewItemExponentialFailureRateLimiter[T comparable](baseDelay, maxDelay time.Duration) *ItemExponentialFailureRateLimiter[T] {
	return &ItemExponentialFailureRateLimiter[T]{base: baseDelay, max: maxDelay}
}

// When counts one more failure of item and returns how long it has to wait.
func (r *ItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	v, _ := r.counts.LoadOrStore(item, new(atomic.Int64))
	wait := r.base
	for n := v.(*atomic.Int64).Add(1); n > 1 && wait < r.max; n-- {
		if wait > r.max/2 {
			return r.max
		}
		wait *= 2
	}
	return min(wait, r.max)
}

// NumRequeues is how many failures of item were counted since it was last forgotten.
func (r *ItemExponentialFailureRateLimiter[T]) NumRequeues(item T) int {
	v, ok := r.counts.Load(item)
	if !ok {
		return 0
	}
	return int(v.(*atomic.Int64).Load())
}

// Forget makes item one that never failed, and leaves all others alone.
func (r *ItemExponentialFailureRateLimiter[T]) Forget(item T) {
	r.counts.Delete(item)
}

// ItemFastSlowRateLimiter lets an item retry fast a few times and slowly from then on.
type ItemFastSlowRateLimiter[T comparable] struct {
	counts     sync.Map // T to *atomic.Int64
	fast, slow time.Duration
	first      int64
}

// NewItemFastSlowRateLimiter makes a limiter that answers fastDelay for the first
// maxFastAttempts failures of an item and slowDelay for every later one.
func NewItemFastSlowRateLimiter[T comparable](fastDelay, slowDelay time.Duration, maxFastAttempts int) *ItemFastSlowRateLimiter[T] {
	return &ItemFastSlowRateLimiter[T]{fast: fastDelay, slow: slowDelay, first: int64(maxFastAttempts)}
}

// When counts one more failure of item and returns how long it has to wait.
func (r *ItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	v, _ := r.counts.LoadOrStore(item, new(atomic.Int64))
	if v.(*atomic.Int64).Add(1) > r.first {
		return r.slow
	}
	return r.fast
}

// NumRequeues is how many failures of item were counted since it was last forgotten.
func (r *ItemFastSlowRateLimiter[T]) NumRequeues(item T) int {
	v, ok := r.counts.Load(item)
	if !ok {
		return 0
	}
	return int(v.(*atomic.Int64).Load())
}

// Forget makes item one that never failed, leaves all others alone, and keeps nothing of
// item.
func (r *ItemFastSlowRateLimiter[T]) Forget(item T) {
	r.counts.Delete(item)
}

// MaxOfRateLimiter asks several limiters and goes by the strictest.
type MaxOfRateLimiter[T comparable] struct {
	ask []kit.RateLimiter[T]
}

// NewMaxOfRateLimiter makes a limiter of limiters.
func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	return &MaxOfRateLimiter[T]{ask: append([]kit.RateLimiter[T](nil), limiters...)}
}

// When asks every limiter exactly once, whatever the others said, and returns the
// longest wait.
func (r *MaxOfRateLimiter[T]) When(item T) time.Duration {
	if len(r.ask) == 0 {
		return 0
	}
	waits := make(chan time.Duration)
	for _, l := range r.ask {
		go func() { waits <- l.When(item) }()
	}
	longest := <-waits
	for range len(r.ask) - 1 {
		longest = max(longest, <-waits)
	}
	return longest
}

// NumRequeues is the largest number that any of the limiters gives for item.
func (r *MaxOfRateLimiter[T]) NumRequeues(item T) int {
	var all sync.WaitGroup
	most := make([]int, len(r.ask)+1)
	for i, l := range r.ask {
		all.Go(func() { most[i] = l.NumRequeues(item) })
	}
	all.Wait()
	n := 0
	for _, m := range most {
		n = max(n, m)
	}
	return n
}

// Forget tells every limiter to forget item.
func (r *MaxOfRateLimiter[T]) Forget(item T) {
	var all sync.WaitGroup
	for _, l := range r.ask {
		all.Go(func() { l.Forget(item) })
	}
	all.Wait()
}

// DefaultControllerRateLimiter is the limiter that a controller on client-go uses by
// default: the strictest of an exponential limiter for each item, from 5 ms to
// 1000 s, and a bucket for all items together, of 10 a second with a burst of 100.
func DefaultControllerRateLimiter[T comparable]() kit.RateLimiter[T] {
	perItem := NewItemExponentialFailureRateLimiter[T](5*time.Millisecond, 1000*time.Second)
	overall := NewBucketRateLimiter[T](10, 100)
	return NewMaxOfRateLimiter[T](overall, perItem)
}
