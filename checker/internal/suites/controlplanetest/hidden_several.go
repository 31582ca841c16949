package controlplanetest

import (
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// severalAtOnce has four deployments, and calls Reconcile for all of them at once, again and again.
func severalAtOnce(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	requests := []kit.Request{web}
	for i := range 3 {
		d := newDeployment(4, "1", "1", "a")
		d.Name = fmt.Sprint("web-", i)
		d.Spec.Template.Labels, d.Spec.Selector.MatchLabels = map[string]string{"app": d.Name}, map[string]string{"app": d.Name}
		w.deployments.Put(d)
		requests = append(requests, kit.RequestFor(d))
	}
	for round := range 20 {
		if round == 10 {
			w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = "b" })
		}
		w.follow()
		for _, request := range requests {
			t.Go("worker of "+request.Name, func(a *conform.Actor) {
				for range 3 { // the caches do not have what the first of them has written
					call := a.Call("Reconcile(%v)", request)
					result, err := w.r.Reconcile(t.Context(), request)
					call.Returned("%s", showResult(result, err))
				}
			})
		}
		t.Join()
		w.follow()
		w.obey()
	}
	w.settle()
	w.wants("b", 4, "Reconcile was called for several deployments at once. The rollout of ns/web to image b has come to rest.")
}

// arrivesInPart has Reconcile write to two ReplicaSets in one call, and a cache that has only the
// first of these writes for some time. If it had the second, it would have the first, too.
func arrivesInPart(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(10, "2", "2", "a"))
	w.settle()
	w.roll("b")
	written := w.updatesTwo()
	if written == nil {
		return // it may take one step at a time
	}
	w.sSeen.Cache.Store(w.sets.Now(written[0]))
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 5 })
	before := w.sets.Changes()
	for range 20 {
		time.Sleep(time.Minute)
		w.dSeen.CatchUp()
		result := w.reconcile()
		writes(t, w.sets.Changes()-before, 0, fmt.Sprintf("One call of Reconcile has updated two ReplicaSets. Its cache shows %s as it was written then, and the other as it was before.", written[0]))
		again := result.RequeueAfter
		t.Require(0 < again && again <= time.Second, "One call of Reconcile has updated two ReplicaSets, and its cache shows only the first of these writes. It should have asked to be called again within 1s, and returned RequeueAfter %v.", again)
	}
}

// updatesTwo calls Reconcile until it has updated two ReplicaSets in one call, and returns their
// keys; nil if that never happens.
func (w *rollout) updatesTwo() []string {
	for range 30 {
		w.follow()
		w.server.Forget()
		w.reconcile()
		if sent := w.sets.Requests(fake.Update); len(sent) == 2 {
			return []string{sent[0].Key, sent[1].Key}
		}
		w.follow()
		w.obey()
		time.Sleep(time.Second)
	}
	return nil
}

// waitsForItsUpdate has a cache that does not show the update of a ReplicaSet, and a user who makes
// room for another.
func waitsForItsUpdate(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(10, "2", "2", "a"))
	w.settle()
	w.halfway("b")
	updated := false
	for range 30 {
		w.follow()
		w.server.Forget()
		w.reconcile()
		if updated = len(w.sets.Requests(fake.Update)) > 0; updated {
			break
		}
		w.follow()
		w.obey()
	}
	t.Require(updated, "A rollout is under way, and in 30 rounds no call of Reconcile has updated a ReplicaSet: %s.", w.describe())
	time.Sleep(time.Minute) // however long it takes
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 14 })
	w.dSeen.CatchUp()
	before := w.sets.Changes()
	again := w.reconcile().RequeueAfter
	writes(t, w.sets.Changes()-before, 0, "Reconcile has updated a ReplicaSet, which its cache does not show yet. The user asks for 14 replicas instead of 10, and Reconcile wrote to ReplicaSets.")
	t.Require(0 < again && again <= time.Second, "Reconcile has updated a ReplicaSet, which its cache does not show yet. It should have asked to be called again within 1s, and returned RequeueAfter %v.", again)
}

// goneInPart has Reconcile write to two ReplicaSets in one call, and somebody delete the second.
// The cache shows neither.
func goneInPart(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(10, "2", "2", "a"))
	w.settle()
	w.roll("b")
	written := w.updatesTwo()
	if written == nil {
		return // it may take one step at a time
	}
	w.sets.Remove(written[1])
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 5 })
	before := w.sets.Changes()
	gone := fmt.Sprintf("One call of Reconcile has updated two ReplicaSets, of which %s was deleted since. The update of the other one has not arrived in the cache.", written[1])
	for range 3 {
		w.dSeen.CatchUp()
		result, err := w.try()
		again := result.RequeueAfter
		t.Require(err == nil && 0 < again && again <= time.Second, "%s Reconcile should have asked to be called again within 1s, and returned %s.", gone, showResult(result, err))
	}
	writes(t, w.sets.Changes()-before, 0, gone)
}

