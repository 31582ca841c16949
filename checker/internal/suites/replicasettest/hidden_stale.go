package replicasettest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// checkLateAnswer has the pod at the middle version answered last.
func checkLateAnswer(t *conform.T, s Subject) {
	w := build(t, s, versions)
	w.server.SkipTo(116)
	w.pods.Intercept(fake.After(func(q *fake.Request) {
		if q.Answer != nil && q.Answer.GetResourceVersion() == "119" {
			time.Sleep(time.Second) // of the two pods of the second batch this one is answered last
		}
	}))
	w.stands(set("web", 3)) // version 117; pods from 118 on
	w.settled("web")
	w.setFeed.CatchUp()
	w.podFeed.Deliver(1)
	w.stale(s, "Reconcile has created pods at the versions 118, 119 and 120, and the cache of pods is at version 118")
	w.podFeed.Deliver(1)
	w.stale(s, "Reconcile has created pods at the versions 118, 119 and 120, of which 119 was answered last. At version 118 of the cache of pods it returned ErrStaleCache, as it should. Now the cache is at version 119")
}

func checkOwnWrites(t *conform.T, s Subject) {
	checkLateAnswer(t, s)
	w := build(t, s, versions)
	w.server.SkipTo(106)
	rs := w.stands(set("web", 3)) // version 107; pods from 108 on
	w.lags()
	for _, wait := range []time.Duration{0, 6 * time.Minute, 6 * time.Minute, 36 * time.Hour} {
		time.Sleep(wait)
		w.stale(s, fmt.Sprintf("Reconcile has created pods at the versions 108, 109 and 110. After %v the cache of pods is still at version 109, and shows two of the three", t.Elapsed()))
	}
	w.catchUp()
	w.settled("web")
	w.setFeed.CatchUp()
	w.settled("web")
	w.hasCreated(0, "since the caches have caught up, and show all 3 pods that are wanted")
	w.ownStatus(t, s, rs)

	checkNextOfTheName(t, s)
	checkUnderWay(t, s)
	checkGoneComesSecond(t, s)
	checkDeletionIsNoMark(t, s)
	checkPartOfABatch(t, s)
	checkNamesake(t, s)
	checkEachRemembers(t, s)
	checkUnknownForAWhile(t, s)
	checkStatusRemembered(t, s, "could not write the status then", "", fake.Refuse(errRefused, fake.Update))
	checkStatusRemembered(t, s, "has written the status then, at the version \"new\", which is no number and is not remembered", "new")
	checkHeardSince(t, s)
	checkSomebodyElsesStatus(t, s)
	checkNoNumbers(t, s)
	checkHeardWhenAnswered(t, s)
	checkNumbers(t, s, 8, "as numbers, and not as words, in whose order \"10\" comes before \"9\"")
	checkNumbers(t, s, 1<<32-2, "as numbers, which may have up to 63 bits, and the largest of these does not fit into 32")
	checkNumbers(t, s, 1<<53-1, "as numbers, which may have up to 63 bits, and the largest of these is no float64")
	checkNobodyKnows(t, s)
}

// checkNextOfTheName has a ReplicaSet that is deleted and made again, while the cache of pods
// lags behind the pods of the old one.
func checkNextOfTheName(t *conform.T, s Subject) {
	for _, way := range []struct {
		what string
		hear func(w *world)
	}{
		{"a deletion and a creation", func(w *world) { w.setFeed.CatchUp() }},
		{"an update from one UID to another", func(w *world) { w.setFeed.Relist() }},
	} {
		w := build(t, s, versions)
		for i := range 8 {
			rs := w.stands(set(fmt.Sprintf("other-%d", i), 0))
			w.settled(rs.Name)
		}
		w.stands(set("web", 1))
		w.settled("web")
		t.Note("the ReplicaSet is deleted and made again, known by %s, and the cache of pods lags", way.what)
		w.sets.Remove(key("web"))
		w.sets.Put(set("web", 1))
		way.hear(w)
		w.settles("web", fmt.Sprintf("the cache of pods lags behind a pod of the old shop/web, which is gone, as the handler knows by %s, and that does not delay the new one", way.what))
		w.hasCreated(2, "1 for the old shop/web, and 1 for the new one of that name, which has none")
	}
}

