package triggerstest

import (
	"fmt"
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// script is a strategy of the suite's own: it records its calls, and
// does in its n-th Work, and when it is notified before that, what the case says.
type script struct {
	t    *conform.T
	told []string
	hear func(n int, e Event)
	work func(n int)
	n    int
}

func (s *script) Notify(e Event) {
	s.tell(fmt.Sprintf("%s %d/%d -> %d/%d", e.Key, e.Old.Running, e.Old.Desired, e.New.Running, e.New.Desired))
	if s.hear != nil {
		s.hear(s.n, e)
	}
}

func (s *script) Work() {
	s.tell("work")
	if s.work != nil {
		s.work(s.n)
	}
	s.n++
}

func (s *script) tell(what string) {
	s.told = append(s.told, what)
}

var simulations = []conform.Case[Subject]{
	{
		Name:   "steps-in-order",
		Points: 5,
		Func:   "Simulate",
		Rule:   "In each step changes happen, then the notifications that are due arrive in the order in which they were sent, then Work is called, once; an event carries the states at the moment of its change.",
		Why:    "An event says what was when it was sent. If late events carried fresh states, you would measure Edge on a stream that does not exist.",
		Hint: []string{
			"When do you fix the content of an event: when the change happens, or when the notification arrives?",
			"Keep a list of events for each step to come. Append to it as changes happen. Then its order is right by itself.",
			"Call Work in quiet steps too. Otherwise there would be no resync.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"The notifications that are due arrive: Notify is called for each, in the order in which they were sent: by the step of their change, within a step in the order of the plan, and copies one after the other.",
			"A change outside these steps, with an At below zero or of plan.Steps and more, never happens: it sends no notification and makes no app known.",
			"A notification that is due after the last step never arrives.",
			"The plan is not modified, not for a while either, and the arrays of its slices are not written to behind the slices: another plan may lie there.",
			"No delay is below zero.",
			"Then Simulate calls open once, with that cluster, and open returns the strategy.",
			"Each takes its app from Old to New, and sends its notification, even if Old and New are equal. The notification carries these two states, however late it arrives.",
			"The changes of this step happen, in the order of the plan.",
			"Notify, Work and open are called by one and the same goroutine, which need not be the caller's, and the cluster may be used only from within these calls.",
			"Scale adds n to Running",
			"Every call is counted, from open on, in Notify as in Work.",
			audited,
		},
		Check: func(t *conform.T, open func() Subject) {
			var c Cluster
			spy := &script{t: t, work: func(n int) {
				if n == 1 {
					scales(t, c, "a", 2)
				}
			}}
			plan := Plan{Steps: 5, Start: map[string]State{"a": {5, 5}}, Changes: []Change{
				{At: 2, Key: "a", Desired: 1, Delays: []int{0, 0}},
				{At: 0, Key: "a", Desired: 2, Delays: []int{2, 0}},
				{At: 0, Key: "b", Desired: 1, Running: 3, Delays: []int{0}},
				{At: 0, Key: "a", Running: -1, Delays: []int{2}},
				{At: -1, Key: "a", Desired: 9, Delays: []int{1}},       // never
				{At: 2, Key: "a", Running: -1},                         // lost
				{At: 3, Key: "a", Delays: []int{math.MaxInt}},          // nothing changes, and no notification comes in this life
				{At: 4, Key: "a", Delays: []int{0, 1, 3}},              // nothing changes; two copies are too late
				{At: 5, Key: "a", Desired: 9, Delays: []int{0}},        // never
				{At: 2, Key: "b", Running: -2, Delays: []int{1, 0, 1}}, // three copies
			}}
			opened := 0
			same := intact(t, plan)
			simulate(t, open(), plan, kind{"a spy", func(given Cluster) Strategy { opened++; c = given; return spy }})
			samePassage(t, []string{
				"a 5/5 -> 5/7", "b 0/0 -> 3/1", "work",
				"work",
				"a 5/5 -> 5/7", "a 5/7 -> 4/7", "a 6/7 -> 6/8", "a 6/7 -> 6/8", "b 3/1 -> 1/1", "work",
				"b 3/1 -> 1/1", "b 3/1 -> 1/1", "work",
				"a 5/8 -> 5/8", "work",
			}, spy.told)
			t.Assert(opened == 1, "Simulate opened %d strategies, and should open one.", opened)
			same()
			arrivesLate(t, open())
			farOutside(t, open())
			leavesArraysAlone(t, open())
			readsInNotify(t, open())
			onOneGoroutine(t, open())
			manyInOneStep(t, open())
		},
	},
	{
		Name:   "report-adds-up",
		Points: 5,
		Func:   "Simulate",
		Rule:   "The simulated cluster keeps every change and every write, and refuses writes while it is down. The report contains every call and the drift of every step.",
		Why:    "People compare strategies by their costs. Too many pods of one app do not make up for too few of another.",
		Hint: []string{
			"Drift is a sum of distances: two too many and two too few are four, not none.",
			"A write that fails is still a request. Settled is about the last step with something wrong, not the first step with nothing wrong.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"Simulate measures the drift: the sum, over all apps, of how much Running differs from Desired, in either direction.",
			"Both numbers may fall below zero.",
			"Scale adds n to Running. In a step of plan.Down, in Notify as in Work, it returns ErrDown itself, not wrapped in another error, and changes nothing, even if n is zero. In open, before the first step, it never fails, even if plan.Down contains step 0. Every call is counted, from open on, in Notify as in Work.",
			audited,
			"The cluster's Keys are those of plan.Start, of every change that has happened and of every Scale that succeeded, including changes and Scales that added nothing; the caller may keep the slice and change it. An app that is known stays known. Get makes no app known.",
			"Then Simulate calls open once, with that cluster, and open returns the strategy.",
			"If plan.Steps is 0, the report contains the drift after open, and Settled is 0 if that is zero, and -1 if it is not.",
			"the first step from which on every step ends without drift; -1 if there is none",
			"The plan is not modified, not for a while either, and the arrays of its slices are not written to behind the slices: another plan may lie there.",
			"Simulate keeps nothing outside itself: many goroutines may call it at the same time, also with one plan, and open, Notify and Work of one Simulate may call another.",
			anyKey,
			"it sends no notification and makes no app known",
			"in any order. One may stand there twice, or be later than the last step.",
			"the apps that stand before the first step; may be nil",
			"Then, in every step from 0 to plan.Steps-1:",
			"Work is called, once.",
		},
		Check: func(t *conform.T, open func() Subject) {
			reportAddsUp(t, open())
			scalesInOpen(t, open())
			scalesInNotify(t, open())
			scalesInNotifyAlone(t, open())
			scalesByNothing(t, open())
			staysKnown(t, open())
			downEndsWithThePlan(t, open())
			keysAreTheCallers(t, open())
			oneInAnother(t, open())
			twoAtOnce(t, open())
			fromNothing(t, open())
			simulatesAnyKey(t, open())
			startsAsThePlanSays(t, open())
			settles(t, open())
			manySteps(t, open())
		},
	},
	{
		Name:   "any-loss-same-end",
		Points: 6,
		Func:   "LevelResync.Work",
		Rule:   "Whichever notifications are lost, doubled or late, LevelResync is right after one resync. Level is right if none is lost.",
		Why:    "This is the promise of Kubernetes' controllers: the end depends on what is wanted, not on the way there.",
		Hint: []string{
			"If this fails and the others pass, look for something your strategy remembers from one look to the next.",
		},
		Source: "Programming Kubernetes, ch. 1: Kubernetes controllers typically implement the third strategy",
		Contract: []string{
			"in every period-th call it first calls Keys, once, and notes every app that it returns.",
			"it calls Get, once, and if pods are missing or too many, it calls Scale, once, with just that number",
			"It compares the state that it reads with the state that is wanted, and closes the gap.",
			audited,
			"If Scale fails, the app stays noted: the next Work looks at it again, and this one goes on with the other apps, and does not try again by itself.",
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			once := Plan{Steps: 2, Start: map[string]State{"a": {1, 1}}, Changes: []Change{{At: 0, Key: "a", Desired: 1, Delays: []int{0}}}}
			s := open()
			t.Require(simulate(t, s, once, level(s)).Writes > 0, "One app wanted one more, Level heard of it, and nothing was written.")
			model.Check(t, 80, func(rt *rapid.T, t *conform.T) {
				period := rapid.IntRange(1, 6).Draw(rt, "period")
				p, s := drawPlan(rt, arrives), open()
				last := lastOf(p)
				p.Steps = last + period
				r, a := simulated(t, s, p, resync(s, period))
				t.Require(r.Converged, "From step %d on nothing fails and, after the changes of that step, nothing changes. A resync came after them, and LevelResync(%d) ended with a drift of %d: %s.", last, period, r.Drift, a.wrongApps())
				t.Require(r.Settled <= last+period-1, "From step %d on nothing fails and, after the changes of that step, nothing changes. LevelResync(%d) was wrong until step %d: it is right within one period.", last, period, r.Settled)
				t.Require(r.Lists <= p.Steps/period, "In %d steps LevelResync(%d) resynced %d times, and should do it once in a period.", p.Steps, period, r.Lists)
			})
			model.Check(t, 80, func(rt *rapid.T, t *conform.T) {
				p, s := drawPlan(rt, late), open()
				p.Steps = farAway
				r, a := simulated(t, s, p, level(s))
				t.Require(r.Converged, "No notification was lost, and all have arrived, and Level ended with a drift of %d: %s.", r.Drift, a.wrongApps())
				t.Require(r.Reads <= len(p.Changes)+len(p.Down)*3, "Level read %s; %d notifications arrived, and writes could fail in %d steps for 3 apps, which makes %d reads at most.", conform.Count(r.Reads, "time"), len(p.Changes), len(p.Down), len(p.Changes)+len(p.Down)*3)
			})
		},
	},
	{
		Name:   "matches-the-model",
		Long:   true,
		Points: 6,
		Func:   "Simulate",
		Rule:   "Any plan against any of the three strategies gives the report that a slow and obvious simulation gives.",
		Why:    "A table of costs is useful only if every number in it is right.",
		Hint: []string{
			"The history shows the smallest plan that went wrong. Play it on paper.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			audited,
			"The same plan and the same strategy give the same report, provided that the order of Keys makes no difference to the strategy.",
			"If Scale fails, the app stays noted: the next Work looks at it again, and this one goes on with the other apps, and does not try again by itself.",
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			model.Check(t, 120, func(rt *rapid.T, t *conform.T) {
				p, s := drawPlan(rt, arrives), open()
				period := rapid.IntRange(-1, 5).Draw(rt, "period")
				for _, k := range []kind{edge(s), level(s), resync(s, period)} {
					want := expect(p, k.name, period)
					got := simulate(t, s, p, k)
					t.Same(want, got, "Simulate played the plan as it should, and counted right, but %s did not make the calls that it should. The report", k.name)
				}
			})
		},
	},
}

// readsInNotify looks, when it is notified of one app, at another one that changes in the same step.
func readsInNotify(t *conform.T, s Subject) {
	var c Cluster
	spy := &script{t: t, hear: func(n int, e Event) {
		if e.Key == "a" {
			want := State{n + 1, 0}
			c.Keys()
			got := c.Get("b")
			t.Assert(got == want, "In step %d a notification of a arrived, and Get(b) from within Notify returned %v (running/desired), and should return %v: all changes of a step happen before its notifications arrive.", n, got, want)
		}
	}}
	plan := Plan{Steps: 2, Start: map[string]State{}, Changes: []Change{
		{At: 0, Key: "a", Desired: 1, Delays: []int{0, 1}},
		{At: 0, Key: "b", Desired: 1, Delays: []int{0}},
		{At: 1, Key: "b", Desired: 1, Delays: []int{0}},
	}}
	simulate(t, s, plan, kind{"a strategy that reads in Notify", func(given Cluster) Strategy { c = given; return spy }})
	samePassage(t, []string{"a 0/0 -> 0/1", "b 0/0 -> 0/1", "work", "a 0/0 -> 0/1", "b 0/1 -> 0/2", "work"}, spy.told)
}

// manyInOneStep has a plan of two hundred changes of two steps, the later one first in each
// pair, and looks at the order of the notifications and at the plan afterwards.
func manyInOneStep(t *conform.T, s Subject) {
	spy := &script{t: t}
	plan := Plan{Steps: 2, Start: map[string]State{}, Down: []int{1, 0}}
	var first, second []string
	for i := range 200 {
		key := fmt.Sprintf("app-%03d", (i*37)%200)
		plan.Changes = append(plan.Changes, Change{At: 1 - i%2, Key: key, Desired: 1, Delays: []int{0}})
		if i%2 == 1 {
			first = append(first, key+" 0/0 -> 0/1")
		} else {
			second = append(second, key+" 0/0 -> 0/1")
		}
	}
	same := intact(t, plan)
	call := t.Call("Simulate(2 steps, 100 changes in each, in turns, a spy)")
	r := s.Simulate(plan, func(Cluster) Strategy { return spy })
	call.Returned("%+v", r)
	want := slices.Concat(first, []string{"work"}, second, []string{"work"})
	samePassage(t, want, spy.told)
	same()
}

// intact returns a function that requires that the plan is still what it is now.
func intact(t *conform.T, plan Plan) func() {
	was := copied(plan)
	return func() {
		t.Same(was.Start, plan.Start, "Simulate modified the Start of the plan that it was given")
		t.Same(was.Changes, plan.Changes, "Simulate modified the Changes of the plan that it was given")
		t.Same(was.Down, plan.Down, "Simulate modified the Down of the plan that it was given")
	}
}

// arrivesLate has copies of one notification arrive after short delays and long ones.
func arrivesLate(t *conform.T, s Subject) {
	const last, never = 70_000, math.MaxInt/2 + 1 // zero, if only its lower half is kept
	delays := []int{100, 7, 8, 9, 0, 16, 31, 32, 33, 63, 64, 65, 128, 199, 200, 256, 1000, 1024, 4096, 10_000, 65_535, 65_536, last - 1, last, never}
	plan := Plan{Steps: last + 1, Changes: []Change{
		{At: 1, Key: "a", Desired: 1, Delays: delays}, {At: never, Key: "b", Desired: 1, Delays: []int{0}}, {At: -never, Key: "c", Desired: 1, Delays: []int{0}},
	}}
	var steps []int
	spy := &script{t: t, hear: func(n int, e Event) {
		steps = append(steps, n)
		t.Assert(e.Key == "a", "In step %d of %d a notification of app %s arrived. Its change has an At of %d or of -%[4]d: a change outside the steps never happens.", n, plan.Steps, e.Key, never)
	}}
	call := t.Call("Simulate(%d steps, a change in step 1 with the Delays %v, a spy)", plan.Steps, delays)
	r := s.Simulate(plan, func(Cluster) Strategy { return spy })
	call.Returned("%+v", r)
	var want []int
	for _, delay := range slices.Sorted(slices.Values(delays)) {
		if delay < last {
			want = append(want, 1+delay)
		}
	}
	t.Require(slices.Equal(steps, want), "A change of step 1 has a notification with the Delays %v, and step %d is the last. Copies arrived in the steps %v, and should arrive in the steps %v.", delays, last, steps, want)
	t.Same(Report{Drift: 1, Lag: last, Settled: -1, Delivered: len(want)}, r, "App a wanted one more from step 1 on, and the strategy did nothing. In the report")
}

// farOutside has changes in steps that are further apart than an int can say.
func farOutside(t *conform.T, s Subject) {
	const steps = 5
	for _, at := range [][]int{{3, math.MaxInt, -2, 1}, {2, math.MinInt, 4, math.MaxInt, 0, -1, 3}} {
		plan := Plan{Steps: steps, Start: map[string]State{}}
		var due, got []int
		for _, step := range at {
			plan.Changes = append(plan.Changes, Change{At: step, Key: "a", Desired: 1, Delays: []int{0}})
			if step >= 0 && step < steps {
				due = append(due, step)
			}
		}
		slices.Sort(due)
		spy := &script{t: t, hear: func(n int, _ Event) { got = append(got, n) }}
		call := t.Call("Simulate(%d steps, a change in each of %v, which is notified at once, a spy)", steps, at)
		s.Simulate(plan, func(Cluster) Strategy { return spy })
		call.Returned("")
		t.Require(slices.Equal(got, due), "The plan has %d steps and changes with an At of %v, in this order, each of which is notified at once. Notifications arrived in the steps %v, and should arrive in %v: each change in its step happens, the others never do, and the difference of two such numbers need not fit into an int.", steps, at, got, due)
	}
}

// leavesArraysAlone has slices in the plan that do not fill their arrays: the rest belongs to another plan.
func leavesArraysAlone(t *conform.T, s Subject) {
	whole := Plan{Steps: 3, Start: map[string]State{}, Down: []int{0, 1, 2}}
	delays := []int{0, 1, 2}
	for step := range 3 {
		whole.Changes = append(whole.Changes, Change{At: step, Key: "a", Desired: 1, Delays: delays[step : step+1]})
	}
	part, was := whole, copied(whole)
	part.Changes, part.Down = whole.Changes[:1], whole.Down[:1]
	spy := kind{"a spy", func(Cluster) Strategy { return &script{t: t} }}
	simulate(t, s, part, spy)
	const behind = "The slices of a plan were the first elements of longer arrays, and Simulate wrote into such an array behind the slice, as append does. The plan is not modified, and what is behind it belongs to another plan. "
	t.Same(was.Changes, whole.Changes, behind+"The array of Changes")
	t.Same(was.Down, whole.Down, behind+"The array of Down")
	simulate(t, s, whole, spy)
}

// samePassage requires that a strategy got just these calls (with states as running/desired).
func samePassage(t *conform.T, want, got []string) {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			t.Fatalf("Simulate made %s on its strategy, and then %q was due. "+passage, conform.Count(len(got), "call"), want[i])
		case i >= len(want):
			t.Fatalf("Simulate had made the %d calls on its strategy that were due, and then made %q.", len(want), got[i])
		case got[i] != want[i]:
			t.Fatalf("Call %d of Simulate on its strategy was %q, and should be %q (running/desired). "+passage, i+1, got[i], want[i])
		}
	}
}

