package operator

import (
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// The handlers are called by informers, after the caches have changed. They may be called
// while a Reconcile is under way, and return without waiting for it. They call enqueue for
// the Databases named below and for no others; they may call it twice for the same one.

// DatabaseHandler is to be added to the informer of Databases.
//
// It enqueues every Database that is added. It enqueues one that is updated if its
// generation, its finalizers or its UID have changed, also by a write of Reconcile itself, or if
// the resource version is the same: that is a resync. A Database that begins to be deleted gets
// a new generation, too. An update in which nothing but the status has changed is its own echo,
// and enqueues nothing. For other updates, such as a new order of the finalizers, and for a
// deletion it may do either.
func (r *DatabaseReconciler) DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database] {
	return kit.ResourceEventHandlerFuncs[*kit.Database]{
		AddFunc: func(db *kit.Database, _ bool) { enqueue(kit.RequestFor(db)) },
		UpdateFunc: func(before, now *kit.Database) {
			if before.ResourceVersion == now.ResourceVersion || asksForMore(before, now) {
				enqueue(kit.RequestFor(now))
			}
		},
		DeleteFunc: func(db *kit.Database, _ bool) { enqueue(kit.RequestFor(db)) },
	}
}

// asksForMore reports whether something other than the status has changed that Reconcile
// goes by.
func asksForMore(before, now *kit.Database) bool {
	return before.UID != now.UID ||
		before.Generation != now.Generation ||
		before.DeletionTimestamp == nil && now.DeletionTimestamp != nil ||
		!slices.Equal(before.Finalizers, now.Finalizers)
}

// SecretHandler is to be added to the informer of Secrets.
//
// A Secret that is added, updated or deleted, whether or not its final state is known,
// enqueues the Database that is its controller, by Kind and name, and every Database of its
// namespace whose spec names it as PasswordSecret. The controller's version and UID do not
// matter, nor whether DatabaseCache has it. For an update this holds for the controllers of the
// old and of the new object. The Databases that name a Secret are found by an index of
// DatabaseCache; its List and ListKeys, which go through all there are, are not called. A
// resync, an update in which the resource version stays the same, enqueues nothing.
func (r *DatabaseReconciler) SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret] {
	return kit.ResourceEventHandlerFuncs[*kit.Secret]{
		AddFunc: func(s *kit.Secret, _ bool) { r.wake(enqueue, s) },
		UpdateFunc: func(before, now *kit.Secret) {
			if before.ResourceVersion != now.ResourceVersion {
				r.wake(enqueue, before, now)
			}
		},
		DeleteFunc: func(s *kit.Secret, _ bool) { r.wake(enqueue, s) },
	}
}

// wake enqueues, once each, the controllers of the states of one Secret and the Databases
// that name it.
func (r *DatabaseReconciler) wake(enqueue func(kit.Request), states ...*kit.Secret) {
	woken := map[kit.Request]bool{}
	for _, s := range states {
		if c := s.ControllerOf(); c != nil && c.Kind == kit.Databases.Kind {
			woken[kit.Request{Namespace: s.Namespace, Name: c.Name}] = true
		}
	}
	named, err := r.DatabaseCache.ByIndex(byPasswordSecret, kit.Key(states[0]))
	if err != nil {
		panic(fmt.Sprintf("operator: the index that New has added: %v", err))
	}
	for _, db := range named {
		woken[kit.RequestFor(db)] = true
	}
	for request := range woken {
		enqueue(request)
	}
}

// byPasswordSecret is the index of Databases by the key of the Secret with their password.
const byPasswordSecret = "operator/password-secret"

// addIndex sees to it that cache has the index byPasswordSecret.
func addIndex(cache kit.Indexer[*kit.Database]) {
	if _, err := cache.ByIndex(byPasswordSecret, ""); err == nil {
		return // of a reconciler before this one
	}
	err := cache.AddIndexers(map[string]kit.IndexFunc[*kit.Database]{
		byPasswordSecret: func(db *kit.Database) ([]string, error) {
			return []string{kit.Request{Namespace: db.Namespace, Name: db.Spec.PasswordSecret}.String()}, nil
		},
	})
	if err != nil {
		panic(fmt.Sprintf("operator: adding an index: %v", err))
	}
}
