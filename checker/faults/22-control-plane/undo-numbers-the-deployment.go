//go:build ignore

// Mistake: The deployment is at the old revision again, so Undo writes that number on it.
// Killed by: a-rollback-reuses-the-old-replicaset
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

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
	if d.Annotations != nil {
		d.Annotations[kit.RevisionAnnotation] = target.Annotations[kit.RevisionAnnotation]
	}
	if _, err = api.Deployments.Update(ctx, d); err != nil {
		return fmt.Errorf("undo: %w", err)
	}
	return nil
}
