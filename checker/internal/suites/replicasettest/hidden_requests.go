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

// requests is about creating and deleting: how many at once, and what if it fails.
var requests = []conform.Case[Subject]{
	{
		Name:   "slow-start-stops",
		Points: 3,
		Func:   "SlowStartBatch",
		Rule:   "After a failure the current batch is completed and no further one begins. SlowStartBatch returns the number of successes and the failure's own error.",
		Why:    "Calls that are skipped must be counted too, or the controller waits for pods that it has never requested.",
		Hint: []string{
			"Four calls of a batch run, and the first of them fails. What happens to the other three?",
			"Count the calls that returned nil. Do not count the batch.",
		},
		Source:   "kubernetes pkg/controller/replicaset/replica_set.go: slowStartBatch; kubernetes pkg/controller/replicaset/replica_set_test.go: TestSlowStartBatch",
		Contract: []string{"After a batch in which a call has failed no further batch begins. The batch itself is completed. SlowStartBatch returns how many calls have returned nil, and the error of one that has not: that very error, not wrapped."},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { checkStops(t, open()) },
	},
	{
		Name:   "quota-stops-the-burst",
		Points: 4,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "A refused creation ends the slow start and is returned as an error. Neither it nor the skipped creations stay expected.",
		Why:    "kubernetes#49145: a quota refused five hundred requests at once, again and again, with an event for each.",
		Hint: []string{
			"With room for three pods, how many of five hundred requests should go out? 1, 2, 4.",
			"Look at the closure that you pass to SlowStartBatch: what does it return when Create fails?",
			"Call CreationObserved for each of the n - created pods that will never exist.",
		},
		Source: "kubernetes#49145; kubernetes pkg/controller/replicaset/replica_set.go: manageReplicas",
		Contract: []string{
			"Creating goes through SlowStartBatch, and begins with SlowStartInitialBatchSize.",
			"Creations that fail or are skipped are no longer expected, and an error of one of them is returned.",
			"It writes the status (status.go): also if it has done nothing in 5, and also if 5 has failed.",
			"ObservedGeneration is the generation of the ReplicaSet that was acted on: the one in the cache.",
			"Each pod created or deleted is a Normal event about the ReplicaSet, and each that failed a Warning",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkQuota(t, open()) },
	},
	{
		Name:   "failed-delete-is-not-waited-for",
		Points: 3,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "A failed deletion is an error and is no longer expected. That the pod is not found is no error, and that deletion is no longer expected either.",
		Why:    "No informer reports a deletion that did not happen, nor a second time one that did.",
		Hint: []string{
			"What observes the deletion of a pod that was gone before you asked?",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: manageReplicas (lines on DeletionObserved)",
		Contract: []string{
			"A deletion that fails, even with NotFound, is no longer expected: no handler may ever hear of it. The error of one of them is returned, but NotFound is no error: somebody else was faster.",
			"Each pod created or deleted is a Normal event about the ReplicaSet, and each that failed a Warning, with the reasons of options.go. A deletion that finds its pod gone (NotFound) is no event.",
			"It starts no goroutine that outlives a call.",
			"6. It writes the status (status.go): also if it has done nothing in 5, and also if 5 has failed. 7. It returns an error if 5 or 6 failed.",
			"ReasonFor is the reason inside err",
			"the replicas are too few or too many, it creates or deletes the difference, but at most Burst.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkFailedDelete(t, open()) },
	},
	{
		Name:   "burst-caps",
		Long:   true,
		Points: 3,
		Func:   "ReplicaSetReconciler.Reconcile",
		Look:   []string{"ReplicaSetReconciler.Reconcile", "SlowStartBatch", "New"},
		Rule:   "One Reconcile creates or deletes at most Burst pods, 500 by default. All deletions go out at the same time.",
		Why:    "A ReplicaSet that somebody scales to a hundred thousand by mistake must leave room for the others, and time to undo it.",
		Hint: []string{
			"The cap is on the difference, not on the number of replicas.",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: BurstReplicas, manageReplicas",
		Contract: []string{
			"it creates or deletes the difference, but at most Burst.",
			"Burst is how many pods one Reconcile creates or deletes at most. Zero or less is BurstReplicas.",
			"Deleting takes the pods that PodsToDelete chooses, all at the same time.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkBurst(t, open()) },
	},
	{
		Name:   "terminating-namespace",
		Points: 2,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "A creation that fails because its namespace is being deleted is no error and no event, and stays expected.",
		Why:    "Every creation in that namespace fails. As errors they would be tried again and again, for each of its ReplicaSets.",
		Hint: []string{
			"Which return value keeps the slow start from counting a failure, and its caller from lowering the expectation?",
		},
		Source:   "kubernetes pkg/controller/replicaset/replica_set.go: manageReplicas (NamespaceTerminatingCause)",
		Contract: []string{"in a namespace that is being deleted (IsNamespaceTerminating) no pod will ever appear. That is no error and no event, and the creation stays expected", "Creations that fail or are skipped are no longer expected, and an error of one of them is returned."},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { checkTerminating(t, open()) },
	},
}

func checkStops(t *conform.T, s Subject) {
	for _, c := range []struct {
		fails   []int // which calls, from 1 on
		batches []int
		done    int
	}{
		{[]int{1}, []int{1}, 0},
		{[]int{2}, []int{1, 2}, 2},
		{[]int{4}, []int{1, 2, 4}, 6},
		{[]int{4, 5, 6, 7}, []int{1, 2, 4}, 3},
		{[]int{20}, []int{1, 2, 4, 8, 5}, 19},
	} {
		b := counting(t, func(n int) bool { return slices.Contains(c.fails, n) })
		done, err := b.run(s, 20, 1)
		b.wants(c.batches, fmt.Sprintf("of 20 calls those that fail are %v. The batch of the first of them is completed, and no further one begins", c.fails))
		t.Require(done == c.done, "Of %s of f %d failed and %d returned nil. SlowStartBatch returned %d, and should have returned %d.", conform.Some(c.done+len(c.fails), "call"), len(c.fails), c.done, done, c.done)
		t.Require(err == errRefused, "Calls of f failed with the error %q. SlowStartBatch should have returned that very error, not wrapped, and returned %s.", errRefused, conform.Said(err))
	}
	checkCompleted(t, s)
}

// checkCompleted has a large batch of which the first call fails at once, before most of the
// others can have begun.
func checkCompleted(t *conform.T, s Subject) {
	const batch = 64
	quiet := errors.New("") //nolint:revive // an error all the same
	var begun atomic.Int32
	done, err := conform.Do2(t.Actor, func() (int, error) {
		return s.SlowStartBatch(2*batch, batch, func() error {
			if begun.Add(1) == 1 {
				return quiet
			}
			return nil
		})
	}, "SlowStartBatch(%d, %d, f)", 2*batch, batch)
	t.Require(begun.Load() == batch, "The first of %d calls of f failed at once. Its batch is completed, and no further one begins, so that f is called %d times. It was called %d times.", 2*batch, batch, begun.Load())
	t.Require(done == batch-1 && err == quiet, "One call of f failed with an error that has no text, and %d returned nil. SlowStartBatch should have returned %d and that error, and returned %d and %#v.", batch-1, batch-1, done, err)
}

// quota refuses pods beyond the given room with that error.
func quota(room int, denied error) fake.Interceptor {
	left := make(chan struct{}, room)
	for range room {
		left <- struct{}{}
	}
	return fake.Before(func(q *fake.Request) error {
		if q.Verb != fake.Create {
			return nil
		}
		select {
		case <-left:
			return nil
		default:
			return denied
		}
	})
}

func checkQuota(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 500))
	denied := kit.NewStatusError("Forbidden", "exceeded quota")
	w.pods.Intercept(fake.Slow(time.Second), quota(3, denied))
	began := t.Elapsed()
	_, err := w.reconcile("web")
	w.hasCreated(7, "500 are wanted, and a quota has room for 3. The batches are of 1, 2 and 4 requests; the third fails, and no further one begins. They were of %v", w.batches())
	t.Require(errors.Is(err, denied), "The quota has refused creations, with the error %q. Reconcile should have returned that error, and returned %s.", denied, conform.Said(err))
	const written = "%s, and the ReplicaSet at generation 1, and a creation has failed. The status is written all the same, and is wrong"
	t.Same(kit.ReplicaSetStatus{ObservedGeneration: 1}, w.sets.Now(key("web")).Status, written, "The cache shows no pod")
	took := t.Elapsed() - began
	t.Require(took == 3*time.Second, "Each request takes 1s, and the requests of a batch go out at the same time, so that batches of 1, 2 and 4 take 3s. Reconcile took %v.", took)
	w.hasSaid("Three pods were created, and four were refused", map[string]int{"Normal SuccessfulCreate ReplicaSet/web": 3, "Warning FailedCreate ReplicaSet/web": 4})
	_, _ = w.reconcile("web")
	w.hasCreated(7, "3 were created, which the cache has not shown yet. They stay expected, and only the 4 that were refused and the 493 that were skipped do not, so nobody may count the cache")
	w.catchUp()
	_, err = w.reconcile("web")
	w.hasCreated(8, "the cache has shown the 3 that were created, and the 497 that were refused or skipped are not expected any more, so the difference is tried again: the first request is refused, and no further one follows")
	t.Require(errors.Is(err, denied), "The cache has shown the 3 pods that were created, and the quota refuses the next one, with the error %q. Reconcile should have returned that error, and returned %s.", denied, conform.Said(err))
	t.Same(kit.ReplicaSetStatus{Replicas: 3, ObservedGeneration: 1}, w.sets.Now(key("web")).Status, written, "The cache shows 3 pods, of which none is ready")
	w.pods.Intercept()
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 5 })
	w.catchUp()
	w.settled("web")
	w.hasLive(rs, 5, "5 are wanted now, the quota is gone, and no creation is outstanding: those that were refused or skipped are not waited for")
	checkEachRefusal(t, s)
	checkBatchCompleted(t, s)
	checkCancelled(t, s)
	checkCancelledAfterOne(t, s)
	checkCancelledBefore(t, s, 3)
	checkToldAnyway(t, s)
}

