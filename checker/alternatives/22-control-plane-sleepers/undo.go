package controlplane

import (
	"context"
	"fmt"

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
	for {
		err := undo(ctx, api, namespace, name, revision)
		if !kit.IsConflict(err) || ctx.Err() != nil {
			return err
		}
	}
}

func undo(ctx context.Context, api API, namespace, name string, wanted int64) error {
	d, err := api.Deployments.Get(ctx, namespace, name)
	if err != nil {
		return err
	}
	list, err := api.ReplicaSets.List(ctx, kit.ListOptions{Namespace: namespace})
	if err != nil {
		return err
	}
	current := TemplateHash(d.Spec.Template)
	var found *kit.ReplicaSet
	for _, rs := range list.Items {
		owner := rs.ControllerOf()
		if owner == nil || owner.UID != d.UID {
			continue
		}
		if wanted == 0 {
			// The current one has the highest, or is about to get it.
			if rs.Labels[kit.PodTemplateHash] != current && (found == nil || revision(rs) > revision(found)) {
				found = rs
			}
		} else if revision(rs) == wanted {
			found = rs
		}
	}
	if found == nil {
		return kit.NewNotFound("revisions", fmt.Sprintf("%s/%s@%d", namespace, name, wanted))
	}
	if found.Labels[kit.PodTemplateHash] == current {
		return nil
	}
	d = d.DeepCopy()
	d.Spec.Template = kit.PodTemplateSpec{}
	found.Spec.Template.DeepCopyInto(&d.Spec.Template)
	delete(d.Spec.Template.Labels, kit.PodTemplateHash)
	if len(d.Spec.Template.Labels) == 0 {
		d.Spec.Template.Labels = nil
	}
	_, err = api.Deployments.Update(ctx, d)
	return err
}
