package reconcilertest

import (
	"fmt"
	"slices"
	"strings"
	"time"

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
		Rule:   "Owns adds the owner that controls the object, if it has the given kind, in any version of its group; for an update, the owners of both objects.",
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
			"They change no object: all who read the informer's cache share it.",
			"Of the APIVersion only the group counts, which is the part before the slash, or nothing: an object may keep a reference from before an upgrade.",
			"For an update both objects count: when an object changes hands, both owners have something to do.",
			"For every event they add each request once, also if an update names it twice, for the old object and for the new one.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			namesOwners(t, open())
			namesOwnersOnce(t, open())
		},
	},
	{
		Name:   "watches-asks-about-both",
		Points: 3,
		Func:   "Watches",
		Rule:   "Watches adds what the map function returns for the object; for an update, for both objects, and each request once for an event.",
		Why:    "An object that pointed to one thing and now points to another concerns both. And for a rate limiter, two adds are two failures.",
		Hint: []string{
			"An update has two objects. Do both name the same requests?",
			"Collect the requests of both, leave out duplicates, and add the rest.",
		},
		Source: "controller-runtime pkg/handler/enqueue_mapped.go: EnqueueRequestsFromMapFunc",
		Contract: []string{
			"Watches adds the requests that mapFunc returns, as they are, also those without a namespace",
			"They change no object: all who read the informer's cache share it.",
			"For an update it calls mapFunc for both objects. A request that mapFunc returns twice is added once. mapFunc may return nil. It may return the same slice each time, or a part of a longer one: Watches writes neither into it nor behind its end.",
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
		Contract: []string{"That handler hears of an event if every predicate lets it pass.", "A nil function lets everything pass.", "For, Owns and Watches return Sources like those of Kind."},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			agree(t, open())
			agreeEverywhere(t, open())
		},
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
		Contract: []string{"GenerationChanged lets an update pass only if it changes the generation, that is, the spec; additions and deletions pass"},
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
		Source: "controller-runtime pkg/internal/source/kind.go: Kind",
		Contract: []string{
			"Its Start calls handler, once, with the queue, and adds the ResourceEventHandler that it returns to the informer, with AddEventHandler: the resync period is that of the informer. That handler hears of an event if every predicate lets it pass. Kind does not run the informer.",
			"When the ctx of Start is done, the handler may be removed from the informer.",
			"Start begins to add requests to queue and goes on until ctx is done.",
			"They change no object: all who read the informer's cache share it.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			tellsHandler(t, open())
			for _, priorities := range []bool{false, true} {
				asksForItsHandler(t, open(), priorities)
			}
		},
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
		Rule:   "What the source adds at once comes through RateLimited when the rate limiter allows it, once for each event and with its priority. All else is as without it, RequeueAfter, errors and ctx included.",
		Why:    "A controller that polls an outside API with RequeueAfter cannot limit that in the queue, but it can spread the objects where they come in. They stay spread. It limits no rate, and each add counts as a failure.",
		Hint: []string{
			"Only AddRateLimited asks the rate limiter. What calls Add here?",
			"Give the source another queue: one that embeds the real one and has an Add of its own.",
			"If the real one knows priorities, yours must, too, and AddWithOpts needs the same care as Add.",
		},
		Source: "kubebuilder#291, kubernetes#75577: what AddRateLimited in a handler costs; client-go util/workqueue/rate_limiting_queue.go: AddRateLimited",
		Contract: []string{
			"whatever the source adds at once (Add, or AddWithOpts without RateLimited and with an After of zero or less) is added as by AddRateLimited, with the priority that it has. Every other call of the source on the queue is passed on as it is, priorities included: if the queue is a kit.PriorityQueue, so is the one that the source gets",
			"For every event they add each request once",
			"RateLimited returns a Source that does what the given one does",
			"WaitForSync blocks until everything that existed in the beginning has been added. It returns an error if that is impossible, and returns soon when ctx is done.",
			"Start begins to add requests to queue and goes on until ctx is done.",
			"Zero or less is at once.",
			"NumRequeues is what the rate limiter's NumRequeues says of item.",
			"NumRequeues is how many tries of item were counted since it was last forgotten.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { spreads(t, open()) })
			t.Virtual(func(t *conform.T) { limitsByPriority(t, open()) })
			t.Virtual(func(t *conform.T) { limitsNothingElse(t, open()) })
			t.Virtual(func(t *conform.T) { limitsBeforeItSyncs(t, open()) })
			limitsOnlyAdds(t, open)
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
		r := named(name)
		if namespace, rest, ok := strings.Cut(name, "/"); ok {
			r = kit.Request{Namespace: namespace, Name: rest}
		}
		all = append(all, r)
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
	r := &row{t: t}
	bystander := byReplicaSet("bystander")
	bystander.Controller = false
	i.add(owned("p", 1, bystander, byReplicaSet("web")), false)
	r.contains(q, "An object with two owners was added: Owns adds the one that controls it.", "shop/web")
	i.add(owned("p", 1, bystander), false)
	i.add(pod("p", 1), false)
	i.add(owned("p", 1, controls("apps/v1", "DaemonSet", "agent")), false)
	i.add(owned("p", 1, controls("example.org/v1", "ReplicaSet", "foreign")), false)
	i.add(owned("p", 1, controls("v1", "ReplicaSet", "old")), false)
	i.add(owned("p", 1, controls("apps/v1", "replicaset", "lower")), false)
	i.add(owned("p", 1, controls("apps.example.org/v1", "ReplicaSet", "longer")), false)
	i.add(owned("p", 1, controls("example.apps/v1", "ReplicaSet", "longer-too")), false)
	i.add(owned("p", 1, controls("app/v1", "ReplicaSet", "shorter")), false)
	r.contains(q, "Objects were added whose owners do not control them, or are of another kind or group.")
	i.add(owned("p", 1, controls("apps/v1beta2", "ReplicaSet", "upgraded")), false)
	r.contains(q, "An object was added whose owner reference has another version of the same group.", "shop/upgraded")
	nobody := byReplicaSet("without-uid")
	nobody.UID = ""
	i.add(owned("p", 1, nobody), false)
	r.contains(q, "An object was added whose owner reference has no UID, and the right kind.", "shop/without-uid")
	namesCoreOwners(t, s, r)
	i.update(owned("p", 1, byReplicaSet("from")), owned("p", 2, byReplicaSet("to")))
	r.contains(q, "An object went from one owner to another: Owns adds both.", "shop/from", "shop/to")
	i.update(owned("p", 2, byReplicaSet("loses")), pod("p", 3))
	r.contains(q, "An update took an object away from its owner, which the old object shows.", "shop/loses")
	i.update(pod("p", 3), owned("p", 4, byReplicaSet("adopts")))
	r.contains(q, "An update gave an object an owner, which only the new object shows.", "shop/adopts")
	i.update(owned("p", 4, controls("apps/v1", "DaemonSet", "agent")), owned("p", 5, byReplicaSet("takes-over")))
	i.update(owned("p", 5, byReplicaSet("gives-up")), owned("p", 6, controls("apps/v1", "DaemonSet", "agent")))
	r.contains(q, "Two updates changed the kind of the owner: one to the given kind, and one from it.", "shop/gives-up", "shop/takes-over")
	i.remove(owned("p", 2, byReplicaSet("mourns")), false)
	i.remove(owned("p", 2, byReplicaSet("finds-out")), true)
	r.contains(q, "Two objects were deleted, one of them missed: Owns adds their owners.", "shop/finds-out", "shop/mourns")
	node := owned("node-1", 1, byReplicaSet("of-all"))
	node.Namespace = ""
	i.add(node, false)
	r.contains(q, "An object without a namespace was added. The owner is in the namespace of the object: it has none either.", "of-all")
	r.judged()
	i.keeps(t)
}

// namesCoreOwners has owners of the group without a name, whose APIVersion has no slash.
func namesCoreOwners(t *conform.T, s Subject, r *row) {
	i, q := newInformer(t), newQueue(t, nil)
	controller := kit.TypeMeta{APIVersion: "v1", Kind: "ReplicationController"}
	stop := listening(t, made(t, "Owns(informer, v1 ReplicationController)", func() Source { return s.Owns(i, controller) }), i, q.plain())
	defer stop()
	i.add(owned("p", 1, controls("v1", "ReplicationController", "web")), false)
	i.add(owned("p", 1, controls("v2", "ReplicationController", "upgraded")), false)
	i.add(owned("p", 1, controls("apps/v1", "ReplicationController", "foreign")), false)
	r.contains(q, "An APIVersion without a slash has the group without a name: Owns(v1 ReplicationController) adds owners of that group and kind.", "shop/upgraded", "shop/web")
	elsewhere := owned("p", 1, controls("v1", "ReplicationController", "web"))
	elsewhere.Namespace = "other"
	i.add(elsewhere, false)
	r.contains(q, "An object was added in another namespace than those before it. The owner is in the namespace of the object.", "other/web")
}

func mapsBoth(t *conform.T, s Subject) {
	i, q := newInformer(t), newQueue(t, nil)
	source := made(t, "RateLimited(Watches(informer, by label))", func() Source { return s.RateLimited(s.Watches(i, byLabel)) })
	stop := listening(t, source, i, q.plain())
	defer stop()
	r := &row{t: t}
	i.add(labelled("p", 1, "a b a"), false)
	r.contains(q, "An object was added, and the map function says a, b and a once more.", "shop/a", "shop/b")
	once := q.limits.Counts()[named("a")]
	t.Require(once < 2, "An object was added, and the map function says a, b and a once more. The rate limiter, which the source is behind, was asked for shop/a %s, and once was due: a request that mapFunc returns twice is added once.", conform.Count(once, "time"))
	i.update(labelled("p", 1, "a b"), labelled("p", 2, "b c"))
	r.contains(q, "An update came, and the map function says a and b of the old object, b and c of the new one.", "shop/a", "shop/b", "shop/c")
	i.remove(labelled("p", 2, "d"), false)
	i.remove(labelled("p", 2, "e"), true)
	i.add(pod("p", 3), false)
	r.contains(q, "Two objects were deleted, of which the map function says d and e, and one was added of which it says nothing.", "shop/d", "shop/e")
	i.add(labelled("p", 3, "f other/f"), false)
	r.contains(q, "An object was added, of which the map function says f in two namespaces.", "other/f", "shop/f")
	i.add(labelled("p", 3, "/node-1 node-1"), false)
	r.contains(q, "An object was added, of which the map function says node-1, once without a namespace and once in shop.", "node-1", "shop/node-1")
	i.update(labelled("p", 4, "g"), labelled("p", 4, "h"))
	r.contains(q, "An update came that leaves the version as it was. The map function says g of the old object and h of the new one.", "shop/g", "shop/h")
	i.update(pod("p", 5), labelled("p", 6, "i"))
	i.update(labelled("p", 6, "j"), pod("p", 7))
	r.contains(q, "Two updates came. Of the first the map function says nothing for the old object and i for the new one, of the second j for the old one and nothing for the new one.", "shop/i", "shop/j")
	r.judged()
	i.keeps(t)
	asked := q.limits.Counts()
	for name, events := range map[string]int{"a": 2, "b": 2, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1, "i": 1, "j": 1} {
		t.Require(asked[named(name)] == events, "The request %v was named by %s, through RateLimited, and was added by way of the rate limiter %s. Each event adds each request once, and each as by AddRateLimited.", named(name), conform.Count(events, "event"), conform.Count(asked[named(name)], "time"))
	}
	t.Require(len(asked) == 13, "The events named 13 requests, and %d were added by way of the rate limiter.", len(asked))
	keepsItsSlice(t, s)
	mapsToMany(t, s)
}

// mapsToMany has an object that concerns many others, as a node concerns all pods on it.
func mapsToMany(t *conform.T, s Subject) {
	const many = 250
	i, q := newInformer(t), newQueue(t, nil)
	all := make([]kit.Request, many)
	for n := range all {
		all[n] = named(fmt.Sprintf("r-%d", n+1))
	}
	stop := listening(t, made(t, "Watches(informer, many requests)", func() Source {
		return s.Watches(i, func(*kit.Pod) []kit.Request { return all })
	}), i, q.plain())
	defer stop()
	i.add(pod("p", 1), false)
	added := len(q.Take())
	t.Require(added == many, "The map function returned %d requests of an object that was added, and %d were added to the queue.", many, added)
}

// keepsItsSlice has a map function that returns the same slice each time. It is the first half of an array.
func keepsItsSlice(t *conform.T, s Subject) {
	i, q := newInformer(t), newQueue(t, nil)
	array := []kit.Request{named("b"), named("b"), named("a"), named("x"), named("y"), named("z")}
	before := slices.Clone(array)
	stop := listening(t, made(t, "Watches(informer, always the same slice)", func() Source {
		return s.Watches(i, func(*kit.Pod) []kit.Request { return array[:3] })
	}), i, q.plain())
	defer stop()
	i.update(pod("p", 0), pod("p", 1))
	i.update(pod("p", 1), pod("p", 2))
	q.contains("Of both objects of two updates the map function returns b, b and a, in the same slice.", "shop/a", "shop/b")
	t.Require(slices.Equal(array, before), "The map function returned the first three of an array with %v, and after two events that array has %v. mapFunc may return one slice each time, or a part of a longer one: Watches writes neither into it nor behind its end.", before, array)
}

func agree(t *conform.T, s Subject) {
	notNamed := func(name string) func(*kit.Pod) bool {
		return func(p *kit.Pod) bool { return p.Name != name }
	}
	grows := func(old, p *kit.Pod) bool { return len(p.ResourceVersion) > len(old.ResourceVersion) }
	first := Predicate{AddFunc: notNamed("x"), UpdateFunc: grows, DeleteFunc: notNamed("z")}
	second := Predicate{AddFunc: notNamed("y"), DeleteFunc: notNamed("x"), UpdateFunc: func(_, p *kit.Pod) bool { return p.Name != "w" }}
	i, q := newInformer(t), newQueue(t, nil)
	stop := listening(t, made(t, "For(informer, two predicates between two empty ones)", func() Source { return s.For(i, Predicate{}, first, second, Predicate{}) }), i, q.plain())
	defer stop()
	r := &row{t: t}
	for _, name := range []string{"x", "y", "z"} {
		i.add(pod(name, 1), false)
		i.add(pod(name, 1), true)
	}
	r.contains(q, "Of the additions x, y and z the first predicate says no to x, and the second to y.", "shop/z")
	i.update(pod("x", 5), pod("x", 10))
	i.update(pod("y", 10), pod("y", 5))
	i.update(pod("w", 5), pod("w", 10))        // to which the second says no
	i.update(pod("again", 5), pod("again", 5)) // a resync
	r.contains(q, "Of the updates x, y, w and again the first predicate says no to y, whose version gets shorter, and to again, whose version stays as it is; the second says no to w.", "shop/x")
	for _, name := range []string{"x", "y", "z"} {
		i.remove(pod(name, 1), false)
		i.remove(pod(name, 1), true)
	}
	r.contains(q, "Of the deletions x, y and z the first predicate says no to z, and the second to x.", "shop/y")
	r.judged()
	agreeWithOne(t, s)
}

// agreeWithOne has predicates with one function each, which always says no.
func agreeWithOne(t *conform.T, s Subject) {
	no := func(*kit.Pod) bool { return false }
	r := &row{t: t}
	for _, only := range []struct {
		name string
		p    Predicate
		want []string
	}{
		{"AddFunc", Predicate{AddFunc: no}, []string{"shop/changed", "shop/gone", "shop/resynced"}},
		{"UpdateFunc", Predicate{UpdateFunc: func(_, _ *kit.Pod) bool { return false }}, []string{"shop/gone", "shop/new"}},
		{"DeleteFunc", Predicate{DeleteFunc: no}, []string{"shop/changed", "shop/new", "shop/resynced"}},
	} {
		i, q := newInformer(t), newQueue(t, nil)
		stop := listening(t, made(t, "For(informer, a predicate with "+only.name+")", func() Source { return s.For(i, only.p) }), i, q.plain())
		i.add(pod("new", 1), false)
		i.update(pod("changed", 1), pod("changed", 2))
		i.update(pod("resynced", 2), pod("resynced", 2))
		i.remove(pod("gone", 1), false)
		r.contains(q, "A predicate has no function but "+only.name+", which says no. Events of the other two kinds pass, and a resync is an update.", only.want...)
		stop()
	}
	r.judged()
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
	i.add(at("new-without", 1, 0), false)
	i.add(at("listed-without", 1, 0), true)
	i.update(at("status", 1, 1), at("status", 2, 1))
	i.update(at("spec", 1, 1), at("spec", 2, 2))
	i.update(at("spec-too", 1, 1), at("spec-too", 2, 2))
	labels, annotations, finalizers := at("labels", 2, 1), at("annotations", 2, 1), at("finalizers", 2, 1)
	labels.Labels = map[string]string{"for": "a"}
	annotations.Annotations = map[string]string{"for": "a"}
	finalizers.Finalizers = []string{"example.org/database"}
	for _, p := range []*kit.Pod{labels, annotations, finalizers} {
		i.update(at(p.Name, 1, 1), p)
	}
	i.update(at("resynced", 3, 1), at("resynced", 3, 1))
	i.update(at("without", 1, 0), at("without", 2, 0))
	i.update(at("made-again", 8, 7), at("made-again", 9, 1))
	i.remove(at("gone", 2, 1), false)
	i.remove(at("gone-without", 2, 0), true)
	q.contains("GenerationChanged stops the updates \"status\", \"labels\", \"annotations\", \"finalizers\", \"resynced\" and \"without\", which leave the generation as it was, and lets everything else pass.", "shop/gone", "shop/gone-without", "shop/listed-without", "shop/made-again", "shop/new", "shop/new-without", "shop/spec", "shop/spec-too")
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
	stop := syncedOnly(t, made(t, "Kind(informer, handler, predicate)", func() Source { return s.Kind(i, handler, no) }), i, q.plain())
	defer stop()
	i.add(pod("a", 1), true)
	i.add(pod("no", 1), false)
	i.add(pod("b", 1), false)
	i.update(pod("a", 1), pod("a", 2))
	i.remove(pod("a", 2), true)
	i.remove(pod("b", 1), false)
	due := []string{"add a true", "add b false", "update a 1 2", "delete a true", "delete b false"}
	i.keeps(t)
	for n := range max(len(due), len(heard)) {
		t.Require(n < len(heard), "The handler of a Kind hears of each event that the predicates let pass. %q was due as call %d, and did not come.", due[min(n, len(due)-1)], n+1)
		t.Require(n < len(due), "The handler of a Kind hears of each event that the predicates let pass, once. Call %d, %q, was not due.", n+1, heard[n])
		t.Require(heard[n] == due[n], "The handler of a Kind hears of each event as it was. Call %d was %q, and %q was due.", n+1, heard[n], due[n])
	}
	q.contains("The handler of a Kind added nothing for now.")
	time.Sleep(time.Minute)
	t.Wait()
	q.contains("The handler of a Kind called AddAfter(…, 1m) of the queue that it was given, and 1m is over.", "shop/a", "shop/b")
	t.Require(!i.hasPeriod(), "AddEventHandlerWithResyncPeriod of the informer was called, which gives the handler a resync period of its own. A Kind adds its handler with AddEventHandler: the period is that of the informer.")
	t.Require(!i.wasRun(), "Run of the informer was called. A Kind does not run it: it belongs to somebody else, who runs it once for all who listen.")
}

// syncedOnly is listening, with a ctx for WaitForSync that is done afterwards, as that of a controller
// is.
func syncedOnly(t *conform.T, s Source, i *informer, q Queue) (stop func()) {
	ctx, cancel := t.WithCancel(t.Context(), "the ctx of the source's Start")
	begin(t, s, ctx, q)
	i.sync()
	syncing, done := t.WithCancel(t.Context(), "the ctx of its WaitForSync")
	syncs(t, s, syncing)
	done()
	t.Wait()
	return cancel
}

// oldWaits asks the same of three sources, before and after the informer has synced.
func oldWaits(t *conform.T, s Subject) {
	r := &row{t: t, rule: "What is listed gets LowPriority, -100, and so does an update that leaves the version as it was, whichever objects it brings. The rest gets 0."}
	both := []string{"shop/left", "shop/taken", "shop/from with priority -100", "shop/to with priority -100"}
	for _, source := range []struct {
		what  string
		of    func(i Informer) Source
		moved []string
		twice bool // each request has another one beside it
	}{
		{"For", func(i Informer) Source { return s.For(i) }, []string{"shop/moved", "shop/unmoved with priority -100"}, false},
		{"Owns", func(i Informer) Source { return s.Owns(i, replicaSet) }, both, false},
		{"Watches", func(i Informer) Source { return s.Watches(i, byLabel) }, both, false},
		{"Watches, whose map function returns two requests of each object", func(i Informer) Source { return s.Watches(i, byLabelTwice) }, both, true},
	} {
		for _, synced := range []bool{false, true} {
			i, q := newInformer(t), newQueue(t, nil)
			ctx, cancel := t.WithCancel(t.Context(), "the source's ctx")
			begin(t, made(t, source.what+"(informer)", func() Source { return source.of(behind{informer: i}) }), ctx, q)
			state := "that has not synced"
			if synced {
				state = "that has synced"
				i.sync()
			}
			oldAndNew(i)
			due := append(slices.Clone(source.moved), "shop/blank with priority -100", "shop/changed", "shop/gone", "shop/gone-unseen", "shop/listed with priority -100", "shop/listed-late with priority -100", "shop/new", "shop/opaque", "shop/restored", "shop/resynced with priority -100")
			if source.twice {
				due = append(due, alsoToo(due)...)
			}
			r.contains(q, "This was "+source.what+", of an informer "+state+".", due...)
			cancel()
		}
	}
	r.judged()
}

// byLabelTwice is byLabel with two requests in place of each: a, and a-too.
func byLabelTwice(p *kit.Pod) []kit.Request {
	all := byLabel(p)
	for _, r := range byLabel(p) {
		all = append(all, named(r.Name+"-too"))
	}
	return all
}

// alsoToo are the second requests of byLabelTwice, with the priorities of the first.
func alsoToo(due []string) []string {
	var all []string
	for _, r := range due {
		name, priority, _ := strings.Cut(r, " ")
		all = append(all, strings.TrimSpace(name+"-too "+priority))
	}
	return all
}

// oldAndNew has an informer report events of pods that are owned by what their label names.
func oldAndNew(i *informer) {
	of := func(owner, name string, version int) *kit.Pod {
		p := labelled(name, version, owner)
		p.OwnerReferences = []kit.OwnerReference{byReplicaSet(owner)}
		return p
	}
	at := func(name string, version int) *kit.Pod { return of(name, name, version) }
	i.add(at("listed", 1), true)
	late, deleted := at("listed-late", 9), time.Now()
	late.Generation, late.DeletionTimestamp, late.Finalizers = 5, &deleted, []string{"example.org/database"}
	i.add(late, true)
	i.add(at("new", 1), false)
	i.update(at("resynced", 1), at("resynced", 1))
	blank, again := at("blank", 1), at("blank", 1)
	blank.ResourceVersion, again.ResourceVersion = "", ""
	i.update(blank, again)
	i.update(at("changed", 1), at("changed", 2))
	i.update(at("restored", 2), at("restored", 1))
	old, opaque := at("opaque", 1), at("opaque", 1)
	old.ResourceVersion, opaque.ResourceVersion = "b-7", "b-8" // no number: only equality counts
	i.update(old, opaque)
	i.update(of("left", "moved", 1), of("taken", "moved", 2))
	i.update(of("from", "unmoved", 1), of("to", "unmoved", 1)) // at one version: only that counts
	i.remove(at("gone", 1), false)
	i.remove(at("gone-unseen", 1), true)
}
