package triggerstest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// audited is the sentence on which every case stands that simulates: it holds Simulate to its
// contract with an audit, so that no strategy is blamed for what Simulate did.
const audited = "Simulate plays plan against one strategy and reports how it ended and what it cost."

// passage is how a step goes.
const passage = "In each step the changes happen, the notifications that are due arrive in the order in which they were sent, and then Work is called. A notification carries the states of the app in the cluster just before its change and after it, with what the strategy has written."

// audit goes through a plan beside the subject's Simulate: each call of the strategy moves it
// on. It knows what the cluster has to answer, and what the report has to say.
type audit struct {
	t    *conform.T
	plan Plan
	down error // what Scale returns in a step of Down

	opened int
	now    int    // the step under way; in open it is -1
	begun  bool   // the changes of this step have happened
	place  string // what the strategy is in: "open", "Notify" or "Work"
	apps   map[string]State
	due    map[int][]Event // by the step in which they arrive
	heard  int             // how many have arrived in this step

	calls  map[string]int    // by "Get in Work" and the like
	scaled map[string]string // the last Scale of each app
	drifts []int             // after each step
	report Report
	wrong  string // what was wrong first
}

func newAudit(t *conform.T, s Subject, plan Plan) *audit {
	a := &audit{
		t: t, plan: copied(plan), down: s.ErrDown, now: -1, place: "open", apps: map[string]State{},
		due: map[int][]Event{}, calls: map[string]int{}, scaled: map[string]string{},
	}
	maps.Copy(a.apps, plan.Start)
	return a
}

// copied is a copy of plan that shares nothing with it: Simulate must not modify a plan, but might.
func copied(plan Plan) Plan {
	plan.Start, plan.Changes, plan.Down = maps.Clone(plan.Start), slices.Clone(plan.Changes), slices.Clone(plan.Down)
	for i, c := range plan.Changes {
		plan.Changes[i].Delays = slices.Clone(c.Delays)
	}
	return plan
}

// breaks keeps the first thing that was wrong with Simulate.
func (a *audit) breaks(sentence string, args ...any) {
	if a.wrong == "" {
		a.wrong = fmt.Sprintf(sentence, args...)
		a.t.Breaks("%s", a.wrong)
	}
}

// when is the moment as a sentence begins with it.
func (a *audit) when() string {
	if a.now < 0 {
		return "In open"
	}
	return fmt.Sprintf("In step %d", a.now)
}

// opening is called when open is, and isOpen when it has returned.
func (a *audit) opening() {
	if a.opened++; a.opened > 1 {
		a.breaks("It called open %d times, and should call it once.", a.opened)
	}
}

func (a *audit) isOpen() {
	a.report.Drift, a.now = drift(a.apps), 0
}

// begin lets the changes of this step happen.
func (a *audit) begin() {
	if a.begun {
		return
	}
	a.begun, a.heard = true, 0
	for _, c := range a.plan.Changes {
		if c.At != a.now || a.now >= a.plan.Steps {
			continue
		}
		before := a.apps[c.Key]
		after := State{before.Desired + c.Desired, before.Running + c.Running}
		a.apps[c.Key] = after
		for _, delay := range c.Delays {
			if delay < a.plan.Steps-a.now {
				a.due[a.now+delay] = append(a.due[a.now+delay], Event{c.Key, before, after})
			}
		}
	}
}

// notified is called when e arrives.
func (a *audit) notified(e Event) {
	a.begin()
	a.place = "Notify"
	a.report.Delivered++
	a.calls["Notify"]++
	due := "Work()"
	if a.heard < len(a.due[a.now]) {
		due = notice(a.due[a.now][a.heard])
	}
	a.heard++
	if got := notice(e); got != due {
		a.breaks("%s it called %s, and %s was due (running/desired).%s %s", a.when(), got, due, a.neverDue(e), passage)
	}
}

func notice(e Event) string { return fmt.Sprintf("Notify(%s: %v -> %v)", e.Key, e.Old, e.New) }

// neverDue names a change of the plan that e may be of, and whose notification never arrives.
func (a *audit) neverDue(e Event) string {
	for _, c := range a.plan.Changes {
		if c.Key != e.Key || c.Desired != e.New.Desired-e.Old.Desired || c.Running != e.New.Running-e.Old.Running {
			continue
		}
		if c.At < 0 || c.At >= a.plan.Steps {
			return fmt.Sprintf(" A change outside the steps, as the one of app %s with an At of %d, never happens.", c.Key, c.At)
		}
		for _, delay := range c.Delays {
			if delay > math.MaxInt-c.At {
				return fmt.Sprintf(" The change of app %s in step %d has a delay of %d: step and delay make more than an int can hold, and this copy never arrives.", c.Key, c.At, delay)
			}
		}
	}
	return ""
}

// working is called when Work is, and worked when it has returned.
func (a *audit) working() {
	a.begin()
	a.place = "Work"
	if due := a.due[a.now]; a.heard < len(due) {
		a.breaks("%s it called Work(), and %s was due before it (running/desired). %s", a.when(), notice(due[a.heard]), passage)
	}
}

func (a *audit) worked() {
	d := drift(a.apps)
	a.drifts = append(a.drifts, d)
	a.report.Drift = d
	a.report.Lag += d
	if a.now++; d != 0 {
		a.report.Settled = a.now
	}
	a.begun = false
}

// listed, got and hasScaled are called with what the cluster has answered.
func (a *audit) listed(keys []string) {
	a.report.Lists++
	a.calls["Keys in "+a.place]++
	got, due := slices.Sorted(slices.Values(keys)), slices.Sorted(maps.Keys(a.apps))
	if slices.Equal(got, due) {
		return
	}
	a.breaks("%s Keys returned %s, and should return %s, in any order. %s Keys are those of plan.Start, of every change that has happened and of every Scale that succeeded, and an app that is known stays known.",
		a.when(), quoted(got), quoted(due), a.astray(got, due))
}

