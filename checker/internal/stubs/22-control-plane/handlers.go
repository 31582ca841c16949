package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

// DeploymentHandler enqueues every deployment that it hears of.
func (r *DeploymentReconciler) DeploymentHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Deployment] {
	panic(kit.TODO("DeploymentReconciler.DeploymentHandler"))
}

// ReplicaSetHandler enqueues the deployment that controls the ReplicaSet, whether or not
// that is in the cache; after an update that changed the owner, both of them. An update
// with the same resource version changes nothing and enqueues nothing.
func (r *DeploymentReconciler) ReplicaSetHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.ReplicaSet] {
	panic(kit.TODO("DeploymentReconciler.ReplicaSetHandler"))
}
