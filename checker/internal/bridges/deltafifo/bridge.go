package deltafifo

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/deltafifotest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/14-deltafifo"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{New: func(o suite.Options) suite.Queue {
			return subject.New(subject.Options[*kit.Pod]{KnownObjects: o.KnownObjects, Transformer: o.Transformer})
		}}
	})
}
