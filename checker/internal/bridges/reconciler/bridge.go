package reconciler

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/reconcilertest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/19-reconciler"
)

// controller has a Watch that takes the suite's sources.
type controller struct{ *subject.Controller }

func (c controller) Watch(sources ...suite.Source) error {
	theirs := make([]subject.Source, len(sources))
	for i, s := range sources {
		theirs[i] = s
	}
	return c.Controller.Watch(theirs...)
}

// watchPart hands over a part of a slice, and then uses that slice for something else.
func watchPart(c suite.Controller, source, other suite.Source) (untouched bool, err error) {
	theirs := []subject.Source{source, other}
	err = c.(controller).Controller.Watch(theirs[:1]...)
	untouched = theirs[0] == subject.Source(source) && theirs[1] == subject.Source(other)
	theirs[0] = other
	return untouched, err
}

func predicates(ours []suite.Predicate) []subject.Predicate[*kit.Pod] {
	theirs := make([]subject.Predicate[*kit.Pod], len(ours))
	for i, p := range ours {
		theirs[i] = subject.Predicate[*kit.Pod](p)
	}
	return theirs
}

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			New: func(o suite.Options) suite.Controller { return controller{subject.New(subject.Options(o))} },
			Kind: func(i suite.Informer, h suite.Handler, ps ...suite.Predicate) suite.Source {
				return subject.Kind(i, h, predicates(ps)...)
			},
			For: func(i suite.Informer, ps ...suite.Predicate) suite.Source { return subject.For(i, predicates(ps)...) },
			Owns: func(i suite.Informer, owner kit.TypeMeta, ps ...suite.Predicate) suite.Source {
				return subject.Owns(i, owner, predicates(ps)...)
			},
			Watches: func(i suite.Informer, mapFunc func(*kit.Pod) []kit.Request, ps ...suite.Predicate) suite.Source {
				return subject.Watches(i, mapFunc, predicates(ps)...)
			},
			RateLimited:       func(s suite.Source) suite.Source { return subject.RateLimited(s) },
			GenerationChanged: func() suite.Predicate { return suite.Predicate(subject.GenerationChanged[*kit.Pod]()) },
			WatchPart:         watchPart,
		}
	})
}
