//go:build ignore

// Mistake: The operator counts the specs that it sees, and takes that for the generation. It does not see all of them.
// Killed by: status-of-its-generation
// Verdict: wrong-answer

package operator

import (
	"context"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type counted struct {
	spec kit.DatabaseSpec
	n    int64
}

var (
	countMu sync.Mutex
	counts  = map[string]counted{}
)

func generationOf(db *kit.Database) int64 {
	countMu.Lock()
	defer countMu.Unlock()
	c := counts[db.UID]
	if c.n == 0 || c.spec != db.Spec {
		c = counted{spec: db.Spec, n: c.n + 1}
	}
	counts[db.UID] = c
	return c.n
}

func (r *DatabaseReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	cached, exists := r.options.DatabaseCache.GetByKey(request.String())
	if !exists {
		return kit.Result{}, nil
	}
	db := cached.DeepCopy()
	db.Generation = generationOf(db)
	switch {
	case db.DeletionTimestamp != nil:
		return r.delete(ctx, db)
	case slices.Contains(db.Finalizers, Finalizer):
		return r.report(ctx, db, r.sync(ctx, db, r.readLive(db)))
	}
	db.Finalizers = append(db.Finalizers, Finalizer)
	db, err := r.options.Databases.Update(ctx, db)
	if err != nil {
		return kit.Result{}, err
	}
	return r.report(ctx, db, r.sync(ctx, db, func(context.Context) (*kit.Database, error) { return db, nil }))
}