// checkBatchCompleted has a batch of two creations, of which one is refused at once and the other
// takes a second.
func checkBatchCompleted(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 3))
	var asked atomic.Int32
	w.pods.Intercept(func(ctx context.Context, q *fake.Request, next func() error) error {
		switch asked.Add(1) {
		case 2:
			return errRefused
		case 3:
			time.Sleep(time.Second)
			t.Assert(ctx.Err() == nil, "Of a batch of two creations one was refused at once. The batch itself is completed, and the context of the other, which takes 1s, was cancelled.")
		}
		return next()
	})
	_, _ = w.reconcile("web")
	w.hasLive(rs, 2, "3 are wanted. The first creation succeeded, and of the second batch one was refused at once and the other, which takes 1s, would have succeeded: the batch is completed")
}

// checkToldAnyway has a status that cannot be written.
func checkToldAnyway(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 1))
	w.sets.Intercept(fake.Refuse(errRefused, fake.Update))
	_, _ = w.reconcile("web")
	w.hasCreated(1, "1 is wanted, and there was none")
	w.hasSaid("One pod was created, and after that the status could not be written", map[string]int{"Normal SuccessfulCreate ReplicaSet/web": 1})
}

// checkEachRefusal has creations that fail in ways of which one could think that a pod came of it.
func checkEachRefusal(t *conform.T, s Subject) {
	for _, refused := range []error{
		kit.NewAlreadyExists("pods", "shop/web-1"), kit.NewStatusError(kit.ReasonTimeout, "no answer in time"),
		kit.NewNotFound("namespaces", namespace), context.DeadlineExceeded, context.Canceled,
	} {
		w := build(t, s)
		w.stands(set("web", 1))
		w.pods.Intercept(fake.Refuse(refused, fake.Create))
		for n := range 2 {
			_, err := w.reconcile("web")
			w.hasCreated(n+1, "1 is wanted. The creation fails each time, with %s; it is no longer expected, and the next Reconcile tries again", conform.Said(refused))
			t.Require(errors.Is(err, refused), "The only creation failed with the error %q. Reconcile should have returned that error, and returned %s.", refused, conform.Said(err))
			w.catchUp()
		}
	}
}

