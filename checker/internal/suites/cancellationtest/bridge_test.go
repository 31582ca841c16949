package cancellationtest

import (
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	subject "github.com/controllerbook/controllerbook/solutions/04-cancellation"
)

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject {
		return Subject{
			First:      subject.First[int],
			ErrNoTasks: subject.ErrNoTasks,
			OrDone:     subject.OrDone[int],
			Merge:      subject.Merge[int],
			Until:      subject.Until,
			Backoff: func(p Params) Backoff {
				b := subject.Backoff(p)
				return &backoff{&b}
			},
			NilStep: func() time.Duration { return (*subject.Backoff)(nil).Step() },
		}
	})
}

// backoff shows the fields of the subject's Backoff to the suite.
type backoff struct{ *subject.Backoff }

func (b *backoff) Params() Params { return Params(*b.Backoff) }
