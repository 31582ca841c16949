package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

// DeploymentHandler enqueues every deployment that it hears of.
func (r *DeploymentReconciler) DeploymentHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Deployment] {
	return kit.ResourceEventHandlerFuncs[*kit.Deployment]{
		AddFunc:    func(d *kit.Deployment, _ bool) { enqueue(kit.RequestFor(d)) },
		UpdateFunc: func(_, d *kit.Deployment) { enqueue(kit.RequestFor(d)) },
		DeleteFunc: func(d *kit.Deployment, _ bool) { enqueue(kit.RequestFor(d)) },
	}
}

// ReplicaSetHandler enqueues the deployment that controls the ReplicaSet. Whether that is
// in the cache is not asked: the event may have come first.
func (r *DeploymentReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	owner := func(rs *kit.ReplicaSet) {
		if o := rs.ControllerOf(); o != nil && o.Kind == kit.Deployments.Kind {
			enqueue(kit.Request{Namespace: rs.Namespace, Name: o.Name})
		}
	}
	return kit.ResourceEventHandlerFuncs[*kit.ReplicaSet]{
		AddFunc: func(rs *kit.ReplicaSet, _ bool) { owner(rs) },
		UpdateFunc: func(before, after *kit.ReplicaSet) {
			if before.ResourceVersion == after.ResourceVersion {
				return
			}
			if a, b := before.ControllerOf(), after.ControllerOf(); a != nil && (b == nil || *a != *b) {
				owner(before)
			}
			owner(after)
		},
		DeleteFunc: func(rs *kit.ReplicaSet, _ bool) { owner(rs) },
	}
}
