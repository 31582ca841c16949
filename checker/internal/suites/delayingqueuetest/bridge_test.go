package delayingqueuetest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/11-delaying-queue"
)

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject {
		return func(q kit.Queue[string]) kit.DelayingQueue[string] { return subject.New(q) }
	})
}