// checkCancelled ends the caller's context in the middle of the first creation.
func checkCancelled(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 3))
	ctx, cancel := t.WithCancel(t.Context(), "the context of Reconcile")
	defer cancel()
	w.pods.Intercept(fake.Before(func(q *fake.Request) error {
		cancel()
		return context.Canceled
	}))
	_, _ = w.asks(ctx, t.Actor, kit.RequestFor(rs))
	w.pods.Intercept()
	w.hasSaid("The context was cancelled during the first creation, which failed", map[string]int{"Warning FailedCreate ReplicaSet/web": 1})
	w.catchUp()
	w.settled("web")
	w.hasLive(rs, 3, "3 are wanted. In the Reconcile before, the context was cancelled during the first creation, which failed: neither it nor the two that were skipped stay expected")
}

// endsWithItsContext refuses a request of which the context is done.
func endsWithItsContext(ctx context.Context, _ *fake.Request, next func() error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return next()
}

// checkCancelledAfterOne ends the caller's context when the first creation has succeeded.
func checkCancelledAfterOne(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 3))
	ctx, cancel := t.WithCancel(t.Context(), "the context of Reconcile")
	defer cancel()
	w.pods.Intercept(fake.After(func(*fake.Request) { cancel() }), endsWithItsContext)
	_, _ = w.asks(ctx, t.Actor, kit.RequestFor(rs))
	w.pods.Intercept()
	w.catchUp()
	w.settled("web")
	w.hasLive(rs, 3, "3 are wanted. In the Reconcile before, the context was cancelled during the first creation, which succeeded. The two others failed because of that or were skipped: neither stays expected")
}

