package operator

import "github.com/controllerbook/controllerbook/labs/kit"

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
	panic(kit.TODO("DatabaseReconciler.DatabaseHandler"))
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
	panic(kit.TODO("DatabaseReconciler.SecretHandler"))
}
