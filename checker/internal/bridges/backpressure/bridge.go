package backpressure

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/backpressuretest"
	subject "github.com/controllerbook/controllerbook/solutions/03-backpressure"
)

var policies = map[suite.Policy]subject.Policy{
	suite.Block:      subject.Block,
	suite.DropNewest: subject.DropNewest,
	suite.DropOldest: subject.DropOldest,
}

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			TrySend: subject.TrySend[int],
			NewBounded: func(capacity int, p suite.Policy) suite.Bounded {
				return subject.NewBounded[int](capacity, policies[p])
			},
			NewBoundedErrors: func(capacity int, p suite.Policy) suite.BoundedOf[error] {
				return subject.NewBounded[error](capacity, policies[p])
			},
			NewPump:       func() suite.Pump { return subject.NewPump[*suite.Item]() },
			NewPumpPages:  func() suite.PumpOf[suite.Page] { return subject.NewPump[suite.Page]() },
			NewPumpErrors: func() suite.PumpOf[error] { return subject.NewPump[error]() },
			ErrFull:       subject.ErrFull,
			ErrClosed:     subject.ErrClosed,
			ErrStarted:    subject.ErrStarted,
		}
	})
}
