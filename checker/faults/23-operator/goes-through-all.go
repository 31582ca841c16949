//go:build ignore

// Mistake: All Databases are in the cache, so it is cheap to look at each.
// Killed by: secrets-wake-their-databases
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DatabaseReconciler) SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret] {
	wake := func(secret *kit.Secret) {
		if owner := secret.ControllerOf(); owner != nil && owner.Kind == kit.Databases.Kind {
			enqueue(kit.Request{Namespace: secret.Namespace, Name: owner.Name})
		}
		for _, db := range r.options.DatabaseCache.List() {
			if db.Namespace == secret.Namespace && db.Spec.PasswordSecret == secret.Name {
				enqueue(kit.RequestFor(db))
			}
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
