package informer

import (
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/informertest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/17-informer"
)

type factory struct{ *subject.Factory }

func (f factory) Pods(newInformer func(time.Duration) kit.SharedInformer[*kit.Pod]) kit.SharedInformer[*kit.Pod] {
	return subject.InformerFor(f.Factory, newInformer)
}

func (f factory) Nodes(newInformer func(time.Duration) kit.SharedInformer[*suite.Node]) kit.SharedInformer[*suite.Node] {
	return subject.InformerFor(f.Factory, newInformer)
}

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			New: func(p *suite.Parts) suite.Informer {
				return subject.New(subject.Options[*kit.Pod]{
					Indexer: p.Indexer(), Queue: p.Queue(), Reflect: p.Reflect,
					ResyncPeriod: p.Resync, OnPanic: p.OnPanic,
				})
			},
			NewFactory: func(resync time.Duration) suite.Factory { return factory{subject.NewFactory(resync)} },
			ErrStopped: subject.ErrStopped,
		}
	})
}
