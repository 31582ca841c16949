package replicasettest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// hidden is everything that a class does not see.
var hidden = slices.Concat(waiting, requests, owning, reporting, ordering, together)

// waiting is about expectations and the stale cache.
var waiting = []conform.Case[Subject]{
	{
		Name:   "expectations-expire",
		Points: 3,
		Func:   "Expectations.SatisfiedExpectations",
		Look:   []string{"Expectations.SatisfiedExpectations", "Expectations.ExpectCreations", "Expectations.CreationObserved"},
		Rule:   "An expectation that is not satisfied counts for five minutes and no longer, from the last Expect call.",
		Why:    "Nobody ever hears of a pod that is created and deleted while a watch is broken. Without an end its ReplicaSet would stand still for ever.",
		Hint: []string{
			"When do the five minutes begin, if something is observed in the meantime?",
		},
		Source: "kubernetes pkg/controller/controller_utils.go: ExpectationsTimeout, isExpired",
		Contract: []string{
			"or the last call of ExpectCreations or ExpectDeletions for key was more than ExpectationsTimeout ago. It changes nothing: expired expectations can still be observed.",
			"If the expectations were satisfied and the ReplicaSet is not being deleted, and the replicas are too few or too many, it creates or deletes the difference",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkExpiry(t, open()) },
	},
	{
		Name:   "expectations-from-any-goroutine",
		Points: 3,
		Func:   "Expectations",
		Rule:   "Observations from many goroutines all count, each of them once.",
		Why:    "The informer's goroutine and all workers meet here. One lost observation costs five minutes of standing still.",
		Hint: []string{
			"adds-- is a read and a write. What if two goroutines both read first?",
			"Use one mutex around everything, the map and what it points to.",
		},
		Source: "kubernetes pkg/controller/controller_utils.go: ControlleeExpectations.Add (atomic counters); The Go Memory Model",
		Contract: []string{
			"All methods may be called from any goroutine.",
			"CreationObserved lowers the expected creations of key by one.",
			"DeletionObserved takes pod out of the expected deletions of key.",
		},
		Mode:  conform.Copies,
		Check: func(t *conform.T, open func() Subject) { checkShared(t, open()) },
	},
	{
		Name:   "expectations-before-pods",
		Points: 4,
		Func:   "ReplicaSetReconciler.Reconcile",
		Look:   []string{"ReplicaSetReconciler.Reconcile", "ReplicaSetReconciler.PodHandler"},
		Rule:   "Reconcile asks whether expectations are satisfied before it reads the pods, never after, and a handler observes before it enqueues.",
		Why:    "kubernetes#8138: a pod that arrives between the two satisfies the expectations and is not among those that Reconcile counts. The result was one replica too many.",
		Hint: []string{
			"An event arrives while your Reconcile reads the cache. Which of your two reads should see it, if only one of them can?",
			"Ask first, then read: every pod that satisfied the expectations is in the cache by then.",
			"What has your handler observed when it calls enqueue? A worker may be at work before the handler has returned.",
		},
		Source: "kubernetes#8138; kubernetes pkg/controller/replicaset/replica_set.go: syncReplicaSet (rsNeedsSync); kubernetes pkg/controller/replicaset/replica_set.go: addPod, deletePod",
		Contract: []string{
			"It asks its expectations whether they are satisfied, before it looks at any pod. In the other order, pods that arrive in between satisfy them and are not counted.",
			"The last call for one comes after everything that the handler observes for it: a worker may be at work before the handler has returned.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				checkAskedFirst(t, open())
				checkHeardAtOnce(t, open())
			})
			checkObservedFirst(t, open())
		},
	},
	{
		Name:   "expectations-before-requests",
		Points: 4,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "Reconcile expects what it is about to create or delete before the first request goes out.",
		Why:    "A watch can be faster than the answer to the request that caused the event. If you expect a pod after it was observed, you wait for it in vain.",
		Hint: []string{
			"In this case the handler hears of each pod before Create has returned. What does it lower then?",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: manageReplicas",
		Contract: []string{
			"It calls the Expect method before the first request goes out.",
			"They may be called while a Reconcile is under way, even from within its calls on anything in Options",
			"Creations that fail or are skipped are no longer expected",
			"A deletion that fails, even with NotFound, is no longer expected",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkExpectedFirst(t, open()) },
	},
	{
		Name:   "deletion-counts-once",
		Points: 4,
		Func:   "ReplicaSetReconciler.PodHandler",
		Look:   []string{"ReplicaSetReconciler.PodHandler", "Expectations.DeletionObserved"},
		Rule:   "A deletion counts when the pod begins to be deleted, and not again when the pod is gone.",
		Why:    "kubernetes#22143: the controller took the two events of one graceful deletion for two deletions, and the next Reconcile counted a cache that had not seen the other pod's deletion.",
		Hint: []string{
			"How many events does a pod with a grace period cause from the request to its end?",
			"Take the pod's UID out of a set. The second time it is no longer in there.",
		},
		Source: "kubernetes#22143; kubernetes pkg/controller/controller_utils.go: UIDTrackingControllerExpectations; kubernetes pkg/controller/replicaset/replica_set.go: updatePod, addPod",
		Contract: []string{
			"A pod that is not among them, or no longer, changes nothing: each counts once.",
			"If the pod now is being deleted, it is treated as deleted, without waiting for the end of the grace period.",
			"A second observation, when the pod is gone for good, does not count, and enqueues the owner all the same.",
			"If the pod is already being deleted, it is treated as deleted.",
			"As long as something is expected, the cache is known to lag, and nobody may count it.",
			"A pod that is deleted, whether or not its final state is known, is a deletion observed for its owner, which is enqueued.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkOneDeletion(t, open()) },
	},
	{
		Name:   "missed-deletions-count",
		Points: 2,
		Func:   "ReplicaSetReconciler.PodHandler",
		Rule:   "A deletion counts like any other if the handler hears only of its tombstone.",
		Why:    "A controller misses deletions while its watch is broken. In the list that follows the pods are simply missing.",
		Hint: []string{
			"What does the second argument of OnDelete say about the first?",
		},
		Source:   "kubernetes pkg/controller/replicaset/replica_set.go: deletePod; client-go tools/cache/delta_fifo.go: DeletedFinalStateUnknown",
		Contract: []string{"A pod that is deleted, whether or not its final state is known, is a deletion observed for its owner, which is enqueued."},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { checkMissedDeletion(t, open()) },
	},
	{
		Name:   "same-name-starts-clean",
		Points: 4,
		Func:   "ReplicaSetReconciler.ReplicaSetHandler",
		Look:   []string{"ReplicaSetReconciler.ReplicaSetHandler", "ReplicaSetReconciler.Reconcile"},
		Rule:   "When a ReplicaSet is deleted its expectations go with it, however the controller finds out. The next one of its name does not wait for them.",
		Why:    "kubernetes#69376 and #8000: a ReplicaSet that was deleted and created again inherited the expectations of the old one, and stood still.",
		Hint: []string{
			"In how many ways can the controller find out that a ReplicaSet is gone? By an event, a tombstone, a cache without it; and there is a fourth.",
			"An OnUpdate in which the UID changes is a deletion and a creation.",
		},
		Source: "kubernetes#69376, kubernetes#8000; kubernetes pkg/controller/replicaset/replica_set.go: updateRS, deleteRS, syncReplicaSet",
		Contract: []string{
			"When one is deleted, whether or not its final state is known, its expectations are deleted too, before it is enqueued. So are those of the old one in an update from one UID to another",
			"a worker may be at work before the handler has returned.",
			"A ReplicaSet that ReplicaSetCache does not have is gone. Its expectations are deleted, and that is no error.",
			"As long as something is expected, the cache is known to lag, and nobody may count it.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				checkSameName(t, open())
				checkForgottenAtOnce(t, open())
			})
			checkForgottenFirst(t, open())
		},
	},
	{
		Name:   "own-writes-first",
		Points: 4,
		Func:   "ReplicaSetReconciler.Reconcile",
		Look:   []string{"ReplicaSetReconciler.Reconcile", "ReplicaSetReconciler.ReplicaSetHandler"},
		Rule:   "While a cache is known to be older than the controller's writes for a ReplicaSet, Reconcile returns ErrStaleCache and does nothing, however long that takes.",
		Why:    "kubernetes#129795: after five minutes expectations expire, and if the informer lags longer than that, the controller creates everything once more. Versions do not expire.",
		Hint: []string{
			"What does Create return beside an error? Which of its fields can you compare with the version of the cache?",
			"\"9\" comes after \"11\" if you compare them as strings.",
			"Remember the largest version for each ReplicaSet and type; forget it when the ReplicaSet is gone.",
		},
		Source: "kubernetes#129795, kubernetes#137212; kubernetes pkg/controller/util/consistency/consistency.go: ConsistencyStore (since 1.36)",
		Contract: []string{
			"For each ReplicaSet the controller remembers the newest resource version that it has written: for pods that of creations and adoptions, for the ReplicaSet that of its status.",
			"The version of a deletion is never remembered, even if Delete returns one.",
			"As long as the cache of that type (PodCacheVersion, ReplicaSetCacheVersion) has not come that far, Reconcile for this ReplicaSet returns ErrStaleCache at once. This does not expire.",
			"In this order: 1. If it knows a cache to be older than its own writes for this ReplicaSet (stale.go), it returns ErrStaleCache, wrapped or not, and does nothing. 2. A ReplicaSet that ReplicaSetCache does not have is gone.",
			`Versions are decimal numbers, and are compared as numbers. A written version that is no number is not remembered. If that of a cache is none, or the function is nil or returns "", nothing is known of that cache, and it delays nobody; the other one is compared all the same.`,
			"Writes for a ReplicaSet that is gone do not delay another one of the same name, once Reconcile or the handler has found out that it is gone.",
			"They may be called while a Reconcile is under way, even from within its calls on anything in Options, and return without waiting for it.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { checkOwnWrites(t, open()) })
			checkHeardInALook(t, open())
		},
	},
}