// waitsWhilePaused has a cache that does not show the update of the only ReplicaSet of a paused deployment.
// The version that this update comes to has one digit more than that in the cache.
func waitsWhilePaused(t *conform.T, s Subject) {
	w := newRollout(t, s, pausedDeployment(6, "a"))
	w.stand(s, []standing{{image: "a", wants: 4, has: 4, available: 4}})
	w.server.SkipTo(999)
	w.looks(1)
	w.wants("a", 6, "The deployment is paused, and has one ReplicaSet.")
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 9 })
	w.dSeen.CatchUp()
	w.server.Forget()
	result, err := w.try()
	again, sent := result.RequeueAfter, len(w.sets.Requests(fake.Update))
	cached, _ := w.sSeen.Cache.GetByKey(kit.Key(w.of("a")))
	t.Require(err == nil && sent == 0 && 0 < again && again <= time.Second, "The deployment is paused. Reconcile has updated its ReplicaSet, and its cache shows it as it was before, at version %s, and not at version %s. The user asks for 9 replicas. "+
		"It should have sent no Update and asked to be called again within 1s. It sent %d, and returned %s.", cached.ResourceVersion, w.of("a").ResourceVersion, sent, showResult(result, err))
}

// remembersAfterAnError has a call of Reconcile write to a ReplicaSet and then meet an error: first at the status
// of the deployment, which the user has changed meanwhile, and then at another ReplicaSet.
func remembersAfterAnError(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.deployments.Intercept(atFirst(3, kit.NewConflict("deployments", web.String()), fake.Update))
	_, _ = w.try() // it returns the conflict
	w.deployments.Intercept()
	if len(w.sets.All()) > 0 {
		w.waitsForIt("Reconcile has created a ReplicaSet, and the status of the deployment then met a conflict.")
	}
	w = newRollout(t, s, newDeployment(10, "2", "2", "a"))
	w.settle()
	w.roll("b")
	for range 30 {
		w.follow()
		w.server.Forget()
		w.sets.Intercept(inTurn(2, 2, errTired, fake.Update))
		_, err := w.try()
		w.sets.Intercept()
		sent := w.sets.Requests(fake.Update)
		if err != nil && len(sent) > 1 {
			w.waitsForIt(fmt.Sprintf("Reconcile has updated ReplicaSet %s, and the API server then refused its Update of %s.", sent[0].Key, sent[1].Key))
			return
		}
		w.follow()
		w.obey()
		time.Sleep(time.Second)
	}
}

// waitsForOtherWrites has a call of Reconcile write something else than spec.replicas.
func waitsForOtherWrites(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.edit(func(d *kit.Deployment) { d.Spec.MinReadySeconds = 60 })
	w.dSeen.CatchUp()
	w.reconcile()
	if w.of("a").Spec.MinReadySeconds == 60 {
		w.waitsForIt("Reconcile has set minReadySeconds of a ReplicaSet, which is a write like any other.")
	}
	w = newRollout(t, s, newDeployment(4, "1", "1", "new"))
	w.stand(s, []standing{{image: "a", revision: "2"}, {image: "new", revision: "1", wants: 4, has: 4, available: 4}})
	w.follow()
	w.reconcile()
	if w.of("new").Annotations[kit.RevisionAnnotation] == "3" {
		w.waitsForIt("Reconcile has given a ReplicaSet another revision, and changed nothing else of it, which is a write like any other.")
	}
}

// waitsForIt has the user change the template while the cache lacks what a call of Reconcile has written.
func (w *rollout) waitsForIt(wrote string) {
	before := w.sets.Changes()
	for _, image := range []string{"y", "z"} {
		w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = image })
		w.dSeen.CatchUp()
		result, err := w.try()
		again := result.RequeueAfter
		w.t.Require(err == nil && 0 < again && again <= time.Second, "%s The cache does not show what it wrote, and the user has changed the template. Whatever that call returned, Reconcile has to wait for what it wrote: it should have asked to be called again within 1s, and returned %s.", wrote, showResult(result, err))
	}
	writes(w.t, w.sets.Changes()-before, 0, wrote+" The cache does not show what it wrote, and the user has changed the template. Whatever that call returned, Reconcile waits for what it wrote, and writes to no ReplicaSet.")
}

// twoNamespaces has two deployments of one name, for each of which Reconcile creates a ReplicaSet.
// The cache shows the second.
func twoNamespaces(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	other := newDeployment(4, "1", "1", "a")
	other.Namespace = "other"
	w.deployments.Put(other)
	w.follow()
	w.reconcile()
	twin := func() {
		_, err := conform.Do2(t.Actor, func() (kit.Result, error) { return w.r.Reconcile(t.Context(), kit.RequestFor(other)) }, "Reconcile(other/web)")
		t.Require(err == nil, "The API server refused nothing, and Reconcile returned %s.", conform.Said(err))
	}
	twin()
	w.dSeen.CatchUp()
	for _, rs := range w.sets.All() {
		if rs.Namespace == "other" {
			w.sSeen.Cache.Store(rs)
		}
	}
	twin()
	w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = "b" })
	w.dSeen.CatchUp()
	before := w.sets.Changes()
	w.reconcile()
	writes(t, w.sets.Changes()-before, 0, "There are deployments ns/web and other/web, and Reconcile has created a ReplicaSet for each. The cache shows that of other/web and not that of ns/web, whose template has changed.")
}