// lastOf is the last step in which something is changed or down.
func lastOf(p Plan) int {
	last := 0
	for _, c := range p.Changes {
		last = max(last, c.At)
	}
	for _, step := range p.Down {
		last = max(last, step+1)
	}
	return last
}

func reportAddsUp(t *conform.T, s Subject) {
	var c Cluster
	sorted := func() []string { keys := c.Keys(); slices.Sort(keys); return keys }
	spy := &script{t: t}
	var plan, was Plan
	spy.work = func(n int) {
		defer unmodified(t, n, &was, &plan)
		switch n {
		case 0:
			keys := sorted()
			t.Assert(slices.Equal(keys, []string{"a", "b"}), "The cluster's Keys are %v, and should be [a b]: those of Start and of the changes that have happened.", keys)
			keys[0] = "scribbled over by the caller"
			nobody := c.Get("nobody")
			t.Assert(nobody == State{}, "Get of an app that is not known returned %v (running/desired), and should return the zero State.", nobody)
			scales(t, c, "a", 4)
			got := c.Get("a")
			t.Assert(got == State{3, 5}, "App a started at 1/1 (running/desired), a change wants 2 more, and Scale added 4: it should be at 5/3, and is at %v.", got)
		case 1:
			isDown(t, s, c)
		case 2:
			scales(t, c, "a", -2)
			scales(t, c, "new", 3)
			scales(t, c, "owes", -1)
			keys := sorted()
			t.Assert(slices.Equal(keys, []string{"a", "b", "new", "owes"}), "The cluster's Keys are %v, and should be [a b new owes]: those of Start, of changes and of Scales that succeeded.", keys)
		}
	}
	plan = Plan{Steps: 3, Start: map[string]State{"a": {1, 1}}, Down: []int{1}, Changes: []Change{
		{At: 0, Key: "a", Desired: 2, Delays: []int{1, 0, 9, 1}},
		{At: 0, Key: "b", Desired: 2}, {At: -1, Key: "too early", Desired: 1}, {At: 3, Key: "too late", Desired: 1},
	}}
	was = copied(plan)
	same := intact(t, plan)
	got := simulate(t, s, plan, kind{"a script", func(opened Cluster) Strategy {
		c = opened
		keys := sorted()
		t.Assert(slices.Equal(keys, []string{"a"}), "When the strategy is opened the cluster's Keys are %v, and should be those of Start, [a].", keys)
		return spy
	}})
	// Of a two are too many and of b two are missing; at the end three of "new" are too many, and "owes" misses one.
	t.Same(Report{Drift: 6, Lag: 4 + 4 + 6, Settled: -1, Delivered: 3, Lists: 3, Reads: 3, Writes: 6}, got, "The report does not add up to what was called and what was wrong after each step")
	same()
}