// checkCancelledBefore ends the caller's context before Reconcile is called.
func checkCancelledBefore(t *conform.T, s Subject, wanted int, pods ...string) {
	w := build(t, s)
	rs := w.stands(set("web", wanted))
	for _, name := range pods {
		w.runs(rs, name)
	}
	ctx, cancel := t.WithCancel(t.Context(), "the context of Reconcile")
	cancel()
	w.pods.Intercept(endsWithItsContext)
	_, err := w.asks(ctx, t.Actor, kit.RequestFor(rs))
	w.pods.Intercept()
	done := fmt.Sprintf("shop/web had %s and asked for %d, and the context of the first Reconcile was done from the beginning", conform.Some(len(pods), "replica"), wanted)
	if len(pods) > wanted {
		w.hasCreated(0, "%s, which does not make the replicas fewer", done)
	}
	t.Require(err != nil || len(w.live(rs)) == wanted, "The ReplicaSet %s. Requests with that context fail. There are %d replicas now, and Reconcile returned no error.", done, len(w.live(rs)))
	w.catchUp()
	w.settled("web")
	w.hasLive(rs, wanted, "%s, so that its requests failed or were skipped. What failed or was skipped is no longer expected, and the second Reconcile makes up for it", done)
}

func checkFailedDelete(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 0))
	for _, name := range []string{"a", "b", "c"} {
		w.runs(rs, name)
	}
	broken := kit.NewStatusError(kit.ReasonInternalError, "no")
	w.pods.Intercept(fake.Before(func(q *fake.Request) error {
		switch {
		case q.Verb != fake.Delete:
		case q.Key == key("b"):
			return broken
		default:
			time.Sleep(time.Second)
		}
		return nil
	}))
	_, err := w.reconcile("web")
	w.hasDeleted(3, "none is wanted, and it has a, b and c")
	w.hasSaid("The deletion of b failed at once, and those of a and c took 1s and succeeded. Reconcile starts no goroutine that outlives a call, so they have ended and were told when it returns",
		map[string]int{"Normal SuccessfulDelete ReplicaSet/web": 2, "Warning FailedDelete ReplicaSet/web": 1})
	t.Require(errors.Is(err, broken), "The deletion of the pod b failed, with the error %q. Reconcile should have returned that error, and returned %s.", broken, conform.Said(err))
	t.Same(kit.ReplicaSetStatus{Replicas: 3, ReadyReplicas: 3, AvailableReplicas: 3, ObservedGeneration: 1}, w.sets.Now(key("web")).Status,
		"The cache shows 3 ready pods, and the ReplicaSet at generation 1, and a deletion has failed. The status is written all the same, and is wrong")
	_, _ = w.reconcile("web")
	w.hasDeleted(3, "the deletions of a and c stay expected, and nobody has heard of them yet. Only that of b has failed, and is no longer expected")
	w.catchUp()
	w.pods.Intercept()
	w.settled("web")
	w.hasLive(rs, 0, "none is wanted. Two deletions were observed, and that of b has failed, which is not waited for: the next Reconcile deletes b at once")
	w.hasSaid("Three pods were deleted, and one deletion failed", map[string]int{"Normal SuccessfulDelete ReplicaSet/web": 3, "Warning FailedDelete ReplicaSet/web": 1})
	checkSomebodyFaster(t, s)
	checkSomebodyFaster(t, s, wrapped)
	checkOneOfThemFails(t, s, broken)
	checkOneOfThemFails(t, s, kit.NewConflict("pods", "shop/x"))
	checkCancelledDeletions(t, s)
	checkCancelledBefore(t, s, 1, "a", "b", "c")
	checkSlowRecorder(t, s)
	checkDeletionTimesOut(t, s)
}

