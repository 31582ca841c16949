package upstream

import (
	"testing"

	"k8s.io/client-go/util/workqueue"

	"github.com/controllerbook/controllerbook/checker/internal/suites/delayingqueuetest"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The adapter of lab 11 is the one in its suite's package comment: the queue
// underneath is handed over in a config.
func TestDelayingQueue(t *testing.T) {
	run(t, delayingqueuetest.Lab(), delayingqueuetest.Cases(), func() delayingqueuetest.Subject {
		return delayingqueuetest.Subject{
			New: func(q kit.Queue[string]) kit.DelayingQueue[string] {
				return workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{Queue: q})
			},
			OfAny: func(q kit.Queue[any]) kit.DelayingQueue[any] {
				return workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[any]{Queue: q})
			},
		}
	})
}