func checkExpiry(t *conform.T, s Subject) {
	e := expecting(t, s)
	e.expectCreations("shop/idle", 1)
	e.expectCreations("shop/web", 2)
	e.expectDeletions("shop/db", "a", "b")
	time.Sleep(4 * time.Minute)
	e.expectCreations("shop/later", 1)
	e.expectDeletions("shop/last", "a")
	e.created("shop/web")
	e.deleted("shop/db", "a")
	time.Sleep(59 * time.Second)
	e.requires("shop/web", false, "it is four minutes and 59 seconds ago that a creation was expected, and it is outstanding")
	e.requires("shop/db", false, "it is four minutes and 59 seconds ago that a deletion was expected, and it is outstanding")
	time.Sleep(time.Second)
	e.requires("shop/idle", false, "it is five minutes ago, and not more, that a creation was expected, and it is outstanding")
	time.Sleep(time.Second)
	e.requires("shop/idle", true, "the last Expect call for it was 5m1s ago, nothing was observed since, and expectations count for five minutes, whatever was expected for other keys since")
	const expired = "the last Expect call for it was 5m1s ago, and expectations count for five minutes from that call on, whatever is observed meanwhile. Those of shop/idle, for which nothing was observed, have expired"
	e.requires("shop/web", true, expired)
	e.requires("shop/db", true, expired)
	const independent = "something was expected for it 1m1s ago and is outstanding. What was expected for other keys before that has expired, and keys are independent"
	e.requires("shop/later", false, independent)
	e.requires("shop/last", false, independent)
	const still = "what has expired is outstanding still, and SatisfiedExpectations changes nothing"
	e.outstanding("shop/web", 1, 0, still)
	e.outstanding("shop/db", 0, 1, still)
	e.created("shop/web")
	e.deleted("shop/db", "b")
	e.outstanding("shop/web", 0, 0, "the creation was observed after it had expired")
	e.outstanding("shop/db", 0, 0, "the deletion was observed after it had expired")
	e.expectCreations("shop/web", 1)
	e.requires("shop/web", false, "something is newly expected, and the time counts anew")
	time.Sleep(5*time.Minute + time.Millisecond)
	e.requires("shop/web", true, "the last Expect call for it was 5m0.001s ago, which is more than five minutes")
	e.countAnew()
	checkCountsAgain(t, s)
}

