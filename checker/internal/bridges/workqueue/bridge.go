package workqueue

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/workqueuetest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/10-workqueue"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			Queue: subject.New[string](),
			OfAny: func() kit.Queue[any] { return subject.New[any]() },
			OfInt: func() kit.Queue[int] { return subject.New[int]() },
			OfBig: func() kit.Queue[suite.Big] { return subject.New[suite.Big]() },
		}
	})
}