// checkUnderWay has a handler that hears of the end of a ReplicaSet from within a request for it.
func checkUnderWay(t *conform.T, s Subject) {
	for _, c := range []struct {
		what      string
		verb      fake.Verb
		intercept func(w *world, i ...fake.Interceptor)
	}{
		{"the creation of a pod", fake.Create, func(w *world, i ...fake.Interceptor) { w.pods.Intercept(i...) }},
		{"the Update of the status", fake.Update, func(w *world, i ...fake.Interceptor) { w.sets.Intercept(i...) }},
	} {
		w := build(t, s, versions)
		w.stands(set("web", 1))
		c.intercept(w, fake.After(func(q *fake.Request) {
			if q.Verb == c.verb && w.sets.Now(key("web")) != nil {
				t.Note("%s is carried out and not answered yet, when ReplicaSetHandler hears that shop/web is gone", c.what)
				w.sets.Remove(key("web"))
				w.setFeed.CatchUp()
			}
		}))
		_, _ = w.reconcile("web")
		c.intercept(w)
		w.sets.Put(set("web", 1))
		w.setFeed.CatchUp()
		was := w.created()
		w.settles("web", fmt.Sprintf("the handler has heard that the old shop/web is gone, from within %s. The old one's writes do not delay the new one", c.what))
		w.hasCreated(was+1, "1 is wanted for the new shop/web, which has none")
	}
}

// checkGoneComesSecond has a ReplicaSet that is gone while one of its pods was not heard of.
func checkGoneComesSecond(t *conform.T, s Subject) {
	w := build(t, s, versions)
	w.stands(set("web", 1))
	w.settled("web")
	w.setFeed.CatchUp()
	w.setFeed.Cache.Drop(key("web"))
	t.Note("ReplicaSetCache does not have shop/web any more, of which the handler has not heard yet")
	w.stale(s, "Reconcile has created a pod at a version that the cache of pods has not reached. That comes first, and that ReplicaSetCache has no shop/web any more comes second")
}

// checkDeletionIsNoMark has a deletion, of which the cache of pods has not heard. Delete returns the pod
// with a new version.
func checkDeletionIsNoMark(t *conform.T, s Subject) {
	for _, graceful := range []bool{true, false} {
		w := build(t, s, versions)
		w.pods.Graceful = graceful
		rs := w.stands(set("web", 1))
		w.runs(rs, "a")
		w.runs(rs, "b")
		w.settled("web")
		w.hasDeleted(1, "1 is wanted, and there are a and b")
		w.setFeed.CatchUp()
		w.settles("web", "the cache of pods lags behind the deletion of a pod, and behind nothing else. The version of a deletion is never remembered, even if Delete returns one")
	}
}

// checkPartOfABatch has creations of which one succeeds and two do not.
func checkPartOfABatch(t *conform.T, s Subject) {
	w := build(t, s, versions)
	w.stands(set("web", 3))
	w.pods.Intercept(quota(1, errRefused))
	_, _ = w.reconcile("web")
	w.setFeed.CatchUp()
	w.stale(s, "Reconcile has created one pod, at a version that the cache of pods has not reached, and two further creations were refused")
}

// checkNamesake has a ReplicaSet of the same name in another namespace.
func checkNamesake(t *conform.T, s Subject) {
	w := build(t, s, versions)
	w.stands(set("web", 1))
	w.settled("web")
	w.setFeed.CatchUp()
	for i, other := range []kit.Request{{Namespace: "elsewhere", Name: "web"}, {Namespace: "shop", Name: "we"}, {Namespace: "sho", Name: "pweb"}, {Namespace: "shopw", Name: "eb"}} {
		rs := set(other.Name, 1)
		rs.Namespace = other.Namespace
		w.sets.Put(rs)
		w.setFeed.CatchUp()
		_, err := w.asks(t.Context(), t.Actor, other)
		t.Require(err == nil, "The cache of pods lags behind a pod of shop/web, and nothing was written for %s, which is another ReplicaSet. Reconcile(%s) returned %s.", other, other, conform.Said(err))
		w.hasCreated(i+2, "1 is wanted for shop/web, and 1 for each of those that are alike in name or namespace. What is expected for one delays no other, and the last one is %s", other)
	}
	for range 2 {
		w.stale(s, "Reconcile(shop/web) has created a pod at a version that the cache of pods has not reached. After that, it was called for others that are alike in name or namespace")
	}
}