// checkCountsAgain has creations of which nobody ever hears.
func checkCountsAgain(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 3))
	w.settled("web")
	time.Sleep(5*time.Minute - time.Second)
	w.settled("web")
	w.hasCreated(3, "3 were created 4m59s ago, the cache has shown none of them, and expectations count for five minutes")
	time.Sleep(2 * time.Second)
	w.settled("web")
	w.hasCreated(6, "3 were created more than five minutes ago, the cache has shown none of them, and nothing is known of its version, so what was expected has expired and the cache counts: it shows no pod, and 3 are wanted")
}

// countAnew expects something when what was expected before is outstanding, be it expired or not, in
// the middle of a second of the clock.
func (x expectations) countAnew() {
	kinds := map[string]func(key string){
		"ExpectCreations": func(key string) { x.expectCreations(key, 3) },
		"ExpectDeletions": func(key string) { x.expectDeletions(key, "a") },
	}
	for first, expectFirst := range kinds {
		for last, expectLast := range kinds {
			for past, between := range map[time.Duration]time.Duration{400 * time.Millisecond: 6 * time.Minute, 900 * time.Millisecond: 4 * time.Minute} {
				const key = "shop/anew"
				expectFirst(key)
				time.Sleep(between)
				time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second + past)))
				expectLast(key)
				why := fmt.Sprintf("the last Expect call for it, %s, was %%s. %s was called %v before that, which does not matter: the five minutes begin with the last call", last, first, between)
				x.requires(key, false, fmt.Sprintf(why, "just now"))
				time.Sleep(5 * time.Minute)
				x.requires(key, false, fmt.Sprintf(why, "5m ago, and not more"))
				time.Sleep(time.Millisecond)
				x.requires(key, true, fmt.Sprintf(why, "5m0.001s ago, which is more than five minutes"))
			}
		}
	}
}