// checkDeletionTimesOut has a deletion of which one could think that it happened all the same.
func checkDeletionTimesOut(t *conform.T, s Subject) {
	for _, late := range []error{kit.NewStatusError(kit.ReasonTimeout, "no answer in time"), context.DeadlineExceeded, context.Canceled} {
		w := build(t, s)
		w.runs(w.stands(set("web", 0)), "a")
		w.pods.Intercept(fake.Refuse(late, fake.Delete))
		for n := range 2 {
			_, err := w.reconcile("web")
			w.hasDeleted(n+1, "none is wanted. The deletion of the only pod fails each time, with %s; it is no longer expected, and the next Reconcile tries again", conform.Said(late))
			t.Require(errors.Is(err, late), "The only deletion failed with the error %q. Reconcile should have returned that error, and returned %s.", late, conform.Said(err))
			w.catchUp()
		}
	}
}

// checkSlowRecorder has a recorder that takes a second for each event.
func checkSlowRecorder(t *conform.T, s Subject) {
	for _, refused := range []error{nil, errRefused} {
		for replicas, request := range []string{"deletion", "creation"} {
			w := build(t, s)
			rs := w.stands(set("web", replicas))
			if replicas == 0 {
				w.runs(rs, "a")
			}
			if refused != nil {
				w.pods.Intercept(fake.Refuse(refused, fake.Create, fake.Delete))
			}
			var recorded atomic.Int32
			w.recorder.Then(func() { time.Sleep(time.Second); recorded.Add(1) })
			_, _ = w.reconcile("web")
			t.Require(!endsLater(&recorded), "The only request of Reconcile was a %s, and its error was %v. Reconcile returned, and a call of Eventf, which takes 1s here, ended only afterwards: the reconciler starts no goroutine that outlives a call.", request, refused)
		}
	}
}

