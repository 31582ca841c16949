//go:build ignore

// Mistake: The factory makes a new informer for everybody who asks, and keeps the last one.
// Killed by: one-informer-per-type
// Verdict: wrong-answer

package informer

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func InformerFor[T kit.Object](f *Factory, newInformer func(resyncPeriod time.Duration) kit.SharedInformer[T]) kit.SharedInformer[T] {
	key := any((*T)(nil))
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.informers[key]; ok && e.started {
		return e.informer.(kit.SharedInformer[T])
	}
	informer := newInformer(f.defaultResync)
	f.informers[key] = &entry{informer: informer}
	return informer
}
