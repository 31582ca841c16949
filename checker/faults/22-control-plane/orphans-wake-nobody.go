//go:build ignore

// Mistake: A ReplicaSet wakes its deployment only if that is in the cache: those of a deployment that is gone wake nobody.
// Killed by: handlers-name-the-deployment
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *DeploymentReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	owner := func(rs *kit.ReplicaSet, known bool) {
		if o := rs.ControllerOf(); o != nil && o.Kind == kit.Deployments.Kind {
			request := kit.Request{Namespace: rs.Namespace, Name: o.Name}
			if _, exists := r.DeploymentCache.GetByKey(request.String()); exists || !known {
				enqueue(request)
			}
		}
	}
	return kit.ResourceEventHandlerFuncs[*kit.ReplicaSet]{
		AddFunc: func(rs *kit.ReplicaSet, _ bool) { owner(rs, true) },
		UpdateFunc: func(before, after *kit.ReplicaSet) {
			if before.ResourceVersion == after.ResourceVersion {
				return
			}
			if a, b := before.ControllerOf(), after.ControllerOf(); a != nil && (b == nil || *a != *b) {
				owner(before, false)
			}
			owner(after, false)
		},
		DeleteFunc: func(rs *kit.ReplicaSet, _ bool) { owner(rs, false) },
	}
}