// checkCancelledDeletions ends the caller's context in the middle of the deletions.
func checkCancelledDeletions(t *conform.T, s Subject) {
	told := kit.ReplicaSetStatus{Replicas: 2, ReadyReplicas: 2, AvailableReplicas: 2, ObservedGeneration: 1}
	w, err := deletesCancelled(t, s, told, errRefused)
	w.hasSaid("The context was cancelled during two deletions, which failed", map[string]int{"Warning FailedDelete ReplicaSet/web": 2})
	t.Require(errors.Is(err, errRefused), "The context was cancelled during two deletions, which failed. Reconcile should have returned the error %q of one of them, and returned %s.", errRefused, conform.Said(err))
	w, err = deletesCancelled(t, s, kit.ReplicaSetStatus{}, nil)
	w.hasSaid("The context was cancelled during two deletions, which succeeded", map[string]int{"Normal SuccessfulDelete ReplicaSet/web": 2})
	replicas := w.sets.Now(key("web")).Status.Replicas
	t.Require(err != nil || replicas == 2, "The context was cancelled during two deletions, which succeeded. After that Reconcile writes the status, and returns an error if that fails. "+
		"It returned nil, and the status says that there are %d replicas, where the cache shows 2.", replicas)
}

// deletesCancelled has a ReplicaSet with that status, and two deletions that fail with that error, or
// are carried out before the context ends.
func deletesCancelled(t *conform.T, s Subject, status kit.ReplicaSetStatus, answer error) (*world, error) {
	w := build(t, s)
	rs := set("web", 0)
	rs.Status = status
	rs = w.stands(rs)
	w.runs(rs, "a")
	w.runs(rs, "b")
	ctx, cancel := t.WithCancel(t.Context(), "the context of Reconcile")
	defer cancel()
	var ended atomic.Int32
	w.pods.Intercept(func(_ context.Context, _ *fake.Request, next func() error) error {
		defer ended.Add(1)
		err := answer
		if err == nil {
			err = next()
		}
		time.Sleep(time.Second)
		cancel()
		time.Sleep(time.Second)
		return err
	})
	_, err := w.asks(ctx, t.Actor, kit.RequestFor(rs))
	t.Require(ended.Load() == 2, "The context was cancelled after 1s during two deletions, which took 2s each. Reconcile starts no goroutine that outlives a call, and it returned when %d of them had ended.", ended.Load())
	return w, err
}

// checkOneOfThemFails has three deletions, of which one fails, and the others with NotFound.
func checkOneOfThemFails(t *conform.T, s Subject, refusal error) {
	for _, bad := range []string{"a", "b", "c"} {
		w := build(t, s)
		rs := w.stands(set("web", 0))
		for _, name := range []string{"a", "b", "c"} {
			w.runs(rs, name)
		}
		w.pods.Intercept(fake.Before(func(q *fake.Request) error {
			switch {
			case q.Verb != fake.Delete:
				return nil
			case q.Key == key(bad):
				return refusal
			}
			return kit.NewNotFound("pods", q.Key)
		}))
		_, err := w.reconcile("web")
		t.Require(errors.Is(err, refusal), "None is wanted. Of three deletions that of %s failed with %s, and the two others with NotFound, which alone is no error. "+
			"Reconcile should have returned the error %q, and returned %v.", bad, kit.ReasonFor(refusal), refusal, err)
	}
}

// checkSomebodyFaster has pods that are gone when Reconcile wants to delete one.
func checkSomebodyFaster(t *conform.T, s Subject, between ...fake.Interceptor) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.runs(rs, "a")
	w.runs(rs, "b")
	w.pods.Remove(key("a"))
	w.pods.Remove(key("b"))
	t.Note("both pods are gone, which is heard of after the first look into the cache")
	w.podFeed.Cache.OnLook(apart(w.podFeed.CatchUp))
	w.pods.Intercept(between...)
	w.settles("web", "the pod that is to be deleted is NotFound, as kit.IsNotFound says of the client's error, which is no error: somebody else was faster")
	w.catchUp()
	w.settled("web")
	w.hasLive(rs, 1, "1 is wanted. The pod that Reconcile wanted to delete was NotFound, and PodHandler had heard of its end before: no event about it will come, and nothing is outstanding, so the missing pod is to be created")
	w.hasSaid("One pod was created, and that another was not found is no event", map[string]int{"Normal SuccessfulCreate ReplicaSet/web": 1})
}

