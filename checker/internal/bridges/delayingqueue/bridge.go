package delayingqueue

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/delayingqueuetest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/11-delaying-queue"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			New:   func(q kit.Queue[string]) kit.DelayingQueue[string] { return subject.New(q) },
			OfAny: func(q kit.Queue[any]) kit.DelayingQueue[any] { return subject.New(q) },
		}
	})
}
