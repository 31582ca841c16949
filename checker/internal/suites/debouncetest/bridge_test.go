package debouncetest

import (
	"context"
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	subject "github.com/controllerbook/controllerbook/solutions/05-debounce"
)

func TestCases(t *testing.T) {
	conform.Run(t, cases(), func() Subject {
		return Subject{
			Run: func(ctx context.Context, quiet, longest time.Duration, updates <-chan *Update, merge Merge, push Push) error {
				return subject.Debouncer[*Update]{Quiet: quiet, Max: longest}.Run(ctx, updates, merge, push)
			},
		}
	})
}
