// Package triggerstest is the conformance suite of lab 18.
//
// The strategies are put to a cluster of the suite's own, and Simulate to
// strategies of the suite's own, so that a mistake in one does not show as one in
// the other. Some cases put the learner's strategies into the learner's Simulate: an audit follows
// it, and says first what Simulate did wrong. All is deterministic, apart from which goroutine
// runs when: a step is a turn of a loop and no clock is looked at.
//
// What it can miss: a strategy that keeps memory of keys it will never see again; a note
// that is lost in a window that some thousand bursts do not meet, or on one processor; a bound on
// events above ten thousand, because right code may take each off the front of an array; a version that comes
// round after more than 256 notes; an Edge that keeps events of some KiB in all; a delay above 70000 steps
// that arrives too early; an error that is overlooked because its text is empty; a Simulate that is
// slow, or that goes wrong only with dozens of apps; the weather of Storm, which is given and not graded.
package triggerstest

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// The vocabulary of the lab, as the suite sees it: the bridge translates.
type (
	// State is one app as it stands in the cluster.
	State struct{ Desired, Running int }

	// Event is one notification.
	Event struct {
		Key      string
		Old, New State
	}

	// Cluster is what a strategy acts on.
	Cluster interface {
		Keys() []string
		Get(key string) State
		Scale(key string, n int) error
	}

	// Strategy decides what to do about notifications.
	Strategy interface {
		Notify(e Event)
		Work()
	}

	// Change is something that others do to the cluster.
	Change struct {
		At               int
		Key              string
		Desired, Running int
		Delays           []int
	}

	// Plan is a world and all that will happen in it.
	Plan struct {
		Steps   int
		Start   map[string]State
		Changes []Change
		Down    []int
	}

	// Report is what became of a Plan, and what it cost.
	Report struct {
		Drift, Lag, Settled, Delivered, Lists, Reads, Writes int
		Converged                                            bool
	}
)

func (s State) missing() int { return s.Desired - s.Running }

// String is a state as histories have it: running/desired.
func (s State) String() string { return fmt.Sprintf("%d/%d", s.Running, s.Desired) }

// String is a change as histories have it.
func (c Change) String() string {
	fate := "no notification arrives"
	if len(c.Delays) > 0 {
		fate = fmt.Sprintf("notifications arrive %v steps later", c.Delays)
	}
	return fmt.Sprintf("in step %d %s wants %+d, runs %+d; %s", c.At, c.Key, c.Desired, c.Running, fate)
}

// Subject is lab 18 as the suite sees it.
type Subject struct {
	Edge        func(c Cluster) Strategy
	Level       func(c Cluster) Strategy
	LevelResync func(c Cluster, period int) Strategy
	Simulate    func(plan Plan, open func(c Cluster) Strategy) Report
	ErrDown     error
}

// Lab describes lab 18 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:    "18-triggers",
		Title:  "Triggers",
		Builds: "three ways to act on a stream that loses, doubles and reorders, and the simulation that tells what each costs",
		Files:  []string{"world.go", "strategy.go", "simulate.go", "storm.go"},
		Cases:  conform.Describe(Cases()),
	}
}

// Cases are the claims.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// unclosed is the sentence of the contract on goroutines. A case that opens a strategy stands on it:
// what is left running when it ends is a leak.
const unclosed = "A Strategy is never closed. So neither making one nor a call of its methods starts a goroutine that outlives the call."

// anyKey is the sentence on keys.
const anyKey = "Key may be any string but the empty one, as every key in this lab."

// anyKeys are names that somebody might take for something else, or for one another.
var anyKeys = append(joined(), []string{
	"web", "Web", " web", "web ", "prod/web", "test/web", "prod/", "/web", "/", "eu/prod/web", "us/prod/web", "prod/web/", "prod//web",
	"db", "web\n", "web\x00", "web\xff", "web\xfe", "web\ufffd", "web:8080", "wéb", "we\u0301b",
	"0", "../web", "*", "a=b&c", `"web"`,
	"costarring", "liquid", "creamwove", "quists", "plumless", "buckeroo", // pairs for which FNV-1a, FNV-1 and CRC-32 are equal
	strings.Repeat("long-", 60) + "1", strings.Repeat("long-", 60) + "2",
}...)

// joined are "web" and "db" with each ASCII character between them, and with some texts: a strategy
// that keeps keys in one string and splits it meets its separator.
func joined() []string {
	var keys []string
	for char := range 128 {
		keys = append(keys, "web"+string(rune(char))+"db")
	}
	for _, text := range []string{"", ", ", "; ", "::", "||", "--", "->", "=>", "\r\n", "\n\n", "\x00\x00", "\u00a0", "\u2028", "\xff\xff"} {
		keys = append(keys, "web"+text+"db")
	}
	return keys
}

// keysShown is anyKeys in a history.
func keysShown() string {
	first, last := len(joined()), len(anyKeys)-2
	return fmt.Sprintf("%q, two with names of 301 bytes, and web and db with each ASCII character between them, and with some texts", anyKeys[first:last])
}