// checkEachRemembers has two ReplicaSets that have both written.
func checkEachRemembers(t *conform.T, s Subject) {
	w := build(t, s, versions)
	w.stands(set("web", 1))
	w.stands(set("web-2", 1))
	w.stands(set("we", 0)) // of these names each begins the one before
	w.settled("web")
	w.settled("web-2")
	w.sets.Remove(key("we"))
	w.setFeed.CatchUp()
	t.Note("a third ReplicaSet, shop/we, was deleted, which the handler has heard")
	w.stale(s, "Reconcile(shop/web) has created a pod at a version that the cache of pods has not reached. Reconcile(shop/web-2) has created another pod after that, and each ReplicaSet has its own writes")
	w.podFeed.Deliver(1)
	w.settles("web", "the cache of pods has reached the pod of shop/web, and lags behind one of shop/web-2 only")
	_, err := w.reconcile("web-2")
	t.Require(errors.Is(err, s.ErrStaleCache), "Reconcile(shop/web-2) has created a pod at a version that the cache of pods has not reached. Reconcile(shop/web) was called after that, and each ReplicaSet has its own writes. "+
		"Reconcile(shop/web-2) should have returned ErrStaleCache, and returned %v.", err)

	w = build(t, s, versions)
	w.sets.Graceful = true
	w.stands(set("web", 1))
	w.settled("web")
	w.sets.Drop(key("web"))
	w.setFeed.CatchUp()
	w.stale(s, "Reconcile has created a pod at a version that the cache of pods has not reached. The ReplicaSet is being deleted now, and not gone")
}

// checkUnknownForAWhile has a cache of pods of which nobody knows the version for a while.
func checkUnknownForAWhile(t *conform.T, s Subject) {
	known := true
	w := build(t, s, versions, func(w *world, o *Options) {
		o.PodCacheVersion = func() string {
			if known {
				return w.podFeed.Cache.Version()
			}
			return ""
		}
	})
	w.stands(set("web", 3))
	w.settled("web")
	w.setFeed.CatchUp()
	w.stale(s, "Reconcile has created 3 pods at versions that the cache of pods has not reached")
	t.Note("PodCacheVersion returns \"\" from now on")
	known = false
	w.settles("web", "PodCacheVersion returns \"\", so that nothing is known of that cache")
	w.hasCreated(0, "since then. The 3 pods that were created before are expected still, for PodHandler has heard of none, and ErrStaleCache did nothing")
	w.setFeed.CatchUp()
	t.Note("PodCacheVersion is the version of the cache again")
	known = true
	w.stale(s, "Reconcile has created 3 pods at versions that the cache of pods has not reached. PodCacheVersion has returned \"\" for a while, and says now how far the cache is")
}

// checkStatusRemembered has a cache of ReplicaSets of which nobody knows the version for a while, in
// which a pod is created. What becomes of the status then is said by what and between, and by a version
// that is the answer to a write, "" for the server's own.
func checkStatusRemembered(t *conform.T, s Subject, what, answer string, between ...fake.Interceptor) {
	known := true
	w := build(t, s, versions, func(w *world, o *Options) {
		o.ReplicaSetCacheVersion = func() string {
			if known {
				return w.setFeed.Cache.Version()
			}
			return ""
		}
		o.ReplicaSets = answered[*kit.ReplicaSet]{w.sets, func(rs *kit.ReplicaSet) *kit.ReplicaSet {
			if !known && answer != "" {
				rs.ResourceVersion = answer
			}
			return rs
		}}
	})
	rs := w.stands(set("web", 2))
	w.settled("web")
	w.pods.Remove(key(w.live(rs)[0]))
	w.podFeed.CatchUp()
	w.stale(s, "Reconcile has written the status, at a version that the cache of ReplicaSets has not reached")
	t.Note("ReplicaSetCacheVersion returns \"\" for one Reconcile")
	known = false
	w.sets.Intercept(between...)
	_, _ = w.reconcile("web")
	w.hasCreated(1, "since then. One of the two pods is gone, as the cache shows, and ReplicaSetCacheVersion returned \"\", so that nothing was known of that cache")
	w.sets.Intercept()
	w.podFeed.CatchUp()
	known = true
	w.stale(s, "Reconcile has written the status, at a version that the cache of ReplicaSets has not reached. It has created a pod after that, which the cache of pods shows, and "+what)
}

