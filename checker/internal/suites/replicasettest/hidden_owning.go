package replicasettest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// owning is about adoption and release.
var owning = []conform.Case[Subject]{
	{
		Name:   "adopts-orphans",
		Points: 4,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "Reconcile adopts an active pod without controller that the selector matches, and counts it at once. If an adoption fails, it creates and deletes nothing.",
		Why:    "Adoption lets pods move from one ReplicaSet to another without a restart. Two owners of one pod would fight over it.",
		Hint: []string{
			"Which pods may not be adopted although the selector matches them?",
			"Update with the pod as the cache shows it: if it has changed since, the API server says Conflict.",
			"That the pod is gone is no error. Every other error ends the Reconcile.",
		},
		Source: "kubernetes pkg/controller/controller_ref_manager.go: ClaimPods, AdoptPod",
		Contract: []string{
			"A pod without a controller that its selector matches is adopted: Update adds a reference like that of a created pod. Other references stay. If the Update succeeds, the pod is a replica from this Reconcile on.",
			"An Update that fails is an error, and Reconcile still adopts and releases all others that it should. NotFound is no error: the pod is gone, and is no replica.",
			"With an error it stops here and returns it: nothing is created or deleted.",
			"Their errors may be wrapped: kit.IsNotFound and its like look through that.",
			"After a Conflict, Reconcile may read the pod afresh and judge it again by all of the above, or return the error.",
			"A pod that another object controls is ignored, whatever its labels.",
			"A pod that it controls and that its selector does not match is released: Update removes the reference, and the pod is no replica.",
			"or it is gone, has another UID or is being deleted, nothing is adopted and Reconcile returns an error",
			"for pods that of creations and adoptions",
			"Reconcile looks only at active pods (Pod.Active) of its namespace, and only the owner reference with Controller set counts.",
			"A selector without pairs matches nothing",
			"Neither Update changes anything else of the pod as the API server has it, not even after a Conflict.",
			"The status counts the replicas of claim.go.",
			"A pod that it controls and that its selector matches is a replica.",
			"4. It claims pods (claim.go). These are its replicas. With an error it stops here and returns it: nothing is created or deleted. 5. If the expectations were satisfied",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkAdopts(t, open()) },
	},
	{
		Name:   "looks-before-it-adopts",
		Points: 3,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "Before it adopts, Reconcile reads the ReplicaSet from the API server itself. If it is gone, is being deleted or has another UID, nothing is adopted.",
		Why:    "kubernetes#42639: a ReplicaSet that was deleted without its pods adopted them again, because the cache did not know that it was being deleted.",
		Hint: []string{
			"The cache says that the ReplicaSet is alive. What knows for certain?",
			"Call Get on the client, once in a Reconcile, and compare the UID and the deletion timestamp.",
		},
		Source: "kubernetes#42639; kubernetes pkg/controller/controller_ref_manager.go: CanAdopt, RecheckDeletionTimestamp",
		Contract: []string{
			"Before the first adoption of a Reconcile, Get reads the ReplicaSet afresh. If that fails, or it is gone, has another UID or is being deleted, nothing is adopted and Reconcile returns an error",
			"It reads from the caches, except where claim.go and status.go say otherwise.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkLooks(t, open()) },
	},
	{
		Name:   "releases-what-does-not-match",
		Points: 2,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "A pod whose labels no longer match is released: it is no replica, and another pod replaces it.",
		Why:    "People change a label to take a pod out of service and look at it, without killing it.",
		Hint: []string{
			"You may remove only one of the pod's owner references.",
		},
		Source: "kubernetes pkg/controller/controller_ref_manager.go: ReleasePod",
		Contract: []string{
			"Reconcile looks only at active pods (Pod.Active) of its namespace",
			"The reference names the ReplicaSet by UID. Unlike in handlers.go, its Kind and name do not matter here.",
			"A pod that it controls and that its selector does not match is released: Update removes the reference, and the pod is no replica.",
			"An Update that fails is an error, and Reconcile still adopts and releases all others that it should. NotFound is no error: the pod is gone, and is no replica.",
			"A pod without a controller that its selector matches is adopted: Update adds a reference like that of a created pod.",
			"Their errors may be wrapped: kit.IsNotFound and its like look through that.",
			"After a Conflict, Reconcile may read the pod afresh and judge it again by all of the above, or return the error.",
			"Neither Update changes anything else of the pod as the API server has it, not even after a Conflict.",
			"With an error it stops here and returns it: nothing is created or deleted.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkReleases(t, open()) },
	},
	{
		Name:   "being-deleted-does-nothing",
		Points: 2,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "A ReplicaSet that is being deleted creates, deletes, adopts and releases nothing.",
		Why:    "It waits for the garbage collector to delete its pods. A controller that replaces them works against that.",
		Hint: []string{
			"In how many places of a Reconcile does the deletion timestamp matter?",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: syncReplicaSet; kubernetes pkg/controller/controller_ref_manager.go: ClaimObject",
		Contract: []string{
			"It writes the status (status.go): also if it has done nothing in 5",
			"ObservedGeneration is the generation of the ReplicaSet that was acted on: the one in the cache.",
			"If none of this differs from the status in the cache, nothing is written. Otherwise Update writes the ReplicaSet",
			"Its replicas are the pods that it controls and that its selector matches.",
			"A ReplicaSet that is being deleted according to the cache neither adopts nor releases, and that is no error.",
			"If the expectations were satisfied and the ReplicaSet is not being deleted, and the replicas are too few or too many, it creates or deletes the difference",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkBeingDeleted(t, open()) },
	},
	{
		Name:   "wakes-both-owners",
		Points: 2,
		Func:   "ReplicaSetReconciler.PodHandler",
		Rule:   "A pod that changes hands wakes its former owner and its new one. A pod without owner wakes every ReplicaSet that might adopt it, and is nobody's creation.",
		Why:    "Now one of them has a pod too few and the other a pod too many, and neither hears of it otherwise.",
		Hint: []string{
			"OnUpdate has two pods. Which owner does each of them have?",
			"An orphan: every ReplicaSet in its namespace whose selector matches.",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: addPod, updatePod, getPodReplicaSets",
		Contract: []string{
			"The owner of a pod is the ReplicaSet of its namespace in the cache to which its controller reference points: Kind, name and UID are the same, whatever its APIVersion.",
			"In every other update the owner is enqueued, and if the pod now has another owner or none, the former owner too. If it has no controller, and its labels or its controller have changed, every ReplicaSet of the namespace whose selector matches is enqueued",
			"An update is never a creation observed.",
			"Without any controller it is nobody's creation: every ReplicaSet of the namespace whose selector matches is enqueued, to adopt it. If the pod is already being deleted, it is treated as deleted.",
			"They call enqueue for the ReplicaSets named below and for no others",
			"A selector without pairs matches nothing",
			"It starts no goroutine that outlives a call.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkBothOwners(t, open()) },
	},
}

// another is a reference that controls nothing.
var another = kit.OwnerReference{APIVersion: "v1", Kind: "Note", Name: "n", UID: "uid-note"}

func checkAdopts(t *conform.T, s Subject) {
	w := build(t, s)
	rs, other := w.stands(set("web", 4)), w.stands(set("db", 0))
	former := kit.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "uid-of-the-old-web"}
	w.lone("web", "a", func(p *kit.Pod) {
		p.OwnerReferences, p.Status.Phase = []kit.OwnerReference{another, former}, kit.PodPending
	})
	w.lone("web", "b", func(p *kit.Pod) {
		p.OwnerReferences = []kit.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: rs.UID}}
		p.Status.Phase = kit.PodUnknown
	})
	w.lone("web", "ended", failed)
	w.lone("web", "dying", leaving)
	w.lone("cron", "c")
	w.lone("web", "abroad", elsewhere)
	w.runs(other, "theirs", func(p *kit.Pod) { p.Labels = labels("web") })
	w.settled("web")
	owners := w.pods.Now(key("a")).OwnerReferences
	t.Require(slices.Contains(owners, ref(rs)), "The pod a has no controller and the selector of shop/web matches it. After a Reconcile its owner references are %s: it was not adopted, with the reference %s.", refs(owners), refs([]kit.OwnerReference{ref(rs)}))
	t.Require(slices.Contains(owners, another) && slices.Contains(owners, former) && len(owners) == 3, "The pod a was adopted, and its owner references are %s now. Those that it had before, %s, have to stay.", refs(owners), refs([]kit.OwnerReference{another, former}))
	w.hasUpdated(2, "only a and b are to be adopted. The owner reference of b names shop/web, but Controller is not set, so it does not count. The phases of the two are Pending and Unknown, and such a pod is active; the others have ended, are being deleted, do not match, have an owner or are in another namespace")
	w.hasCreated(2, "4 are wanted, and the 2 pods a and b, which were just adopted, count at once")
	w.hasLive(rs, 4, "4 are wanted, of which 2 can be adopted and 2 have to be created")
	checkAdoptionFails(t, s)
	for _, owners := range [][]kit.OwnerReference{nil, {another}} {
		w = build(t, s, versions)
		w.stands(set("web", 1))
		w.lone("web", "a", func(p *kit.Pod) { p.OwnerReferences = owners })
		w.settled("web")
		w.setFeed.CatchUp()
		w.stale(s, fmt.Sprintf("Reconcile has adopted a pod, at a version that the cache of pods has not reached. Its owner references were %s before", refs(owners)))
	}
	checkLateAdoption(t, s)
	checkEachAdoption(t, s)
	checkAdoptedCounts(t, s)
	checkAlreadyAdopted(t, s)
	checkNothingElse(t, s, "adopted", "web", func(*kit.ReplicaSet) []kit.OwnerReference { return nil })
	checkEndsMeanwhile(t, s)
	checkNothingToAwait(t, s)
	checkAdoptedInPart(t, s)
	checkClaimsMeanwhile(t, s)
	checkUnreadable(t, s, "adopted", "web", func(*kit.ReplicaSet) []kit.OwnerReference { return nil })
	checkSelectsNothing(t, s)
}

// checkUnreadable has a pod that is to be claimed, meets a Conflict, and cannot be read afresh.
func checkUnreadable(t *conform.T, s Subject, claimed, app string, owners func(rs *kit.ReplicaSet) []kit.OwnerReference) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.lone(app, "a", func(p *kit.Pod) { p.OwnerReferences = owners(rs) })
	w.pods.Intercept(fake.Refuse(errRefused, fake.Get, fake.List), fake.Refuse(kit.NewConflict("pods", "shop/a"), fake.Update))
	_, err := w.reconcile("web")
	t.Require(err != nil, "The pod a is to be %s, the Update of it fails with Conflict each time, and every Get of it fails, too. An Update that fails is an error, and Reconcile returned nil.", claimed)
	w.hasCreated(0, "1 is wanted. The pod a is to be %s, the Update of it fails with Conflict each time, and every Get of it fails, too: that is an error, with which Reconcile stops", claimed)
}

// checkSelectsNothing has a ReplicaSet with an empty selector.
func checkSelectsNothing(t *conform.T, s Subject) {
	w := build(t, s)
	rs := set("web", 0)
	rs.Spec.Selector = kit.LabelSelector{}
	w.stands(rs)
	w.lone("web", "a")
	w.settled("web")
	w.hasUpdated(0, "the selector of shop/web has no pairs, and such a selector matches nothing")
	w.hasDeleted(0, "the selector of shop/web has no pairs, and such a selector matches nothing")

	rs = set("db", 0)
	rs.Spec.Selector.MatchLabels = map[string]string{"canary": ""}
	w.stands(rs)
	w.settled("db")
	w.hasUpdated(0, "the selector of shop/db has the pair of the label canary and an empty value, and the only pod has no label canary, so it does not match")
}

// checkClaimsMeanwhile has an orphan that comes while creations are outstanding.
func checkClaimsMeanwhile(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 4))
	w.settled("web")
	w.podFeed.Lose()
	t.Note("the cache has not heard of the 4 pods that were created")
	w.lone("web", "orphan")
	w.runs(rs, "debug", func(p *kit.Pod) { p.Labels = labels("debug") })
	w.podFeed.Lose()
	w.settled("web")
	const waiting = "creations are outstanding, so nothing is created or deleted; but pods are claimed all the same, and there is one to be adopted and one to be released"
	w.hasUpdated(2, waiting)
	w.hasCreated(4, waiting)
}