// takesAnyKey notifies once of each of anyKeys, which miss a pod.
func takesAnyKey(t *conform.T, k kind) {
	c := newCluster(t, map[string]State{})
	c.silent = true
	v := start(t, k, c)
	call := t.Call("Notify of %d apps that each miss one pod: %s", len(anyKeys), keysShown())
	for _, key := range anyKeys {
		before, after := c.add(key, 1, 0)
		v.Notify(Event{key, before, after})
	}
	call.Returned("")
	v.work()
	for _, key := range anyKeys {
		t.Require(c.apps[key] == State{1, 1}, "An event named app %q, which misses a pod, and after Work of %s it is at %v, and should be at 1/1 (running/desired). A key may be any string but the empty one, and strings that differ are keys of different apps.", key, k.name, c.apps[key])
	}
	t.Require(len(c.apps) == len(anyKeys), "Events named %d apps, and %s scaled others, too: now there are %d. A key may be any string but the empty one.", len(anyKeys), k.name, len(c.apps))
}

// kind is one of the three strategies, ready to be opened.
type kind struct {
	name string
	open func(c Cluster) Strategy
}

func edge(s Subject) kind  { return kind{"Edge", s.Edge} }
func level(s Subject) kind { return kind{"Level", s.Level} }

func resync(s Subject, period int) kind {
	return kind{fmt.Sprintf("LevelResync(%d)", period), func(c Cluster) Strategy { return s.LevelResync(c, period) }}
}

// levels are the two that look; the second does not resync within a case.
func levels(s Subject) []kind { return []kind{level(s), resync(s, 1000)} }

// recorded is a strategy whose calls are written into the history of one actor.
type recorded struct {
	a *conform.Actor
	Strategy
}

func start(t *conform.T, k kind, c Cluster) recorded {
	var s Strategy
	t.Do(func() { s = k.open(c) }, "New%s", k.name)
	return recorded{t.Actor, s}
}

func (v recorded) notify(key string, before, after State) {
	v.a.Do(func() { v.Notify(Event{key, before, after}) }, "Notify(%s: %v -> %v)", key, before, after)
}

// named notifies of keys without saying anything of their states. It is one event of the
// history: which keys they were is the point, and must not be folded.
func (v recorded) named(keys ...string) {
	v.a.Do(func() {
		for _, key := range keys {
			v.Notify(Event{key, State{}, State{}})
		}
	}, "Notify(each: 0/0 -> 0/0) for %s", strings.Join(keys, ", then "))
}

func (v recorded) work() { v.a.Do(v.Work, "Work()") }

// simulate calls the subject's Simulate. The plan stands in the history (running/desired), and
// all that passes between Simulate, the strategy and the cluster. An audit follows it.
func simulate(t *conform.T, s Subject, plan Plan, k kind) Report {
	report, _ := simulated(t, s, plan, k)
	return report
}

// simulated is simulate, and also returns the audit, which knows how the apps ended.
func simulated(t *conform.T, s Subject, plan Plan, k kind) (Report, *audit) {
	t.Note("the plan: %d steps, starting with %v, down in the steps %v", plan.Steps, plan.Start, plan.Down)
	for _, c := range plan.Changes {
		t.Note("the plan: %v", c)
	}
	audit := newAudit(t, s, plan)
	call := t.Call("Simulate(the plan, %s)", k.name)
	report := s.Simulate(plan, func(c Cluster) Strategy {
		audit.opening()
		ground := &playground{t: t, inner: c, audit: audit}
		strategy := k.open(ground)
		audit.isOpen()
		return &played{a: t.Actor, inner: strategy, ground: ground, audit: audit}
	})
	call.Returned("%+v", report)
	audit.holds(report)
	return report, audit
}

// played is a strategy in a simulation, with its calls written into the history.
type played struct {
	a      *conform.Actor
	inner  Strategy
	ground *playground
	audit  *audit
}

func (p *played) Notify(e Event) {
	step := p.audit.now
	p.audit.notified(e)
	p.a.Do(func() { p.inner.Notify(e) }, "step %d: Notify(%s: %v -> %v)", step, e.Key, e.Old, e.New)
}

func (p *played) Work() {
	p.ground.failed = 0
	p.audit.working()
	p.a.Do(p.inner.Work, "step %d: Work()", p.audit.now)
	p.audit.worked()
}

// playground is the cluster of a simulation, with what the strategy asks of it written into
// the history.
type playground struct {
	t      *conform.T
	inner  Cluster
	audit  *audit
	failed int // how many Scales of this Work failed
}

func (p *playground) Keys() []string {
	keys := conform.Do(p.t.Actor, p.inner.Keys, "Keys()")
	p.audit.listed(keys)
	return keys
}

func (p *playground) Get(key string) State {
	s := conform.Do(p.t.Actor, func() State { return p.inner.Get(key) }, "Get(%s)", key)
	p.audit.got(key, s)
	return s
}

// Scale says of a failure that it was a success where Work would never return otherwise.
func (p *playground) Scale(key string, n int) error {
	err := conform.Do(p.t.Actor, func() error { return p.inner.Scale(key, n) }, "Scale(%s, %+d)", key, n)
	p.audit.hasScaled(key, n, err)
	if err == nil {
		return nil
	}
	if p.failed++; p.failed < endless {
		return err
	}
	p.t.Errorf("%d Scales failed in one Work, the last was Scale(%s, %+d): where Scale fails, the next Work looks at the app again, and this one goes on with the other apps, and does not try again by itself.", p.failed, key, n)
	return nil
}
