package operator

import (
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

const passwordIndex = "passwords"

// DatabaseHandler enqueues whatever differs in more than its status.
func (r *DatabaseReconciler) DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database] {
	return kit.ResourceEventHandlerFuncs[*kit.Database]{
		AddFunc:    func(db *kit.Database, _ bool) { enqueue(kit.RequestFor(db)) },
		DeleteFunc: func(db *kit.Database, _ bool) { enqueue(kit.RequestFor(db)) },
		UpdateFunc: func(a, b *kit.Database) {
			echo := a.ResourceVersion != b.ResourceVersion && a.UID == b.UID && a.Generation == b.Generation &&
				slices.Equal(a.Finalizers, b.Finalizers) && (a.DeletionTimestamp == nil) == (b.DeletionTimestamp == nil) &&
				maps.Equal(a.Labels, b.Labels) && maps.Equal(a.Annotations, b.Annotations)
			if echo {
				return
			}
			enqueue(kit.RequestFor(b))
		},
	}
}

// SecretHandler enqueues by a map of requests, so that each comes once.
func (r *DatabaseReconciler) SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret] {
	tell := func(secrets ...*kit.Secret) {
		requests := map[kit.Request]bool{}
		for _, secret := range secrets {
			keys, _ := r.DatabaseCache.ByIndex(passwordIndex, kit.Key(secret))
			for _, db := range keys {
				requests[kit.RequestFor(db)] = true
			}
			if ref := secret.ControllerOf(); ref != nil && ref.Kind == "Database" {
				requests[kit.Request{Namespace: secret.Namespace, Name: ref.Name}] = true
			}
		}
		for request := range requests {
			enqueue(request)
		}
	}
	return kit.ResourceEventHandlerFuncs[*kit.Secret]{
		AddFunc:    func(secret *kit.Secret, _ bool) { tell(secret) },
		DeleteFunc: func(secret *kit.Secret, _ bool) { tell(secret) },
		UpdateFunc: func(a, b *kit.Secret) {
			if a.ResourceVersion != b.ResourceVersion {
				tell(a, b)
			}
		},
	}
}
