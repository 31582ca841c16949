package debounce

import (
	"context"
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/debouncetest"
	subject "github.com/controllerbook/controllerbook/solutions/05-debounce"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			Run: func(ctx context.Context, quiet, longest time.Duration, updates <-chan *suite.Update, merge suite.Merge, push suite.Push) error {
				return subject.Debouncer[*suite.Update]{Quiet: quiet, Max: longest}.Run(ctx, updates, merge, push)
			},
			RunAny: func(ctx context.Context, quiet, longest time.Duration, updates <-chan any, merge func(batch, update any) any, push func(ctx context.Context, batch any)) error {
				return subject.Debouncer[any]{Quiet: quiet, Max: longest}.Run(ctx, updates, merge, push)
			},
			RunMaps: func(ctx context.Context, quiet, longest time.Duration, updates <-chan map[string]int, merge func(batch, update map[string]int) map[string]int, push func(ctx context.Context, batch map[string]int)) error {
				return subject.Debouncer[map[string]int]{Quiet: quiet, Max: longest}.Run(ctx, updates, merge, push)
			},
		}
	})
}