// checkHeardSince has the handler hear of a ReplicaSet that is not gone, while the caches lag behind what
// was written for it.
func checkHeardSince(t *conform.T, s Subject) {
	w := build(t, s, versions)
	rs := w.stands(set("web", 1))
	w.settled("web")
	again := func(mark string) {
		cached, _ := w.options.ReplicaSetCache.GetByKey(kit.Key(rs))
		for _, initial := range []bool{false, true} {
			t.Do(func() { w.onSets.OnAdd(cached, initial) }, "OnAdd(web, %t)", initial)
			w.stale(s, mark+". ReplicaSetHandler has heard since that shop/web was added, which it was long before")
		}
		t.Do(func() { w.onSets.OnUpdate(cached, cached) }, "OnUpdate(web, web)")
		w.stale(s, mark+". ReplicaSetHandler has heard since of a resync of shop/web, in which nothing has changed")
	}
	w.podFeed.CatchUp()
	again("Reconcile has written the status, at a version that the cache of ReplicaSets has not reached")

	w = build(t, s, versions)
	rs = w.stands(set("web", 1))
	w.settled("web")
	w.setFeed.CatchUp()
	const pods = "Reconcile has created a pod at a version that the cache of pods has not reached"
	again(pods)
	for _, wanted := range []int{0, 1, 2} {
		w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = wanted })
		w.setFeed.CatchUp()
		w.stale(s, fmt.Sprintf("%s. ReplicaSetHandler has heard since that %d replicas are wanted, as the cache shows", pods, wanted))
	}
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Annotations = map[string]string{"by": "a user"} })
	w.setFeed.CatchUp()
	w.stale(s, pods+". ReplicaSetHandler has heard since of an update of shop/web, at the same generation")
}

// answered is a client whose answers to Create and Update somebody may change, or hold back.
type answered[T kit.Object] struct {
	kit.Client[T]
	as func(obj T) T
}

func (c answered[T]) Create(ctx context.Context, obj T) (T, error) {
	stored, err := c.Client.Create(ctx, obj)
	if err != nil {
		return stored, err
	}
	return c.as(stored), nil
}

func (c answered[T]) Update(ctx context.Context, obj T) (T, error) {
	stored, err := c.Client.Update(ctx, obj)
	if err != nil {
		return stored, err
	}
	return c.as(stored), nil
}

// checkNoNumbers has a server of which some answers have a version that is no number. The caches have
// version 0, behind every number that was written.
func checkNoNumbers(t *conform.T, s Subject) {
	for _, c := range []struct {
		versions []string // of the pods that are created, "" for the server's own
		stale    bool
	}{{[]string{"new"}, false}, {[]string{"new", "1a", "0x1"}, false}, {[]string{"", "new", "newer"}, true}} {
		var created atomic.Int32
		w := build(t, s, func(w *world, o *Options) {
			o.Pods = answered[*kit.Pod]{w.pods, func(p *kit.Pod) *kit.Pod {
				if v := c.versions[created.Add(1)-1]; v != "" {
					p.ResourceVersion = v
				}
				return p
			}}
			o.ReplicaSets = answered[*kit.ReplicaSet]{w.sets, func(rs *kit.ReplicaSet) *kit.ReplicaSet {
				rs.ResourceVersion = "new"
				return rs
			}}
			zero := func() string { return "0" }
			o.PodCacheVersion, o.ReplicaSetCacheVersion = zero, zero
		})
		w.stands(set("web", len(c.versions)))
		t.Note("both caches say that they are at version 0. The server answers that the new pods have the versions %q, \"\" for what they have, and the ReplicaSet \"new\"", c.versions)
		w.settled("web")
		_, err := w.reconcile("web")
		const forgotten = "A written version that is no number is not remembered. "
		t.Require(c.stale || err == nil, "Reconcile has created pods with the versions %s, none of which is a decimal number, and written its status at the version \"new\", which is none either. "+forgotten+
			"So there is nothing to compare with the version of the caches, 0: Reconcile should have gone on, and returned %s.", conform.Listed(c.versions), conform.Said(err))
		t.Require(!c.stale || errors.Is(err, s.ErrStaleCache), "Reconcile has created three pods. The version of the first is a number beyond that of the cache of pods, 0, and those of the others, %s, are none. "+forgotten+
			"That of the first pod is remembered still: Reconcile should have returned ErrStaleCache, and returned %s.", conform.Listed(c.versions[1:]), conform.Said(err))
	}
}

