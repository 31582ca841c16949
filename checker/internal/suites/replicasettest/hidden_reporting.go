package replicasettest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// reporting is about the status.
var reporting = []conform.Case[Subject]{
	{
		Name:   "conflict-keeps-the-spec",
		Points: 4,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "After a conflict Reconcile writes the status, and nothing else, into the fresh object. It still names the generation that was acted on.",
		Why:    "Conflicts are normal. A controller that forces its old object through takes back a user's latest change.",
		Hint: []string{
			"After the conflict you have an old object and a fresh one. Which of them do you send, with which part of the other?",
			"fresh.Status = status, with the ObservedGeneration of the old one. Not old.ResourceVersion = fresh.ResourceVersion.",
			"Try at least once more, at most ten times in all, and then return the error.",
		},
		Source:   "kubernetes pkg/controller/replicaset/replica_set_utils.go: updateReplicaSetStatus",
		Contract: []string{"If none of this differs from the status in the cache, nothing is written. Otherwise Update writes the ReplicaSet, with nothing changed but its status.", "It reads from the caches, except where claim.go and status.go say otherwise.", "ObservedGeneration is the generation of the ReplicaSet that was acted on: the one in the cache.", "After each one Get reads it afresh, and only its status is replaced, by the one that was to be written, its ObservedGeneration included.", "So Update is tried at least once more, and at most ten times in all; then the Conflict is returned. Every other error, of Update or of Get, is returned; whether the request is tried again before that, as upstream does, is left open.", "Their errors may be wrapped: kit.IsNotFound and its like look through that."},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { checkConflict(t, open()) },
	},
	{
		Name:   "available-in-time",
		Points: 2,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "With MinReadySeconds a pod is available once it has been ready for that long, and Reconcile asks to be called again by then.",
		Why:    "A rollout continues when pods are available, and no event reports that time has passed.",
		Hint: []string{
			"Which of the ready pods becomes available next, and when?",
		},
		Source: "kubernetes pkg/controller/controller_utils.go: FindMinNextPodAvailabilityCheck; kubernetes pkg/api/v1/pod/util.go: IsPodAvailable",
		Contract: []string{
			"ReadyReplicas is how many of them are ready.",
			"AvailableReplicas is how many of them are available: ready, and with MinReadySeconds above zero ready for at least so long. With MinReadySeconds above zero a pod whose ReadySince is not known is not available.",
			"It returns an error if 5 or 6 failed. Otherwise, if a replica is ready and not available yet (status.go), Result.RequeueAfter is greater than zero, and at most the time from the return of Reconcile until the first of them becomes available: the time that writing the status took is deducted. If that moment is over, any time above zero will do.",
			"A replica whose ReadySince is not known asks for any time above zero, and the limit that another one sets holds all the same. If there is no such replica, the Result is zero.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkAvailable(t, open()) },
	},
}

// described gives a ReplicaSet metadata of somebody.
func described(rs *kit.ReplicaSet, by string) {
	rs.Labels, rs.Annotations = map[string]string{"by": by}, map[string]string{"note": "by " + by}
	rs.Finalizers = []string{"example.com/" + by}
	rs.OwnerReferences = []kit.OwnerReference{{APIVersion: "v1", Kind: "Note", Name: by, UID: "uid-" + by}}
}

// conflictOver has a status that meets a conflict, and a fresh object with another status.
func conflictOver(t *conform.T, s Subject, what string, fresh kit.ReplicaSetStatus, between ...fake.Interceptor) {
	w := build(t, s)
	rs := set("web", 1)
	described(rs, "cache")
	w.runs(w.stands(rs), "a")
	w.scaledByAUser(what, fresh, between...)
}

// scaledByAUser has a user change shop/web, of which the cache shows one pod. The status is
// to be written then, and the fresh object has another.
func (w *world) scaledByAUser(what string, fresh kit.ReplicaSetStatus, between ...fake.Interceptor) {
	t := w.t
	stands := w.sets.Change(key("web"), func(rs *kit.ReplicaSet) {
		rs.Spec.Replicas, rs.Spec.MinReadySeconds, rs.Status = 7, 30, fresh
		described(rs, "user")
	})
	t.Note("a user has scaled it to 7 and changed its metadata, unknown to the cache")
	w.sets.Intercept(between...)
	w.settles("web", "the Update of the status met a conflict, which is normal: it is tried again with the fresh object, at least once more")
	got := w.sets.Now(key("web"))
	t.Require(got.Spec.Replicas == 7, "A user had set replicas to 7, which the cache did not show, so an Update of what the cache shows meets a conflict. After Reconcile, replicas is %d: writing the status has taken back the user's change. Only the status of the fresh object may be replaced.", got.Spec.Replicas)
	stands.ResourceVersion = got.ResourceVersion
	t.Same(stands.ObjectMeta, got.ObjectMeta, "A user had changed the metadata, which the cache did not show, so an Update of what the cache shows meets a conflict. Of the fresh object only the status may be replaced, and Reconcile has changed more")
	t.Same(stands.Spec, got.Spec, "A user had changed the spec, which the cache did not show, so an Update of what the cache shows meets a conflict. Of the fresh object only the status may be replaced, and Reconcile has changed more")
	t.Same(kit.ReplicaSetStatus{Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1, ObservedGeneration: 1}, got.Status,
		"The cache shows 1 ready pod, and the ReplicaSet at generation 1 with MinReadySeconds 0, on which Reconcile has acted. The fresh object is at generation 2, and its status was "+what+". The status that was written is wrong")
}

// conflictOfAdopter has a status to be written after an adoption, for which the ReplicaSet was read
// afresh: it is the cache that is acted on all the same.
func conflictOfAdopter(t *conform.T, s Subject) {
	w := build(t, s)
	rs := set("web", 1)
	described(rs, "cache")
	w.stands(rs)
	w.lone("web", "a")
	w.scaledByAUser("empty, as in the cache", kit.ReplicaSetStatus{})
	w.hasUpdated(1, "the orphan a was adopted, before the status was written")
}

// conflictsAgain has a user change the ReplicaSet before each of the first n Updates of its status.
// The cache hears of it at once, or not at all.
func conflictsAgain(t *conform.T, s Subject, n int, heard bool) {
	w := build(t, s)
	rs := set("web", 1)
	described(rs, "cache")
	w.runs(w.stands(rs), "a")
	stands, cached := w.sets.Now(key("web")), "heard of by the cache"
	if !heard {
		cached = "unknown to the cache"
	}
	w.sets.Intercept(fake.Before(func(q *fake.Request) error {
		tries := len(w.sets.Requests(fake.Update))
		if q.Verb != fake.Update || tries > n {
			return nil
		}
		stands = w.sets.Change(key("web"), func(rs *kit.ReplicaSet) {
			rs.Spec.Replicas = 6 + tries
			described(rs, fmt.Sprintf("user-%d", tries))
		})
		t.Note("a user has scaled it to %d and changed its metadata, %s", 6+tries, cached)
		if heard {
			w.setFeed.CatchUp()
		}
		return nil
	}))
	_, err := w.reconcile("web")
	w.keepsTheLast(stands, err, fmt.Sprintf("A user changes the ReplicaSet, %s, before each of the first %d updates of its status, so that each of these meets a conflict", cached, n))
}

// keepsTheLast demands that Reconcile has left the ReplicaSet as it stands, but for its status, and that
// Get has read it afresh after each conflict.
func (w *world) keepsTheLast(stands *kit.ReplicaSet, err error, happened string) {
	t, got := w.t, w.sets.Now(key("web"))
	updates, gets := len(w.sets.Requests(fake.Update)), len(w.sets.Requests(fake.Get))
	t.Require(gets >= updates-1, "%s. After each conflict Get reads the ReplicaSet afresh, before Update is tried again. Reconcile made %s, and %s.", happened, conform.Some(updates, "update"), conform.Some(gets, "Get"))
	t.Require(got.Spec.Replicas == stands.Spec.Replicas, "%s. The last one has set replicas to %d, and after Reconcile it is %d: writing the status has taken back the user's change. Only the status of the fresh object may be replaced.", happened, stands.Spec.Replicas, got.Spec.Replicas)
	stands.ResourceVersion = got.ResourceVersion
	t.Same(stands.ObjectMeta, got.ObjectMeta, "%s. Of the fresh object only the status may be replaced, and Reconcile has changed its metadata", happened)
	t.Same(stands.Spec, got.Spec, "%s. Of the fresh object only the status may be replaced, and Reconcile has changed its spec", happened)
	if err == nil { // or it has given up
		t.Same(kit.ReplicaSetStatus{Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1, ObservedGeneration: 1}, got.Status,
			"%s. At first the cache showed 1 ready pod, and the ReplicaSet at generation 1, on which Reconcile has acted. The status that was written is wrong", happened)
	}
}

// conflictOnDeathbed has a conflict over the status of a ReplicaSet that is being deleted, which the
// cache knows or not.
func conflictOnDeathbed(t *conform.T, s Subject, known bool) {
	w := build(t, s)
	w.sets.Graceful = true
	w.runs(w.stands(set("web", 1)), "a")
	w.sets.Drop(key("web"))
	generation := int64(1)
	if known {
		w.catchUp()
		generation = w.sets.Now(key("web")).Generation
	}
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Annotations = map[string]string{"by": "a user"} })
	t.Note("the ReplicaSet is being deleted (which the cache knows: %t), and a user has annotated it, which the cache does not know", known)
	w.settles("web", "the first Update of the status met a conflict, and is tried once more at least with the fresh object, be it one that is being deleted")
	t.Same(kit.ReplicaSetStatus{Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1, ObservedGeneration: generation}, w.sets.Now(key("web")).Status,
		"The ReplicaSet is being deleted, and it has 1 ready pod. The Update of the status met a conflict, after which it is tried once more at least, and Reconcile returned nil. The status is wrong")
}

