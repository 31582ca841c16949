package deltafifotest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/14-deltafifo"
)

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject {
		return Subject{New: func(o Options) Queue {
			return subject.New(subject.Options[*kit.Pod]{KnownObjects: o.KnownObjects, Transformer: o.Transformer})
		}}
	})
}
