// Package ratelimitingqueue is lab 12 with channels for locks: each item has a page with
// its last wait, which is doubled by adding it to itself, and the bucket remembers when
// it will be full again.
package ratelimitingqueue

import (
	"slices"
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
	known     book[T]
	base, max time.Duration
}

// NewItemExponentialFailureRateLimiter makes a limiter whose waits start at baseDelay
// and never exceed maxDelay.
func NewItemExponentialFailureRateLimiter[T comparable](baseDelay, maxDelay time.Duration) *ItemExponentialFailureRateLimiter[T] {
	return &ItemExponentialFailureRateLimiter[T]{newBook[T](), baseDelay, maxDelay}
}

// When counts one more failure of item and returns how long it has to wait.
func (r *ItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	var wait time.Duration
	r.known.with(item, func(p *page[T]) {
		switch {
		case p.failed == 0:
			p.wait = min(r.base, r.max)
		case p.wait >= r.max-p.wait:
			p.wait = r.max
		default:
			p.wait += p.wait
		}
		p.failed++
		wait = p.wait
	})
	return wait
}

// NumRequeues is how many failures of item were counted since it was last forgotten.
func (r *ItemExponentialFailureRateLimiter[T]) NumRequeues(item T) int {
	return r.known.failed(item)
}

// Forget makes item one that never failed, and leaves all others alone.
func (r *ItemExponentialFailureRateLimiter[T]) Forget(item T) {
	r.known.tear(item)
}

// ItemFastSlowRateLimiter lets an item retry fast a few times and slowly from then on.
type ItemFastSlowRateLimiter[T comparable] struct {
	known      book[T]
	fast, slow time.Duration
	max        int
}

// NewItemFastSlowRateLimiter makes a limiter that answers fastDelay for the first
// maxFastAttempts failures of an item and slowDelay for every later one.
func NewItemFastSlowRateLimiter[T comparable](fastDelay, slowDelay time.Duration, maxFastAttempts int) *ItemFastSlowRateLimiter[T] {
	return &ItemFastSlowRateLimiter[T]{newBook[T](), fastDelay, slowDelay, maxFastAttempts}
}

// When counts one more failure of item and returns how long it has to wait.
func (r *ItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	wait := r.slow
	r.known.with(item, func(p *page[T]) {
		if p.failed < r.max {
			wait = r.fast
		}
		p.failed++
	})
	return wait
}

// NumRequeues is how many failures of item were counted since it was last forgotten.
func (r *ItemFastSlowRateLimiter[T]) NumRequeues(item T) int {
	return r.known.failed(item)
}

// Forget makes item one that never failed, leaves all others alone, and keeps nothing of
// item.
func (r *ItemFastSlowRateLimiter[T]) Forget(item T) {
	r.known.tear(item)
}

// MaxOfRateLimiter asks several limiters and goes by the strictest.
type MaxOfRateLimiter[T comparable] struct {
	first kit.RateLimiter[T]
	rest  *MaxOfRateLimiter[T]
}

// NewMaxOfRateLimiter makes a limiter of limiters.
func NewMaxOfRateLimiter[T comparable](limiters ...kit.RateLimiter[T]) *MaxOfRateLimiter[T] {
	if len(limiters) == 0 {
		return &MaxOfRateLimiter[T]{}
	}
	last := len(limiters) - 1
	return &MaxOfRateLimiter[T]{first: limiters[last], rest: NewMaxOfRateLimiter(limiters[:last]...)}
}

// When asks every limiter exactly once, whatever the others said, and returns the
// longest wait.
func (r *MaxOfRateLimiter[T]) When(item T) time.Duration {
	if r.first == nil {
		return 0
	}
	return max(r.first.When(item), r.rest.When(item))
}

// NumRequeues is the largest number that any of the limiters gives for item.
func (r *MaxOfRateLimiter[T]) NumRequeues(item T) int {
	if r.first == nil {
		return 0
	}
	return max(r.first.NumRequeues(item), r.rest.NumRequeues(item))
}

// Forget tells every limiter to forget item.
func (r *MaxOfRateLimiter[T]) Forget(item T) {
	if r.first != nil {
		r.first.Forget(item)
		r.rest.Forget(item)
	}
}

// DefaultControllerRateLimiter is the limiter that a controller on client-go uses by
// default: the strictest of an exponential limiter for each item, from 5 ms to
// 1000 s, and a bucket for all items together, of 10 a second with a burst of 100.
func DefaultControllerRateLimiter[T comparable]() kit.RateLimiter[T] {
	return NewMaxOfRateLimiter[T](
		NewItemExponentialFailureRateLimiter[T](5*time.Millisecond, 1000*time.Second),
		NewBucketRateLimiter[T](10, 100),
	)
}

// book holds a page for each item that fails.
type book[T comparable] chan []page[T]

type page[T comparable] struct {
	item   T
	failed int
	wait   time.Duration
}

func newBook[T comparable]() book[T] {
	b := make(book[T], 1)
	b <- nil
	return b
}

func (b book[T]) with(item T, write func(*page[T])) {
	pages := <-b
	i := find(pages, item)
	if i < 0 {
		i = len(pages)
		pages = append(pages, page[T]{item: item})
	}
	write(&pages[i])
	b <- pages
}

func (b book[T]) failed(item T) int {
	pages := <-b
	defer func() { b <- pages }()
	if i := find(pages, item); i >= 0 {
		return pages[i].failed
	}
	return 0
}

func (b book[T]) tear(item T) {
	pages := <-b
	if i := find(pages, item); i >= 0 {
		last := len(pages) - 1
		pages[i], pages[last] = pages[last], page[T]{}
		pages = slices.Clone(pages[:last])
	}
	b <- pages
}

func find[T comparable](pages []page[T], item T) int {
	return slices.IndexFunc(pages, func(p page[T]) bool { return p.item == item })
}
