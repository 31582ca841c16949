package workqueuetest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	subject "github.com/controllerbook/controllerbook/solutions/10-workqueue"
)

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject { return subject.New[string]() })
}
