//go:build ignore

// Mistake: An update is an update, whether or not the resource version has changed.
// Killed by: handlers-name-the-deployment
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DeploymentReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	owner := func(rs *kit.ReplicaSet) {
		if o := rs.ControllerOf(); o != nil && o.Kind == kit.Deployments.Kind {
			enqueue(kit.Request{Namespace: rs.Namespace, Name: o.Name})
		}
	}
	return kit.ResourceEventHandlerFuncs[*kit.ReplicaSet]{
		AddFunc: func(rs *kit.ReplicaSet, _ bool) { owner(rs) },
		UpdateFunc: func(before, after *kit.ReplicaSet) {
			if a, b := before.ControllerOf(), after.ControllerOf(); a != nil && (b == nil || *a != *b) {
				owner(before)
			}
			owner(after)
		},
		DeleteFunc: func(rs *kit.ReplicaSet, _ bool) { owner(rs) },
	}
}
