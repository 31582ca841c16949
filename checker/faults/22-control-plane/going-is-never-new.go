//go:build ignore

// Mistake: A ReplicaSet that is being deleted cannot be the new one: another has to be created.
// Killed by: a-rollback-reuses-the-old-replicaset
// Verdict: wrong-answer

package controlplane

import (
	"cmp"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func newPlan(d *kit.Deployment, own []*kit.ReplicaSet) (*plan, error) {
	surge, unavailable, err := ResolveFenceposts(d.Spec.MaxSurge, d.Spec.MaxUnavailable, d.Spec.Replicas)
	if err != nil {
		return nil, err
	}
	p := &plan{desired: d.Spec.Replicas, surge: surge, unavailable: unavailable, paused: d.Spec.Paused, limit: 10}
	if d.Spec.RevisionHistoryLimit != nil {
		p.limit = *d.Spec.RevisionHistoryLimit
	}
	own = slices.Clone(own)
	slices.SortFunc(own, func(a, b *kit.ReplicaSet) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp), cmp.Compare(a.Name, b.Name))
	})
	hash := TemplateHash(d.Spec.Template)
	for _, rs := range own {
		s := &set{rs, rs.Spec.Replicas}
		p.sets = append(p.sets, s)
		if rs.DeletionTimestamp == nil && rs.Labels[kit.PodTemplateHash] == hash {
			p.new = s
		}
	}
	p.revision = p.nextRevision()
	return p, nil
}