// isDown scales two apps, of which a is known, in step 1, which is one of Down.
func isDown(t *conform.T, s Subject, c Cluster) {
	err := c.Scale("a", 7)
	t.Assert(err == s.ErrDown, "Step 1 is one of Down, and Scale returned %s and not ErrDown itself.", conform.Said(err))
	got := c.Get("a")
	t.Assert(got == State{3, 5}, "A Scale failed, and took app a from 5/3 (running/desired) to %v.", got)
	err = c.Scale("never", 1)
	t.Assert(err == s.ErrDown, "Step 1 is one of Down, and Scale of another app returned %s and not ErrDown.", conform.Said(err))
}

// unmodified requires that the plan of a Simulate that is under way, in its n-th step, is as it was.
func unmodified(t *conform.T, n int, was, plan *Plan) {
	for what, lists := range map[string][2]any{"Start": {was.Start, plan.Start}, "Changes": {was.Changes, plan.Changes}, "Down": {was.Down, plan.Down}} {
		differ := conform.Differ(lists[0], lists[1])
		t.Assert(differ == "", "In step %d, while Simulate was under way, the %s of its plan was not as before: %s. The plan is not modified, not for a while either.", n, what, differ)
	}
}

// scales requires that a Scale succeeds.
func scales(t *conform.T, c Cluster, key string, n int) {
	err := c.Scale(key, n)
	t.Assert(err == nil, "The cluster is not down, and Scale(%s, %+d) returned %s.", key, n, conform.Said(err))
}

