//go:build ignore

// Mistake: A MinWatchTimeout of less than five minutes is taken as it is.
// Killed by: draws-the-timeout-of-each-watch
// Verdict: wrong-answer

package reflector

import "github.com/controllerbook/controllerbook/labs/kit"

func New[T kit.Object](lw kit.ListerWatcher[T], store kit.DeltaStore[T], options Options) *Reflector[T] {
	if options.MinWatchTimeout == 0 {
		options.MinWatchTimeout = minWatchTimeout
	}
	return &Reflector[T]{lw: lw, store: store, options: options, backoff: newBackoff(options.Backoff)}
}