// checkEndsMeanwhile has an orphan that is no longer an active pod, which the cache does not know.
func checkEndsMeanwhile(t *conform.T, s Subject) {
	for what, end := range map[string]func(p *kit.Pod){
		"has failed":       failed,
		"is being deleted": leaving,
	} {
		w := build(t, s)
		w.stands(set("web", 1))
		w.lone("web", "a")
		w.pods.Change(key("a"), end)
		t.Note("the pod %s, which the cache does not know", what)
		_, _ = w.reconcile("web")
		owner := w.pods.Now(key("a")).ControllerOf()
		t.Require(owner == nil, "The pod a %s, which the cache does not show yet, so that its adoption meets a Conflict. Reconcile may read it afresh and judge it again, and only active pods are adopted. It was adopted.", what)
	}
}

// checkNothingToAwait has an adoption, of which PodHandler hears by an update, and nothing else.
func checkNothingToAwait(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 1))
	w.lone("web", "a")
	w.settled("web")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 2 })
	w.catchUp()
	w.settled("web")
	w.hasCreated(1, "2 are wanted now, and the cache shows the one that was adopted. An adoption is no creation, so none is expected")
}

// checkAdoptedInPart has two orphans, of which only one can be adopted.
func checkAdoptedInPart(t *conform.T, s Subject) {
	for _, bad := range []string{"a", "b"} {
		w := build(t, s, versions)
		w.stands(set("web", 2))
		w.lone("web", "a")
		w.lone("web", "b")
		w.refuseUpdates(bad, errRefused)
		_, _ = w.reconcile("web")
		w.setFeed.CatchUp()
		w.stale(s, fmt.Sprintf("Of two orphans Reconcile has adopted one, at a version that the cache of pods has not reached, and the adoption of the other, %s, has failed", bad))
	}
}