// meets returns a function that two goroutines leave at one moment, if they call it soon after each
// other.
func meets() func() {
	var come atomic.Int64
	return func() {
		n := come.Add(1)
		for range 100 {
			if n%2 == 0 || come.Load() > n {
				return
			}
			runtime.Gosched()
		}
	}
}

// checkHeardWhenAnswered has a handler that hears of the end of another ReplicaSet at the moment in
// which a request is answered.
func checkHeardWhenAnswered(t *conform.T, s Subject) {
	meet := meets()
	w := build(t, s, versions)
	old := w.stands(set("old", 0))
	w.settled("old")
	w.options.Pods = answered[*kit.Pod]{w.pods, func(p *kit.Pod) *kit.Pod { meet(); return p }}
	w.options.ReplicaSets = answered[*kit.ReplicaSet]{w.sets, func(rs *kit.ReplicaSet) *kit.ReplicaSet { meet(); return rs }}
	w.restart(s)
	w.stands(set("web", 1))
	t.Note("when the creation of a pod and the Update of a status are answered, the handler hears of the end of another ReplicaSet")
	t.Go("informer", func(*conform.Actor) {
		for range 2 {
			meet()
			w.onSets.OnDelete(old, false) // not in the history, which would put the two in an order
		}
	})
	w.settled("web")
	t.Join()
}

// lags has shop/web settled, and the cache of pods shows two of the three new ones.
func (w *world) lags() {
	w.settled("web")
	w.hasCreated(3, "3 are wanted, and there was none")
	w.setFeed.CatchUp()
	w.podFeed.Deliver(2)
}

// checkNumbers has versions of which the order as words, or as floating-point numbers, is another one.
func checkNumbers(t *conform.T, s Subject, first int64, how string) {
	t.Note("now the versions are %d, %d and %d, which have to be compared as numbers", first, first+1, first+2)
	w := build(t, s, versions)
	w.server.SkipTo(first - 2)
	w.stands(set("web", 3)) // the version before the first; pods from the first on
	w.lags()
	w.stale(s, fmt.Sprintf("Reconcile has created pods at the versions %d, %d and %d, and the cache of pods is at version %d. Versions are compared %s", first, first+1, first+2, first+1, how))
}

// looking is the cache of ReplicaSets, and calls look after each look for one of them.
type looking struct {
	kit.Indexer[*kit.ReplicaSet]
	look func()
}

func (l *looking) GetByKey(key string) (*kit.ReplicaSet, bool) {
	defer l.look()
	return l.Indexer.GetByKey(key)
}

// checkHeardInALook has handlers that hear of the end of others, and of pods without owner, from
// within the looks of a Reconcile into the cache of ReplicaSets, and from within its requests: of
// the first Reconcile, and of the next, for which there are own writes to be remembered.
func checkHeardInALook(t *conform.T, s Subject) {
	const others = 10
	cache := &looking{look: func() {}}
	w := build(t, s, versions, func(w *world, o *Options) {
		cache.Indexer = w.setFeed.Cache
		o.ReplicaSetCache = cache
	})
	rs := w.stands(set("web", 3))
	w.lone("web", "orphan")
	w.runs(rs, "debug", func(p *kit.Pod) { p.Labels = labels("debug") })
	for _, wanted := range []int{3, 4} {
		w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = wanted })
		for i := range others {
			w.sets.Put(set(fmt.Sprintf("old-%d", i), 0))
		}
		w.catchUp()
		for i := range others {
			w.sets.Remove(key(fmt.Sprintf("old-%d", i)))
			w.appears(fmt.Sprintf("lone-%d-%d", wanted, i))
		}
		t.Note("from within each GetByKey of the cache of ReplicaSets, and each request, the handlers hear that another ReplicaSet is gone, and of a pod that has no owner")
		heard := apart(func() {
			w.setFeed.Deliver(1)
			w.podFeed.Deliver(1)
		})
		cache.look = heard
		w.pods.Intercept(fake.After(func(*fake.Request) { heard() }))
		w.sets.Intercept(fake.After(func(*fake.Request) { heard() }))
		w.settled("web")
		cache.look = func() {}
		w.pods.Intercept()
		w.sets.Intercept()
		w.catchUp()
	}
	w.hasUpdated(2, "one pod is to be adopted and one to be released")
	w.hasLive(rs, 4, "4 are wanted")
	checkGoneMeanwhile(t, s)
}

