package reconcilertest

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// events is the part of the suite about handlers and predicates.
var events = []conform.Case[Subject]{
	{
		Name:   "owns-names-the-owner",
		Points: 3,
		Func:   "Owns",
		Look:   []string{"Owns", "Watches"},
		Rule:   "Owns adds the owner that controls the object, if it has the given kind, in any version of its group; of an update, the owners of both objects.",
		Why:    "When a pod dies, its ReplicaSet has to act. When a label takes a pod away from a ReplicaSet, only the old object shows whose pod it was.",
		Hint: []string{
			"Which of several owners counts? Which part of an APIVersion stays the same through an upgrade?",
			"ControllerOf, the Kind, and what stands before the slash of the APIVersion. \"v1\" has no group.",
			"OnUpdate: the owner of the old object and that of the new one.",
		},
		Source: "controller-runtime pkg/handler/enqueue_owner.go: EnqueueRequestForOwner, OnlyControllerOwner",
		Contract: []string{
			"The owner is in the namespace of the object.",
			"Owns names the owner that controls the object, if it has the given kind",
			"Of the APIVersion only the group counts, which is the part before the slash, or nothing: an object may keep a reference from before an upgrade.",
			"Of an update both objects count: when an object changes hands, both owners have something to do.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { namesOwners(t, open()) },
	},
	{
		Name:   "watches-asks-about-both",
		Points: 3,
		Func:   "Watches",
		Rule:   "Watches adds what the map function returns for the object; of an update, for both objects, and each request once for an event.",
		Why:    "An object that pointed to one thing and now points to another concerns both. And for a rate limiter, two adds are two failures.",
		Hint: []string{
			"An update has two objects. Do both name the same requests?",
			"Collect the requests of both, leave out duplicates, and add the rest.",
		},
		Source: "controller-runtime pkg/handler/enqueue_mapped.go: EnqueueRequestsFromMapFunc",
		Contract: []string{
			"Watches adds the requests that mapFunc returns",
			"Of an update it calls mapFunc for both objects. mapFunc may return nil.",
			"For every event they add each request once, also if an update names it twice, for the old object and for the new one.",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { mapsBoth(t, open()) },
	},
	{
		Name:   "predicates-must-agree",
		Points: 3,
		Func:   "Predicate",
		Look:   []string{"Kind", "the handler that Kind puts in front of yours"},
		Rule:   "A handler hears of an event if every predicate lets it pass. Each predicate decides with its function for that kind of event, and a nil function lets it pass.",
		Why:    "Most events need no work: a status that the controller itself has written, a label of somebody else. Less in the queue is less to do.",
		Hint: []string{
			"Two predicates, one says yes and one says no. What do you do?",
			"The first no decides. A predicate without a function for this kind of event says yes.",
		},
		Source:   "controller-runtime pkg/predicate/predicate.go: Predicate; controller-runtime pkg/internal/source/event_handler.go: EventHandler",
		Contract: []string{"That handler hears of an event if every predicate lets it pass.", "A nil function lets everything pass."},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { agree(t, open()) },
	},
	{
		Name:   "generation-changed",
		Points: 1,
		Func:   "GenerationChanged",
		Rule:   "GenerationChanged lets an update pass if the generation has changed. Additions and deletions pass.",
		Why:    "The API server increases the generation when a spec changes. A controller that wakes itself with each status it writes never sleeps.",
		Hint: []string{
			"Which of the three functions does it need?",
		},
		Source:   "controller-runtime pkg/predicate/predicate.go: GenerationChangedPredicate",
		Contract: []string{"GenerationChanged lets an update pass if it changes the generation, that is, the spec; additions and deletions pass"},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { generations(t, open()) },
	},
	{
		Name:   "kind-tells-its-handler",
		Points: 2,
		Func:   "Kind",
		Rule:   "Kind passes each event to its handler unchanged, and gives it the queue.",
		Why:    "A controller with expectations has to see each creation and deletion, and not only a name in a queue.",
		Hint: []string{
			"What does the informer call, and what do you call in turn?",
			"Put a ResourceEventHandler between the two that asks the predicates and passes all arguments on.",
		},
		Source:   "controller-runtime pkg/internal/source/kind.go: Kind",
		Contract: []string{"Its Start calls handler, once, with the queue, and adds the ResourceEventHandler that it returns to the informer. That handler hears of an event if every predicate lets it pass."},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { tellsHandler(t, open()) },
	},
	{
		Name:   "the-old-can-wait",
		Points: 3,
		Func:   "For",
		Look:   []string{"Watches", "the handlers behind For, Owns and Watches"},
		Rule:   "In a queue with priorities, events of the initial list and of a resync get LowPriority, and everything else gets 0.",
		Why:    "After a restart the controller looks at a hundred thousand objects again, and most are fine. A user who changes one now does not want to wait for that.",
		Hint: []string{
			"How does a handler know that an update has changed nothing?",
			"isInInitialList for the one, equal resource versions for the other. Use AddWithOpts if the queue is a kit.PriorityQueue.",
		},
		Source:   "controller-runtime pkg/handler/eventhandler.go: LowPriority, WithLowPriorityWhenUnchanged",
		Contract: []string{"In a kit.PriorityQueue the requests have priority 0, so that news comes first, with two exceptions, which get LowPriority: objects of the initial list, and updates that do not change the resource version"},
		Mode:     conform.Virtual,
		Check:    func(t *conform.T, open func() Subject) { oldWaits(t, open()) },
	},
	{
		Name:   "rate-limited-source",
		Points: 4,
		Func:   "RateLimited",
		Rule:   "What the source adds at once comes through RateLimited when the rate limiter allows it, once for each event and with its priority. RequeueAfter stays as it is.",
		Why:    "A controller that polls an outside API with RequeueAfter cannot limit that in the queue, but it can spread the objects where they come in. They stay spread. It limits no rate, and each add counts as a failure.",
		Hint: []string{
			"Only AddRateLimited asks the rate limiter. What calls Add here?",
			"Give the source another queue: one that embeds the real one and has an Add of its own.",
			"If the real one knows priorities, yours must, too, and AddWithOpts needs the same care as Add.",
		},
		Source: "kubebuilder#291, kubernetes#75577: what AddRateLimited in a handler costs; client-go util/workqueue/rate_limiting_queue.go: AddRateLimited",
		Contract: []string{
			"whatever the source adds at once (Add, or AddWithOpts with neither After nor RateLimited) is added as by AddRateLimited. Every other call of the source on the queue is passed on as it is, priorities included: if the queue is a kit.PriorityQueue, so is the one that the source gets.",
			"For every event they add each request once",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { spreads(t, open()) })
			t.Virtual(func(t *conform.T) { limitsByPriority(t, open()) })
		},
	},
}

var replicaSet = kit.TypeMeta{APIVersion: "apps/v1", Kind: "ReplicaSet"}

// controls is a reference to the owner that controls.
func controls(apiVersion, kind, name string) kit.OwnerReference {
	return kit.OwnerReference{APIVersion: apiVersion, Kind: kind, Name: name, UID: name, Controller: true}
}

func byReplicaSet(name string) kit.OwnerReference { return controls("apps/v1", "ReplicaSet", name) }

// byLabel maps a pod to the requests that its label names.
func byLabel(p *kit.Pod) []kit.Request {
	var all []kit.Request
	for name := range strings.FieldsSeq(p.Labels["for"]) {
		all = append(all, named(name))
	}
	return all
}

func labelled(name string, version int, names string) *kit.Pod {
	p := pod(name, version)
	p.Labels = map[string]string{"for": names}
	return p
}

func namesOwners(t *conform.T, s Subject) {
	i, q := newInformer(t), newQueue(t, nil)
	stop := listening(t, made(t, "Owns(informer, apps/v1 ReplicaSet)", func() Source { return s.Owns(i, replicaSet) }), i, q.plain())
	defer stop()
	bystander := byReplicaSet("bystander")
	bystander.Controller = false
	i.add(owned("p", 1, bystander, byReplicaSet("web")), false)
	require.Equal(t, []string{"shop/web:0"}, q.contents(), "Of an object with two owners, not only the one that controls it was added.")
	i.add(owned("p", 1, bystander), false)
	i.add(pod("p", 1), false)
	i.add(owned("p", 1, controls("apps/v1", "DaemonSet", "agent")), false)
	i.add(owned("p", 1, controls("example.org/v1", "ReplicaSet", "foreign")), false)
	i.add(owned("p", 1, controls("v1", "ReplicaSet", "old")), false)
	require.Empty(t, q.contents(), "An owner was added that does not control the object, or is of another kind or group.")
	i.add(owned("p", 1, controls("apps/v1beta2", "ReplicaSet", "upgraded")), false)
	require.Equal(t, []string{"shop/upgraded:0"}, q.contents(), "An owner was not added, because its reference has another version of the same group.")
	namesCoreOwners(t, s)
	i.update(owned("p", 1, byReplicaSet("from")), owned("p", 2, byReplicaSet("to")))
	require.Equal(t, []string{"shop/from:0", "shop/to:0"}, q.contents(), "An object changed hands, and not exactly both owners were added.")
	i.update(owned("p", 2, byReplicaSet("loses")), pod("p", 3))
	require.Equal(t, []string{"shop/loses:0"}, q.contents(), "An owner lost an object and was not added.")
	i.remove(owned("p", 2, byReplicaSet("mourns")), false)
	i.remove(owned("p", 2, byReplicaSet("finds-out")), true)
	require.Equal(t, []string{"shop/finds-out:0", "shop/mourns:0"}, q.contents(), "The object of an owner is gone, and the owner was not added.")
}

// namesCoreOwners has owners of the group without a name, whose APIVersion has no slash.
func namesCoreOwners(t *conform.T, s Subject) {
	i, q := newInformer(t), newQueue(t, nil)
	controller := kit.TypeMeta{APIVersion: "v1", Kind: "ReplicationController"}
	stop := listening(t, made(t, "Owns(informer, v1 ReplicationController)", func() Source { return s.Owns(i, controller) }), i, q.plain())
	defer stop()
	i.add(owned("p", 1, controls("v1", "ReplicationController", "web")), false)
	i.add(owned("p", 1, controls("v2", "ReplicationController", "upgraded")), false)
	i.add(owned("p", 1, controls("apps/v1", "ReplicationController", "foreign")), false)
	require.Equal(t, []string{"shop/upgraded:0", "shop/web:0"}, q.contents(), "An APIVersion without a slash has the group without a name, and not exactly the owners of that group were added.")
}

func mapsBoth(t *conform.T, s Subject) {
	i, q := newInformer(t), newQueue(t, nil)
	source := made(t, "RateLimited(Watches(informer, by label))", func() Source { return s.RateLimited(s.Watches(i, byLabel)) })
	stop := listening(t, source, i, q.plain())
	defer stop()
	i.add(labelled("p", 1, "a b a"), false)
	require.Equal(t, []string{"shop/a:0", "shop/b:0"}, q.contents(), "Watches did not add what the map function had said of a new object.")
	i.update(labelled("p", 1, "a b"), labelled("p", 2, "b c"))
	require.Equal(t, []string{"shop/a:0", "shop/b:0", "shop/c:0"}, q.contents(), "Watches did not add what the map function had said of both objects of an update.")
	i.remove(labelled("p", 2, "d"), false)
	i.remove(labelled("p", 2, "e"), true)
	i.add(pod("p", 3), false)
	require.Equal(t, []string{"shop/d:0", "shop/e:0"}, q.contents(), "Watches did not add what the map function had said of objects that are gone.")
	asked := q.limits.Counts()
	require.Equal(t, map[kit.Request]int{named("a"): 2, named("b"): 2, named("c"): 1, named("d"): 1, named("e"): 1}, asked,
		"A request was not added exactly once for each event that named it.")
}

func agree(t *conform.T, s Subject) {
	notNamed := func(name string) func(*kit.Pod) bool {
		return func(p *kit.Pod) bool { return p.Name != name }
	}
	grows := func(old, p *kit.Pod) bool { return len(p.ResourceVersion) > len(old.ResourceVersion) }
	first := Predicate{AddFunc: notNamed("x"), UpdateFunc: grows, DeleteFunc: notNamed("z")}
	second := Predicate{AddFunc: notNamed("y"), DeleteFunc: notNamed("x"), UpdateFunc: func(_, p *kit.Pod) bool { return p.Name != "w" }}
	i, q := newInformer(t), newQueue(t, nil)
	stop := listening(t, made(t, "For(informer, two predicates)", func() Source { return s.For(i, first, second, Predicate{}) }), i, q.plain())
	defer stop()
	for _, name := range []string{"x", "y", "z"} {
		i.add(pod(name, 1), false)
	}
	require.Equal(t, []string{"shop/z:0"}, q.contents(), "An addition passed one predicate's no, or was stopped by nobody's.")
	i.update(pod("x", 5), pod("x", 10))
	i.update(pod("y", 10), pod("y", 5))
	i.update(pod("w", 5), pod("w", 10)) // to which the second says no
	require.Equal(t, []string{"shop/x:0"}, q.contents(), "The predicates did not see the old and the new object of an update, or were not heeded.")
	for _, name := range []string{"x", "y", "z"} {
		i.remove(pod(name, 1), false)
		i.remove(pod(name, 1), true)
	}
	require.Equal(t, []string{"shop/y:0"}, q.contents(), "A deletion passed one predicate's no, or was stopped by nobody's.")
}

func generations(t *conform.T, s Subject) {
	var predicate Predicate
	t.Do(func() { predicate = s.GenerationChanged() }, "GenerationChanged()")
	i, q := newInformer(t), newQueue(t, nil)
	stop := listening(t, made(t, "For(informer, GenerationChanged)", func() Source { return s.For(i, predicate) }), i, q.plain())
	defer stop()
	at := func(name string, version int, generation int64) *kit.Pod {
		p := pod(name, version)
		p.Generation = generation
		return p
	}
	i.add(at("new", 1, 1), false)
	i.update(at("status", 1, 1), at("status", 2, 1))
	i.update(at("spec", 1, 1), at("spec", 2, 2))
	i.update(at("made-again", 8, 7), at("made-again", 9, 1))
	i.remove(at("gone", 2, 1), false)
	require.Equal(t, []string{"shop/gone:0", "shop/made-again:0", "shop/new:0", "shop/spec:0"}, q.contents(),
		"GenerationChanged let an update without a new generation pass, or stopped something else.")
}

func tellsHandler(t *conform.T, s Subject) {
	i, q := newInformer(t), newQueue(t, nil)
	heard := []string{}
	hear := func(format string, args ...any) { heard = append(heard, fmt.Sprintf(format, args...)) }
	handler := func(queue Queue) kit.ResourceEventHandler[*kit.Pod] {
		return kit.ResourceEventHandlerFuncs[*kit.Pod]{
			AddFunc: func(p *kit.Pod, initial bool) {
				hear("add %s %t", p.Name, initial)
				queue.AddAfter(named(p.Name), time.Minute)
			},
			UpdateFunc: func(old, p *kit.Pod) { hear("update %s %s %s", p.Name, old.ResourceVersion, p.ResourceVersion) },
			DeleteFunc: func(p *kit.Pod, unknown bool) { hear("delete %s %t", p.Name, unknown) },
		}
	}
	no := Predicate{AddFunc: func(p *kit.Pod) bool { return p.Name != "no" }}
	stop := listening(t, made(t, "Kind(informer, handler, predicate)", func() Source { return s.Kind(i, handler, no) }), i, q.plain())
	defer stop()
	i.add(pod("a", 1), true)
	i.add(pod("no", 1), false)
	i.add(pod("b", 1), false)
	i.update(pod("a", 1), pod("a", 2))
	i.remove(pod("a", 2), true)
	i.remove(pod("b", 1), false)
	require.Equal(t, []string{"add a true", "add b false", "update a 1 2", "delete a true", "delete b false"}, heard,
		"The handler of a Kind did not hear of each event as it was.")
	require.Empty(t, q.contents(), "A Kind added something that its handler had not added.")
	time.Sleep(time.Minute)
	t.Wait()
	require.Equal(t, []string{"shop/a:0", "shop/b:0"}, q.contents(), "What the handler of a Kind had said to the queue did not come there.")
}

// oldWaits asks the same of three sources: the pods are owned by what their label names.
func oldWaits(t *conform.T, s Subject) {
	for _, source := range []struct {
		what string
		of   func(i Informer) Source
	}{
		{"For", func(i Informer) Source { return s.For(i) }},
		{"Owns", func(i Informer) Source { return s.Owns(i, replicaSet) }},
		{"Watches", func(i Informer) Source { return s.Watches(i, byLabel) }},
	} {
		i, q := newInformer(t), newQueue(t, nil)
		stop := listening(t, made(t, source.what+"(informer)", func() Source { return source.of(i) }), i, q)
		at := func(name string, version int) *kit.Pod {
			p := labelled(name, version, name)
			p.OwnerReferences = []kit.OwnerReference{byReplicaSet(name)}
			return p
		}
		i.add(at("listed", 1), true)
		i.add(at("new", 1), false)
		i.update(at("resynced", 1), at("resynced", 1))
		i.update(at("changed", 1), at("changed", 2))
		i.remove(at("gone", 1), false)
		require.Equal(t, []string{"shop/changed:0", "shop/gone:0", "shop/listed:-100", "shop/new:0", "shop/resynced:-100"}, q.contents(),
			"%s did not give LowPriority to what is listed or resynced, and 0 to the rest.", source.what)
		stop()
	}
}

// spreads has five objects polled every ten seconds, by way of a rate limiter that lets
// one through each second, and by way of none.
func spreads(t *conform.T, s Subject) {
	i := newInformer(t)
	at, asked := poll(t, s, i, made(t, "For(informer)", func() Source { return s.For(i) }))
	for _, times := range at {
		require.Equal(t, seconds(0, 10, 20), times, "An object that came from a plain For was not polled every ten seconds from the beginning.")
	}
	require.Zero(t, asked, "The rate limiter was asked though nothing has failed and no source is rate limited.")

	i = newInformer(t)
	at, asked = poll(t, s, i, made(t, "RateLimited(For(informer))", func() Source { return s.RateLimited(s.For(i)) }))
	for n, times := range at {
		first := float64(n + 1)
		require.Equal(t, seconds(first, first+10, first+20), times,
			"The rate limiter lets one object through each second, and the one that came as number %d was not polled from its second on, every ten.", n+1)
	}
	require.Equal(t, 5, asked, "The rate limiter was not asked once for each event, and only for events.")
}

// poll says when each of five objects was reconciled after all had come at once, and how
// often the rate limiter was asked.
func poll(t *conform.T, s Subject, i *informer, src Source) (at [][]time.Duration, asked int) {
	events := 0
	q := newQueue(t, func(int) time.Duration { events++; return time.Duration(events) * time.Second })
	j := newJob(t, func(context.Context, string, int) (kit.Result, error) {
		return kit.Result{RequeueAfter: 10 * time.Second}, nil
	})
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: 5})
	require.NoError(t, c.watch(src), "Watch failed before Start for no reason.")
	i.sync()
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	names := []string{"a", "b", "c", "d", "e"}
	begun := t.Elapsed()
	for _, name := range names {
		i.add(pod(name, 1), false)
	}
	time.Sleep(29 * time.Second)
	run.end()
	for _, name := range names {
		times := j.times(name)
		for n := range times {
			times[n] -= begun
		}
		at = append(at, times)
	}
	asked = q.limits.Asked()
	return at, asked
}

