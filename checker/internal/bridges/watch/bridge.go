package watch

import (
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/watchtest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/08-watch"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{New: func(typ kit.Type[*kit.Pod], window int, every time.Duration) suite.Source {
			return subject.New(typ, subject.Options{Window: window, BookmarkEvery: every})
		}}
	})
}