// scalesInOpen writes before the first step, in which the cluster is down.
func scalesInOpen(t *conform.T, s Subject) {
	plan := Plan{Steps: 1, Start: map[string]State{"a": {2, 0}}, Down: []int{0}}
	known := func(c Cluster, when string, want ...string) {
		keys := c.Keys()
		slices.Sort(keys)
		t.Assert(slices.Equal(keys, want), "The plan starts with app a, and a Scale by 0 in open made app new known. %s the cluster's Keys are %v, and should be %v.", when, keys, want)
	}
	got := simulate(t, s, plan, kind{"a strategy that scales when it is opened", func(c Cluster) Strategy {
		known(c, "Before that Scale", "a")
		for _, key := range []string{"a", "new"} {
			before := c.Get(key)
			err := c.Scale(key, before.missing())
			t.Assert(err == nil, "Scale failed when the strategy was opened: that is before the first step, and only steps are down. The error is %v.", err)
		}
		known(c, "After it, in open,", "a", "new")
		return &script{t: t, work: func(int) { known(c, "In Work", "a", "new") }}
	}})
	t.Same(Report{Converged: true, Lists: 3, Reads: 2, Writes: 2}, got, "In open the strategy called Keys, Get and Scale twice each, which put all right, and in its only Work Keys once. In the report")
}