func checkShared(t *conform.T, s Subject) {
	const goroutines, each = 8, 8
	e := expecting(t, s)
	e.expectCreations("shop/web", goroutines*each)
	pods := make([]string, goroutines*each)
	for i := range pods {
		pods[i] = string(rune('A' + i))
	}
	e.expectDeletions("shop/db", pods...)
	for g := range goroutines {
		t.Go(fmt.Sprintf("observer %d", g+1), func(a *conform.Actor) {
			mine := expectations{t, a, e.e}
			for i := range each {
				mine.created("shop/web")
				mine.deleted("shop/db", pods[g*each+i])
				mine.satisfied("shop/web")
				mine.get("shop/web")
				mine.get("shop/db")
				own := "shop/" + pods[g*each+i]
				mine.expectCreations(own, 1)
				t.Assert(!mine.satisfied(own), "One creation was just expected for %s, nobody has observed it, and SatisfiedExpectations(%s) returned true.", own, own)
				mine.delete(own)
			}
		})
	}
	t.Join()
	for _, key := range []string{"shop/web", "shop/db"} {
		e.outstanding(key, 0, 0, "64 were expected, and eight goroutines have observed eight each")
		e.requires(key, true, "everything was observed")
	}
}

func checkAskedFirst(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 3))
	w.settled("web")
	during := false
	w.podFeed.Cache.OnLook(func() {
		if during {
			return
		}
		during = true
		t.Note("three pods arrive in the cache, right after a look into it")
		w.podFeed.CatchUp()
	})
	w.settled("web")
	t.Require(during, "Reconcile has called no method of PodCache that lists pods, though there is a ReplicaSet with pods to be counted.")
	w.hasCreated(3, "3 are wanted and were created. Reconcile read PodCache when it showed none of them, and before it asked its expectations all 3 arrived and satisfied them. It has to ask first, and read then")
	w.settled("web")
	w.hasCreated(3, "3 are wanted, and all 3 are in the cache")
}

