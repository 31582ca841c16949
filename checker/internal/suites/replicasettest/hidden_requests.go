package replicasettest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

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
			"A deletion that fails is no longer expected, and the error of one of them is returned. That a pod is NotFound is no error: somebody else was faster.",
			"Each pod created or deleted is a Normal event about the ReplicaSet, and each that failed a Warning, with the reasons of options.go. NotFound is no event.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkFailedDelete(t, open()) },
	},
	{
		Name:   "burst-caps",
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
		Contract: []string{"in a namespace that is being deleted (IsNamespaceTerminating) no pod will ever appear. That is no error and no event, and the creation stays expected"},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { checkTerminating(t, open()) },
	},
}

func checkStops(t *conform.T, s Subject) {
	for _, c := range []struct {
		fails   []int // which calls, from 0 on
		batches []int
		done    int
	}{
		{[]int{0}, []int{1}, 0},
		{[]int{1}, []int{1, 2}, 2},
		{[]int{3}, []int{1, 2, 4}, 6},
		{[]int{3, 4, 5, 6}, []int{1, 2, 4}, 3},
		{[]int{19}, []int{1, 2, 4, 8, 5}, 19},
	} {
		b := &batches{t: t, fail: func(n int) bool { return slices.Contains(c.fails, n) }}
		done, err := b.run(s, 20, 1)
		require.Same(t, errRefused, err, "SlowStartBatch did not return the very error of the call that failed.")
		require.Equal(t, c.batches, b.sizes(), "Call %d of 20 fails, counted from 0. The calls began in other batches than they should have.", c.fails[0])
		require.Equal(t, c.done, done, "SlowStartBatch returned another number than that of the calls that succeeded.")
	}
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
	require.ErrorIs(t, err, denied, "The quota has refused pods, and Reconcile did not return that error.")
	require.Equal(t, 7, w.created(), "The quota has room for three pods. One request, then two, then four of which all fail: that is 7 in all, and it was another number.")
	require.Equal(t, 3*time.Second, t.Elapsed()-began, "Each request takes a second. Three batches should take three.")
	require.Equal(t, map[string]int{"Normal SuccessfulCreate ReplicaSet/web": 3, "Warning FailedCreate ReplicaSet/web": 4}, w.recorder.Counts(),
		"Each pod created, and each that was refused, should be one event about the ReplicaSet.")
	_, _ = w.reconcile("web")
	require.Equal(t, 7, w.created(), "The three pods that were created have not been seen yet, and more were asked for.")
	w.catchUp()
	_, err = w.reconcile("web")
	require.ErrorIs(t, err, denied, "The three pods that were created have been seen. The others are not to be waited for, but to be tried again.")
	require.Equal(t, 8, w.created(), "The first request of the second Reconcile is refused, and others followed.")
	require.Equal(t, 3, w.sets.Now(key("web")).Status.Replicas, "The status was not written after creations had failed.")
	w.pods.Intercept()
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 5 })
	w.catchUp()
	w.settled("web")
	require.Len(t, w.live(rs), 5, "There is room again, nothing is outstanding, and the pods that are missing are not created.")
}

func checkFailedDelete(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 0))
	for _, name := range []string{"a", "b", "c"} {
		w.runs(rs, name)
	}
	broken := kit.NewStatusError(kit.ReasonInternalError, "no")
	w.pods.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Delete && q.Key == key("b") {
			return broken
		}
		return nil
	}))
	_, err := w.reconcile("web")
	require.ErrorIs(t, err, broken, "A deletion has failed, and Reconcile did not return its error.")
	require.Equal(t, []string{"a", "b", "c"}, w.deleted(), "Three pods, where none is wanted: other pods were deleted.")
	w.catchUp()
	w.pods.Intercept()
	w.settled("web")
	require.Empty(t, w.live(rs), "Two deletions were observed and one has failed: it should be tried again at once.")
	require.Equal(t, map[string]int{"Normal SuccessfulDelete ReplicaSet/web": 3, "Warning FailedDelete ReplicaSet/web": 1}, w.recorder.Counts(),
		"Each pod deleted, and each that was not, should be one event about the ReplicaSet.")
	checkSomebodyFaster(t, s)
}

func checkSomebodyFaster(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	w.runs(rs, "a")
	w.runs(rs, "b")
	w.pods.Remove(key("a"))
	w.pods.Remove(key("b"))
	t.Note("both pods are gone, which is heard of after the first look into the cache")
	w.podFeed.Cache.OnLook(w.podFeed.CatchUp)
	w.settled("web")
	w.catchUp()
	w.settled("web")
	require.Len(t, w.live(rs), 1, "The pod to be deleted was not found, and no event about it will come. The ReplicaSet has a pod too few and waits.")
	require.Equal(t, map[string]int{"Normal SuccessfulCreate ReplicaSet/web": 1}, w.recorder.Counts(), "One pod was created, and that another was not found is nothing to write an event about.")
}

func checkBurst(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 1200))
	for _, want := range []int{500, 1000, 1200, 1200} {
		w.settled("web")
		w.catchUp()
		require.Equal(t, want, w.created(), "1200 pods are wanted, and in each Reconcile at most 500 may be created.")
	}
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 1100 })
	w.catchUp()
	w.pods.Intercept(fake.Slow(time.Second))
	began := t.Elapsed()
	w.settled("web")
	require.Len(t, w.deleted(), 100, "1100 pods are wanted and 1200 run: another number was deleted than 100.")
	require.Equal(t, time.Second, t.Elapsed()-began, "Each request takes a second. A hundred deletions at the same time should take one.")
	w = build(t, s, burst(-1))
	w.stands(set("web", 600))
	w.settled("web")
	require.Equal(t, 500, w.created(), "Burst is -1, which means 500, and another number of 600 pods was created.")
	checkSmallBurst(t, s)
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
	require.Len(t, w.deleted(), 3, "Burst is 3, and another number of pods was deleted.")
	require.Equal(t, time.Second, t.Elapsed()-began, "Each request takes a second. Three deletions at the same time should take one.")
	w.settled("web")
	require.Len(t, w.deleted(), 3, "Pods were deleted while the cache had not shown the first deletions.")
	for _, left := range []int{1, 0, 0} {
		w.catchUp()
		w.settled("web")
		require.Len(t, w.live(rs), left, "Burst is 3, and another number of pods is left.")
	}
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 5 })
	w.catchUp()
	w.settled("web")
	require.Equal(t, 3, w.created(), "Burst is 3, and another number of pods was created.")
}

func checkTerminating(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 4))
	w.pods.Intercept(fake.Refuse(kit.NewStatusError("NamespaceTerminating", "unable to create new content in namespace %s because it is being terminated", namespace)))
	w.settled("web")
	tried := w.created()
	require.NotZero(t, tried, "No pod was asked for.")
	require.LessOrEqual(t, tried, 4, "More pods were asked for than are wanted.")
	for range 4 {
		time.Sleep(time.Minute)
		w.settled("web")
	}
	require.Equal(t, tried, w.created(), "A creation in a namespace that is being deleted stays expected, and this one was tried again.")
	require.Empty(t, w.recorder.Counts(), "That the namespace is being deleted is nothing to write an event about.")
}