// scalesInNotify writes when it is notified: in the steps 0 and 2, in which the cluster takes writes,
// and in 1 and 3, in which it is down.
func scalesInNotify(t *conform.T, s Subject) {
	var c Cluster
	spy := &script{t: t, hear: func(n int, e Event) {
		err := c.Scale("a", 1)
		if n%2 == 0 {
			t.Assert(err == nil, "Down is [7 3 1 1], and in step %d Scale from within Notify returned %s.", n, conform.Said(err))
		} else {
			t.Assert(err == s.ErrDown, "Down is [7 3 1 1], and in step %d Scale from within Notify returned %s, and should return ErrDown, as in Work.", n, conform.Said(err))
		}
	}}
	plan := Plan{Steps: 4, Start: map[string]State{"a": {3, 3}}, Down: []int{7, 3, 1, 1}}
	for step := range plan.Steps {
		plan.Changes = append(plan.Changes, Change{At: step, Key: "a", Desired: 1, Delays: []int{0}})
	}
	got := simulate(t, s, plan, kind{"a strategy that scales in Notify", func(given Cluster) Strategy { c = given; return spy }})
	t.Same(Report{Drift: 2, Lag: 0 + 1 + 1 + 2, Settled: -1, Delivered: 4, Writes: 4}, got, "In each of four steps app a wanted one more, and Notify scaled it by one: in the steps 0 and 2 with success, in 1 and 3, in which the cluster is down, without. In the report")
}