func checkConflict(t *conform.T, s Subject) {
	conflictOver(t, s, "empty, as in the cache", kit.ReplicaSetStatus{})
	conflictOver(t, s, "of the same counts, with ObservedGeneration 0", kit.ReplicaSetStatus{Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1})
	conflictOver(t, s, "empty but for ObservedGeneration 2", kit.ReplicaSetStatus{ObservedGeneration: 2})
	conflictOver(t, s, "of larger counts", kit.ReplicaSetStatus{Replicas: 4, ReadyReplicas: 3, AvailableReplicas: 2, ObservedGeneration: 1})
	conflictOfAdopter(t, s)
	for _, heard := range []bool{false, true} {
		conflictsAgain(t, s, 2, heard)
		conflictsAgain(t, s, 9, heard)
		conflictOnDeathbed(t, s, heard)
	}
	t.Note("now the client wraps its errors: kit.IsConflict looks through that")
	conflictOver(t, s, "empty, as in the cache", kit.ReplicaSetStatus{}, wrapped)
	whenRefreshFails(t, s, errRefused)
	whenRefreshFails(t, s, kit.NewNotFound("replicasets", "shop/web"))
	observesWhatIsCached(t, s)
	whenRetryFails(t, s)
	for _, c := range []struct {
		err   error
		least int
	}{{kit.NewConflict("replicasets", "shop/web"), 2}, {kit.NewStatusError(kit.ReasonInternalError, "no"), 1}, {kit.NewNotFound("replicasets", "shop/web"), 1}, {context.DeadlineExceeded, 1}} {
		w := build(t, s)
		rs := w.stands(set("web", 1))
		w.runs(rs, "a")
		w.sets.Intercept(fake.Before(func(q *fake.Request) error {
			if q.Verb == fake.Update && len(w.sets.Requests(fake.Update)) < 1000 {
				return c.err
			}
			return nil
		}))
		_, err := w.reconcile("web")
		tries := len(w.sets.Requests(fake.Update))
		reason := conform.Said(c.err)
		t.Require(errors.Is(err, c.err), "Each Update of the status fails with %s. After %s Reconcile should have returned that error, and returned %s.", reason, conform.Some(tries, "attempt"), conform.Said(err))
		t.Require(tries >= c.least, "Each Update of the status fails with %s. After a conflict the status is tried once more at least, and Reconcile gave up after %s.", reason, conform.Some(tries, "attempt"))
		gets := len(w.sets.Requests(fake.Get))
		t.Require(c.least == 1 || gets >= tries-1, "Each Update of the status fails with %s, and after each one Get reads the ReplicaSet afresh, before Update is tried again. Reconcile made %s, and %s between them.", reason, conform.Some(tries, "update"), conform.Some(gets, "Get"))
		t.Require(tries <= 10, "Each Update of the status fails with %s, and one Reconcile tried %d times. Ten times are the most.", reason, tries)
	}
}