// checkObservedFirst has a worker that is there as soon as a request is enqueued.
func checkObservedFirst(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 1))
	w.settled("web")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 0 })
	w.setFeed.CatchUp()
	w.quickWorker()
	t.Note("a worker reconciles what is enqueued, at once: shop/web has created a pod, and none is wanted now")
	w.podFeed.Deliver(1) // the pod
	t.Join()
	w.hasDeleted(1, "none is wanted. PodHandler has heard of the only pod, which was created, and has enqueued its owner. A worker reconciled it at once, and nothing happened: "+
		"the creation was observed only after the last call of enqueue, and nobody will come again")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 1 })
	w.setFeed.CatchUp()
	t.Join()
	w.hasCreated(1, "1 is wanted again, the only pod was deleted, and nothing is heard of that yet, so nobody may count the cache")
	w.podFeed.Deliver(1) // its deletion
	t.Join()
	w.hasCreated(2, "1 is wanted. PodHandler has heard of the deletion of the only pod, and has enqueued its owner. A worker reconciled it at once, and nothing happened: "+
		"the deletion was observed only after the last call of enqueue, and nobody will come again")
	w.observesAnEnd()
}

// observesAnEnd has the only pod of shop/web end slowly, while a worker is quick.
func (w *world) observesAnEnd() {
	w.pods.Graceful = true
	w.podFeed.Deliver(1) // the creation of the pod
	for _, replicas := range []int{0, 1} {
		w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = replicas })
		w.setFeed.CatchUp()
		w.t.Join()
	}
	w.hasDeleted(2, "none was wanted for a while, and the second pod was there, too")
	w.hasCreated(2, "1 is wanted again, the second pod was deleted, and nothing is heard of that yet, so nobody may count the cache")
	w.podFeed.Deliver(1) // the pod is being deleted
	w.t.Join()
	w.hasCreated(3, "1 is wanted. PodHandler has heard, by an update, that the only pod is being deleted now, and has enqueued its owner. A worker reconciled it at once, and nothing happened: "+
		"the deletion was observed only after the last call of enqueue, and nobody will come again")
}

func checkExpectedFirst(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 3))
	w.pods.Intercept(fake.After(func(*fake.Request) { w.podFeed.CatchUp() }))
	w.settled("web")
	w.hasLive(rs, 3, "3 are wanted")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 1 })
	w.catchUp()
	w.settled("web")
	w.hasLive(rs, 1, "1 is wanted now. PodHandler heard of all 3 creations before Create had returned; if they were expected before that, nothing is outstanding, and 2 pods are to be deleted at once")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 2 })
	w.catchUp()
	w.settled("web")
	w.hasLive(rs, 2, "2 are wanted now. PodHandler heard of both deletions before Delete had returned; if they were expected before that, nothing is outstanding, and the missing pod is to be created at once")
	for range 20 { // the requests may be a step ahead of the expectations, and seldom are
		deletesAtOnce(t, s)
	}
	checkExpectedOnce(t, s)
}

