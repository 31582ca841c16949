//go:build ignore

// Mistake: Each buffer has room for 2048 notifications from the first, so that it need not grow when the first list comes.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func newListener[T kit.Object](handler kit.ResourceEventHandler[T], upstreamSynced func() bool, onPanic func(value any)) *listener[T] {
	return &listener[T]{
		handler:        handler,
		upstreamSynced: upstreamSynced,
		onPanic:        onPanic,
		wake:           make(chan struct{}, 1),
		gone:           make(chan struct{}),
		finished:       make(chan struct{}),
		pending:        make([]notification[T], 0, 2048),
	}
}