// observesWhatIsCached has a status that names a later generation than there is, as after a backup
// was restored.
func observesWhatIsCached(t *conform.T, s Subject) {
	w := build(t, s)
	restored := set("web", 1)
	restored.Status = kit.ReplicaSetStatus{Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1, ObservedGeneration: 5}
	w.runs(w.stands(restored), "a")
	w.settled("web")
	observed := w.sets.Now(key("web")).Status.ObservedGeneration
	t.Require(observed == 1, "The cache shows the ReplicaSet at generation 1, on which Reconcile has acted, and its status names 5. The ObservedGeneration that was written is %d, and should be 1.", observed)
}

// whenRetryFails has a conflict, and after that another error.
func whenRetryFails(t *conform.T, s Subject) {
	w := build(t, s)
	w.runs(w.stands(set("web", 1)), "a")
	w.sets.Intercept(fake.Before(func(q *fake.Request) error {
		switch {
		case q.Verb != fake.Update:
			return nil
		case len(w.sets.Requests(fake.Update)) == 1:
			return kit.NewConflict("replicasets", "shop/web")
		}
		return errRefused
	}))
	_, err := w.reconcile("web")
	t.Require(errors.Is(err, errRefused), "The first Update of the status met a conflict, and each one after that fails with the error %q. Other errors than a Conflict are returned, and Reconcile returned %s.", errRefused, conform.Said(err))
}