func checkBurst(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 510))
	for _, want := range []int{500, 510, 510} {
		w.settled("web")
		w.catchUp()
		w.hasCreated(want, "510 are wanted, and one Reconcile creates at most Burst, 500, of what is missing")
	}
	w.options.Burst = -1
	t.Do(func() { w.start(s) }, "New(Options{Burst: -1}, over the same caches), which means 500, too")
	w.pods.Intercept(fake.Slow(time.Second))
	for _, c := range []struct{ wanted, deleted int }{{505, 5}, {2, 505}} {
		w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = c.wanted })
		w.catchUp()
		began, was := t.Elapsed(), len(w.deleted())
		w.settled("web")
		w.hasDeleted(c.deleted, "%d are wanted, and there were %d. Burst is -1, which means 500, and is the most for the difference, not for the replicas", c.wanted, 510-was)
		w.tookASecond(began, c.deleted-was)
	}
	checkSmallBurst(t, s)
	checkLargeBurst(t, s)
}

// checkLargeBurst has a Burst beyond the one that counts where there is none.
func checkLargeBurst(t *conform.T, s Subject) {
	const large = 501
	t.Note("Burst is %d from here on, and there are as many pods to create, or to delete", large)
	for replicas, what := range map[int]string{large: "created", 0: "deleted"} {
		q := quietly(t, s, replicas, func(o *Options) { o.Burst = large })
		for i := range large - replicas {
			q.has(fmt.Sprintf("pod-%d", i), ref(q.makes(0, "uid-1")))
		}
		_ = q.reconcile()
		q.hasAsked(large, fmt.Sprintf("%d pods are to be %s, and Burst is %d. 500 is the most only where Burst is zero or less", large, what, large))
	}
}

// batches is how many creations were asked for in each second in which one was.
func (w *world) batches() []int {
	var sizes []int
	all := w.pods.Requests(fake.Create)
	for i, q := range all {
		if i > 0 && q.At == all[i-1].At {
			sizes[len(sizes)-1]++
		} else {
			sizes = append(sizes, 1)
		}
	}
	return sizes
}

// tookASecond requires that so many deletions, which began then and take a second each, ran at
// the same time.
func (w *world) tookASecond(began time.Duration, deletions int) {
	took := w.t.Elapsed() - began
	w.t.Require(took == time.Second, "Each request takes 1s, and Reconcile deletes all pods at the same time, so that %d deletions take 1s. They took %v.", deletions, took)
}

func checkSmallBurst(t *conform.T, s Subject) {
	w := build(t, s, burst(3))
	rs := w.stands(set("web", 0))
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		w.runs(rs, name)
	}
	w.pods.Intercept(fake.Slow(time.Second))
	began := t.Elapsed()
	w.settled("web")
	w.hasDeleted(3, "none is wanted, there are 7, and Burst is 3")
	w.tookASecond(began, 3)
	w.settled("web")
	w.hasDeleted(3, "the cache has shown none of the first 3 deletions, so nobody may count it")
	for range 2 {
		w.podFeed.Deliver(1)
		w.settled("web")
		w.hasDeleted(3, "the cache has not shown all of the first 3 deletions, so nobody may count it")
	}
	for _, left := range []int{1, 0, 0} {
		w.catchUp()
		w.settled("web")
		w.hasLive(rs, left, "none is wanted, there were 7, and each Reconcile deletes 3, or what is left")
	}
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 5 })
	w.catchUp()
	w.settled("web")
	w.hasCreated(3, "5 are wanted, there is none, and Burst is 3")
	w = build(t, s, burst(1))
	w.stands(set("web", 2))
	w.settled("web")
	w.hasCreated(1, "2 are wanted, there is none, and Burst is 1")
}

