package replicasettest

import (
	"context"
	"strconv"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file looks for what is done a moment after the call that should have done it. Each event of a
// history that is sent somewhere gives other goroutines that moment, so there are none in here.

// tries is how often a check is made for which it takes luck to meet a goroutine that is late.
const tries = 40

// quiet is the subject between neighbours that write no history. Its server takes every object as it
// is, and its caches change when the case says so.
type quiet struct {
	t       *conform.T
	r       Reconciler
	onPods  kit.ResourceEventHandler[*kit.Pod]
	onSets  kit.ResourceEventHandler[*kit.ReplicaSet]
	pods    *fake.Cache[*kit.Pod]
	sets    *fake.Cache[*kit.ReplicaSet]
	version atomic.Int64
	asked   atomic.Int32 // how many creations and deletions of pods were asked for

	waiting atomic.Bool   // shop/web is enqueued, and no worker has taken it
	bell    chan struct{} // rings when it is enqueued
}

// quietly makes a quiet world with shop/web in the cache, of which so many replicas are wanted.
func quietly(t *conform.T, s Subject, replicas int, edits ...func(o *Options)) *quiet {
	q := &quiet{t: t, pods: fake.NewCache(kit.Pods), sets: fake.NewCache(kit.ReplicaSets), bell: make(chan struct{}, 1)}
	q.version.Store(100)
	o := Options{
		Pods: quietClient[*kit.Pod]{q: q, typ: kit.Pods, cache: q.pods}, PodCache: q.pods,
		ReplicaSets: quietClient[*kit.ReplicaSet]{q: q, typ: kit.ReplicaSets, cache: q.sets}, ReplicaSetCache: q.sets,
	}
	for _, edit := range edits {
		edit(&o)
	}
	q.r = s.New(o)
	q.onPods, q.onSets = q.r.PodHandler(q.enqueue), q.r.ReplicaSetHandler(q.enqueue)
	q.wants(replicas, "uid-1")
	return q
}

// makes is shop/web with that UID, of which so many replicas are wanted.
func (q *quiet) makes(replicas int, uid string) *kit.ReplicaSet {
	rs := set("web", replicas)
	rs.UID, rs.ResourceVersion, rs.Generation = uid, strconv.FormatInt(q.version.Add(1), 10), 1
	return rs
}

// wants has the cache of ReplicaSets show what makes makes.
func (q *quiet) wants(replicas int, uid string) { q.sets.Store(q.makes(replicas, uid)) }

// has has the cache of pods show a pod with those owners.
func (q *quiet) has(name string, owners ...kit.OwnerReference) *kit.Pod {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.Labels, p.OwnerReferences = namespace, name, labels("web"), owners
	p.UID, p.ResourceVersion = "uid-of-"+name, strconv.FormatInt(q.version.Add(1), 10)
	q.pods.Store(p)
	return p
}

func (q *quiet) reconcile() error {
	_, err := q.r.Reconcile(q.t.Context(), kit.Request{Namespace: namespace, Name: "web"})
	return err
}

// enqueue is a work queue: what waits in it already is not added again.
func (q *quiet) enqueue(request kit.Request) {
	if request.Name == "web" && q.waiting.CompareAndSwap(false, true) {
		q.bell <- struct{}{}
	}
}

// hears has the handler hear of an event while a worker waits for shop/web to be enqueued, and
// reconciles it then.
func (q *quiet) hears(event func()) {
	q.t.Go("worker", func(*conform.Actor) {
		for range q.bell {
			q.waiting.Store(false)
			_ = q.reconcile()
		}
	})
	q.t.Wait()
	event()
	q.t.Wait()
	close(q.bell)
	q.t.Join()
}

// hasAsked requires that so many creations and deletions were asked for so far. Why is half a sentence.
func (q *quiet) hasAsked(want int, why string) {
	got := int(q.asked.Load())
	q.t.Require(got == want, "Reconcile has asked for %s or deletions of pods so far, and should have asked for %d: %s.", conform.Some(got, "creation"), want, why)
}

// quietClient is a client of the server of a quiet world.
type quietClient[T kit.Object] struct {
	kit.Client[T]
	q     *quiet
	typ   kit.Type[T]
	cache *fake.Cache[T]
}

func (c quietClient[T]) Get(_ context.Context, namespace, name string) (T, error) {
	obj, _ := c.cache.GetByKey((kit.Request{Namespace: namespace, Name: name}).String())
	return c.typ.DeepCopy(obj), nil
}

func (c quietClient[T]) Create(_ context.Context, obj T) (T, error) {
	c.q.asked.Add(1)
	return c.stored(obj), nil
}

func (c quietClient[T]) Update(_ context.Context, obj T) (T, error) { return c.stored(obj), nil }

func (c quietClient[T]) Delete(context.Context, string, string, kit.DeleteOptions) (T, error) {
	c.q.asked.Add(1)
	var none T
	return none, nil
}

func (c quietClient[T]) stored(obj T) T {
	obj = c.typ.DeepCopy(obj)
	obj.SetResourceVersion(strconv.FormatInt(c.q.version.Add(1), 10))
	return obj
}

// checkHeardAtOnce has a worker that is there as soon as a request is enqueued and the handler has
// returned.
func checkHeardAtOnce(t *conform.T, s Subject) {
	t.Note("a worker reconciles shop/web as soon as a handler has enqueued it; this is done %d times, with each kind of event", tries)
	const late = ", enqueued shop/web and returned. A worker reconciled it at once, and found that one more is wanted. What is observed is observed before the last call of enqueue, so that nothing is outstanding"
	for range tries {
		q := quietly(t, s, 1)
		rs, _ := q.sets.GetByKey(key("web"))
		_ = q.reconcile()
		q.wants(2, "uid-1")
		q.hears(func() { q.onPods.OnAdd(q.has("a", ref(rs)), false) })
		q.hasAsked(2, "PodHandler has heard of the only creation"+late)

		for what, hear := range map[string]func(q *quiet, old, p *kit.Pod){
			"OnDelete": func(q *quiet, _, p *kit.Pod) { q.pods.Drop(key("a")); q.onPods.OnDelete(p, false) },
			"OnUpdate, by which the pod is being deleted": func(q *quiet, old, p *kit.Pod) { q.pods.Store(p); q.onPods.OnUpdate(old, p) },
			"OnAdd, of a pod that is being deleted":       func(q *quiet, _, p *kit.Pod) { q.pods.Store(p); q.onPods.OnAdd(p, false) },
		} {
			q := quietly(t, s, 0)
			old := q.has("a", ref(rs))
			_ = q.reconcile()
			q.wants(1, "uid-1")
			p := old.DeepCopy()
			leaving(p)
			p.ResourceVersion += "0"
			q.hears(func() { hear(q, old, p) })
			q.hasAsked(2, "PodHandler has heard of the only deletion, by "+what+late)
		}
	}
}

// checkForgottenAtOnce has a ReplicaSet that is gone, and the next of its name, which is reconciled at
// once.
func checkForgottenAtOnce(t *conform.T, s Subject) {
	t.Note("shop/web is gone, and the next of its name is reconciled as soon as that is known; this is done %d times, known in each way", tries)
	for range tries {
		for what, hear := range map[string]func(q *quiet, old, next *kit.ReplicaSet){
			"by an update from one UID to another": func(q *quiet, old, next *kit.ReplicaSet) {
				q.sets.Store(next)
				q.hears(func() { q.onSets.OnUpdate(old, next) })
			},
			"by OnDelete, when the cache had the next one already": func(q *quiet, old, next *kit.ReplicaSet) {
				q.sets.Store(next)
				q.hears(func() { q.onSets.OnDelete(old, false) })
			},
		} {
			q := quietly(t, s, 1)
			_ = q.reconcile()
			old, _ := q.sets.GetByKey(key("web"))
			hear(q, old, q.makes(1, "uid-2"))
			q.expectsItsOwn(2, "1 for the old shop/web, and 1 for the new one of that name, which has none. That the old one is gone was known "+what)
		}
		checkFoundAtOnce(t, s)
	}
}

// checkFoundAtOnce has a Reconcile that finds the next of a name in the cache, before the handler
// hears of it: at its beginning, or when it has asked for the version of a cache. The next one has a
// pod to create, or a pod to delete and nothing else to write.
func checkFoundAtOnce(t *conform.T, s Subject) {
	for replicas, what := range []string{"its only pod is to be deleted", "its only pod is to be created"} {
		q := foundAtOnce(t, s, false, replicas)
		q.expectsItsOwn(2, "1 for the old shop/web, which was heard of. Reconcile has found a new one of that name in the cache, of which nobody has heard yet, and "+what)
		q = foundAtOnce(t, s, true, replicas)
		q.expectsItsOwn(2, "1 for the old shop/web, which was heard of. When Reconcile asked for the version of the cache of pods, there was a new one of that name, of which nobody has heard yet, and "+what)
	}
}

// foundAtOnce has the old shop/web create a pod, and the next one ask for so many replicas, 1 or 0.
func foundAtOnce(t *conform.T, s Subject, late bool, replicas int) *quiet {
	appears := func() {}
	q := quietly(t, s, 1, func(o *Options) {
		o.PodCacheVersion = func() string {
			if late {
				appears()
			}
			return "9999"
		}
	})
	_ = q.reconcile()
	old, _ := q.sets.GetByKey(key("web"))
	q.onPods.OnAdd(q.has("a", ref(old)), false)
	there := false
	appears = func() {
		if there {
			return
		}
		there = true
		next := q.makes(replicas, "uid-2")
		if replicas == 0 {
			q.has("b", ref(next))
			next.Status = kit.ReplicaSetStatus{Replicas: 1, ObservedGeneration: 1}
		}
		q.sets.Store(next)
	}
	if late {
		_ = q.reconcile()
	}
	appears() // if nobody has asked for the version
	_ = q.reconcile()
	return q
}

// expectsItsOwn demands that so much was asked for, and no more while the cache shows nothing of it.
func (q *quiet) expectsItsOwn(asked int, why string) {
	q.t.Wait()
	q.hasAsked(asked, why)
	_ = q.reconcile()
	q.hasAsked(asked, why+". The cache has not shown that yet: what the new one expects was not deleted after that")
}
