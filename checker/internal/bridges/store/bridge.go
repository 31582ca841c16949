package store

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/storetest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/07-store"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			New: func(typ kit.Type[*kit.Pod], journals ...kit.Journal[*kit.Pod]) kit.Client[*kit.Pod] {
				return subject.New(typ, journals...)
			},
			RetryOnConflict: subject.RetryOnConflict,
			DefaultRetry:    subject.DefaultRetry,
			DefaultBackoff:  subject.DefaultBackoff,
		}
	})
}
