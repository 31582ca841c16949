//go:build ignore

// Mistake: The objects of the list are kept, and what is deleted is taken out of that slice, which is the store's.
// Killed by: publishes-what-is-stored
// Verdict: wrong-answer

package reflector

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type known[T kit.Object] struct{ all []T }

func (k *known[T]) remove(key string) {
	k.all = slices.DeleteFunc(k.all, func(o T) bool { return kit.Key(o) == key })
}

func (r *Reflector[T]) list(ctx context.Context) error {
	list, err := r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})
	if kit.IsResourceExpired(err) || kit.IsTooLargeResourceVersion(err) {
		r.unavailable = true
		list, err = r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})
	}
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	r.unavailable = false
	if err := r.store.Replace(list.Items, list.ResourceVersion); err != nil {
		return fmt.Errorf("store the list: %w", err)
	}
	r.publish(list.ResourceVersion)
	r.known.all = list.Items
	return nil
}

func (r *Reflector[T]) apply(event kit.Event[T]) bool {
	switch event.Type {
	case kit.Added:
		_ = r.store.Add(event.Object)
	case kit.Modified:
		_ = r.store.Update(event.Object)
	case kit.Deleted:
		_ = r.store.Delete(event.Object)
		r.known.remove(kit.Key(event.Object))
	case kit.Bookmark: // the version is all there is to it
	default:
		return false
	}
	return true
}

type Reflector[T kit.Object] struct {
	lw      kit.ListerWatcher[T]
	store   kit.DeltaStore[T]
	options Options
	backoff backoff
	known   known[T]

	unavailable bool

	mu      sync.RWMutex
	version string
}