// checkGoneMeanwhile has a handler that hears of the end of a ReplicaSet from within the question for
// the version of a cache, or from within the telling of an event.
func checkGoneMeanwhile(t *conform.T, s Subject) {
	for _, what := range []string{"PodCacheVersion", "ReplicaSetCacheVersion", "Eventf"} {
		goes := func() {}
		asked := func(name string, version func() string) func() string {
			return func() string {
				if name == what {
					goes()
				}
				return version()
			}
		}
		w := build(t, s, versions, func(w *world, o *Options) {
			o.PodCacheVersion, o.ReplicaSetCacheVersion = asked("PodCacheVersion", o.PodCacheVersion), asked("ReplicaSetCacheVersion", o.ReplicaSetCacheVersion)
		})
		w.stands(set("web", 1))
		w.settled("web")
		w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 2 })
		w.catchUp()
		goes = apart(func() {
			if w.sets.Now(key("web")) != nil {
				t.Note("from within %s, ReplicaSetHandler hears that shop/web is gone", what)
				w.sets.Remove(key("web"))
				w.setFeed.CatchUp()
			}
		})
		if what == "Eventf" {
			w.recorder.Then(goes)
		}
		_, _ = w.reconcile("web")
		goes = func() {}
		w.recorder.Then(nil)
		w.sets.Put(set("web", 1))
		w.setFeed.CatchUp()
		w.settles("web", fmt.Sprintf("the handler has heard that the old shop/web is gone, from within %s. The old one's writes do not delay the new one", what))
	}
}

// appears adds a pod without owner, and gives it other labels, of which no cache has heard yet.
func (w *world) appears(name string) {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.Labels = namespace, name, labels("nobody")
	w.pods.Put(p)
	w.pods.Change(key(name), func(p *kit.Pod) { p.Labels = labels("no one") })
}

// ownStatus has the cache of ReplicaSets lag behind two writes of the status.
func (w *world) ownStatus(t *conform.T, s Subject, rs *kit.ReplicaSet) {
	t.Note("the status is written, and the cache of ReplicaSets lags")
	w.pods.Drop(key(w.live(rs)[0]))
	w.podFeed.CatchUp()
	w.settled("web")
	w.podFeed.CatchUp()
	w.stale(s, "Reconcile has written the status, at a version that the cache of ReplicaSets has not reached")

	t.Note("the status meets a conflict and is written at a later version")
	w.catchUp()
	w.settled("web")
	w.catchUp()
	w.pods.Drop(key(w.live(rs)[0]))
	w.podFeed.CatchUp()
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Annotations = map[string]string{"by": "a user"} })
	w.settled("web")
	w.podFeed.CatchUp()
	w.setFeed.Deliver(1) // what the user has written, and not the status
	w.stale(s, "Reconcile has written the status after a conflict, at a version that the cache of ReplicaSets has not reached")
}

// stale demands that Reconcile sees that it is blind.
func (w *world) stale(s Subject, why string) {
	w.server.Forget()
	_, err := w.reconcile("web")
	w.t.Require(errors.Is(err, s.ErrStaleCache), "%s. Reconcile should have returned ErrStaleCache and written nothing. It returned %s, and %s.", why, conform.Said(err), w.wrote())
	w.t.Require(w.changes() == 0, "Reconcile returned ErrStaleCache and had made %s before. With that error it does nothing.", conform.Some(w.changes(), "write"))
}

// wrote says what Reconcile has written since the last Forget.
func (w *world) wrote() string {
	var done []string
	for _, q := range w.server.Requests() {
		if q.Verb != fake.Get && q.Verb != fake.List {
			done = append(done, fmt.Sprintf("%s %s %s", q.Verb, q.Resource, q.Key))
		}
	}
	if len(done) == 0 {
		return "wrote nothing"
	}
	return "its requests were: " + conform.Listed(done)
}

// checkNobodyKnows has functions that know nothing, or the one and not the other.
func checkNobodyKnows(t *conform.T, s Subject) {
	for _, answer := range []string{"", "unknown", "1-or-more", "1a", "0x1", "1e1", "1.5"} {
		w := build(t, s, func(_ *world, o *Options) {
			o.PodCacheVersion = func() string { return answer }
			o.ReplicaSetCacheVersion = func() string { return answer }
		})
		w.stands(set("web", 3))
		w.settled("web")
		w.settles("web", fmt.Sprintf("the versions of the caches are %q, which is no number, so that nothing is known", answer))
		w.hasCreated(3, "3 are wanted and were created, and the cache has shown none of them. Its version is %q, which says nothing, so expectations have to do", answer)
	}
	checkOneIsUnknown(t, s, "is nil", nil)
	for _, answer := range []string{"", "unknown"} {
		checkOneIsUnknown(t, s, fmt.Sprintf("returns %q", answer), func() string { return answer })
	}
	checkAskedBeforeRead(t, s)
}