// whenRefreshFails has a conflict after which the ReplicaSet cannot be read afresh.
func whenRefreshFails(t *conform.T, s Subject, refusal error) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.runs(rs, "a")
	w.sets.Intercept(fake.Before(func(q *fake.Request) error {
		switch q.Verb {
		case fake.Update:
			return kit.NewConflict("replicasets", "shop/web")
		case fake.Get:
			return refusal
		}
		return nil
	}))
	_, err := w.reconcile("web")
	tries := len(w.sets.Requests(fake.Update))
	t.Require(err != nil, "The Update of the status met a conflict, and the Get after it failed with %q: the status is not written. Reconcile returned no error.", refusal)
	t.Require(errors.Is(err, refusal) || tries > 1, "The Update of the status met a conflict, and the Get after it failed with %q. Other errors than a Conflict are returned, "+
		"and a Conflict only after the status was tried once more at least. Reconcile tried once, and returned %v.", refusal, err)
}

func checkAvailable(t *conform.T, s Subject) {
	availableInTurn(t, s, 20*time.Second, 5*time.Second)
	availableInTurn(t, s, 5*time.Second, 20*time.Second) // in whatever order they are looked at, one of the two is first
	w := build(t, s)
	quick := set("web", 1)
	quick.Spec.MinReadySeconds = 1
	rs := w.stands(quick)
	w.runs(rs, "a", func(p *kit.Pod) { p.Status.ReadySince = time.Now() })
	asksAgain(t, w.settled("web"), time.Second, "found a pod that is ready since this moment, with MinReadySeconds 1")
	available := w.sets.Now(key("web")).Status.AvailableReplicas
	t.Require(available == 0, "MinReadySeconds is 1, and the only pod is ready since this moment. The status says that %d are available.", available)
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 2 })
	w.setFeed.CatchUp()
	asksAgain(t, w.settled("web"), time.Second, "created a second pod, and found one that is ready since this moment, with MinReadySeconds 1")
	asksAgain(t, w.settled("web"), time.Second, "waited for the pod that it had created, and found one that is ready since this moment, with MinReadySeconds 1")
	availableMeanwhile(t, s)
	failsMeanwhile(t, s)
	for _, name := range []string{"a", "b", "c"} { // in whatever order they are looked at
		readySinceUnknown(t, s, name)
	}
	availableToTheEnd(t, s)
	availableInYears(t, s)
	readyAlone(t, s)
	notBeforeTime(t, s)
	availableInAMoment(t, s)
	readyInTheFuture(t, s)
}

