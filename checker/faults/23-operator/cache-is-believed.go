//go:build ignore

// Mistake: The cache shows the Database with its finalizer, so it is there.
// Killed by: a-stale-cache-creates-nothing
// Verdict: wrong-answer

package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) readLive(db *kit.Database) live {
	return func(context.Context) (*kit.Database, error) { return db, nil }
}
