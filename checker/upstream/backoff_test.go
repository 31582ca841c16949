package upstream

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/utils/clock"

	"github.com/controllerbook/controllerbook/checker/internal/suites/cancellationtest"
	ours "github.com/controllerbook/controllerbook/solutions/04-cancellation"
)

// Of lab 04, Until, Step and Run are apimachinery's; First, OrDone and Merge have
// nothing that stands beside them, and are the solution's.
func TestBackoff(t *testing.T) {
	run(t, cancellationtest.Lab(), cancellationtest.Cases(), func() cancellationtest.Subject {
		return cancellationtest.Subject{
			First:      ours.First[int],
			FirstAny:   ours.First[any],
			ErrNoTasks: ours.ErrNoTasks,
			OrDone:     ours.OrDone[int],
			OrDoneAny:  ours.OrDone[any],
			Merge:      ours.Merge[int],
			MergeAny:   ours.Merge[any],
			Until: func(ctx context.Context, period time.Duration, f func(context.Context)) {
				wait.UntilWithContext(ctx, f, period)
			},
			Backoff: func(p cancellationtest.Params) cancellationtest.Backoff {
				b := wait.Backoff(p)
				return &backoff{&b}
			},
			NilStep: func() time.Duration { return (*wait.Backoff)(nil).Step() },
		}
	})
}

type backoff struct{ *wait.Backoff }

// Run is the loop of all Until functions, with a Backoff's steps for its timer.
func (b *backoff) Run(ctx context.Context, sliding bool, f func(context.Context)) {
	wait.BackoffUntilWithContext(ctx, f, timers{b.DelayFunc()}, sliding)
}

func (b *backoff) Params() cancellationtest.Params { return cancellationtest.Params(*b.Backoff) }

// timers is a wait.BackoffManager: apimachinery has one, and no constructor that
// would make it of a Backoff alone.
type timers struct{ next wait.DelayFunc }

func (t timers) Backoff() clock.Timer { return clock.RealClock{}.NewTimer(t.next()) }