// availableInAMoment has a pod that is ready for all but the last nanosecond.
func availableInAMoment(t *conform.T, s Subject) {
	w := build(t, s)
	slow := set("web", 1)
	slow.Spec.MinReadySeconds = 10
	w.runs(w.stands(slow), "a", func(p *kit.Pod) { p.Status.ReadySince = time.Now().Add(1 - 10*time.Second) })
	after := w.settled("web").RequeueAfter
	t.Require(after > 0 && after <= time.Millisecond, "A Reconcile found a pod that is ready since 10s less one nanosecond, with MinReadySeconds 10. It should have asked to be called again by then, or a millisecond later at most, and returned RequeueAfter %v.", after)
	available := w.sets.Now(key("web")).Status.AvailableReplicas
	t.Require(available == 0, "MinReadySeconds is 10, and the only pod has been ready for one nanosecond less. The status says that %d are available.", available)
}

// readyInTheFuture has a pod whose node's clock is fast.
func readyInTheFuture(t *conform.T, s Subject) {
	w := build(t, s)
	w.runs(w.stands(set("web", 1)), "a", func(p *kit.Pod) { p.Status.ReadySince = time.Now().Add(time.Minute) })
	result := w.settled("web")
	const ready = "The only pod is ready, since a moment that is still to come, as its node's clock says. With MinReadySeconds 0 that does not matter: a pod that is ready is available"
	t.Same(kit.ReplicaSetStatus{Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1, ObservedGeneration: 1}, w.sets.Now(key("web")).Status, ready+". The status that was written is wrong")
	t.Require(result == kit.Result{}, "%s. There is no ready replica to wait for, so that the Result is zero, and Reconcile returned %+v.", ready, result)
}

// notBeforeTime has a pod that is ready since the end of a second of the clock.
func notBeforeTime(t *conform.T, s Subject) {
	time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(1900 * time.Millisecond)))
	w := build(t, s)
	quick := set("web", 1)
	quick.Spec.MinReadySeconds = 1
	w.runs(w.stands(quick), "a", func(p *kit.Pod) { p.Status.ReadySince = time.Now() })
	time.Sleep(200 * time.Millisecond)
	w.settled("web")
	available := w.sets.Now(key("web")).Status.AvailableReplicas
	t.Require(available == 0, "MinReadySeconds is 1, and the only pod has been ready for 200ms. The status says that %d are available.", available)
}

// readyAlone has a pod that becomes ready and is not available by that.
func readyAlone(t *conform.T, s Subject) {
	w := build(t, s)
	slow := set("web", 1)
	slow.Spec.MinReadySeconds = 10
	w.runs(w.stands(slow), "a", func(p *kit.Pod) { p.Status.Ready = false })
	for _, ready := range []int{0, 1, 0} {
		w.pods.Change(key("a"), func(p *kit.Pod) { p.Status.Ready, p.Status.ReadySince = ready > 0, time.Now() })
		w.catchUp()
		w.settled("web")
		t.Same(kit.ReplicaSetStatus{Replicas: 1, ReadyReplicas: ready, ObservedGeneration: 1}, w.sets.Now(key("web")).Status,
			"MinReadySeconds is 10, and the only pod has just become ready or is not ready any more: of the status nothing but ReadyReplicas changes. The status that was written is wrong")
	}
}

