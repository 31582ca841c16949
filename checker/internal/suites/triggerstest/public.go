package triggerstest

import (
	"fmt"
	"math"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var public = []conform.Case[Subject]{
	{
		Name:   "edge-acts-on-each-change",
		Points: 5,
		Func:   "Edge.Work",
		Rule:   "For each event, in order, Edge scales by the change in Missing from its old to its new state. It never reads.",
		Why:    "Everybody writes this controller first: it does what the event says. You need it to see what it lacks.",
		Hint: []string{
			"Each state has two numbers. Which way must the controller go when more pods are wanted? And when fewer run?",
			"e.New.Missing() - e.Old.Missing() covers both. Where that is zero there is nothing to do.",
		},
		Source: "Programming Kubernetes, ch. 1, Edge- Versus Level-Driven Triggers: strategy 1",
		Contract: []string{
			"Work acts on every event that is noted and not yet acted on, one after the other, in the order in which they were noted, each once: it calls Scale with the change in Missing from Old to New, unless that is zero. It never calls Get or Keys.",
			"Both numbers may fall below zero.",
			anyKey,
			unclosed,
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			atOnce(t, edge(open()))
			c := newCluster(t, map[string]State{"a": {40, 30}, "b": {7, 0}})
			s := start(t, edge(open()), c)
			s.notify("a", State{1, 1}, State{3, 1}) // the user wants two more
			s.notify("b", State{3, 3}, State{3, 2}) // a pod died
			s.notify("a", State{3, 3}, State{3, 3}) // something else changed
			s.notify("a", State{5, 2}, State{1, 3}) // four fewer wanted, one more runs
			s.notify("b", State{0, 0}, State{0, 2}) // two that nobody wants
			s.notify("c", State{0, 0}, State{math.MaxInt / 2, 0})
			s.notify("a", State{2, 0}, State{0, 0}) // nobody wants it now
			s.notify("d", State{3, 1}, State{5, 3}) // two more wanted, two more run
			s.notify("e", State{0, -2}, State{0, 1})
			s.notify("e", State{-1, 0}, State{-4, 0})
			s.work()
			c.wasAskedInOrder(t, []string{"Scale a 2", "Scale b 1", "Scale a -5", "Scale b -2", fmt.Sprint("Scale c ", math.MaxInt/2), "Scale a -2", "Scale e -3", "Scale e -3"},
				"Edge.Work did something other than scale by the change in each event, in their order. If that change is zero it calls nothing, and the numbers of a state may be below zero.")
			s.work()
			c.wasAsked(t, nil, "Edge.Work acted again on events that it had acted on before.")
			actsOnEach(t, edge(open()), false)
			takesAnyKey(t, edge(open()))
		},
	},
	{
		Name:   "level-closes-the-gap",
		Points: 5,
		Func:   "Level.Work",
		Look:   []string{"Level.Work", "Level.Notify"},
		Rule:   "Level reads each app that an event named, and scales once by what is missing or too much.",
		Why:    "The ReplicaSet controller compares the specified number of replicas with the existing pods, whatever woke it.",
		Hint: []string{
			"What do you have to remember of an event?",
			"Only its key. In Work: Get, Missing, and Scale if that is not zero. Pods too many count too: Missing is below zero then.",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: syncReplicaSet, manageReplicas",
		Contract: []string{
			"Both numbers may fall below zero.",
			"it calls Get, once, and if pods are missing or too many, it calls Scale, once, with just that number. An app that needs nothing costs one Get and no write.",
			"Work looks at every app that is noted, each once, however many events named it, in any order: it calls Get, once, and if pods are missing or too many, it calls Scale, once, with just that number.",
			"Work does what Level.Work does, apart from the resync",
			"The states in the event, old or new, play no part.",
			anyKey,
			unclosed,
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			for _, k := range levels(open()) {
				atOnce(t, k)
				c := newCluster(t, map[string]State{"few": {5, 2}, "many": {1, 3}, "none": {math.MaxInt / 2, 0}, "right": {2, 2}, "unheard": {9, 1}, "owes": {2, -1}, "less": {-2, 1}})
				s := start(t, k, c)
				s.named("few", "many", "none", "right", "gone", "owes", "less")
				s.work()
				c.wasAsked(t, []string{
					"Get few", "Get gone", "Get less", "Get many", "Get none", "Get owes", "Get right",
					"Scale few 3", "Scale less -3", "Scale many -2", fmt.Sprint("Scale none ", math.MaxInt/2), "Scale owes 3",
				}, "Work of %s did something other than look at each app that an event named, and close its gap. Old and New of these events are equal, which makes no difference, and the numbers of a state may be below zero.", k.name)
				zeroIsNews(t, k)
				takesAnyKey(t, k)
			}
		},
	},
	{
		Name:   "level-trusts-the-state",
		Points: 5,
		Func:   "Level.Work",
		Rule:   "What Level does depends on the state that it reads, and not on what the event says.",
		Why:    "An event reports the past. A pod that it calls running may be gone by the time a worker gets to it.",
		Hint: []string{
			"The events of this case are old, or wrong. Which of your lines believes them?",
		},
		Source: "client-go tools/cache/store.go: MetaNamespaceKeyFunc (handlers queue keys and not objects); Programming Kubernetes, ch. 1: strategy 2",
		Contract: []string{
			"The states in the event, old or new, play no part.",
			"it calls Get, once, and if pods are missing or too many, it calls Scale, once, with just that number",
			unclosed,
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			for _, k := range levels(open()) {
				c := newCluster(t, map[string]State{"a": {5, 2}, "b": {4, 4}})
				s := start(t, k, c)
				s.notify("a", State{1, 1}, State{1, 4}) // says: three too many
				s.notify("b", State{4, 4}, State{9, 4}) // says: five missing
				s.notify("gone", State{0, 0}, State{2, 0})
				s.work()
				c.wasAsked(t, []string{"Get a", "Get b", "Get gone", "Scale a 3"},
					"Work of %s acted on what events say of states, and not on the state that it reads.", k.name)
			}
		},
	},
	{
		Name:   "reconciling-twice-writes-nothing",
		Points: 5,
		Func:   "Level.Work",
		Rule:   "An app that has what it needs costs one read and no write, however often Work looks at it.",
		Why:    "A doubled event, a restart or a resync makes a controller look again. None of these is safe unless looking again is harmless.",
		Hint: []string{
			"What does your Work do when nothing is missing?",
			"Scale by zero is a write too: an API server would see the request.",
		},
		Source: "Kubernetes community, Writing Controllers",
		Contract: []string{
			"An app that needs nothing costs one Get and no write.",
			unclosed,
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			for _, k := range levels(open()) {
				c := newCluster(t, map[string]State{"a": {3, 0}})
				s := start(t, k, c)
				s.notify("a", State{0, 0}, State{3, 0})
				s.work()
				c.asked()
				for range 3 {
					s.notify("a", State{0, 0}, State{3, 0}) // the same notification again
					s.work()
					c.wasAsked(t, []string{"Get a"},
						"App a had all it needs, and was named once more: %s reads it once, and writes nothing.", k.name)
				}
				t.Require(c.apps["a"] == State{3, 3}, "App a wants 3 and %s left it at %v (running/desired).", k.name, c.apps["a"])
			}
		},
	},
	{
		Name:   "perfect-stream",
		Points: 5,
		Func:   "Simulate",
		Rule:   "On a stream that loses nothing, all three strategies are right at the end of every step, and Edge reads nothing.",
		Why:    "On a developer's laptop every strategy works. That is why people write the wrong one.",
		Hint: []string{
			"Play the plan on paper, step by step: changes, then notifications, then Work, then the measurement.",
			"If two events of one step name an app, Level looks at it once.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			audited,
			"in every period-th call it first calls Keys, once, and notes every app that it returns.",
			"Every call is counted, from open on, in Notify as in Work.",
			"it calls Scale with the change in Missing from Old to New",
			unclosed,
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			now := []int{0}
			plan := func() Plan {
				return Plan{Steps: 4, Start: map[string]State{"a": {1, 1}, "b": {2, 2}, "c": {0, 0}}, Changes: []Change{
					{At: 0, Key: "a", Desired: 2, Delays: now},
					{At: 1, Key: "a", Running: -1, Delays: now},
					{At: 1, Key: "a", Desired: 3, Delays: now},
					{At: 2, Key: "b", Desired: -1, Delays: now},
				}}
			}
			s := open()
			want := func(k kind, r Report) {
				r.Converged, r.Delivered = true, 4
				t.Same(r, simulate(t, s, plan(), k), "On a stream that loses nothing, the report about %s", k.name)
			}
			want(edge(s), Report{Writes: 4})
			want(level(s), Report{Writes: 3, Reads: 3})
			want(resync(s, 2), Report{Writes: 3, Reads: 3 + 2 + 3, Lists: 2}) // step 1: b and c too, step 3: all
		},
	},
}

// zeroIsNews has events whose new state is zero, of apps that the cluster has.
func zeroIsNews(t *conform.T, k kind) {
	c := newCluster(t, map[string]State{"back": {2, 0}, "late": {0, 3}})
	v := start(t, k, c)
	v.notify("back", State{2, 2}, State{0, 0})
	v.notify("late", State{0, 3}, State{0, 0})
	v.work()
	c.wasAsked(t, []string{"Get back", "Get late", "Scale back 2", "Scale late -3"},
		"The new state of two events is zero, as if their apps were gone. The cluster has the apps, at 0/2 and 3/0 (running/desired): Work of %s looks at every app that is noted, whatever the event says of it.", k.name)
}

// atOnce has an app miss more pods than anybody starts one by one, and few enough that the case ends
// where somebody does.
func atOnce(t *conform.T, k kind) {
	c := newCluster(t, map[string]State{"a": {2000, 0}})
	c.silent = true
	v := start(t, k, c)
	v.notify("a", State{0, 0}, State{2000, 0})
	v.work()
	due := []string{"Scale a 2000"}
	if k.name != "Edge" {
		due = []string{"Get a", "Scale a 2000"}
	}
	c.wasAsked(t, due, "One event came, of app a, which misses 2000 pods. In Work %s calls Scale once, with the whole number.", k.name)
}