// checkExpectedOnce has three requests of which one is refused, and the handler hears of what the
// others do before they are answered.
func checkExpectedOnce(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 3))
	heard := fake.After(func(*fake.Request) { w.podFeed.CatchUp() })
	w.pods.Intercept(heard, quota(2, errRefused))
	_, _ = w.reconcile("web")
	w.pods.Intercept()
	w.catchUp()
	w.settled("web")
	w.hasCreated(4, "3 are wanted. Of three creations one was refused, and PodHandler heard of the others before Create had returned. "+
		"All 3 are expected before the first request goes out, 2 were observed, and the refused one is no longer expected, so nothing is outstanding and one more is to be created")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 0 })
	w.catchUp()
	spared := w.live(rs)[1]
	w.pods.Intercept(heard, fake.Before(func(q *fake.Request) error {
		if q.Key == key(spared) {
			return errRefused
		}
		return nil
	}))
	_, _ = w.reconcile("web")
	w.pods.Intercept()
	w.catchUp()
	w.settled("web")
	w.hasLive(rs, 0, "none is wanted. Of three deletions that of %s was refused, and PodHandler heard of the others before Delete had returned. "+
		"All 3 are expected before the first request goes out, 2 were observed, and the refused one is no longer expected, so nothing is outstanding and the last pod is to be deleted", spared)
	skipsAfterRefusal(t, s)
}

// skipsAfterRefusal has seven creations, of which the handler hears of those that succeed before they are
// answered, and the batch in which the first is refused is not the last one.
func skipsAfterRefusal(t *conform.T, s Subject) {
	for room := range 4 {
		w := build(t, s)
		rs := w.stands(set("web", 7))
		w.pods.Intercept(fake.After(func(*fake.Request) { w.podFeed.CatchUp() }), quota(room, errRefused))
		_, _ = w.reconcile("web")
		w.pods.Intercept()
		w.catchUp()
		w.settled("web")
		w.hasLive(rs, 7, "7 are wanted. In the Reconcile before, a quota had room for %s, and PodHandler heard of each new pod before Create had returned. Others were refused after that, and the rest was skipped: "+
			"these are no longer expected, and those that succeeded were observed, so nothing is outstanding and the next Reconcile creates what is missing", conform.Some(room, "pod"))
	}
}

// deletesAtOnce has eight deletions that the handler hears of before they are answered.
func deletesAtOnce(t *conform.T, s Subject) {
	const pods = 8
	w := build(t, s)
	rs := w.stands(set("web", 0))
	for i := range pods {
		w.runs(rs, string(rune('a'+i)))
	}
	w.pods.Intercept(fake.After(func(*fake.Request) { w.podFeed.CatchUp() }))
	w.settled("web")
	w.pods.Intercept()
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 1 })
	w.catchUp()
	w.settled("web")
	w.hasLive(rs, 1, "1 is wanted now. PodHandler heard of all 8 deletions before Delete had returned; if they were expected before the first request went out, nothing is outstanding, and the missing pod is to be created at once")
}

func checkOneDeletion(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	for _, name := range []string{"a", "b", "c"} {
		w.runs(rs, name)
	}
	w.pods.Graceful = true
	w.endOneFirst()
	w.settled("web")
	w.hasLive(rs, 1, "1 is wanted")
	w.pods.Intercept()

	w.woken()
	w.podFeed.Deliver(1)
	w.hasWoken("A pod of shop/web is being deleted, and the deletion of another is outstanding", "shop/web")
	w.podFeed.Deliver(1)
	w.hasWoken("A pod of shop/web that was being deleted is gone for good", "shop/web")
	w.settled("web")
	const twice = "PodHandler has heard twice of the deletion of one pod, when it began and when the pod was gone, and not yet of the other. One deletion is outstanding, and nobody may count the cache"
	w.hasDeleted(2, twice)
	w.hasCreated(0, twice)
	w.podFeed.CatchUp()
	w.pods.Drop(key(w.live(rs)[0]))
	w.podFeed.CatchUp()
	w.settled("web")
	w.hasCreated(1, "1 is wanted, both deletions were observed, and the only pod left has begun to be deleted. It is no active pod any more, and is replaced while it is still there")
	checkLateDeletion(t, s)
}

