package backpressuretest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	subject "github.com/controllerbook/controllerbook/solutions/03-backpressure"
)

var policies = map[Policy]subject.Policy{
	Block:      subject.Block,
	DropNewest: subject.DropNewest,
	DropOldest: subject.DropOldest,
}

func TestCases(t *testing.T) {
	conform.Run(t, cases(), func() Subject {
		return Subject{
			TrySend: subject.TrySend[int],
			NewBounded: func(capacity int, p Policy) Bounded {
				return subject.NewBounded[int](capacity, policies[p])
			},
			NewPump:    func() Pump { return subject.NewPump[*Item]() },
			ErrFull:    subject.ErrFull,
			ErrClosed:  subject.ErrClosed,
			ErrStarted: subject.ErrStarted,
		}
	})
}
