//go:build ignore

// Mistake: MinWatchTimeout is rounded to minutes before it is compared, so that a little less than five minutes is left as it is.
// Killed by: draws-the-timeout-of-each-watch
// Verdict: wrong-answer

package reflector

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func New[T kit.Object](lw kit.ListerWatcher[T], store kit.DeltaStore[T], options Options) *Reflector[T] {
	if options.MinWatchTimeout.Round(time.Minute) < minWatchTimeout {
		options.MinWatchTimeout = minWatchTimeout
	}
	return &Reflector[T]{lw: lw, store: store, options: options, backoff: newBackoff(options.Backoff)}
}