// scalesInNotifyAlone writes once when it is notified, in a step in which nothing else happens.
func scalesInNotifyAlone(t *conform.T, s Subject) {
	var c Cluster
	spy := &script{t: t, hear: func(int, Event) { scales(t, c, "a", 1) }}
	plan := Plan{Steps: 4, Start: map[string]State{"a": {3, 3}}, Down: []int{math.MaxInt}, Changes: []Change{{Key: "a", Desired: 1, Delays: []int{2}}}}
	got := simulate(t, s, plan, kind{"a strategy that scales in Notify", func(given Cluster) Strategy { c = given; return spy }})
	t.Same(Report{Converged: true, Lag: 2, Settled: 2, Delivered: 1, Writes: 1}, got, "In step 0 app a wanted one more. Its notification came in step 2, in which Notify scaled a by one, and Work never did anything. In the report")
}

// scalesByNothing asks what a change and a write are worth that add nothing.
func scalesByNothing(t *conform.T, s Subject) {
	var c Cluster
	spy := &script{t: t, hear: func(n int, _ Event) {
		if n == 0 {
			scales(t, c, "heard", 0)
			scales(t, c, "briefly", 1)
			scales(t, c, "briefly", -1)
		} else {
			err := c.Scale("refused", 0)
			t.Assert(err == s.ErrDown, "Step 1 is one of Down, and Scale by 0 from within Notify returned %s, and should return ErrDown, as in Work.", conform.Said(err))
		}
	}}
	spy.work = func(n int) {
		if n == 0 {
			scales(t, c, "written", 0)
		} else {
			err := c.Scale("failed", 0)
			t.Assert(err == s.ErrDown, "Step 1 is one of Down, and Scale by 0 returned %s and not ErrDown.", conform.Said(err))
		}
		keys := c.Keys()
		slices.Sort(keys)
		t.Assert(slices.Equal(keys, []string{"briefly", "changed", "heard", "written"}), "A change of step 0 added nothing to app changed. Scales that succeeded added nothing to the apps heard, in Notify, and written, in Work; in Notify briefly got one pod and lost it. In step %d the cluster's Keys are %v, and should be [briefly changed heard written]: those too that added nothing.", n, keys)
	}
	first := kind{"a strategy whose only call is a Scale by 0 in open", func(c Cluster) Strategy { scales(t, c, "first", 0); return &script{t: t} }}
	simulate(t, s, Plan{Steps: 1}, first)
	plan := Plan{Steps: 2, Start: map[string]State{}, Down: []int{1}, Changes: []Change{{At: 0, Key: "changed", Delays: []int{0, 1}}}}
	got := simulate(t, s, plan, kind{"a strategy that scales by 0", func(given Cluster) Strategy { c = given; return spy }})
	t.Same(Report{Converged: true, Delivered: 2, Lists: 2, Writes: 6}, got, "Scale was called four times in Notify and twice in Work, Keys twice, and at the end of each step nothing was wrong. In the report")
}

// staysKnown has apps that come to nothing: one from the start, one by a change, one by a Scale.
func staysKnown(t *conform.T, s Subject) {
	plan := Plan{Steps: 4, Start: map[string]State{"empty": {0, 0}, "leaves": {1, 1}, "stops": {0, 1}}, Changes: []Change{
		{At: 1, Key: "leaves", Desired: -1, Running: -1, Delays: []int{0}}, {At: 2, Key: "comes", Desired: 2}, {At: 3, Key: "comes", Desired: -2},
	}}
	simulate(t, s, plan, kind{"a strategy that lists", func(c Cluster) Strategy {
		return &script{t: t, hear: func(int, Event) { c.Keys() }, work: func(n int) {
			if n == 1 {
				scales(t, c, "stops", -1)
				scales(t, c, "briefly", 1)
				scales(t, c, "briefly", -1)
			}
			c.Keys()
		}}
	}})
}

// downEndsWithThePlan simulates plans whose last step is down, and each time another one whose
// strategy scales in open.
func downEndsWithThePlan(t *conform.T, s Subject) {
	scaling := kind{"a strategy that scales in open", func(c Cluster) Strategy {
		scales(t, c, "a", 1)
		return &script{t: t}
	}}
	for range 8 {
		simulate(t, s, Plan{Steps: 3, Start: map[string]State{"a": {1, 1}}, Down: []int{2}}, scaling)
		simulate(t, s, Plan{Steps: 1, Start: map[string]State{"a": {1, 0}}}, scaling)
	}
}

// keysAreTheCallers keeps what Keys returned while apps come, and then writes into it.
func keysAreTheCallers(t *conform.T, s Subject) {
	var c Cluster
	var was, is [][]string
	spy := &script{t: t}
	spy.work = func(n int) {
		keys := c.Keys()
		was, is = append(was, slices.Clone(keys)), append(is, keys)
		scales(t, c, fmt.Sprintf("app-%d", 9-n), 0)
	}
	simulate(t, s, Plan{Steps: 8, Start: map[string]State{"web": {}}}, kind{"a strategy that makes apps known", func(given Cluster) Strategy { c = given; return spy }})
	for i := range is {
		t.Assert(slices.Equal(was[i], is[i]), "Keys returned %v, and that slice was %v after further calls: the caller may keep it.", was[i], is[i])
	}
	spy.work = func(int) {
		for n := range 4 {
			keys := c.Keys()
			t.Assert(slices.Equal(keys, []string{"web"}), "Call %d of Keys returned %q, where [web] was due. After each call before it the caller wrote into the slice that it had got, and nothing else happened: the caller may change it.", n+1, keys)
			clear(keys)
		}
	}
	simulate(t, s, Plan{Steps: 1, Start: map[string]State{"web": {}}}, kind{"a strategy that writes into its Keys", func(given Cluster) Strategy { c = given; return spy }})
}

