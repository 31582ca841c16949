package controlplane

import (
	"context"
	"fmt"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// undoTries bounds how often Undo starts over after a conflict: every one of them means
// that somebody else got ahead, so one of all the writers always does.
const undoTries = 20

// Undo puts the template of an earlier revision back into a deployment; the rest is the
// reconciler's.
func Undo(ctx context.Context, api API, namespace, name string, revision int64) error {
	var err error
	for range undoTries {
		if err = undo(ctx, api, namespace, name, revision); !kit.IsConflict(err) {
			break
		}
	}
	return err
}

func undo(ctx context.Context, api API, namespace, name string, revision int64) error {
	d, err := api.Deployments.Get(ctx, namespace, name)
	if err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	list, err := api.ReplicaSets.List(ctx, kit.ListOptions{Namespace: namespace})
	if err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	target := earlier(list.Items, d, revision)
	if target == nil {
		return fmt.Errorf("undo: %w", kit.NewNotFound("revisions", kit.Key(d)+" "+strconv.FormatInt(revision, 10)))
	}
	template := target.DeepCopy().Spec.Template
	delete(template.Labels, kit.PodTemplateHash)
	d.Spec.Template = template
	if _, err = api.Deployments.Update(ctx, d); err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	return nil
}

// earlier finds the ReplicaSet of d with that revision.
func earlier(sets []*kit.ReplicaSet, d *kit.Deployment, revision int64) *kit.ReplicaSet {
	current := revisionOf(d)
	var best *kit.ReplicaSet
	for _, rs := range sets {
		owner, n := rs.ControllerOf(), revisionOf(rs)
		if owner == nil || owner.UID != d.UID || n == 0 {
			continue
		}
		if revision > 0 && n == revision {
			return rs
		}
		if revision == 0 && n < current && (best == nil || n > revisionOf(best)) {
			best = rs
		}
	}
	return best
}
