//go:build ignore

// Mistake: The status says CloudError, so this is another try of a creation before which the Database was read from the API server.
// Killed by: a-stale-cache-creates-nothing
// Verdict: wrong-answer

package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) readLive(db *kit.Database) live {
	return func(ctx context.Context) (*kit.Database, error) {
		if c := kit.FindCondition(db.Status.Conditions, Synced); c != nil && c.Reason == CloudError {
			return db, nil
		}
		return r.options.Databases.Get(ctx, db.Namespace, db.Name)
	}
}
