package channels

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/channelstest"
	subject "github.com/controllerbook/controllerbook/solutions/02-channels"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{Pool: subject.Pool[int, string], Next: subject.Pool[string, string], Any: subject.Pool[any, any]}
	})
}
