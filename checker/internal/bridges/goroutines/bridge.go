package goroutines

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/goroutinestest"
	subject "github.com/controllerbook/controllerbook/solutions/01-goroutines"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			Gather:    subject.Gather[int],
			GatherAny: subject.Gather[any],
			PanicOf: func(err error) (any, []byte, bool) {
				p, ok := any(err).(*subject.PanicError)
				if !ok || p == nil {
					return nil, nil, false
				}
				return p.Value, p.Stack, true
			},
			PanicError: func(value any) error { return &subject.PanicError{Value: value} },
		}
	})
}
