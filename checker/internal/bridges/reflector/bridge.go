package reflector

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/reflectortest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/16-reflector"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return func(lw kit.ListerWatcher[*kit.Pod], store kit.DeltaStore[*kit.Pod], o suite.Options) suite.Reflector {
			return subject.New(lw, store, subject.Options(o))
		}
	})
}
