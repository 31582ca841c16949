//go:build ignore

// Mistake: The ReplicaSet selects what the deployment selects, and so the pods of every template.
// Killed by: one-replicaset-for-each-template
// Verdict: wrong-answer

package controlplane

import (
	"maps"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func newReplicaSet(d *kit.Deployment, p *plan) *kit.ReplicaSet {
	hash := TemplateHash(d.Spec.Template)
	template := d.DeepCopy().Spec.Template
	template.Labels = with(template.Labels, kit.PodTemplateHash, hash)
	rs := kit.ReplicaSets.New()
	rs.Namespace, rs.Name = d.Namespace, d.Name+"-"+hash
	rs.Labels = maps.Clone(template.Labels)
	rs.Annotations = map[string]string{kit.RevisionAnnotation: strconv.FormatInt(p.revision, 10)}
	rs.OwnerReferences = []kit.OwnerReference{{
		APIVersion: kit.Deployments.APIVersion, Kind: kit.Deployments.Kind, Name: d.Name, UID: d.UID, Controller: true,
	}}
	rs.Spec = kit.ReplicaSetSpec{
		Replicas:        p.created,
		MinReadySeconds: d.Spec.MinReadySeconds,
		Selector:        kit.LabelSelector{MatchLabels: d.Spec.Selector.MatchLabels},
		Template:        template,
	}
	return rs
}
