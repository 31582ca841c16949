package ratelimitingqueue

import (
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/ratelimitingqueuetest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/12-rate-limiting-queue"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			Exponential: func(base, most time.Duration) suite.Limiter {
				return subject.NewItemExponentialFailureRateLimiter[string](base, most)
			},
			FastSlow: func(fast, slow time.Duration, attempts int) suite.Limiter {
				return subject.NewItemFastSlowRateLimiter[string](fast, slow, attempts)
			},
			OfAny: func() []kit.RateLimiter[any] {
				return []kit.RateLimiter[any]{
					subject.NewItemExponentialFailureRateLimiter[any](time.Second, time.Hour),
					subject.NewItemFastSlowRateLimiter[any](time.Second, time.Hour, 1),
				}
			},
			Bucket: func(qps float64, burst int) suite.Limiter {
				return subject.NewBucketRateLimiter[string](qps, burst)
			},
			MaxOf: func(limiters ...suite.Limiter) suite.Limiter {
				return subject.NewMaxOfRateLimiter(limiters...)
			},
			Default: subject.DefaultControllerRateLimiter[string],
			Queue: func(limiter suite.Limiter, queue kit.DelayingQueue[string]) suite.Queue {
				return subject.NewRateLimitingQueue(limiter, queue)
			},
		}
	})
}
