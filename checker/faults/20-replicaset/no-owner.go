//go:build ignore

// Mistake: The pods are found by their labels, so they get no owner reference.
// Killed by: creates-what-is-missing
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func newPod(rs *kit.ReplicaSet) *kit.Pod {
	pod := kit.Pods.New()
	template := rs.DeepCopy().Spec.Template
	pod.Namespace, pod.GenerateName = rs.Namespace, rs.Name+"-"
	pod.Labels, pod.Annotations = template.Labels, template.Annotations
	pod.Spec = template.Spec
	return pod
}