// checkLateAdoption has an adoption that succeeds after a conflict: in the same Reconcile, or
// in a later one.
func checkLateAdoption(t *conform.T, s Subject) {
	w := build(t, s, versions)
	w.stands(set("web", 1))
	w.lone("web", "a")
	w.pods.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Update && len(w.pods.Requests(fake.Update)) == 1 {
			return kit.NewConflict("pods", q.Key)
		}
		return nil
	}))
	if _, err := w.reconcile("web"); err != nil {
		w.settled("web")
	}
	w.setFeed.CatchUp()
	w.stale(s, "Reconcile has adopted a pod after a conflict, at a version that the cache of pods has not reached")
}

func checkAdoptionFails(t *conform.T, s Subject) {
	for _, c := range []struct {
		replicas int
		err      error
		created  int
	}{
		{4, kit.NewConflict("pods", "shop/x"), 0},
		{4, kit.NewStatusError(kit.ReasonInternalError, "no"), 0},
		{4, kit.NewStatusError(kit.ReasonInvalid, "no"), 0},
		{4, context.DeadlineExceeded, 0},
		{4, kit.NewNotFound("pods", "shop/x"), 3},
		{0, kit.NewConflict("pods", "shop/x"), 0},
	} {
		oneAdoptionFails(t, s, c.replicas, c.err, c.created, "a", "b")
		oneAdoptionFails(t, s, c.replicas, c.err, c.created, "b", "a") // one of the two is looked at first
	}
	goneAsWrapped(t, s, "adopted", "web", func(*kit.ReplicaSet) []kit.OwnerReference { return nil })
	w := build(t, s)
	w.stands(set("web", 1))
	w.lone("web", "a")
	db := w.stands(set("db", 0))
	w.pods.Change(key("a"), func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(db)} })
	t.Note("another ReplicaSet has adopted the pod meanwhile, which the cache does not know")
	_, err := w.reconcile("web")
	owners := w.pods.Now(key("a")).OwnerReferences
	t.Require(slices.Equal(owners, []kit.OwnerReference{ref(db)}), "The ReplicaSet shop/db has adopted the pod a, which the cache does not show yet. After Reconcile(shop/web) the pod's owner references are %s: it was taken away from shop/db.", refs(owners))
	w.judgesAgain(err, "The ReplicaSet shop/db has adopted the pod a")
	checkJudgedAgain(t, s)
	checkFailsOnce(t, s)
}

// judgesAgain demands that Reconcile has taken note of a Conflict of the only pod, of which its cache
// does not know what has happened: it returned the error, or saw that there is no replica where 1
// is wanted.
func (w *world) judgesAgain(err error, happened string) {
	if err != nil {
		return
	}
	why := happened + ", which the cache does not know, so that the Update met a Conflict. Reconcile returned nil, so it has read the pod afresh and judged it again"
	w.hasCreated(1, "1 is wanted. %s: it is no replica", why)
	replicas := w.sets.Now(key("web")).Status.Replicas
	w.t.Require(replicas == 0, "%s: it is no replica, and the status says that there are %d.", why, replicas)
}

// checkJudgedAgain has pods that are others than the cache says: the Update of each meets a Conflict.
func checkJudgedAgain(t *conform.T, s Subject) {
	owned := func(rs *kit.ReplicaSet, p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(rs)} }
	for _, c := range []struct {
		what, app string // the labels in the cache
		owned     bool   // in the cache
		edit      func(rs *kit.ReplicaSet, p *kit.Pod)
	}{
		{"The pod a, which was to be adopted, has other labels", "web", false, func(_ *kit.ReplicaSet, p *kit.Pod) { p.Labels = labels("debug") }},
		{"The pod a, which was to be adopted, has other labels, and was adopted before that", "web", false, func(rs *kit.ReplicaSet, p *kit.Pod) { p.Labels = labels("debug"); owned(rs, p) }},
		{"The pod a, which was to be released, has an annotation", "debug", true, func(_ *kit.ReplicaSet, p *kit.Pod) { p.Annotations = map[string]string{"by": "a user"} }},
	} {
		w := build(t, s)
		rs := w.stands(set("web", 1))
		w.lone(c.app, "a", func(p *kit.Pod) {
			if c.owned {
				owned(rs, p)
			}
		})
		w.pods.Change(key("a"), func(p *kit.Pod) { c.edit(rs, p) })
		_, err := w.reconcile("web")
		w.judgesAgain(err, c.what)
		owner := w.pods.Now(key("a")).ControllerOf()
		t.Require(owner == nil || err != nil, "%s, which the cache does not know, so that the Update met a Conflict. Its labels do not match. "+
			"Reconcile may read it afresh and judge it again, or return the error. It returned nil, and shop/web controls the pod.", c.what)
	}
	checkMatchesAfterRelease(t, s)
	w := build(t, s)
	w.sets.Graceful = true
	rs := w.stands(set("web", 1))
	w.lone("debug", "a", func(p *kit.Pod) { owned(rs, p) })
	w.pods.Change(key("a"), func(p *kit.Pod) { p.Labels, p.OwnerReferences = labels("web"), nil })
	w.sets.Drop(key("web"))
	t.Note("the pod was released by a user and matches again, and the ReplicaSet is being deleted, which the caches do not know")
	_, _ = w.reconcile("web")
	t.Require(w.pods.Now(key("a")).ControllerOf() == nil, "The pod a was to be released, as the cache says, and that met a Conflict: nothing controls it now, and it matches again. "+
		"Reconcile may judge it again. But the ReplicaSet on the API server is being deleted, as Get says, which comes before the first adoption: nothing is adopted. The pod was adopted.")
}

