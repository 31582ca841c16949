package replicasettest

import (
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file looks at what adoptions and releases write, and at what is known of them afterwards.

// checkNothingElse has a pod that is to be claimed, and that has something in each of its fields. In
// the second round somebody else has changed it, which the cache does not know.
func checkNothingElse(t *conform.T, s Subject, claimed, app string, owners func(rs *kit.ReplicaSet) []kit.OwnerReference) {
	for _, changed := range []bool{false, true} {
		w := build(t, s)
		rs := w.stands(set("web", 1))
		w.lone(app, "a", func(p *kit.Pod) { p.OwnerReferences = owners(rs) }, furnished)
		what := fmt.Sprintf("The pod a is to be %s: of all that it has only its owner references change", claimed)
		but := "Reconcile has changed more"
		if changed {
			w.pods.Change(key("a"), byAUser)
			t.Note("a user has changed the pod a, which the cache does not know")
			what += ". A user had changed it, which the cache does not know, so that the Update met a Conflict"
			but = "After a Conflict it is the fresh pod that is to be changed and sent, and Reconcile has taken back what the user had written"
		}
		before := w.pods.Now(key("a"))
		_, err := w.reconcile("web")
		after := w.pods.Now(key("a"))
		done := !slices.Equal(after.OwnerReferences, before.OwnerReferences)
		t.Require(done || changed && err != nil, "%s. Reconcile returned %s, and the pod was not %s.", what, conform.Said(err), claimed)
		after.TypeMeta, after.ResourceVersion, after.Generation, after.OwnerReferences = before.TypeMeta, before.ResourceVersion, before.Generation, before.OwnerReferences
		t.Same(before, after, what+". "+but)
	}
}

// furnished gives a pod something in each field, which no Update of an owner reference may change.
func furnished(p *kit.Pod) {
	p.Labels["tier"], p.Annotations, p.Finalizers = "front", map[string]string{"note": "of before"}, []string{"example.com/before"}
	p.Spec.Image, p.Spec.CPU, p.Spec.Tolerations = "registry/before", 100, []string{"spot"}
	p.Status.ReadySince, p.Status.Restart = time.Now().Add(-time.Hour), 3
}

// byAUser changes most of these fields, and leaves alone what decides whether the pod is claimed.
func byAUser(p *kit.Pod) {
	p.Labels["tier"], p.Annotations, p.Finalizers = "back", map[string]string{"note": "by a user"}, []string{"example.com/user"}
	p.Spec.Image, p.Spec.CPU, p.Spec.Tolerations = "registry/user", 200, nil
	p.Status.Ready, p.Status.ReadySince, p.Status.Restart = false, time.Now(), 4
}

// checkAdoptedCounts has orphans that are ready, of which one is available.
func checkAdoptedCounts(t *conform.T, s Subject) {
	w := build(t, s)
	slow := set("web", 3)
	slow.Spec.MinReadySeconds = 30
	w.stands(slow)
	for name, ready := range map[string]time.Duration{"a": time.Hour, "b": 20 * time.Second, "c": 0} {
		w.lone("web", name, func(p *kit.Pod) { p.Status.Ready, p.Status.ReadySince = ready > 0, time.Now().Add(-ready) })
	}
	result := w.settled("web")
	t.Same(kit.ReplicaSetStatus{Replicas: 3, ReadyReplicas: 2, AvailableReplicas: 1, ObservedGeneration: 1}, w.sets.Now(key("web")).Status,
		"Reconcile has adopted three pods, which are replicas from this Reconcile on. Two of them are ready, for 1h and for 20s, and MinReadySeconds is 30. The status that was written is wrong")
	asksAgain(t, result, 10*time.Second, "adopted a pod that has been ready for 20s, with MinReadySeconds 30")
}

// checkAlreadyAdopted has an orphan in the cache that is a replica already.
func checkAlreadyAdopted(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.lone("web", "a")
	w.pods.Change(key("a"), func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(rs)} })
	t.Note("the pod a belongs to shop/web already, which the cache does not know")
	_, err := w.reconcile("web")
	const mine = "1 is wanted. The cache shows the pod a without an owner, so that it is to be adopted, and that met a Conflict, because it belongs to shop/web already"
	w.hasCreated(0, mine+". Reconcile may return the error, with which it stops, or read the pod afresh and judge it again: a pod that it controls and that its selector matches is a replica")
	if err == nil {
		replicas := w.sets.Now(key("web")).Status.Replicas
		t.Require(replicas == 1, mine+". Reconcile returned nil, so it has read the pod afresh: it is a replica, and the status says that there are %d.", replicas)
	}
}

// checkEachAdoption has two adoptions in one Reconcile, and one after a creation.
func checkEachAdoption(t *conform.T, s Subject) {
	w := build(t, s, versions)
	w.stands(set("web", 2))
	w.lone("web", "a")
	w.lone("web", "b")
	w.settled("web")
	w.setFeed.CatchUp()
	w.podFeed.Deliver(1)
	w.stale(s, "Reconcile has adopted two pods, and the cache of pods has reached the version of the first, and not that of the second, which is the newest")

	w = build(t, s, versions)
	w.stands(set("web", 1))
	w.settled("web")
	w.catchUp()
	w.lone("web", "a")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 2 })
	w.setFeed.CatchUp()
	w.settled("web")
	w.setFeed.CatchUp()
	w.stale(s, "Reconcile has created a pod, which the cache shows, and the next Reconcile has adopted one, at a version that the cache of pods has not reached")
}

// checkSomebodyElsesStatus has a conflict after which the status is as it should be: somebody else has
// written it, at a version that the cache has not reached.
func checkSomebodyElsesStatus(t *conform.T, s Subject) {
	w := build(t, s, versions)
	w.runs(w.stands(set("web", 1)), "a")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) {
		rs.Status = kit.ReplicaSetStatus{Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1, ObservedGeneration: 1}
	})
	t.Note("somebody else has written the status that Reconcile is going to write, which the cache does not know")
	w.settled("web")
	if slices.ContainsFunc(w.sets.Requests(fake.Update), func(q fake.Request) bool { return q.Err == nil }) {
		return // it was written once more, which is right, too
	}
	_, err := w.reconcile("web")
	t.Require(err == nil, "The status met a Conflict, and as it was the same already on the API server, Reconcile left the Update out and has written nothing. "+
		"It remembers the versions that it has written itself, and no others. The next Reconcile returned %s.", conform.Said(err))
}
