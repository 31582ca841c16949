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
		return priorityqueuetest.Subject{New: newPriority[string], NewAny: newPriority[any]}
	})
}

func newPriority[T comparable](limiter kit.RateLimiter[T]) kit.PriorityQueue[T] {
	return priority[T]{priorityqueue.New("", func(o *priorityqueue.Opts[T]) { o.RateLimiter = limiter })}
}

type priority[T comparable] struct {
	priorityqueue.PriorityQueue[T]
}

func (p priority[T]) AddWithOpts(o kit.AddOpts, items ...T) {
	p.PriorityQueue.AddWithOpts(priorityqueue.AddOpts(o), items...)
}
