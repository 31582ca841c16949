package ratelimitingqueuetest

import (
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/12-rate-limiting-queue"
)

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject {
		return Subject{
			Exponential: func(base, most time.Duration) Limiter {
				return subject.NewItemExponentialFailureRateLimiter[string](base, most)
			},
			FastSlow: func(fast, slow time.Duration, attempts int) Limiter {
				return subject.NewItemFastSlowRateLimiter[string](fast, slow, attempts)
			},
			Bucket: func(qps float64, burst int) Limiter {
				return subject.NewBucketRateLimiter[string](qps, burst)
			},
			MaxOf: func(limiters ...Limiter) Limiter {
				return subject.NewMaxOfRateLimiter(limiters...)
			},
			Default: subject.DefaultControllerRateLimiter[string],
			Queue: func(limiter Limiter, queue kit.DelayingQueue[string]) Queue {
				return subject.NewRateLimitingQueue(limiter, queue)
			},
		}
	})
}