// checkMatchesAfterRelease has a pod that is to be released by what the cache says. Somebody else has
// released it, and it matches again.
func checkMatchesAfterRelease(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.runs(rs, "a", func(p *kit.Pod) { p.Labels = labels("debug") })
	w.pods.Change(key("a"), func(p *kit.Pod) { p.Labels, p.OwnerReferences = labels("web"), nil })
	t.Note("the pod was released by a user and matches again, which the cache does not know")
	_, err := w.reconcile("web")
	if err != nil {
		return
	}
	const again = "The release of the only pod met a Conflict: nothing controls it now, and its labels match again. Reconcile returned nil, so it has read the pod afresh and judged it again as it stands now: it is to be adopted"
	t.Require(w.pods.Now(key("a")).ControllerOf() != nil, "The pod a was not adopted. %s.", again)
	w.hasCreated(0, "1 is wanted. %s", again)
}

// checkFailsOnce has an Update of a pod that fails, and would succeed if it was tried again.
func checkFailsOnce(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 1))
	w.lone("web", "a")
	w.pods.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Update && len(w.pods.Requests(fake.Update)) == 1 {
			return errRefused
		}
		return nil
	}))
	_, err := w.reconcile("web")
	t.Require(errors.Is(err, errRefused), "The first Update of the pod a, which is to be adopted, failed with the error %q. An Update that fails is an error, and only after a Conflict a pod may be judged again. Reconcile returned %s.", errRefused, conform.Said(err))
}

// oneAdoptionFails has two orphans, of which bad cannot be adopted.
func oneAdoptionFails(t *conform.T, s Subject, replicas int, refusal error, created int, bad, good string) {
	w := build(t, s)
	w.stands(set("web", replicas))
	w.lone("web", bad)
	w.lone("web", good)
	w.refuseUpdates(bad, refusal)
	_, err := w.reconcile("web")
	failed := fmt.Sprintf("%d replicas are wanted. Of the two orphans a and b, the adoption of %s failed with %s", replicas, bad, conform.Said(refusal))
	gone := kit.IsNotFound(refusal)
	if gone {
		w.hasCreated(created, "%s: it is gone, which is no error, so there is 1 replica", failed)
	} else {
		w.hasCreated(created, "%s: with such an error Reconcile stops and creates nothing", failed)
	}
	w.hasDeleted(0, "%s", failed)
	t.Require(w.pods.Now(key(good)).ControllerOf() != nil, "%s. The other pod, %s, was not adopted: one failure does not end the claims.", failed, good)
	if gone {
		t.Require(err == nil, "%s: it is gone, which is no error. Reconcile returned %s.", failed, conform.Said(err))
		return
	}
	t.Require(errors.Is(err, refusal), "%s. Reconcile should have returned that error, and returned %s.", failed, conform.Said(err))
	writes := len(w.sets.Requests(fake.Update))
	t.Require(writes == 0, "%s. With that error Reconcile stops, and it wrote the status all the same (%s), of replicas that it does not know.", failed, conform.Some(writes, "update"))
}

// goneAsWrapped has a pod that is to be claimed and is gone, as the client says in an error that
// is wrapped.
func goneAsWrapped(t *conform.T, s Subject, claimed, app string, owners func(rs *kit.ReplicaSet) []kit.OwnerReference) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.lone(app, "a", func(p *kit.Pod) { p.OwnerReferences = owners(rs) })
	w.pods.Intercept(wrapped)
	w.pods.Remove(key("a"))
	t.Note("the pod is gone, which the cache does not know, and the client wraps its errors")
	w.settles("web", fmt.Sprintf("the pod a is to be %s, and the Update of it failed with NotFound, which is no error. That error was wrapped, and kit.IsNotFound looks through that", claimed))
	w.hasCreated(1, "1 is wanted. The pod a is to be %s, and the Update of it failed with NotFound, wrapped by the client: the pod is gone, and is no replica", claimed)
}

// wrapped has a client wrap its errors.
func wrapped(_ context.Context, _ *fake.Request, next func() error) error {
	if err := next(); err != nil {
		return fmt.Errorf("wrapped by the client: %w", err)
	}
	return nil
}

// refuseUpdates has the server refuse every update of one pod.
func (w *world) refuseUpdates(pod string, err error) {
	w.pods.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Update && q.Key == key(pod) {
			return err
		}
		return nil
	}))
}

