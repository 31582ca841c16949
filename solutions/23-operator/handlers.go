package operator

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// byPassword is an index of Databases: by the namespace and name of the Secret that they
// have their password from.
const byPassword = "operator.controllerbook/password-secret"

// addIndex ignores errors: that an index stands already is what a second reconciler over
// the same cache meets, and where there is none, ByIndex will say so.
func addIndex(options Options) {
	_ = options.DatabaseCache.AddIndexers(map[string]kit.IndexFunc[*kit.Database]{
		byPassword: func(db *kit.Database) ([]string, error) {
			return []string{db.Namespace + "/" + db.Spec.PasswordSecret}, nil
		},
	})
}

// DatabaseHandler enqueues the Databases that something has happened to.
func (r *DatabaseReconciler) DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database] {
	return kit.ResourceEventHandlerFuncs[*kit.Database]{
		AddFunc: func(db *kit.Database, _ bool) { enqueue(kit.RequestFor(db)) },
		UpdateFunc: func(before, after *kit.Database) {
			if !echo(before, after) {
				enqueue(kit.RequestFor(after))
			}
		},
	}
}

// echo reports whether an update is nothing but a status that was written.
func echo(before, after *kit.Database) bool {
	return before.ResourceVersion != after.ResourceVersion &&
		before.UID == after.UID &&
		before.Generation == after.Generation &&
		(before.DeletionTimestamp == nil) == (after.DeletionTimestamp == nil) &&
		slices.Equal(before.Finalizers, after.Finalizers)
}

// SecretHandler enqueues the Databases that a Secret matters to.
func (r *DatabaseReconciler) SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret] {
	wake := func(secret *kit.Secret) {
		if owner := secret.ControllerOf(); owner != nil && owner.Kind == kit.Databases.Kind {
			enqueue(kit.Request{Namespace: secret.Namespace, Name: owner.Name})
		}
		users, _ := r.options.DatabaseCache.ByIndex(byPassword, kit.Key(secret))
		for _, db := range users {
			enqueue(kit.RequestFor(db))
		}
	}
	return kit.ResourceEventHandlerFuncs[*kit.Secret]{
		AddFunc:    func(secret *kit.Secret, _ bool) { wake(secret) },
		DeleteFunc: func(secret *kit.Secret, _ bool) { wake(secret) },
		UpdateFunc: func(before, after *kit.Secret) {
			if before.ResourceVersion == after.ResourceVersion {
				return
			}
			wake(before)
			wake(after)
		},
	}
}
