//go:build ignore

// Mistake: A Secret that has a controller is nobody's password.
// Killed by: secrets-wake-their-databases
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DatabaseReconciler) SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret] {
	wake := func(secret *kit.Secret) {
		if owner := secret.ControllerOf(); owner != nil && owner.Kind == kit.Databases.Kind {
			enqueue(kit.Request{Namespace: secret.Namespace, Name: owner.Name})
			return
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