// endOneFirst has the server carry out a second deletion only when the first pod is gone for
// good, so that the two events of the first come before the only one of the second.
func (w *world) endOneFirst() {
	asked, gone := make(chan struct{}, 1), make(chan struct{})
	asked <- struct{}{}
	w.pods.Intercept(func(_ context.Context, q *fake.Request, next func() error) error {
		if q.Verb != fake.Delete {
			return next()
		}
		select {
		case <-asked:
			defer close(gone)
			defer w.pods.Remove(q.Key)
		default:
			<-gone
		}
		return next()
	})
}

// checkLateDeletion meets a pod that is already being deleted when it is first seen.
func checkLateDeletion(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 2))
	w.settled("web")
	now := time.Now()
	p := kit.Pods.New()
	p.Namespace, p.Name, p.Labels, p.UID, p.ResourceVersion = namespace, "old", labels("web"), "uid-old", "1"
	p.OwnerReferences, p.DeletionTimestamp = []kit.OwnerReference{ref(rs)}, &now
	t.Note("the pod old is first seen when it is being deleted already")
	w.podFeed.Bring(p)
	w.woken()
	w.podFeed.Deliver(1)
	w.hasWoken("A pod of shop/web was added that was being deleted already, so it is treated as deleted", "shop/web")
	w.settled("web")
	w.hasCreated(2, "2 were created, and PodHandler has heard of one of them. The other pod that was added, old, was being deleted already: it is treated as deleted and is no creation observed, so one creation is outstanding")
	checkStillThere(t, s)
	checkDeletedMeanwhile(t, s)
	checkAddedAgain(t, s)
	checkEndedAndDeleted(t, s)
	checkAdoptedAndDeleted(t, s)
}

// checkStillThere has updates of a pod whose deletion is outstanding, which do not say that it is
// being deleted.
func checkStillThere(t *conform.T, s Subject) {
	for _, c := range []struct {
		what string
		edit func(db *kit.ReplicaSet, p *kit.Pod)
	}{
		{"is no longer ready", func(_ *kit.ReplicaSet, p *kit.Pod) { p.Status.Ready = false }},
		{"belongs to shop/db now", func(db *kit.ReplicaSet, p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{ref(db)} }},
	} {
		w, p := deletesOne(t, s)
		c.edit(w.stands(set("db", 1)), p)
		p.ResourceVersion += "0"
		w.podFeed.Bring(p)
		w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 2 })
		w.setFeed.CatchUp()
		w.settled("web")
		w.hasCreated(0, "2 are wanted now. The deletion of a is outstanding: PodHandler has heard of an update by which it %s, and not that it is being deleted, so nobody may count the cache", c.what)
	}
}

// deletesOne has the only pod deleted by a Reconcile, of which nothing was heard.
func deletesOne(t *conform.T, s Subject) (*world, *kit.Pod) {
	w := build(t, s)
	p := w.runs(w.stands(set("web", 0)), "a")
	w.settled("web")
	w.hasDeleted(1, "none is wanted, and it has a")
	w.podFeed.Lose()
	return w, p.DeepCopy()
}

// replacesIt asks for a pod, and demands that it is created: the deletion was observed.
func (w *world) replacesIt(heard string) {
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 1 })
	w.setFeed.CatchUp()
	w.settled("web")
	w.hasCreated(1, "1 is wanted now. The deletion of a was expected, and PodHandler has heard of a by %s: that is a deletion observed for its owner, so nothing is outstanding", heard)
}