// readySinceUnknown has three ready pods, of which one does not say since when.
func readySinceUnknown(t *conform.T, s Subject, unknown string) {
	w := build(t, s)
	slow := set("web", 3)
	slow.Spec.MinReadySeconds = 30
	rs := w.stands(slow)
	known := []time.Duration{time.Hour, 20 * time.Second}
	for _, name := range []string{"a", "b", "c"} {
		var since time.Time
		if name != unknown {
			since, known = time.Now().Add(-known[0]), known[1:]
		}
		w.runs(rs, name, func(p *kit.Pod) { p.Status.ReadySince = since })
	}
	asksAgain(t, w.settled("web"), 10*time.Second, "found three ready pods, with MinReadySeconds 30. Two are ready for 1h and 20s, and nobody knows since when the third, "+unknown+", is")
	t.Same(kit.ReplicaSetStatus{Replicas: 3, ReadyReplicas: 3, AvailableReplicas: 1, ObservedGeneration: 1}, w.sets.Now(key("web")).Status,
		"MinReadySeconds is 30. The pods a, b and c are ready, one of them for 1h and one for 20s, and nobody knows since when %s is, so that only one is available. The status that was written is wrong", unknown)
}

// availableInYears has the greatest MinReadySeconds that the API server takes.
func availableInYears(t *conform.T, s Subject) {
	w := build(t, s)
	slow := set("web", 1)
	slow.Spec.MinReadySeconds = math.MaxInt32
	w.runs(w.stands(slow), "a", func(p *kit.Pod) { p.Status.ReadySince = time.Now().Add(-1000 * time.Hour) })
	asksAgain(t, w.settled("web"), math.MaxInt32*time.Second-1000*time.Hour, "found a pod that has been ready for 1000h, with MinReadySeconds 2147483647")
	available := w.sets.Now(key("web")).Status.AvailableReplicas
	t.Require(available == 0, "MinReadySeconds is 2147483647, which is 68 years, and the only pod has been ready for 1000h. The status says that %d are available.", available)
}

// availableToTheEnd has a ready pod that is not available yet, of a ReplicaSet that is being deleted.
func availableToTheEnd(t *conform.T, s Subject) {
	w := build(t, s)
	w.sets.Graceful = true
	slow := set("web", 1)
	slow.Spec.MinReadySeconds = 10
	w.runs(w.stands(slow), "a", func(p *kit.Pod) { p.Status.ReadySince = time.Now() })
	w.sets.Drop(key("web"))
	w.catchUp()
	asksAgain(t, w.settled("web"), 10*time.Second, "has written the status of a ReplicaSet that is being deleted, with MinReadySeconds 10")
}

// failsMeanwhile has a ready pod that is not available yet, and requests that fail.
func failsMeanwhile(t *conform.T, s Subject) {
	for _, failing := range []struct {
		what           string
		create, update error
	}{
		{"the creation", errRefused, nil},
		{"the Update of the status", nil, errRefused},
		{"each of the two", errRefused, errRefused},
	} {
		w := build(t, s)
		slow := set("web", 2)
		slow.Spec.MinReadySeconds = 10
		w.runs(w.stands(slow), "a", func(p *kit.Pod) { p.Status.ReadySince = time.Now() })
		w.pods.Intercept(fake.Refuse(failing.create, fake.Create))
		w.sets.Intercept(fake.Refuse(failing.update, fake.Update))
		_, err := w.reconcile("web")
		t.Require(errors.Is(err, errRefused), "A pod is to be created, and the status to be written, and %s failed with %q. Reconcile should have returned that error, and returned %v. "+
			"That a pod is ready and not available yet, with MinReadySeconds 10, does not change that.", failing.what, errRefused, err)
	}
}

