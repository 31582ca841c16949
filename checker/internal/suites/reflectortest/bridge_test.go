package reflectortest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/16-reflector"
)

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject {
		return func(lw kit.ListerWatcher[*kit.Pod], store kit.DeltaStore[*kit.Pod], o Options) Reflector {
			return subject.New(lw, store, subject.Options(o))
		}
	})
}