func limitsByPriority(t *conform.T, s Subject) {
	i, q := newInformer(t), newQueue(t, func(int) time.Duration { return time.Second })
	stop := listening(t, made(t, "RateLimited(For(informer))", func() Source { return s.RateLimited(s.For(i)) }), i, q)
	defer stop()
	i.add(pod("listed", 1), true)
	i.add(pod("new", 1), false)
	require.Empty(t, q.contents(), "A rate limited source added to a queue with priorities before the rate limiter allowed it.")
	time.Sleep(time.Second)
	t.Wait()
	require.Equal(t, []string{"shop/listed:-100", "shop/new:0"}, q.contents(), "What a rate limited source adds lost its priority.")

	handler := func(queue Queue) kit.ResourceEventHandler[*kit.Pod] {
		return kit.ResourceEventHandlerFuncs[*kit.Pod]{AddFunc: func(p *kit.Pod, _ bool) {
			queue.AddAfter(named(p.Name), time.Minute)
			if q, ok := queue.(kit.PriorityQueue[kit.Request]); assert.True(t, ok, "A rate limited source got a queue without priorities in front of one that has them.") {
				q.AddWithOpts(kit.AddOpts{After: time.Minute}, named(p.Name+"-too"))
			}
		}}
	}
	i = newInformer(t)
	later := listening(t, made(t, "RateLimited(Kind(informer, a handler that adds later))", func() Source { return s.RateLimited(s.Kind(i, handler)) }), i, q)
	defer later()
	i.add(pod("later", 1), false)
	time.Sleep(time.Minute - time.Second)
	t.Wait()
	require.Empty(t, q.contents(), "What a handler had added for a minute later came from a rate limited source at another time.")
	time.Sleep(time.Second)
	t.Wait()
	require.Equal(t, []string{"shop/later-too:0", "shop/later:0"}, q.contents(), "What a handler had added for a minute later came from a rate limited source at another time.")
}
