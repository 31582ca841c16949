package reconcilertest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/19-reconciler"
)

// controller has a Watch that takes the suite's sources.
type controller struct{ *subject.Controller }

func (c controller) Watch(sources ...Source) error {
	theirs := make([]subject.Source, len(sources))
	for i, s := range sources {
		theirs[i] = s
	}
	return c.Controller.Watch(theirs...)
}

func predicates(ours []Predicate) []subject.Predicate[*kit.Pod] {
	theirs := make([]subject.Predicate[*kit.Pod], len(ours))
	for i, p := range ours {
		theirs[i] = subject.Predicate[*kit.Pod](p)
	}
	return theirs
}

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject {
		return Subject{
			New: func(o Options) Controller { return controller{subject.New(subject.Options(o))} },
			Kind: func(i Informer, h Handler, ps ...Predicate) Source {
				return subject.Kind(i, h, predicates(ps)...)
			},
			For: func(i Informer, ps ...Predicate) Source { return subject.For(i, predicates(ps)...) },
			Owns: func(i Informer, owner kit.TypeMeta, ps ...Predicate) Source {
				return subject.Owns(i, owner, predicates(ps)...)
			},
			Watches: func(i Informer, mapFunc func(*kit.Pod) []kit.Request, ps ...Predicate) Source {
				return subject.Watches(i, mapFunc, predicates(ps)...)
			},
			RateLimited:       func(s Source) Source { return subject.RateLimited(s) },
			GenerationChanged: func() Predicate { return Predicate(subject.GenerationChanged[*kit.Pod]()) },
		}
	})
}