// oneInAnother simulates a plan within the Work of a strategy that is itself simulated.
func oneInAnother(t *conform.T, s Subject) {
	want := Report{Converged: true, Settled: 1, Lag: 2, Delivered: 1, Reads: 1, Writes: 1}
	var c Cluster
	inner := Plan{Steps: 3, Start: map[string]State{"a": {1, 1}}, Changes: []Change{{Key: "a", Desired: 2, Delays: []int{1}}}}
	t.Same(want, simulate(t, s, inner, level(s)), "App a wanted two more in step 0, which was notified in step 1. In the report")
	spy := &script{t: t}
	spy.work = func(int) {
		t.Same(want, simulate(t, s, inner, level(s)), "The same plan was simulated within the Work of another one's strategy. In its report")
		_ = c.Scale("b", 1) // in turns the cluster is down, in which the inner one is not, and up
		inner.Down = []int{2}
	}
	outer := Plan{Steps: 4, Start: map[string]State{"a": {3, 1}}, Down: []int{0, 2}}
	got := simulate(t, s, outer, kind{"a strategy that simulates another plan", func(given Cluster) Strategy { c = given; return spy }})
	t.Same(Report{Drift: 4, Lag: 2 + 3 + 3 + 4, Settled: -1, Writes: 4}, got, "App a missed two pods from the start. In each step the strategy simulated another plan, which has an app a too, and then scaled b by 1, which succeeded in the steps 1 and 3. In the report")
}

// twoAtOnce has two goroutines simulate equal plans, each with a strategy of its own.
func twoAtOnce(t *conform.T, s Subject) {
	plan := Plan{Steps: 20, Start: map[string]State{"a": {1, 1}, "b": {3, 2}}, Down: []int{7, 2}, Changes: []Change{{At: 4, Key: "a", Desired: 2, Delays: []int{1, 0}}, {At: 1, Key: "b", Running: -1, Delays: []int{0}}}}
	for _, who := range []string{"one", "the other"} {
		t.Go(who, func(a *conform.Actor) {
			call := a.Call("Simulate(20 steps, a strategy that adds a pod to a in each Work)")
			got := s.Simulate(copied(plan), func(c Cluster) Strategy { return adding{c} })
			call.Returned("%+v", got)
			// Of b two pods are missing, and of a there are 16 too many.
			differ := conform.Differ(Report{Drift: 18, Lag: 186, Settled: -1, Delivered: 3, Lists: 20, Reads: 20, Writes: 20}, got)
			t.Assert(differ == "", "Two goroutines simulated equal plans at the same time, each with a strategy of its own, and one of them got another report than if it were alone: %s.", differ)
		})
	}
	t.Join()
}

// adding is a strategy that lists and reads, and adds a pod, and shares nothing with anybody.
type adding struct{ c Cluster }

func (adding) Notify(Event) {}

func (a adding) Work() {
	a.c.Keys()
	a.c.Get("b")
	_ = a.c.Scale("a", 1)
}

// simulatesAnyKey has a cluster of apps with names of all sorts, of each of which one is missing.
func simulatesAnyKey(t *conform.T, s Subject) {
	var c Cluster
	var keys []string
	plan := Plan{Steps: 1, Start: map[string]State{}}
	for i, key := range anyKeys {
		if i%2 == 0 {
			plan.Start[key] = State{1, 0}
		} else {
			plan.Changes = append(plan.Changes, Change{Key: key, Desired: 1})
		}
	}
	spy := &script{t: t, work: func(int) {
		for _, key := range anyKeys {
			scales(t, c, key, 1)
		}
		keys = c.Keys()
	}}
	call := t.Call("Simulate(1 step, apps %s; a strategy that scales each of them by one)", keysShown())
	got := s.Simulate(plan, func(given Cluster) Strategy { c = given; return spy })
	call.Returned("%+v", got)
	t.Same(slices.Sorted(slices.Values(anyKeys)), slices.Sorted(slices.Values(keys)), "A key may be any string but the empty one, and strings that differ are keys of different apps. The cluster's Keys")
	t.Same(Report{Converged: true, Lists: 1, Writes: len(anyKeys)}, got, "Each of %d apps missed one pod and was scaled by one. In the report", len(anyKeys))
}

// fromNothing simulates plans that start without an app.
func fromNothing(t *conform.T, s Subject) {
	t.Same(Report{Converged: true, Lists: 2}, simulate(t, s, Plan{Steps: 2}, resync(s, 1)), "The plan has two steps, no app and no change, and LevelResync(1) called Keys in each. In the report")
	plan := Plan{Steps: 1, Changes: []Change{{Key: "a", Desired: 2, Delays: []int{0}}}}
	t.Same(Report{Converged: true, Delivered: 1, Reads: 1, Writes: 1}, simulate(t, s, plan, level(s)), "The plan has no Start, and a change makes an app known. In the report")
}