func checkLooks(t *conform.T, s Subject) {
	for _, c := range []struct {
		what string
		do   func(w *world)
	}{
		{"is being deleted", func(w *world) { w.sets.Graceful = true; w.sets.Drop(key("web")) }},
		{"is gone", func(w *world) { w.sets.Remove(key("web")) }},
		{"cannot be read (InternalError)", func(w *world) {
			w.sets.Intercept(fake.Refuse(kit.NewStatusError(kit.ReasonInternalError, "no"), fake.Get))
		}},
		{"cannot be read in the client's own time (context.DeadlineExceeded)", func(w *world) { w.sets.Intercept(fake.Refuse(context.DeadlineExceeded, fake.Get)) }},
		{"is another one", func(w *world) { w.sets.Remove(key("web")); w.sets.Put(set("web", 3)) }},
	} {
		w := build(t, s)
		w.stands(set("web", 3))
		w.lone("web", "a")
		w.lone("web", "b")
		c.do(w)
		t.Note("the ReplicaSet %s, which its cache does not know", c.what)
		w.mayNotAdopt(c.what)
	}
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.runs(rs, "a")
	w.settled("web")
	gets := len(w.sets.Requests(fake.Get))
	t.Require(gets == 0, "There is no pod to be adopted, and Reconcile has read the ReplicaSet from the API server %d times. It reads from the caches, but before an adoption.", gets)
	w.catchUp()
	w.lone("web", "b")
	w.settled("web")
	w.catchUp()
	w.lone("web", "c")
	w.sets.Remove(key("web"))
	t.Note("the ReplicaSet has adopted once; now it is gone, which its cache does not know")
	w.mayNotAdopt("is gone, while in the Reconcile before it was there and adopted b")
	checkLooksAgain(t, s)
	checkOneLookFails(t, s)
}

// checkLooksAgain has a ReplicaSet that adopts twice, while its cache shows the same version of it: the
// status is right from the beginning.
func checkLooksAgain(t *conform.T, s Subject) {
	w := build(t, s)
	rs := set("web", 2)
	rs.Status = kit.ReplicaSetStatus{Replicas: 2, ReadyReplicas: 2, AvailableReplicas: 2, ObservedGeneration: 1}
	w.runs(w.stands(rs), "a")
	w.lone("web", "b")
	w.settled("web")
	w.hasUpdated(1, "the orphan b is to be adopted")
	w.lone("web", "c")
	w.sets.Remove(key("web"))
	t.Note("the ReplicaSet has adopted once; now it is gone, which its cache does not know")
	w.mayNotAdopt("is gone, while in the Reconcile before it was there, at the same version, and adopted b")
}

// checkOneLookFails has a Get that fails, and would succeed if it was tried again.
func checkOneLookFails(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 2))
	w.lone("web", "a")
	w.lone("web", "b")
	w.sets.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Get && len(w.sets.Requests(fake.Get)) == 1 {
			return errRefused
		}
		return nil
	}))
	_, err := w.reconcile("web")
	if err != nil { // without an error it has read the ReplicaSet again, before it adopted
		w.hasUpdated(0, "the Get of the ReplicaSet before the first adoption failed with %q, and Reconcile returned an error: then nothing is adopted, neither a nor b", errRefused)
	}
	w.hasCreated(0, "2 are wanted. The Get of the ReplicaSet before the adoption of a and b failed with %q: that is an error, with which Reconcile stops", errRefused)
	w.catchUp()
	w.settles("web", "the Get of the ReplicaSet had failed in the Reconcile before, and succeeds now")
	w.hasLive(rs, 2, "2 are wanted. The Get of the ReplicaSet before the adoption of a and b had failed with %q. The next Reconcile reads the ReplicaSet afresh, and adopts them", errRefused)
	w.hasCreated(0, "2 are wanted, and the orphans a and b are there")
}

// mayNotAdopt demands that a Reconcile of web, of which its cache does not know enough, is an
// error and writes to no pod.
func (w *world) mayNotAdopt(what string) {
	w.server.Forget()
	_, err := w.reconcile("web")
	why := fmt.Sprintf("the ReplicaSet on the API server %s, as Get would say, though its cache has not heard of it", what)
	asked := len(w.sets.Requests(fake.Get))
	w.hasUpdated(0, "%s, and nothing may be adopted. Calls of Get in this Reconcile: %d", why, asked)
	w.hasCreated(0, "%s, and the adoption is an error, with which Reconcile stops", why)
	w.t.Require(err != nil, "There is a pod to be adopted, and %s. Nothing was adopted, and Reconcile returned no error.", why)
}

func checkReleases(t *conform.T, s Subject) {
	releasesByUID(t, s, "an older APIVersion", func(mine *kit.OwnerReference) { mine.APIVersion = "extensions/v1beta1" })
	releasesByUID(t, s, "another Kind", func(mine *kit.OwnerReference) { mine.Kind = "Job" })
	releasesByUID(t, s, "another name", func(mine *kit.OwnerReference) { mine.Name = "old-name" })
	checkReleaseFails(t, s)
	checkMatchesAgain(t, s)
	mine := func(rs *kit.ReplicaSet) []kit.OwnerReference { return []kit.OwnerReference{ref(rs)} }
	checkUnreadable(t, s, "released", "debug", mine)
	checkNothingElse(t, s, "released", "debug", mine)
	goneAsWrapped(t, s, "released", "debug", mine)
	checkOneOfEachFails(t, s, "a", "b", "c", "d")
	checkOneOfEachFails(t, s, "c", "d", "a", "b") // in whatever order they are looked at
}

// releasesByUID has a replica and a pod that is to be released. The controller reference of both names
// the ReplicaSet by UID, and is otherwise not like that of a created pod.
func releasesByUID(t *conform.T, s Subject, with string, edit func(mine *kit.OwnerReference)) {
	w := build(t, s)
	rs := w.stands(set("web", 2))
	mine := ref(rs)
	edit(&mine)
	w.runs(rs, "a", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{mine} })
	service := kit.OwnerReference{APIVersion: "v1", Kind: "Service", Name: "web", UID: "uid-service"}
	former := kit.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "uid-of-the-old-web"}
	others := []kit.OwnerReference{another, service, former}
	w.runs(rs, "b", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{another, mine, service, former} })
	w.runs(rs, "ended", func(p *kit.Pod) { p.Labels, p.Status.Phase = labels("debug"), kit.PodSucceeded })
	w.runs(rs, "abroad", elsewhere, func(p *kit.Pod) { p.Labels = labels("debug") })
	w.pods.Change(key("b"), func(p *kit.Pod) { p.Labels = labels("debug") })
	w.catchUp()
	w.settled("web")
	owners := w.pods.Now(key("b")).OwnerReferences
	t.Require(slices.Equal(owners, others), "The selector of shop/web no longer matches the pod b. Its controller reference, the second of four, names shop/web by UID, with %s. "+
		"After a Reconcile its owner references are %s. The one with the UID of shop/web, %s, should be gone, and the others, %s, should stay.",
		with, refs(owners), rs.UID, refs(others))
	w.hasCreated(1, "2 are wanted, and b was released, so that 1 replica is left: a, of which the controller reference names shop/web by UID, with %s", with)
	w.hasDeleted(0, "a pod that does not match is released, and not deleted")
	w.hasUpdated(1, "b is the only active pod of its namespace that does not match")
}

