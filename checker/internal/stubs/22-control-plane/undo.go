package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Undo puts the template of an earlier revision back into a deployment, as kubectl rollout
// undo does; the reconciler does the rest. Revisions are those of the ReplicaSets that the
// deployment controls, by its UID. Revision 0 is the highest below the current one, which
// is that of the ReplicaSet with the deployment's own template. Which one is current while
// the reconciler has not numbered that ReplicaSet yet, or not written the number on the
// deployment, is left open. If there is no such revision, Undo returns an error
// (kit.IsNotFound). It tries again after a conflict; after five in a row it may give up. The
// label kit.PodTemplateHash is not put back, and nothing but the template is changed.
// Whether Undo refuses a paused deployment, as kubectl does, is left open.
func Undo(ctx context.Context, api API, namespace, name string, revision int64) error {
	panic(kit.TODO("Undo"))
}