// checkOneIsUnknown has a cache of which nobody knows the version, and another one.
func checkOneIsUnknown(t *conform.T, s Subject, what string, unknown func() string) {
	w := build(t, s, versions, func(_ *world, o *Options) { o.ReplicaSetCacheVersion = unknown })
	w.stands(set("web", 1))
	w.settled("web")
	const other = "so that nothing is known of that cache. The other one is compared all the same"
	w.stale(s, "Reconcile has created a pod at a version that the cache of pods has not reached. ReplicaSetCacheVersion "+what+", "+other)
	w.podFeed.CatchUp()
	w.settles("web", "ReplicaSetCacheVersion "+what+", "+other+": it is the cache of pods, which has caught up")
	w = build(t, s, versions, func(_ *world, o *Options) { o.PodCacheVersion = unknown })
	w.stands(set("web", 1))
	w.settled("web")
	w.stale(s, "Reconcile has written the status, at a version that the cache of ReplicaSets has not reached. PodCacheVersion "+what+", "+other)
}

// checkAskedBeforeRead has a cache that catches up at the moment in which it is asked for its
// version. What was read from it before is older than that.
func checkAskedBeforeRead(t *conform.T, s Subject) {
	w := build(t, s, versions, func(w *world, o *Options) {
		o.ReplicaSetCacheVersion = func() string {
			w.setFeed.Cache.Store(w.sets.Now(key("web")))
			return w.setFeed.Cache.Version()
		}
	})
	rs := w.stands(set("web", 1))
	w.runs(rs, "a")
	w.settled("web")
	w.sets.Change(key("web"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 3 })
	t.Note("the cache of ReplicaSets catches up when it is asked for its version")
	w.settled("web")
	w.hasCreated(2, "when ReplicaSetCacheVersion is called, the cache catches up, and then its ReplicaSet wants 3, of which 2 are missing. What was read from the cache before is older than that version says")
}

// anew is a way in which the controller finds out that shop/web was deleted and made again.
type anew struct {
	what string
	do   func(w *world)
}

func waysOfAnew() []anew {
	again := func(w *world) {
		w.sets.Remove(key("web"))
		w.sets.Put(set("web", 3))
	}
	return []anew{
		{"an update from one UID to another", func(w *world) { again(w); w.setFeed.Relist() }},
		{"a deletion and a creation", func(w *world) { again(w); w.catchUp() }},
		{"a tombstone", func(w *world) {
			w.sets.Remove(key("web"))
			w.setFeed.Relist()
			w.sets.Put(set("web", 3))
			w.setFeed.CatchUp()
		}},
		{"a Reconcile that does not find it", func(w *world) {
			old := w.sets.Now(key("web"))
			again(w)
			w.setFeed.Cache.Drop(kit.Key(old))
			w.settled("web")
			w.setFeed.Cache.Store(w.sets.Now(key("web")))
		}},
	}
}

func checkSameName(t *conform.T, s Subject) {
	unknown := func(*world, *Options) {}
	ahead := func(_ *world, o *Options) {
		beyond := func() string { return "999999" } // all that is written
		o.PodCacheVersion, o.ReplicaSetCacheVersion = beyond, beyond
	}
	for _, known := range []func(*world, *Options){unknown, ahead} {
		for _, way := range waysOfAnew() {
			w := build(t, s, known)
			w.stands(set("web", 3))
			w.settled("web")
			w.hasCreated(3, "3 are wanted, and there was none")
			t.Note("the ReplicaSet is deleted and made again, known by %s", way.what)
			w.podFeed.Lose()
			w.woken()
			way.do(w)
			w.settled("web")
			w.hasCreated(6, "3 for the old shop/web, and 3 for the new one of that name, which has none. That the old one is gone was known by %s, and with it go its expectations", way.what)
		}
	}
	checkDeletedAlone(t, s)
	checkAddedAfterwards(t, s)
	checkOthersWait(t, s)
	w := build(t, s)
	w.settles("never", "there is no shop/never, and there never was one. A ReplicaSet that the cache does not have is gone, which is no error")
}

