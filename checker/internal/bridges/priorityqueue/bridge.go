package priorityqueue

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/priorityqueuetest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/13-priority-queue"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			New:    func(limiter kit.RateLimiter[string]) kit.PriorityQueue[string] { return subject.New(limiter) },
			NewAny: func(limiter kit.RateLimiter[any]) kit.PriorityQueue[any] { return subject.New(limiter) },
		}
	})
}