// checkOneOfEachFails has two pods to be released and two to be adopted, of each of which one fails.
func checkOneOfEachFails(t *conform.T, s Subject, badRelease, badAdoption, release, adoption string) {
	w := build(t, s)
	rs := w.stands(set("web", 3))
	for _, name := range []string{"a", "c"} {
		w.runs(rs, name, func(p *kit.Pod) { p.Labels = labels("debug") })
	}
	for _, name := range []string{"b", "d"} {
		w.lone("web", name)
	}
	w.pods.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Update && (q.Key == key(badRelease) || q.Key == key(badAdoption)) {
			return errRefused
		}
		return nil
	}))
	_, err := w.reconcile("web")
	failed := fmt.Sprintf("The release of %s and the adoption of %s failed with %q", badRelease, badAdoption, errRefused)
	t.Require(w.pods.Now(key(adoption)).ControllerOf() != nil, "The pod %s was not adopted. %s, and Reconcile still adopts all others that it should: a and c are to be released, b and d to be adopted.", adoption, failed)
	t.Require(w.pods.Now(key(release)).ControllerOf() == nil, "The pod %s was not released. %s, and Reconcile still releases all others that it should: a and c are to be released, b and d to be adopted.", release, failed)
	t.Require(errors.Is(err, errRefused), "%s. Reconcile should have returned that error, and returned %s.", failed, conform.Said(err))
	w.hasCreated(0, "%s: with that error Reconcile stops", failed)
}

// checkMatchesAgain has a pod that is to be released by what the cache says, and matches again.
func checkMatchesAgain(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.runs(rs, "b", func(p *kit.Pod) { p.Labels = labels("debug") })
	w.pods.Change(key("b"), func(p *kit.Pod) { p.Labels = labels("web") })
	t.Note("b has its old labels again, which the cache does not know")
	_, _ = w.reconcile("web")
	const conflict = "1 is wanted. The cache says that the selector does not match the only pod, and its release met a Conflict, because it matches again. " +
		"Reconcile may read it afresh and judge it again, or return the error, with which it stops: the pod was not released"
	w.hasCreated(0, conflict)
	w.catchUp()
	w.settled("web")
	w.hasCreated(0, conflict)
	w.hasLive(rs, 1, conflict)
}

func checkReleaseFails(t *conform.T, s Subject) {
	for _, refusal := range []error{kit.NewNotFound("pods", "shop/b"), kit.NewStatusError(kit.ReasonInternalError, "no"), kit.NewStatusError(kit.ReasonInvalid, "no"), context.DeadlineExceeded} {
		w := build(t, s)
		rs := w.stands(set("web", 1))
		w.runs(rs, "b", func(p *kit.Pod) { p.Labels = labels("debug") })
		w.pods.Intercept(fake.Refuse(refusal, fake.Update))
		_, err := w.reconcile("web")
		if kit.IsNotFound(refusal) {
			const gone = "1 replica is wanted. The release of the only pod failed with NotFound: it is gone, which is no error, and it is no replica"
			w.hasCreated(1, gone)
			t.Require(err == nil, "%s. Reconcile returned %s.", gone, conform.Said(err))
			continue
		}
		refused := fmt.Sprintf("The release of the only pod failed with %s: that is an error, with which Reconcile stops", conform.Said(refusal))
		w.hasCreated(0, "%s", refused)
		t.Require(errors.Is(err, refusal), "%s. It should have returned that error, and returned %s.", refused, conform.Said(err))
	}
	for _, bad := range []string{"a", "b"} { // in whatever order they are looked at, one of them is not the last
		w := build(t, s)
		rs := w.stands(set("web", 1))
		w.runs(rs, "a", func(p *kit.Pod) { p.Labels = labels("debug") })
		w.runs(rs, "b", func(p *kit.Pod) { p.Labels = labels("debug") })
		w.refuseUpdates(bad, errRefused)
		_, err := w.reconcile("web")
		t.Require(errors.Is(err, errRefused), "The pods a and b are to be released, and the release of %s failed with %q. Reconcile should have returned that error, and returned %s.", bad, errRefused, conform.Said(err))
		live := w.live(rs)
		t.Require(slices.Equal(live, []string{bad}), "The pods a and b are to be released, and the release of %s failed. The other should have been released all the same, and shop/web still controls %s.", bad, conform.Listed(live))
	}
}

func checkBeingDeleted(t *conform.T, s Subject) {
	for replicas, later := range map[int]int{0: 0, 6: 6, 2: 5} {
		w := build(t, s)
		w.sets.Graceful = true
		rs := w.stands(set("web", replicas))
		w.runs(rs, "a")
		w.settled("web")
		w.catchUp()
		w.hasLive(rs, replicas, "%d are wanted, and nobody has deleted it yet", replicas)
		w.runs(rs, "b")
		w.runs(rs, "debug", func(p *kit.Pod) { p.Labels = labels("debug") })
		w.lone("web", "c")
		w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = later })
		w.sets.Drop(key("web"))
		w.catchUp()
		w.server.Forget()
		w.settled("web")
		being := fmt.Sprintf("shop/web is being deleted, as the cache says. It has %s and asks for %d", conform.Some(replicas+1, "replica"), later)
		w.hasCreated(0, "%s", being)
		w.hasDeleted(0, "%s", being)
		w.hasUpdated(0, "%s, and it neither adopts nor releases then", being)
		got := w.sets.Now(key("web")).Status.Replicas
		t.Require(got == replicas+1, "%s, and its status is written as always. The cache shows %d replicas of it, and after a Reconcile the status says %d.", being, replicas+1, got)
		w.reportsToTheEnd(rs, being)
	}
}

