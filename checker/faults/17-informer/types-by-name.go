//go:build ignore

// Mistake: The key of a type is the name that %T prints: two packages of one name have types of one name, as v1.Event.
// Killed by: one-informer-per-type
// Verdict: panic

package informer

import (
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func InformerFor[T kit.Object](f *Factory, newInformer func(resyncPeriod time.Duration) kit.SharedInformer[T]) kit.SharedInformer[T] {
	key := fmt.Sprintf("%T", (*T)(nil))
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.informers[key]; ok {
		return e.informer.(kit.SharedInformer[T])
	}
	informer := newInformer(f.defaultResync)
	f.informers[key] = &entry{informer: informer}
	return informer
}
