package cancellation

import (
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/cancellationtest"
	subject "github.com/controllerbook/controllerbook/solutions/04-cancellation"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			First:      subject.First[int],
			FirstAny:   subject.First[any],
			ErrNoTasks: subject.ErrNoTasks,
			OrDone:     subject.OrDone[int],
			OrDoneAny:  subject.OrDone[any],
			Merge:      subject.Merge[int],
			MergeAny:   subject.Merge[any],
			Until:      subject.Until,
			Backoff: func(p suite.Params) suite.Backoff {
				b := subject.Backoff(p)
				return &backoff{&b}
			},
			NilStep: func() time.Duration { return (*subject.Backoff)(nil).Step() },
		}
	})
}

// backoff shows the fields of the subject's Backoff to the suite.
type backoff struct{ *subject.Backoff }

func (b *backoff) Params() suite.Params { return suite.Params(*b.Backoff) }
