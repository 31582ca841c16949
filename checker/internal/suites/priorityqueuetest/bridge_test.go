package priorityqueuetest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/13-priority-queue"
)

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject {
		return Subject{New: func(limiter kit.RateLimiter[string]) Queue {
			return adapter{subject.New(limiter)}
		}}
	})
}

// adapter gives the subject the suite's own AddOpts.
type adapter struct{ *subject.PriorityQueue[string] }

func (a adapter) AddWithOpts(o AddOpts, items ...string) {
	a.PriorityQueue.AddWithOpts(subject.AddOpts(o), items...)
}