var errTerminating = kit.NewStatusError("NamespaceTerminating", "unable to create new content in namespace %s because it is being terminated", namespace)

func checkTerminating(t *conform.T, s Subject) {
	nothingIsCreated(t, s, errTerminating)
	nothingIsCreated(t, s, fmt.Errorf("wrapped by the client: %w", errTerminating))
	for _, first := range []bool{true, false} {
		checkAlsoRefused(t, s, first, time.Second, 0)
		checkAlsoRefused(t, s, first, 0, time.Second)
	}
	checkSkipped(t, s)
}

// checkSkipped lets as many pods appear as were asked for in vain. Where batches were skipped,
// theirs are not waited for.
func checkSkipped(t *conform.T, s Subject) {
	const wanted = 5
	w := build(t, s)
	rs := w.stands(set("web", wanted))
	w.pods.Intercept(fake.Refuse(errTerminating, fake.Create))
	w.settled("web")
	tried := w.created()
	if tried == wanted {
		return // the batches went on, which is left open: all stay expected
	}
	for i := range tried {
		w.runs(rs, fmt.Sprintf("found-%d", i))
	}
	w.settled("web")
	now := w.created()
	t.Require(now > tried, "5 are wanted. Reconcile asked for %s, which failed because the namespace is being deleted, so that they stay expected, and skipped the others, which do not. "+
		"Then as many pods of shop/web were added, each a creation observed, so nothing is outstanding and pods are missing. The next Reconcile should have asked for more, and did not.", conform.Some(tried, "new pod"))
}

// checkAlsoRefused has a batch of two creations, of which one fails because the namespace is being
// deleted, and the other because of a quota. They take these times. First says whether it is the
// first of the two for which the namespace is being deleted.
func checkAlsoRefused(t *conform.T, s Subject, first bool, terminating, quota time.Duration) {
	w := build(t, s)
	w.stands(set("web", 3))
	denied := kit.NewStatusError("Forbidden", "exceeded quota")
	var asked atomic.Int32
	w.pods.Intercept(fake.Before(func(*fake.Request) error {
		n := asked.Add(1)
		switch {
		case n == 1:
			return nil
		case (n == 2) == first:
			time.Sleep(terminating)
			return errTerminating
		}
		time.Sleep(quota)
		return denied
	}))
	_, err := w.reconcile("web")
	t.Require(errors.Is(err, denied), "The batch of two creations failed: one after %v, because the namespace is being deleted, which is no error, and one after %v, because of a quota, which is. "+
		"Reconcile should have returned the error of the quota, and returned %v.", terminating, quota, err)
	w.catchUp()
	_, _ = w.reconcile("web")
	w.hasCreated(3, "3 are wanted, and 1 was created, which the cache shows. Of the other two creations one failed because of a quota and is no longer expected, "+
		"and one because the namespace is being deleted: that one stays expected, so one creation is outstanding and nothing is created")
}

// nothingIsCreated has a namespace that is being deleted, as this error says.
func nothingIsCreated(t *conform.T, s Subject, refusal error) {
	w := build(t, s)
	w.stands(set("web", 4))
	w.pods.Intercept(fake.Refuse(refusal))
	const terminating = "creations fail because their namespace is being deleted, which is no error"
	w.settles("web", terminating)
	tried := w.created()
	t.Require(tried > 0 && tried <= 4, "4 pods are wanted, there is none, and Reconcile has asked for %s.", conform.Some(tried, "new pod"))
	for range 4 {
		time.Sleep(time.Minute)
		w.settles("web", terminating)
	}
	w.hasCreated(tried, "creations in a namespace that is being deleted stay expected, so that nothing is created for five minutes, and four more calls of Reconcile within 4m try nothing")
	d := conform.Differ(map[string]int{}, w.recorder.Counts())
	t.Require(d == "", "That a pod is not created because its namespace is being deleted is no event, and there are events: %s.", d)
}
