//go:build ignore

// Mistake: Namespace and name with a hyphen between them are a key. But both may have hyphens in them.
// Killed by: secrets-wake-their-databases
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func addIndex(options Options) {
	_ = options.DatabaseCache.AddIndexers(map[string]kit.IndexFunc[*kit.Database]{
		byPassword: func(db *kit.Database) ([]string, error) {
			return []string{glued(db.Namespace, db.Spec.PasswordSecret)}, nil
		},
	})
}

func glued(namespace, name string) string { return namespace + "-" + name }

func (r *DatabaseReconciler) SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret] {
	wake := func(secret *kit.Secret) {
		if owner := secret.ControllerOf(); owner != nil && owner.Kind == kit.Databases.Kind {
			enqueue(kit.Request{Namespace: secret.Namespace, Name: owner.Name})
		}
		users, _ := r.options.DatabaseCache.ByIndex(byPassword, glued(secret.Namespace, secret.Name))
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