// availableMeanwhile has a status of which the writing takes part of the time until a pod is
// available, or all of it. Of another pod it may not be known since when it is ready.
func availableMeanwhile(t *conform.T, s Subject) {
	for _, takes := range []time.Duration{4 * time.Second, 9900 * time.Millisecond, 11 * time.Second} {
		for _, unknown := range []string{"", "a", "c"} {
			w := build(t, s)
			since, beside := map[string]time.Time{"b": time.Now()}, ""
			if unknown != "" {
				since[unknown], beside = time.Time{}, " Another one is ready, and nobody knows since when (ReadySince is zero)."
			}
			slow := set("web", len(since))
			slow.Spec.MinReadySeconds = 10
			rs := w.stands(slow)
			for _, name := range slices.Sorted(maps.Keys(since)) {
				w.runs(rs, name, func(p *kit.Pod) { p.Status.ReadySince = since[name] })
			}
			w.sets.Intercept(fake.Slow(takes))
			after := w.settled("web").RequeueAfter
			t.Require(after > 0, "MinReadySeconds is 10. A pod had just become ready, so the status says that it is not available, and it took %v to write that.%s Nothing will say so when it is: Reconcile should have asked to be called again, and returned RequeueAfter %v.", takes, beside, after)
			t.Require(takes > 10*time.Second || after <= 10*time.Second-takes, "MinReadySeconds is 10. A pod had just become ready, and it took %v to write the status.%s The pod will be available %v after that, and Reconcile returned RequeueAfter %v.", takes, beside, 10*time.Second-takes, after)
		}
	}
}

// availableInTurn has three ready pods, of which two are not available yet.
func availableInTurn(t *conform.T, s Subject, b, c time.Duration) {
	w := build(t, s)
	slow := set("web", 4)
	slow.Spec.MinReadySeconds = 30
	rs := w.stands(slow)
	since := func(ago time.Duration) func(p *kit.Pod) {
		at := time.Now().Add(-ago)
		return func(p *kit.Pod) { p.Status.ReadySince = at }
	}
	w.runs(rs, "a", since(time.Hour))
	w.runs(rs, "b", since(b))
	w.runs(rs, "c", since(c))
	w.runs(rs, "d", since(time.Hour), func(p *kit.Pod) { p.Status.Ready = false }) // ReadySince says since when it is not
	for _, c := range []struct {
		available int
		wait      time.Duration // until the next one is available
	}{{1, 10 * time.Second}, {2, 15 * time.Second}, {3, 0}} {
		result := w.settled("web")
		status := w.sets.Now(key("web")).Status
		t.Require(status.ReadyReplicas == 3 && status.AvailableReplicas == c.available,
			"MinReadySeconds is 30. At the beginning three pods had been ready for 1h, 20s and 5s, and the fourth has not been ready for 1h. After %v 3 are ready and %d available, and the status says %d and %d.",
			t.Elapsed(), c.available, status.ReadyReplicas, status.AvailableReplicas)
		w.catchUp()
		if c.wait == 0 {
			t.Require(result == kit.Result{}, "MinReadySeconds is 30, and all 3 ready pods are available. There is no ready replica to wait for, so that the Result is zero, and Reconcile returned %+v.", result)
			break
		}
		asksAgain(t, result, c.wait, "has written a new status")
		asksAgain(t, w.settled("web"), c.wait, "found the status as it was")
		time.Sleep(c.wait - time.Second/4)
		asksAgain(t, w.settled("web"), time.Second/4, "found the status as it was")
		time.Sleep(time.Second / 4)
	}
	w.pods.Change(key("a"), func(p *kit.Pod) { p.Status.ReadySince = time.Time{} })
	w.catchUp()
	result := w.settled("web")
	available := w.sets.Now(key("web")).Status.AvailableReplicas
	t.Require(available == 2, "MinReadySeconds is 30. Two pods have been ready for longer, and of a third one ReadySince is not known (zero), so that it is not available. The status says that %d are available.", available)
	t.Require(result.RequeueAfter > 0, "MinReadySeconds is 30. A pod is ready and not available, because nobody knows since when it is ready, and no event will say that it is available. Reconcile should have asked to be called again, and returned RequeueAfter %v.", result.RequeueAfter)
}

// asksAgain demands that Reconcile asks for the next call by the time that the next pod is
// available. Did says what it has done.
func asksAgain(t *conform.T, result kit.Result, wait time.Duration, did string) {
	after := result.RequeueAfter
	t.Require(after > 0, "After %v a Reconcile %s. A ready pod will be available %v later, and no event will say so. It should have asked to be called again by then, and returned RequeueAfter %v.", t.Elapsed(), did, wait, after)
	t.Require(after <= wait, "After %v a Reconcile %s. The next ready pod will be available %v later. It should have asked to be called again by then, and returned RequeueAfter %v.", t.Elapsed(), did, wait, after)
}