// startsAsThePlanSays starts with numbers below zero, and with a large one.
func startsAsThePlanSays(t *conform.T, s Subject) {
	plan := Plan{Steps: 1, Start: map[string]State{"owes": {2, -3}, "less": {-1, 4}, "far": {-1000, 2000}, "many": {math.MaxInt / 4, 0}}}
	got := simulate(t, s, plan, kind{"a strategy that only reads", func(c Cluster) Strategy {
		return &script{t: t, work: func(int) {
			for key, want := range plan.Start {
				got := c.Get(key)
				t.Assert(got == want, "App %s starts at %v (running/desired), nothing happens to it, and Get returned %v.", key, want, got)
			}
		}}
	}})
	drift := 5 + 5 + 3000 + math.MaxInt/4
	t.Same(Report{Drift: drift, Lag: drift, Settled: -1, Reads: 4}, got, "Two apps are five pods off from start to end, one with a Running below zero and one with a Desired below zero. A third has 3000 too many, and a fourth misses %d. In the report", math.MaxInt/4)
}

// onOneGoroutine asks which goroutine calls a strategy.
func onOneGoroutine(t *conform.T, s Subject) {
	var opener string
	same := func(what string) {
		t.Assert(probe.Goroutine() == opener, "Simulate called %s on another goroutine than open: Notify, Work and open are called by one and the same.", what)
	}
	spy := &script{t: t, hear: func(int, Event) { same("Notify") }, work: func(int) { same("Work") }}
	plan := Plan{Steps: 2, Start: map[string]State{}, Changes: []Change{{Key: "a", Desired: 1, Delays: []int{0, 1}}}}
	simulate(t, s, plan, kind{"a strategy that asks for its goroutine", func(Cluster) Strategy { opener = probe.Goroutine(); return spy }})
}

// settles asks when a drift that comes and goes is settled, and what no steps come to.
func settles(t *conform.T, s Subject) {
	opened := 0
	still := kind{"a strategy that does nothing", func(Cluster) Strategy { opened++; return &script{t: t} }}
	up, down := Change{Key: "a", Desired: 1}, Change{Key: "a", Desired: -1}
	plan := Plan{Steps: 9, Start: map[string]State{"a": {2, 2}}}
	for i, step := range []int{1, 2, 4, 6} {
		c := []Change{up, down}[i%2]
		c.At = step
		plan.Changes = append(plan.Changes, c)
	}
	t.Same(Report{Converged: true, Lag: 3, Settled: 6}, simulate(t, s, plan, still), "An app was wrong by one after the steps 1, 4 and 5, and right after the others. In the report")
	plan.Steps = 6
	t.Same(Report{Drift: 1, Lag: 3, Settled: -1}, simulate(t, s, plan, still), "An app was wrong by one after the steps 1, 4 and 5, which is the last. In the report")
	plan.Steps = 1
	t.Same(Report{Converged: true}, simulate(t, s, plan, still), "Nothing was ever wrong. In the report")
	mended := Plan{Steps: 1, Start: map[string]State{"a": {1, 2}}, Changes: []Change{{Key: "a", Desired: 1}}}
	t.Same(Report{Converged: true}, simulate(t, s, mended, still), "An app was wrong at the start, and the only step puts it right: it is settled from the end of step 0 on. In the report")
	plan.Steps, opened = 0, 0
	t.Same(Report{Converged: true}, simulate(t, s, plan, still), "The plan has no steps, and its start is right. In the report")
	t.Assert(opened == 1, "The plan has no steps, and Simulate called open %s: it calls it once, before the first step.", conform.Count(opened, "time"))
	plan.Start["a"] = State{2, 5}
	t.Same(Report{Drift: 3, Settled: -1}, simulate(t, s, plan, still), "The plan has no steps, and an app of its start has 3 too many. In the report")
	mends := kind{"a strategy that scales when it is opened", func(c Cluster) Strategy { scales(t, c, "a", -3); return &script{t: t} }}
	t.Same(Report{Converged: true, Writes: 1}, simulate(t, s, plan, mends), "The plan has no steps, and open mends all that was wrong at its start. In the report")
}

// manySteps simulates a plan in whose last step, after a hundred thousand others, an app goes wrong.
func manySteps(t *conform.T, s Subject) {
	const last = 100_000
	plan := Plan{Steps: last + 1, Start: map[string]State{"a": {2, 2}}, Changes: []Change{{At: last, Key: "a", Desired: 1}}}
	call := t.Call("Simulate(%d steps, in the last of which app a wants one more, a strategy that does nothing)", plan.Steps)
	works := 0
	got := s.Simulate(plan, func(Cluster) Strategy { return idle{&works} })
	call.Returned("%+v", got)
	t.Same(Report{Drift: 1, Lag: 1, Settled: -1}, got, "An app was wrong by one after the last of %d steps, and right after the others. In the report", plan.Steps)
	t.Assert(works == plan.Steps, "In %d steps Simulate called Work %s, and should call it once in each.", plan.Steps, conform.Count(works, "time"))
}

// idle is a strategy that only counts its Works.
type idle struct{ works *int }

func (idle) Notify(Event) {}
func (i idle) Work()      { *i.works++ }
