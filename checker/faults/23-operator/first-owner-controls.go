//go:build ignore

// Mistake: The controller is the first of the owners.
// Killed by: connection-is-owned
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func controls(db *kit.Database, secret *kit.Secret) bool {
	owners := secret.OwnerReferences
	return len(owners) > 0 && owners[0].Controller && owners[0].UID == db.UID
}
