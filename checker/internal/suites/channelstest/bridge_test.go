package channelstest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	subject "github.com/controllerbook/controllerbook/solutions/02-channels"
)

func TestCases(t *testing.T) {
	conform.Run(t, cases(), func() Subject {
		return Subject{Pool: subject.Pool[int, string], Next: subject.Pool[string, string]}
	})
}