// reportsToTheEnd has a ReplicaSet that is being deleted, and pods of it that change and go one by one.
func (w *world) reportsToTheEnd(rs *kit.ReplicaSet, being string) {
	same := func(happened string) {
		want := kit.ReplicaSetStatus{ObservedGeneration: w.sets.Now(key("web")).Generation}
		for _, p := range w.controlled(rs) {
			if rs.Spec.Selector.Matches(p.Labels) {
				want.Replicas++
				if p.Status.Ready {
					want.ReadyReplicas++
					want.AvailableReplicas++
				}
			}
		}
		w.t.Same(want, w.sets.Now(key("web")).Status, "The ReplicaSet %s. %s, and its status is written as always. After a Reconcile it is wrong", being, happened)
	}
	same(fmt.Sprintf("That it is being deleted makes generation %d", w.sets.Now(key("web")).Generation))
	for _, ready := range []bool{false, true} {
		w.pods.Change(key("b"), func(p *kit.Pod) { p.Status.Ready = ready })
		w.catchUp()
		w.settled("web")
		same(fmt.Sprintf("After that a pod of it has changed, of which Ready is %t now", ready))
	}
	for _, name := range w.live(rs) {
		w.pods.Remove(key(name))
		w.catchUp()
		w.settled("web")
		same(fmt.Sprintf("After that %s has gone", name))
	}
}

func checkBothOwners(t *conform.T, s Subject) {
	w := build(t, s)
	rs, other := w.stands(set("web", 1)), w.stands(set("db", 1))
	twin := set("web-2", 1)
	twin.Spec.Selector.MatchLabels = labels("web")
	w.stands(twin)
	w.runs(rs, "a")
	w.woken()
	n := news{w, w.t.Row()}
	n.becomes("a", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(other)} }, "a pod of web belongs to db now", "shop/db", "shop/web")
	n.becomes("a", func(p *kit.Pod) { p.OwnerReferences = nil }, "a pod of db has no owner any more, and web and web-2 select it", "shop/db", "shop/web", "shop/web-2")
	n.becomes("a", func(p *kit.Pod) { p.Status.Ready = false }, "a pod without owner is not ready any more, its labels as before")
	n.becomes("a", func(p *kit.Pod) { p.Labels["tier"] = "front" }, "a pod without owner has one more label, and web and web-2 select it as before", "shop/web", "shop/web-2")
	n.becomes("a", func(p *kit.Pod) { delete(p.Labels, "tier") }, "a pod without owner has one label less, and web and web-2 select it as before", "shop/web", "shop/web-2")
	n.becomes("a", func(p *kit.Pod) { p.Labels = labels("db") }, "a pod without owner has other labels, which db selects", "shop/db")
	n.becomes("a", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(rs)} }, "a pod without owner belongs to web now", "shop/web")
	now := time.Now()
	w.lone("web", "b")
	n.wakes("a pod without owner added, which web and web-2 select", "shop/web", "shop/web-2")
	w.pods.Drop(key("b"))
	w.podFeed.CatchUp()
	n.wakes("a pod without owner deleted, which web and web-2 select")
	w.lone("web", "e", failed)
	n.wakes("a pod without owner added that has failed already, which web and web-2 select", "shop/web", "shop/web-2")
	w.lone("web", "d", leaving)
	n.wakes("a pod without owner added that is being deleted already, so that it is treated as deleted; web and web-2 select it")
	w.lone("web", "c", elsewhere)
	n.wakes("a pod without owner added in another namespace")
	w.runs(rs, "job", func(p *kit.Pod) { p.OwnerReferences[0].Kind = "Job" })
	n.wakes("a pod added that a Job controls, and web and web-2 select it")
	n.becomes("job", func(p *kit.Pod) { p.OwnerReferences = nil }, "a pod of a Job has no owner any more, and web and web-2 select it", "shop/web", "shop/web-2")
	w.sets.Change(key("web-2"), func(rs *kit.ReplicaSet) { rs.DeletionTimestamp = &now })
	w.setFeed.CatchUp()
	n.wakes("the ReplicaSet web-2 being deleted now", "shop/web-2")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Status.Replicas = rs.Spec.Replicas })
	w.setFeed.CatchUp()
	n.wakes("the ReplicaSet web with a status that says that it has all its replicas", "shop/web")
	w.lone("web", "f")
	n.wakes("a pod without owner added, which web and web-2 select; web-2 is being deleted, and its selector matches as before", "shop/web", "shop/web-2")
	n.wakesByController(rs)
	n.judged()
	checkNobodysCreation(t, s)
	checkWakesWhoWaits(t, s)
	checkSlowQueue(t, s)
}

// checkSlowQueue has a queue that takes a second for each request.
func checkSlowQueue(t *conform.T, s Subject) {
	w := build(t, s)
	var taken atomic.Int32
	w.rings = func(kit.Request) { time.Sleep(time.Second); taken.Add(1) }
	returned := func(what string) {
		t.Require(!endsLater(&taken), "%s. The handler returned, and a call of enqueue, which takes 1s here, ended only afterwards: the reconciler starts no goroutine that outlives a call.", what)
	}
	rs := w.stands(set("web", 1))
	returned("The ReplicaSet web was added")
	w.runs(rs, "a")
	returned("A pod of web was added")
	w.runs(rs, "b", leaving)
	returned("A pod of web was added that is being deleted already")
	w.lone("web", "c")
	returned("A pod without owner was added, which web selects")
	for _, step := range []struct {
		what string
		edit func(p *kit.Pod)
	}{
		{"A pod of web changed", func(p *kit.Pod) { p.Status.Ready = false }},
		{"A pod of web lost its owner", func(p *kit.Pod) { p.OwnerReferences = nil }},
		{"A pod without owner belongs to web now", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(rs)} }},
		{"A pod of web is being deleted now", leaving},
	} {
		w.pods.Change(key("a"), step.edit)
		w.podFeed.CatchUp()
		returned(step.what)
	}
	w.pods.Remove(key("a"))
	w.podFeed.CatchUp()
	returned("A pod of web was deleted")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 2 })
	w.setFeed.CatchUp()
	returned("The ReplicaSet web changed")
	w.sets.Remove(key("web"))
	w.sets.Put(set("web", 2))
	w.setFeed.Relist()
	returned("The ReplicaSet web was updated from one UID to another")
	w.sets.Drop(key("web"))
	w.setFeed.CatchUp()
	returned("The ReplicaSet web was deleted")
}

