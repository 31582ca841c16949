package workqueue_test

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/workqueuetest"
	subject "github.com/controllerbook/controllerbook/solutions/10-workqueue"
)

func TestCases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject { return subject.New[string]() })
}
