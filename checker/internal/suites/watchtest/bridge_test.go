package watchtest

import (
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/08-watch"
)

func TestCases(t *testing.T) {
	conform.Run(t, cases(), func() Subject {
		return Subject{New: func(window int, every time.Duration) Source {
			return subject.New(kit.Pods, subject.Options{Window: window, BookmarkEvery: every})
		}}
	})
}
