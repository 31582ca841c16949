// Package ratelimitingqueuetest is the conformance suite of lab 12.
//
// The queue is put on top of a delaying queue of the suite's own, and the queue
// cases use limiters of the suite's own, so that one mistake fails one case.
//
// One case alone uses base delays that are powers of two in nanoseconds, or that a float
// cannot hold, and client-go v0.37.2 is excepted from it: its test for overflow lets exactly
// 2^63 through. The contract is stricter there.
//
// What it can miss: a limiter that is slow under contention, a bucket that drifts
// by less than a microsecond an hour, or that reads the clock before it has its lock, as
// golang.org/x/time/rate does, and a limiter that mixes items up, or drops some, only
// among more than a few thousand; an exponential limiter that counts wrong only after ten
// thousand failures of an item; a limiter that sleeps for a moment while another goroutine
// has its lock; and a queue that reaches past the one below it if that is of its own type.
package ratelimitingqueuetest

import (
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Limiter and Queue are the subject's parts for items that are strings.
type (
	Limiter = kit.RateLimiter[string]
	Queue   = kit.RateLimitingQueue[string]
)

// Subject is lab 12 as the suite sees it: a constructor for every part.
type Subject struct {
	Exponential func(base, most time.Duration) Limiter
	FastSlow    func(fast, slow time.Duration, attempts int) Limiter
	OfAny       func() []kit.RateLimiter[any] // one of each of these two, for items of any type
	Bucket      func(qps float64, burst int) Limiter
	MaxOf       func(limiters ...Limiter) Limiter
	Default     func() Limiter
	Queue       func(limiter Limiter, queue kit.DelayingQueue[string]) Queue
}

// Lab describes lab 12 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "12-rate-limiting-queue",
		Title:   "Rate limiting queue",
		Builds:  "how long a failing item waits: exponential, fast-slow, token bucket, and the queue that obeys",
		Files:   []string{"limiters.go", "bucket.go", "queue.go"},
		Imports: []string{"time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that puts the real
// Kubernetes libraries to them.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }
