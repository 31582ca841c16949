package upstream

import (
	"testing"

	"k8s.io/client-go/util/workqueue"

	"github.com/controllerbook/controllerbook/checker/internal/suites/workqueuetest"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// client-go's work queue is a kit.Queue as it stands: there is no adapter.
func TestWorkqueue(t *testing.T) {
	run(t, workqueuetest.Lab(), workqueuetest.Cases(), func() workqueuetest.Subject {
		return workqueuetest.Subject{
			Queue: workqueue.NewTyped[string](),
			OfAny: func() kit.Queue[any] { return workqueue.NewTyped[any]() },
			OfInt: func() kit.Queue[int] { return workqueue.NewTyped[int]() },
			OfBig: func() kit.Queue[workqueuetest.Big] { return workqueue.NewTyped[workqueuetest.Big]() },
		}
	})
}