// checkEndedAndDeleted has a pod that is no active one when the handler first hears of its end.
func checkEndedAndDeleted(t *conform.T, s Subject) {
	for _, c := range []struct {
		had  string
		edit func(p *kit.Pod)
	}{
		{"had failed", failed},
		{"had a deletion timestamp, of which no update had told", leaving},
	} {
		w, p := deletesOne(t, s)
		w.podFeed.Cache.Drop(key("a"))
		c.edit(p)
		t.Do(func() { w.onPods.OnDelete(p, false) }, "OnDelete(a), which %s", c.had)
		w.replacesIt("OnDelete, when it " + c.had)
	}
}

// checkAdoptedAndDeleted has a pod that gets its owner and is being deleted in one update.
func checkAdoptedAndDeleted(t *conform.T, s Subject) {
	w, p := deletesOne(t, s)
	orphan, now := p.DeepCopy(), time.Now()
	orphan.OwnerReferences, orphan.ResourceVersion = nil, p.ResourceVersion+"0"
	w.podFeed.Bring(orphan)
	p.DeletionTimestamp, p.ResourceVersion = &now, p.ResourceVersion+"00"
	w.podFeed.Bring(p)
	w.replacesIt("an update in which it got its owner back and is being deleted, so that it is treated as deleted")
}

// checkDeletedMeanwhile has a user who deletes the pods after Reconcile has read the cache. When
// Reconcile deletes one of them there is no further event of it, before something else changes.
func checkDeletedMeanwhile(t *conform.T, s Subject) {
	w := build(t, s)
	w.pods.Graceful = true
	rs := w.stands(set("web", 1))
	w.runs(rs, "a")
	w.runs(rs, "b")
	during := false
	w.podFeed.Cache.OnLook(func() {
		if during {
			return
		}
		during = true
		t.Note("a user deletes a and b, right after a look into the cache, and PodHandler hears of it")
		w.pods.Drop(key("a"))
		w.pods.Drop(key("b"))
		w.podFeed.CatchUp()
	})
	_, _ = w.reconcile("web")
	for _, name := range []string{"a", "b"} {
		w.pods.Change(key(name), func(p *kit.Pod) { p.Status.Ready = false })
	}
	w.catchUp()
	_, _ = w.reconcile("web")
	w.hasLive(rs, 1, "1 is wanted, and both pods that there were are being deleted. PodHandler has heard of an update of each, after the deletion that Reconcile asked for: "+
		"a pod that now is being deleted is treated as deleted, whether or not it was being deleted before, so nothing is outstanding and 1 is missing")
}

// checkAddedAgain meets a pod whose deletion is expected by OnAdd, when it is being deleted.
func checkAddedAgain(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 0))
	p := w.runs(rs, "a")
	w.settled("web")
	w.hasDeleted(1, "none is wanted, and it has a")
	w.podFeed.Lose()
	w.podFeed.Cache.Drop(key("a"))
	leaving(p)
	p.ResourceVersion += "0"
	w.podFeed.Bring(p)
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 1 })
	w.catchUp()
	w.settled("web")
	w.hasCreated(1, "1 is wanted now. The deletion of a was expected, and PodHandler has heard of a by OnAdd, when it was being deleted already: it is treated as deleted, so nothing is outstanding")
}

func checkMissedDeletion(t *conform.T, s Subject) {
	w := build(t, s)
	rs := w.stands(set("web", 1))
	for _, name := range []string{"a", "b", "c"} {
		w.runs(rs, name)
	}
	w.woken()
	w.settled("web")
	w.hasLive(rs, 1, "1 is wanted")
	t.Note("the watch is broken; a list says what is left")
	w.podFeed.Relist()
	w.hasWoken("A list showed that two pods of shop/web are gone (OnDelete, final state unknown)", "shop/web")
	w.pods.Drop(key(w.live(rs)[0]))
	w.podFeed.Relist()
	w.settled("web")
	w.hasCreated(1, "1 is wanted and the last pod is gone. PodHandler has heard of both deletions that were expected by OnDelete with finalStateUnknown, which count like any others, so nothing is outstanding")
}
