package upstream

import (
	"testing"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/util/workqueue"

	"github.com/controllerbook/controllerbook/checker/internal/suites/ratelimitingqueuetest"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Limiters and queues are used as they are; only the constructors are put into the
// suite's words.
func TestRateLimitingQueue(t *testing.T) {
	type (
		limiter = ratelimitingqueuetest.Limiter
		queue   = ratelimitingqueuetest.Queue
	)
	run(t, ratelimitingqueuetest.Lab(), ratelimitingqueuetest.Cases(), func() ratelimitingqueuetest.Subject {
		return ratelimitingqueuetest.Subject{
			Exponential: func(base, most time.Duration) limiter {
				return workqueue.NewTypedItemExponentialFailureRateLimiter[string](base, most)
			},
			FastSlow: func(fast, slow time.Duration, attempts int) limiter {
				return workqueue.NewTypedItemFastSlowRateLimiter[string](fast, slow, attempts)
			},
			OfAny: func() []kit.RateLimiter[any] {
				return []kit.RateLimiter[any]{
					workqueue.NewTypedItemExponentialFailureRateLimiter[any](time.Second, time.Hour),
					workqueue.NewTypedItemFastSlowRateLimiter[any](time.Second, time.Hour, 1),
				}
			},
			Bucket: func(qps float64, burst int) limiter {
				return &workqueue.TypedBucketRateLimiter[string]{Limiter: rate.NewLimiter(rate.Limit(qps), burst)}
			},
			MaxOf: func(limiters ...limiter) limiter {
				theirs := make([]workqueue.TypedRateLimiter[string], len(limiters))
				for i, l := range limiters {
					theirs[i] = l
				}
				return workqueue.NewTypedMaxOfRateLimiter(theirs...)
			},
			Default: func() limiter { return workqueue.DefaultTypedControllerRateLimiter[string]() },
			Queue: func(l limiter, q kit.DelayingQueue[string]) queue {
				return workqueue.NewTypedRateLimitingQueueWithConfig(l, workqueue.TypedRateLimitingQueueConfig[string]{DelayingQueue: q})
			},
		}
	})
}
