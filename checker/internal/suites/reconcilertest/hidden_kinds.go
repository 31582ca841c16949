package reconcilertest

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// behind is an informer that has not synced before the registrations have, or has stopped before.
type behind struct {
	*informer
	stopped bool
}

// HasSynced is what the registrations say.
func (b behind) HasSynced() bool { return registration{b.informer}.HasSynced() }

// IsStopped reports whether it has stopped.
func (b behind) IsStopped() bool { return b.stopped }

// neverSyncs has a handler that never hears of everything, be it because the informer has stopped.
func neverSyncs(t *conform.T, s Subject, stopped bool) {
	state := "runs"
	if stopped {
		state = "has stopped"
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	i := newInformer(t)
	if stopped {
		i.shutdown = make(chan struct{})
		close(i.shutdown)
	}
	never := s.For(behind{i, stopped})
	begin(t, never, ctx, newQueue(t, nil).plain())
	short, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	before := t.Elapsed()
	err := conform.Do(t.Actor, func() error { return never.WaitForSync(short) }, "WaitForSync(10 seconds)")
	took := t.Elapsed() - before
	t.Require(err != nil, "The informer %s, HasSynced of the handler's registration is false, and WaitForSync, whose ctx ended after 10s, returned nil after %v. An error was due.", state, took)
	t.Require(took <= 11*time.Second, "The ctx of WaitForSync ended after 10s, and it returned after %v.", took)
}

// asksForItsHandler counts how often a Kind asks for its handler, and looks at the queue that it hands over.
func asksForItsHandler(t *conform.T, s Subject, priorities bool) {
	i, q := newInformer(t), newQueue(t, nil)
	caller, asked, knows := t.Named("handler"), 0, false
	handler := func(queue Queue) kit.ResourceEventHandler[*kit.Pod] {
		caller.Note("is asked for")
		asked++
		_, knows = queue.(kit.PriorityQueue[kit.Request])
		return kit.ResourceEventHandlerFuncs[*kit.Pod]{AddFunc: func(p *kit.Pod, _ bool) { queue.Add(named(p.Name)) }}
	}
	src := made(t, "Kind(an informer that has not synced, handler)", func() Source { return s.Kind(behind{informer: i}, handler) })
	ctx, cancel := t.WithCancel(t.Context(), "the source's ctx")
	defer cancel()
	begin(t, src, ctx, q.as(priorities))
	t.Require(asked == 1, "Start of a Kind has returned, no event has come, and handler was called %s. Start calls handler, once, with the queue.", conform.Count(asked, "time"))
	t.Require(knows == priorities, "Start of a Kind got a queue, and called handler with one. Whether that is a kit.PriorityQueue: %t for the queue of Start, and %t for that of handler. Start calls handler with the queue.", priorities, knows)
	i.sync()
	syncs(t, src, ctx)
	i.add(pod("a", 1), true)
	i.add(pod("b", 1), false)
	i.update(pod("b", 1), pod("b", 2))
	i.update(pod("b", 2), pod("b", 2))
	i.remove(pod("b", 2), false)
	q.contains("The handler of a Kind adds what was added.", "shop/a", "shop/b")
	t.Require(asked == 1, "Five events have come to a Kind, and handler was called %s in all. Start calls it, once, and what it returned hears of all events.", conform.Count(asked, "time"))
	time.Sleep(24 * time.Hour)
	i.add(pod("late", 1), false)
	q.contains("A Kind was started a day ago, its ctx is not done, and an object was added. Start goes on until ctx is done.", "shop/late")
	t.Require(!i.wasRun(), "The informer had not synced when a Kind was started, and Run of it was called. A Kind does not run it: it belongs to somebody else, who runs it once for all who listen.")
}

// agreeEverywhere has an empty predicate and one that says no to everything, in front of each source.
func agreeEverywhere(t *conform.T, s Subject) {
	no := func(*kit.Pod) bool { return false }
	never := Predicate{AddFunc: no, DeleteFunc: no, UpdateFunc: func(_, _ *kit.Pod) bool { return false }}
	kind := func(queue Queue) kit.ResourceEventHandler[*kit.Pod] {
		return kit.ResourceEventHandlerFuncs[*kit.Pod]{AddFunc: func(p *kit.Pod, _ bool) { queue.Add(named(p.Name)) }}
	}
	r := &row{t: t}
	for _, source := range []struct {
		what string
		of   func(i Informer, ps ...Predicate) Source
	}{
		{"For", s.For},
		{"Owns", func(i Informer, ps ...Predicate) Source { return s.Owns(i, replicaSet, ps...) }},
		{"Watches", func(i Informer, ps ...Predicate) Source { return s.Watches(i, byLabel, ps...) }},
		{"Kind", func(i Informer, ps ...Predicate) Source { return s.Kind(i, kind, ps...) }},
	} {
		for _, ps := range [][]Predicate{{never}, {never, {}}, {{}, never}} {
			i, q := newInformer(t), newQueue(t, nil)
			what := source.what + " with " + conform.Count(len(ps), "predicate")
			stop := listening(t, made(t, what, func() Source { return source.of(i, ps...) }), i, q.plain())
			p := func(version int) *kit.Pod {
				p := labelled("a", version, "web")
				p.OwnerReferences = []kit.OwnerReference{byReplicaSet("web")}
				return p
			}
			i.add(p(1), true)
			i.add(p(1), false)
			i.update(p(1), p(2))
			i.update(p(2), p(2))
			i.remove(p(2), false)
			i.remove(p(2), true)
			r.contains(q, what+", of which one says no to every event and the other, if there is one, lets everything pass, adds nothing.")
			stop()
		}
	}
	r.judged()
}

// namesOwnersOnce has each request counted by a rate limiter: the queue would merge those that come twice.
func namesOwnersOnce(t *conform.T, s Subject) {
	i, q := newInformer(t), newQueue(t, nil)
	stop := listening(t, made(t, "RateLimited(Owns(informer, apps/v1 ReplicaSet))", func() Source { return s.RateLimited(s.Owns(i, replicaSet)) }), i, q.plain())
	defer stop()
	i.update(owned("p", 1, byReplicaSet("web")), owned("p", 2, byReplicaSet("web")))
	i.update(owned("p", 2, byReplicaSet("web")), owned("p", 2, byReplicaSet("web")))
	added := q.limits.Counts()[named("web")]
	t.Require(added == 2, "Two updates of an object came, a change and a resync, through RateLimited(Owns). Both name shop/web for the old object and for the new one, and the rate limiter was asked for it %s. Twice was due: for every event it is added once, and through RateLimited as by AddRateLimited.", conform.Count(added, "time"))
}
