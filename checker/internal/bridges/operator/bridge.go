package operator

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/operatortest"
	subject "github.com/controllerbook/controllerbook/solutions/23-operator"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			New:          func(o suite.Options) suite.Reconciler { return subject.New(subject.Options(o)) },
			SetCondition: subject.SetCondition,
		}
	})
}
