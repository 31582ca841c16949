package controlplanetest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// createsWhenObserved changes the template while the controller of the only ReplicaSet has not
// reported on its last change.
func createsWhenObserved(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.sets.Change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) { rs.Status.ObservedGeneration-- })
	w.roll("b")
	w.looks(3)
	const unobserved = "The template has changed, and status.observedGeneration of the only ReplicaSet is older than its generation: nobody knows how many pods there are."
	t.Require(len(w.sets.All()) == 1, "%s No ReplicaSet may be created, and three calls of Reconcile later there are: %s.", unobserved, w.describe())
	w.wants("a", 4, unobserved)
	w.settle()
	w.wants("b", 4, "The old ReplicaSet was observed at last, and the rollout to image b has come to rest.")
}

// pausedAtNothing pauses a deployment of which no ReplicaSet has pods, and in which the one with
// the highest revision is not the youngest.
func pausedAtNothing(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(2, "1", "1", "a"))
	w.settle()
	for _, image := range []string{"b", "a"} {
		w.roll(image)
		w.settle()
	}
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 0 })
	w.settle()
	w.edit(func(d *kit.Deployment) {
		d.Spec.Paused, d.Spec.Replicas, d.Spec.Template.Spec.Image = true, 3, "other"
	})
	w.settle()
	const highest = "The deployment was rolled from image a to b and back, so that the ReplicaSet of a has revision 3 and that of b, which is younger, revision 2. " +
		"It was scaled to 0, then paused, and asks for 3 replicas of another image, for which there is no ReplicaSet: all its ReplicaSets have 0, and the one with the highest revision is scaled."
	w.wants("a", 3, highest)
	w.wants("b", 0, highest)
	w.sets.Change(kit.Key(w.of("b")), func(rs *kit.ReplicaSet) { rs.Status.Replicas = 1 })
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 2 })
	w.looks(5)
	const leftover = "The deployment is paused and asks for 2 replicas instead of 3. All but one of its ReplicaSets have spec.replicas 0: by its status that of b has a pod that is not gone yet, " +
		"and its spec.replicas are 0 all the same."
	w.wants("a", 2, leftover)
	w.wants("b", 0, leftover)
}

// keepsUntilAvailable has a new ReplicaSet whose pods are ready, and not all available yet.
func keepsUntilAvailable(t *conform.T, w *rollout) {
	key := kit.Key(w.of("v14"))
	w.sets.Change(key, func(rs *kit.ReplicaSet) { rs.Status.AvailableReplicas = 1 })
	w.keepsAll(t, "Both pods of the new ReplicaSet, that of v14, are ready, and one of them is available: it does not have all its replicas available, so that none is deleted yet.")
	w.sets.Change(key, func(rs *kit.ReplicaSet) { rs.Status.AvailableReplicas = 2 })
}
