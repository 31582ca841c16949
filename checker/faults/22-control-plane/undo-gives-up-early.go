//go:build ignore

// Mistake: Undo gives up after three conflicts.
// Killed by: a-rollback-reuses-the-old-replicaset
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func Undo(ctx context.Context, api API, namespace, name string, revision int64) error {
	var err error
	for range 3 {
		if err = undo(ctx, api, namespace, name, revision); !kit.IsConflict(err) {
			break
		}
	}
	return err
}