// astray says of one key where it would come from, or that it is there twice.
func (a *audit) astray(got, due []string) string {
	for _, key := range due {
		if !slices.Contains(got, key) {
			return fmt.Sprintf("App %q is missing, which is at %v (running/desired).", key, a.apps[key])
		}
	}
	for _, key := range got {
		if slices.Contains(due, key) {
			continue
		}
		for _, c := range a.plan.Changes {
			if c.Key == key && c.At > a.now {
				return fmt.Sprintf("App %q is there before its first change, of step %d.", key, c.At)
			}
		}
		return fmt.Sprintf("App %q is not known.", key)
	}
	return "An app is there twice."
}

func quoted(keys []string) string {
	var texts []string
	for _, key := range keys {
		texts = append(texts, fmt.Sprintf("%q", key))
	}
	return "[" + strings.Join(texts, " ") + "]"
}

func (a *audit) got(key string, s State) {
	a.report.Reads++
	a.calls["Get in "+a.place]++
	if due := a.apps[key]; s != due {
		a.breaks("%s Get(%s) returned %v (running/desired), and should return %v, with all that changes and Scales have done so far.", a.when(), key, s, due)
	}
}

func (a *audit) hasScaled(key string, n int, err error) {
	a.report.Writes++
	a.calls["Scale in "+a.place]++
	var due error
	if a.now >= 0 && slices.Contains(a.plan.Down, a.now) {
		due = a.down
	}
	when := a.when()
	a.scaled[key] = fmt.Sprintf("Scale(%s, %+d) %s%s", key, n, strings.ToLower(when[:1]), when[1:])
	if err != due {
		a.breaks("%s, in %s, Scale(%s, %+d) returned %s, and should return %s: Down is %v, and Scale returns ErrDown itself in these steps, and never fails in others or in open.", a.when(), a.place, key, n, conform.Said(err), conform.Said(due), a.plan.Down)
	}
	if due == nil {
		s := a.apps[key]
		a.apps[key] = State{s.Desired, s.Running + n}
	}
}

// holds requires that Simulate has played all of the plan, and that its report says what happened.
func (a *audit) holds(got Report) {
	if a.opened == 0 {
		a.breaks("It did not call open.")
	} else if a.now != a.plan.Steps {
		a.breaks("The plan has %s, and it called Work %s, and should call it once in each step.", conform.Count(a.plan.Steps, "step"), conform.Count(a.now, "time"))
	}
	if a.report.Drift != 0 {
		a.report.Settled = -1
	}
	want := a.report
	for _, f := range []struct {
		name      string
		got, want int
		why       string
	}{
		{"Delivered", got.Delivered, want.Delivered, a.counted("Notify")},
		{"Lists", got.Lists, want.Lists, a.counted("Keys")},
		{"Reads", got.Reads, want.Reads, a.counted("Get")},
		{"Writes", got.Writes, want.Writes, a.counted("Scale") + ", those that failed and those by 0 included"},
		{"Drift", got.Drift, want.Drift, a.end()},
		{"Lag", got.Lag, want.Lag, a.driftsWere()},
		{"Settled", got.Settled, want.Settled, a.driftsWere()},
	} {
		if f.got != f.want {
			a.breaks("The report's %s is %d, and should be %d: %s.", f.name, f.got, f.want, f.why)
		}
	}
	a.t.Require(a.wrong == "", "This is about Simulate, and not about the strategy. %s", a.wrong)
}

// counted says how often the strategy made this call, and where.
func (a *audit) counted(call string) string {
	if call == "Notify" {
		return fmt.Sprintf("Notify was called %s", conform.Count(a.calls[call], "time"))
	}
	var where []string
	sum := 0
	for _, place := range []string{"open", "Notify", "Work"} {
		if n := a.calls[call+" in "+place]; n > 0 {
			sum += n
			where = append(where, fmt.Sprintf("%d in %s", n, place))
		}
	}
	if sum == 0 {
		return "the strategy never called " + call
	}
	return fmt.Sprintf("the strategy called %s %s (%s)", call, conform.Count(sum, "time"), strings.Join(where, ", "))
}

// driftsWere lists the drift after each step, or after open if there is no step.
func (a *audit) driftsWere() string {
	if a.plan.Steps == 0 {
		return fmt.Sprintf("there is no step, and the drift after open was %d", a.report.Drift)
	}
	return fmt.Sprintf("after the steps from 0 on the drift was %v", a.drifts)
}

// end lists the apps that are wrong at the end.
func (a *audit) end() string {
	apps := a.wrongApps()
	if apps == "" {
		return "at the end no app misses a pod or has one too many"
	}
	return "at the end " + apps
}

// wrongApps lists the apps that miss pods or have too many, each with the last Scale of it.
func (a *audit) wrongApps() string {
	var texts []string
	for _, key := range slices.Sorted(maps.Keys(a.apps)) {
		if a.apps[key].missing() == 0 {
			continue
		}
		last := "never scaled"
		if scaled := a.scaled[key]; scaled != "" {
			last = "after its last Scale, " + scaled
		}
		texts = append(texts, fmt.Sprintf("%s is at %v (running/desired), %s", key, a.apps[key], last))
	}
	return strings.Join(texts, "; ")
}

// drift is the sum of what is missing or too much.
func drift(apps map[string]State) int {
	sum := 0
	for _, s := range apps {
		sum += max(s.missing(), -s.missing())
	}
	return sum
}