// checkDeletedAlone has a ReplicaSet of which nothing was written: it has deleted a pod, and its
// status was right before.
func checkDeletedAlone(t *conform.T, s Subject) {
	w := build(t, s)
	old := set("web", 0)
	old.Status = kit.ReplicaSetStatus{Replicas: 1, ReadyReplicas: 1, AvailableReplicas: 1, ObservedGeneration: 1}
	w.runs(w.stands(old), "a")
	w.settled("web")
	w.hasDeleted(1, "none is wanted, and it has a")
	w.podFeed.Lose()
	w.sets.Remove(key("web"))
	w.sets.Put(set("web", 3))
	w.setFeed.Relist()
	w.settled("web")
	w.hasCreated(3, "3 are wanted of the new shop/web, which has none. That the old one is gone was known by an update from one UID to another, and with it goes the deletion that was expected")
}

// checkOthersWait has a ReplicaSet that waits, while another one is deleted.
func checkOthersWait(t *conform.T, s Subject) {
	w := build(t, s)
	w.stands(set("web", 3))
	w.stands(set("old", 0))
	w.settled("web")
	w.sets.Remove(key("old"))
	w.setFeed.CatchUp()
	w.settled("web")
	w.hasCreated(3, "3 are wanted and were created, and the cache has shown none of them yet. ReplicaSetHandler has heard that another ReplicaSet, shop/old, is gone: only the expectations of that one are deleted")
	w.setFeed.Resync(key("web"))
	w.setFeed.CatchUp()
	w.settled("web")
	w.hasCreated(3, "3 are wanted and were created, and the cache has shown none of them yet. ReplicaSetHandler has heard of a resync of shop/web, which is no deletion, so what is expected stays expected")
}

// checkForgottenFirst has a worker that is there as soon as a request is enqueued. The handler
// hears that a ReplicaSet is gone when the cache has the next one of its name.
func checkForgottenFirst(t *conform.T, s Subject) {
	late := func(unknown bool) func(w *world, old *kit.ReplicaSet) {
		return func(w *world, old *kit.ReplicaSet) {
			w.setFeed.Lose()
			w.setFeed.Cache.Store(w.sets.Now(key("web")))
			t.Do(func() { w.onSets.OnDelete(old, unknown) }, "OnDelete(%s, %t)", showSet(old), unknown)
		}
	}
	for _, way := range []struct {
		what string
		hear func(w *world, old *kit.ReplicaSet)
	}{
		{"an update from one UID to another", func(w *world, _ *kit.ReplicaSet) { w.setFeed.Relist() }},
		{"OnDelete, when the cache has the next one already", late(false)},
		{"OnDelete with an unknown final state, when the cache has the next one already", late(true)},
	} {
		w := build(t, s)
		old := w.stands(set("web", 3))
		w.settled("web")
		w.podFeed.Lose()
		w.sets.Remove(key("web"))
		w.sets.Put(set("web", 3))
		t.Note("a worker reconciles what is enqueued, at once: shop/web was deleted and made again, known by %s", way.what)
		w.quickWorker()
		way.hear(w, old)
		t.Join()
		w.rings = nil
		const each = "3 for the old shop/web, and 3 for the new one of that name, which has none. ReplicaSetHandler has heard of that by %s, and has enqueued shop/web"
		w.hasCreated(6, each+". A worker reconciled it at once. The expectations of the old one are deleted before that", way.what)
		w.settled("web")
		w.hasCreated(6, each+". A worker reconciled it at once, and the cache has shown none of its pods yet: what it expects was not deleted after that", way.what)
	}
}

// checkAddedAfterwards has a ReplicaSet that is reconciled, because the cache has it, before the
// handler hears that it was added.
func checkAddedAfterwards(t *conform.T, s Subject) {
	w := build(t, s)
	w.setFeed.Cache.Store(w.sets.Put(set("web", 3)))
	w.settled("web")
	w.hasCreated(3, "3 are wanted, and there was none")
	w.setFeed.Cache.Drop(key("web"))
	w.setFeed.CatchUp()
	w.settled("web")
	w.hasCreated(3, "3 were created, and PodHandler has heard of none of them. ReplicaSetHandler has heard just now that shop/web was added: nothing was deleted, so what is expected stays expected")
}
