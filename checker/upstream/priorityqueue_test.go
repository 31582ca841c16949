package upstream

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/controllerbook/controllerbook/checker/internal/suites/priorityqueuetest"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The queue is used as it is; it takes its limiter in an option, and AddOpts under
// its own name.
func TestPriorityQueue(t *testing.T) {
	run(t, priorityqueuetest.Lab(), priorityqueuetest.Cases(), func() priorityqueuetest.Subject {
		return priorityqueuetest.Subject{New: func(limiter kit.RateLimiter[string]) kit.PriorityQueue[string] {
			return priority{priorityqueue.New("", func(o *priorityqueue.Opts[string]) { o.RateLimiter = limiter })}
		}}
	})
}

type priority struct {
	priorityqueue.PriorityQueue[string]
}

func (p priority) AddWithOpts(o kit.AddOpts, items ...string) {
	p.PriorityQueue.AddWithOpts(priorityqueue.AddOpts(o), items...)
}
