//go:build ignore

// Mistake: The key is there, and so there is a password.
// Killed by: stuck-is-no-storm
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DatabaseReconciler) wanted(db *kit.Database) (kit.CloudSpec, bool) {
	secret, exists := r.options.SecretCache.GetByKey(db.Namespace + "/" + db.Spec.PasswordSecret)
	if !exists || secret.Data[PasswordKey] == nil {
		return kit.CloudSpec{}, false
	}
	return kit.CloudSpec{
		Engine: db.Spec.Engine, Size: db.Spec.Size,
		Password: string(secret.Data[PasswordKey]), PasswordVersion: secret.ResourceVersion,
	}, true
}
