//go:build ignore

// Mistake: The Secret of a Database is the one whose owner has the name of the Database.
// Killed by: connection-is-owned
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func controls(db *kit.Database, secret *kit.Secret) bool {
	owner := secret.ControllerOf()
	return owner != nil && owner.Name == db.Name
}
