// Package ratelimitingqueue is lab 12: how long a failing item has to wait before
// it is tried again, and the queue that makes it wait.
//
// The limiters are those of client-go's util/workqueue, without the word Typed in
// their names. All of them may be used from many goroutines at once, and none of
// them ever sleeps: a limiter only answers, the queue does the waiting. No goroutine and
// no timer of theirs outlives a call. A failure counts until Forget is called for its item:
// neither time nor other items make a limiter forget. Any value of T may be an item, its
// zero value too, if comparing it does not panic and it equals itself (NaN does not).
package ratelimitingqueue

import (
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

// ItemExponentialFailureRateLimiter doubles the wait of an item with every
// failure of that item, up to a maximum. Make one with
// NewItemExponentialFailureRateLimiter.
type ItemExponentialFailureRateLimiter[T comparable] struct {
	// The fields are yours.
}

// NewItemExponentialFailureRateLimiter makes a limiter whose waits start at
// baseDelay, or at maxDelay if that is shorter, and never exceed maxDelay. baseDelay is
// positive; maxDelay is positive or 0.
func NewItemExponentialFailureRateLimiter[T comparable](baseDelay, maxDelay time.Duration) *ItemExponentialFailureRateLimiter[T] {
	panic(kit.TODO("NewItemExponentialFailureRateLimiter"))
}

// When counts one more failure of item and returns how long it has to wait:
// baseDelay*2ⁿ, where n is how many failures were counted before this one, so n
// is 0 the first time; or maxDelay where that is less. An item may fail any
// number of times: the answer never falls until Forget is called for it, never exceeds
// maxDelay and is never negative. Items do not affect each other.
func (r *ItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	panic(kit.TODO("ItemExponentialFailureRateLimiter.When"))
}

// NumRequeues returns how many failures of item were counted since it was last
// forgotten: 0 for an item never seen. NumRequeues itself counts nothing and keeps
// nothing.
func (r *ItemExponentialFailureRateLimiter[T]) NumRequeues(item T) int {
	panic(kit.TODO("ItemExponentialFailureRateLimiter.NumRequeues"))
}

// Forget treats item as if it had never failed, and leaves all others alone. The
// limiter then keeps nothing of item, no matter how many items have failed. (A map that
// does not shrink is fine.) Forgetting an unknown item does nothing.
func (r *ItemExponentialFailureRateLimiter[T]) Forget(item T) {
	panic(kit.TODO("ItemExponentialFailureRateLimiter.Forget"))
}

// ItemFastSlowRateLimiter lets an item retry fast a few times and slowly from then
// on. Make one with NewItemFastSlowRateLimiter.
type ItemFastSlowRateLimiter[T comparable] struct {
	// The fields are yours.
}

// NewItemFastSlowRateLimiter makes a limiter that answers fastDelay for the first
// maxFastAttempts failures of an item and slowDelay for every later one. With
// maxFastAttempts <= 0 every answer is slowDelay. Neither delay is negative; either may be 0,
// both may be equal, and fastDelay may be the longer one.
func NewItemFastSlowRateLimiter[T comparable](fastDelay, slowDelay time.Duration, maxFastAttempts int) *ItemFastSlowRateLimiter[T] {
	panic(kit.TODO("NewItemFastSlowRateLimiter"))
}

// When counts one more failure of item and returns how long it has to wait, as
// NewItemFastSlowRateLimiter says. Items do not affect each other.
func (r *ItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	panic(kit.TODO("ItemFastSlowRateLimiter.When"))
}

// NumRequeues returns how many failures of item were counted since it was last
// forgotten: 0 for an item never seen. NumRequeues itself counts nothing and keeps
// nothing.
func (r *ItemFastSlowRateLimiter[T]) NumRequeues(item T) int {
	panic(kit.TODO("ItemFastSlowRateLimiter.NumRequeues"))
}

// Forget treats item as if it had never failed, leaves all others alone, and keeps
// nothing of item. (A map that does not shrink is fine.) Forgetting an unknown item does
// nothing.
func (r *ItemFastSlowRateLimiter[T]) Forget(item T) {
	panic(kit.TODO("ItemFastSlowRateLimiter.Forget"))
}

// MaxOfRateLimiter asks several limiters and takes the strictest answer. No method holds a
// lock while it calls one of them. Make one with NewMaxOfRateLimiter.
type MaxOfRateLimiter[T comparable] struct {
	// The fields are yours.
}

// NewMaxOfRateLimiter makes a limiter of limiters. None of them is nil, none answers less
// than 0, and none is passed twice, not even inside another one. Each is a limiter of its
// own, even where two have the same type and the same numbers; their type need not be one
// that == can compare. The caller does not change the slice afterwards, and
// NewMaxOfRateLimiter writes neither to its elements nor to the spare capacity behind them.
// Any of the limiters may be a limiter of limiters itself. Without limiters, every When and
// every NumRequeues is 0, and Forget does nothing.
func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	panic(kit.TODO("NewMaxOfRateLimiter"))
}

// When asks every limiter exactly once, whatever the others answered, and returns the
// longest wait. Each of them has to count the failure: one that did not would be too
// lenient later, when it should be the strictest.
func (r *MaxOfRateLimiter[T]) When(item T) time.Duration {
	panic(kit.TODO("MaxOfRateLimiter.When"))
}

// NumRequeues returns the largest number that any of the limiters gives for item. None of
// these is negative.
func (r *MaxOfRateLimiter[T]) NumRequeues(item T) int {
	panic(kit.TODO("MaxOfRateLimiter.NumRequeues"))
}

// Forget tells every limiter to forget item, and keeps nothing of item.
func (r *MaxOfRateLimiter[T]) Forget(item T) {
	panic(kit.TODO("MaxOfRateLimiter.Forget"))
}

// DefaultControllerRateLimiter is the limiter that a controller on client-go uses by
// default: the strictest of an exponential limiter for each item, from 5 ms to
// 1000 s, and a bucket for all items together, of 10 a second with a burst of 100. Each
// call makes a new limiter, with a bucket of its own.
func DefaultControllerRateLimiter[T comparable]() kit.RateLimiter[T] {
	panic(kit.TODO("DefaultControllerRateLimiter"))
}