// checkWakesWhoWaits has an orphan that comes while creations are outstanding.
func checkWakesWhoWaits(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 2))
	w.settled("web")
	w.podFeed.Lose()
	w.setFeed.CatchUp()
	w.woken()
	w.lone("web", "orphan")
	w.hasWoken("A pod without owner was added, which web selects; two creations of web are outstanding", "shop/web")
}

// wakesByController has pods whose owners control nothing, and pods that others than ReplicaSets
// control.
func (n news) wakesByController(rs *kit.ReplicaSet) {
	twoTiers := func(p *kit.Pod) { p.Labels["tier"] = "front" }
	n.w.lone("web", "noted", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{another} })
	n.wakes("a pod added whose only owner is no controller, which web and web-2 select", "shop/web", "shop/web-2")
	n.becomes("noted", twoTiers, "a pod whose only owner is no controller has one more label, and web and web-2 select it as before", "shop/web", "shop/web-2")
	n.w.runs(rs, "moved")
	n.wakes("a pod of web added", "shop/web")
	n.becomes("moved", func(p *kit.Pod) { p.OwnerReferences[0].Kind, p.OwnerReferences[0].UID = "Job", "uid-job" }, "a pod of web belongs to a Job now", "shop/web")
	n.becomes("moved", twoTiers, "a pod that a Job controls has one more label, and web and web-2 select it")
	n.becomes("noted", func(p *kit.Pod) { p.Labels = nil }, "a pod without owner has lost its labels")
	n.becomes("noted", func(p *kit.Pod) { p.Labels = labels("web") }, "a pod without owner that had no labels has one now, by which web and web-2 select it", "shop/web", "shop/web-2")
	greedy := set("greedy", 0)
	greedy.Spec.Selector = kit.LabelSelector{}
	n.w.stands(greedy)
	n.wakes("the ReplicaSet greedy added, of which the selector has no pairs and matches nothing", "shop/greedy")
	n.w.lone("web", "seen")
	n.wakes("a pod without owner added, which web and web-2 select; the selector of greedy has no pairs and matches nothing", "shop/web", "shop/web-2")
	n.wakesByLooseReferences(rs, n.w.sets.Now(key("db")))
}

// wakesByLooseReferences has owners that do not control, or no longer.
func (n news) wakesByLooseReferences(rs, db *kit.ReplicaSet) {
	loose := ref(db)
	loose.Controller = false
	owners := func(all ...kit.OwnerReference) func(p *kit.Pod) { return func(p *kit.Pod) { p.OwnerReferences = all } }
	n.w.lone("web", "loose", owners(loose))
	n.wakes("a pod added of which db is an owner with Controller false, and web and web-2 select it", "shop/web", "shop/web-2")
	n.becomes("loose", func(p *kit.Pod) { p.Status.Ready = false }, "that pod not ready, its labels as before")
	n.becomes("loose", owners(loose, another), "that pod has one more owner, which is no controller either")
	n.becomes("loose", owners(), "that pod has lost its owners, of which none was a controller")
	n.becomes("loose", owners(loose), "db is an owner of that pod again, with Controller false")
	n.w.pods.Drop(key("loose"))
	n.w.podFeed.CatchUp()
	n.wakes("that pod deleted")
	job := kit.OwnerReference{APIVersion: "batch/v1", Kind: "Job", Name: "web", UID: "uid-job", Controller: true}
	n.w.lone("web", "shared", owners(loose, job))
	n.wakes("a pod added that a Job controls, and of which db is an owner with Controller false")
	n.w.runs(rs, "freed")
	n.wakes("a pod of web added", "shop/web")
	n.becomes("freed", func(p *kit.Pod) { p.OwnerReferences[0].Controller = false }, "web is an owner of that pod still, with Controller false now, and web and web-2 select it", "shop/web", "shop/web-2")
	n.becomes("freed", func(p *kit.Pod) { p.OwnerReferences[0].Controller = true }, "web controls that pod again", "shop/web")
	restored := n.w.pods.Now(key("freed")).DeepCopy()
	restored.ResourceVersion = "1"
	n.w.podFeed.Bring(restored)
	n.wakes("an update of that pod to a smaller resource version, as after a backup was restored: a resync is one in which it stays the same", "shop/web")
}

// checkNobodysCreation lets orphans and updates come while creations are outstanding.
func checkNobodysCreation(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 2))
	p := w.runs(rs, "a")
	w.settled("web")
	w.podFeed.Lose() // the creation is not heard of
	heardOf := func(what string) {
		w.settled("web")
		w.hasCreated(1, "2 are wanted, there was 1, and the other was created. PodHandler has not heard of that one, and what it has heard of just now is %s", what)
	}
	for _, q := range []*kit.Pod{p.DeepCopy(), p.DeepCopy()} {
		q.ResourceVersion += "0"
		w.podFeed.Bring(q)
	}
	heardOf("two updates of the pod a, and no creation")
	reborn := p.DeepCopy()
	reborn.UID, reborn.ResourceVersion = "uid-of-the-next-a", p.ResourceVersion+"00"
	w.podFeed.Bring(reborn)
	heardOf("an update of the pod a to another UID, and an update is never a creation observed")
	orphan := p.DeepCopy()
	orphan.Name, orphan.OwnerReferences, orphan.Labels = "orphan", nil, labels("cron")
	w.podFeed.Bring(orphan)
	heardOf("a pod without an owner, which no selector matches")
	namesakes := p.DeepCopy()
	namesakes.Name, namesakes.OwnerReferences[0].UID = "namesakes", "uid-of-the-old-web"
	w.podFeed.Bring(namesakes)
	heardOf("a pod of another shop/web, with another UID")
	orphan = orphan.DeepCopy()
	orphan.Name, orphan.Labels, orphan.Status.Phase = "ended", labels("web"), kit.PodFailed
	w.podFeed.Bring(orphan)
	heardOf("a pod without an owner, which the selector matches and which has failed")
	orphan = orphan.DeepCopy()
	orphan.ResourceVersion, orphan.OwnerReferences = orphan.ResourceVersion+"0", p.OwnerReferences
	w.podFeed.Bring(orphan)
	heardOf("an update of that pod, which has failed, to one that web has adopted, and an update is never a creation observed")
}
