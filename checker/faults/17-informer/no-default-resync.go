//go:build ignore

// Mistake: The factory's resync period is forgotten when an informer is made.
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
	if e, ok := f.informers[key]; ok {
		return e.informer.(kit.SharedInformer[T])
	}
	informer := newInformer(0)
	f.informers[key] = &entry{informer: informer}
	return informer
}
