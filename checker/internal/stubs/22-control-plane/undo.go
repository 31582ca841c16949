package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Undo puts the template of an earlier revision back into a deployment, as kubectl rollout
// undo does; the rest is the reconciler's. Revision 0 is the highest below the current one.
// An error says that there is no such revision (kit.IsNotFound); a conflict is tried again.
func Undo(ctx context.Context, api API, namespace, name string, revision int64) error {
	panic(kit.TODO("Undo"))
}
