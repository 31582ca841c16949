package triggerstest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hidden = append(append([]conform.Case[Subject]{
	{
		Name:   "notify-only-notes",
		Points: 5,
		Func:   "Strategy.Notify",
		Look:   []string{"Edge.Notify", "Level.Notify", "LevelResync.Notify", "Level.Work"},
		Rule:   "Notify does not touch the cluster, and neither does opening a strategy. Work without a note does nothing.",
		Why:    "All calls of a handler come on one goroutine: a handler that works there delays every later event.",
		Hint: []string{
			"Which of your methods calls the cluster? Only Work may.",
		},
		Source: "client-go tools/cache/shared_informer.go: SharedInformer (a handler must not block)",
		Contract: []string{
			"NewEdge returns an Edge that acts on cluster. It does not touch cluster yet.",
			"Without a note Work does nothing at all.",
			"It does not touch the cluster, and does not wait for a Work that is under way.",
			"Work acts on every event that is noted and not yet acted on",
			"Work looks at every app that is noted, each once",
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, k := range append(levels(s), edge(s)) {
				c := newCluster(t, map[string]State{"a": {5, 2}, "b": {0, 3}})
				v := start(t, k, c)
				v.work()
				c.wasAsked(t, nil, "%s touched the cluster although it was notified of nothing.", k.name)
				v.notify("a", State{2, 2}, State{5, 2})
				v.notify("b", State{0, 0}, State{0, 3})
				c.wasAsked(t, nil, "%s touched the cluster in Notify; work belongs into Work.", k.name)
				v.work()
				t.Require(len(c.asked()) > 0, "%s was notified of two apps, and Work did not touch the cluster.", k.name)
				v.work()
				c.wasAsked(t, nil, "%s touched the cluster although nothing was noted.", k.name)
			}
			for _, k := range append(levels(s), edge(s)) {
				notesWithoutEnd(t, k)
			}
		},
	},
	{
		Name:   "many-events-one-look",
		Points: 4,
		Func:   "Level.Work",
		Rule:   "However many events name an app between two Works, Work looks at it once.",
		Why:    "A rollout changes a ReplicaSet hundreds of times in seconds. What it needs is one look at the result.",
		Hint: []string{
			"Which collection does not care how often you put the same key into it?",
		},
		Source: "client-go util/workqueue/queue.go: Add (a key that is queued is not queued again)",
		Contract: []string{
			"Work looks at every app that is noted, each once, however many events named it, in any order",
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			for _, k := range levels(open()) {
				c := newCluster(t, map[string]State{"a": {9, 2}, "b": {1, 1}})
				v := start(t, k, c)
				for range 2 {
					for i := range 20 {
						v.notify("a", State{i, i}, State{i + 1, i})
						v.named("b", "a")
					}
					c.apps["a"] = State{9, 2}
					c.worked(t, v, []string{"Get a", "Get b", "Scale a 7"},
						"Many events named a and b, of which a misses 7: Work of %s looks once at each, and scales a by 7.", k.name)
				}
				manyAppsOneLook(t, k)
			}
		},
	},
	{
		Name:   "edge-drifts-by-what-it-missed",
		Long:   true,
		Points: 7,
		Func:   "Edge.Work",
		Look:   []string{"Edge.Work", "Edge.Notify"},
		Rule:   "Edge ends wrong by exactly what was lost, doubled or failed, and the order of events does not matter to it.",
		Why:    "A missed event is an error for ever: nothing in this strategy ever notices it.",
		Hint: []string{
			"Do not improve Edge. It keeps no list of what it has seen, and tries nothing again.",
			"Two equal events may be one that was doubled, or two that happened. From events alone nobody can tell.",
		},
		Source: "Programming Kubernetes, ch. 1: strategy 1 does not cope well with missed events",
		Contract: []string{
			"It does not know of a lost change, acts twice on a doubled notification, and drops what fails: the moment has passed.",
			"An error of Scale is dropped together with its event.",
			"Work acts on every event that is noted and not yet acted on, one after the other, in the order in which they were noted, each once",
			"Once Work has returned, it keeps no event that it has dealt with, whether Scale was called, failed or was not needed, and even if newer events wait. It does not keep one in the unused part of an array either, before the first event that waits or behind the last: the garbage collector can free it.",
			audited,
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			for _, burst := range []int{1, 512} {
				keepsNoEvent(t, open(), burst)
			}
			for _, letters := range []string{"a", "b", "c", "abc", "bca", "cab"} { // each kind is the only one, and the last one
				keepsNoLastEvent(t, open(), letters)
			}
			for _, dealt := range []int{1, 3} {
				keepsNoneBesideNewer(t, open(), dealt, 4-dealt)
			}
			keepsNoneOfDuring(t, open())
			actsOnEach(t, edge(open()), true)
			c := newCluster(t, map[string]State{"a": {4, 2}})
			v := start(t, edge(open()), c)
			c.broken["a"] = true
			v.notify("a", State{2, 2}, State{4, 2})
			v.notify("b", State{0, 0}, State{1, 0})
			v.notify("a", State{4, 2}, State{7, 2})
			v.work()
			c.wasAskedInOrder(t, []string{"Scale a 2", "Scale b 1", "Scale a 3"},
				"The Scale of one event failed, and Edge did not act on that event and those after it, once each: an error is dropped together with its event.")
			c.broken["a"] = false
			v.work()
			v.work()
			c.wasAsked(t, nil, "Edge tried again what had failed.")
			v.notify("a", State{2, 2}, State{3, 2})
			v.notify("a", State{3, 2}, State{4, 2})
			v.work()
			c.wasAsked(t, []string{"Scale a 1", "Scale a 1"},
				"Edge did not act on each of two events of one app, of which the second goes on where the first ends.")
			equalEvents(t, c, v)

			model.Check(t, 60, func(rt *rapid.T, t *conform.T) {
				p := drawPlan(rt, arrives)
				p.Steps, p.Down = farAway, nil
				drift := map[string]int{}
				for _, c := range p.Changes {
					drift[c.Key] += (c.Desired - c.Running) * (1 - len(c.Delays))
				}
				_, a := simulated(t, open(), p, edge(open()))
				for _, key := range slices.Sorted(maps.Keys(drift)) {
					s := a.apps[key]
					t.Require(s.missing() == drift[key], "App %s ended at %v (running/desired), so it misses %d. Its changes less what its notifications reported, copies counted, come to %d: Edge did not scale by the change in each event that arrived.", key, s, s.missing(), drift[key])
				}
			})
		},
	},
	{
		Name:   "next-event-heals",
		Points: 5,
		Func:   "Level.Work",
		Rule:   "After a lost event Level is wrong until the next event that names the same app, and right from then on.",
		Why:    "This makes missed events bearable, and it is not enough: an app to which nothing more happens stays wrong.",
		Hint: []string{
			"Level reads the whole gap, whichever part of it an event reports. And it looks only at apps that an event has named.",
		},
		Source: "Programming Kubernetes, ch. 1: strategy 2 recovers when another event is received",
		Contract: []string{
			"It compares the state that it reads with the state that is wanted, and closes the gap.",
			audited,
			"Without a note Work does nothing at all. It never calls Keys.",
			"it calls Get, once, and if pods are missing or too many, it calls Scale, once, with just that number",
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			p := Plan{Steps: 8, Start: map[string]State{"a": {1, 1}, "b": {1, 1}}, Changes: []Change{
				{At: 0, Key: "a", Desired: 4}, // lost
				{At: 2, Key: "b", Desired: 1, Delays: []int{0}},
				{At: 5, Key: "a", Desired: -1, Delays: []int{0}},
			}}
			for _, k := range levels(s) {
				r := simulate(t, s, p, k)
				t.Same(Report{Converged: true, Settled: 5, Lag: 20, Delivered: 2, Reads: 2, Writes: 2}, r, "The event of step 0 was lost, and the one of step 5, of the same app, heals %s. In the report", k.name)
			}
		},
	},
}, resyncs...), append(notes, simulations...)...)

// equalEvents notifies of two equal events, directly one after the other, with another event
// between them and with a Work between them. All three are tried before the case fails.
func equalEvents(t *conform.T, c *cluster, v recorded) {
	twice := func() { v.notify("a", State{2, 2}, State{3, 2}) }
	var answers []string
	wrong := 0
	for _, between := range []struct {
		what string
		do   func()
		due  []string
	}{
		{"with nothing between them", func() {}, []string{"Scale a 1", "Scale a 1"}},
		{"with an event of b between them", func() { v.notify("b", State{0, 0}, State{1, 0}) }, []string{"Scale a 1", "Scale a 1", "Scale b 1"}},
		{"with a Work between them", v.work, []string{"Scale a 1", "Scale a 1"}},
	} {
		twice()
		between.do()
		twice()
		v.work()
		got := c.asked()
		if slices.Equal(got, between.due) {
			answers = append(answers, between.what+": right")
			continue
		}
		wrong++
		t.Breaks("two equal events, %s: the cluster was asked [%s], and not [%s]", between.what, tally(got), tally(between.due))
		answers = append(answers, fmt.Sprintf("%s: asked [%s], due [%s]", between.what, tally(got), tally(between.due)))
	}
	t.Require(wrong == 0, "Edge did not act on each of two equal events, Notify(a: 2/2 -> 2/3). What the cluster was asked, %s.", strings.Join(answers, "; "))
}

// manyAppsOneLook notifies of a thousand apps, of each once and then of each once more.
func manyAppsOneLook(t *conform.T, k kind) {
	const apps = 1000
	c := newCluster(t, map[string]State{})
	c.silent = true
	v := start(t, k, c)
	call := t.Call("Notify of %d apps that miss nothing, one after the other, and once more of them all", apps)
	for i := range 2 * apps {
		v.Notify(Event{fmt.Sprintf("app-%04d", i%apps), State{0, 0}, State{0, 0}})
	}
	call.Returned("")
	v.work()
	calls := c.asked()
	looked := len(slices.Compact(slices.Clone(calls)))
	t.Require(len(calls) == apps && looked == apps, "Two events each named %d apps that miss nothing. Work of %s made %s on the cluster, of which %d differ, and should look at each app once: %[1]d calls of Get.", apps, k.name, conform.Count(len(calls), "call"), looked)
}

// notesWithoutEnd notifies of more than any buffer of a usual size holds, and nobody works.
func notesWithoutEnd(t *conform.T, k kind) {
	const apps = 10100
	c := newCluster(t, map[string]State{})
	c.silent = true
	v := start(t, k, c)
	call := t.Call("Notify of %d apps that each miss one pod, one after the other", apps)
	for i := range apps {
		key := fmt.Sprintf("app-%05d", i)
		c.apps[key] = State{1, 0}
		v.Notify(Event{key, State{0, 0}, State{1, 0}})
	}
	call.Returned("")
	v.work()
	missed := c.drift()
	if missed == 0 {
		return
	}
	v.work()
	t.Fatalf("%d events, each of another app that misses one pod, came before Work was called. Work of %s goes through all that is noted, and it left %d of the apps as they were. One more Work left %d.", apps, k.name, missed, c.drift())
}

// deaf is a cluster that has no apps. Scale fails for those whose name begins with broken.
type deaf struct{ broken string }

func (deaf) Keys() []string   { return nil }
func (deaf) Get(string) State { return State{} }

func (d deaf) Scale(key string, _ int) error {
	if strings.HasPrefix(key, d.broken) {
		return errBroken
	}
	return nil
}

// keepsNoEvent has Edge act on 8 MiB of events, burst by burst.
func keepsNoEvent(t *conform.T, s Subject, burst int) {
	const events, size = 512, 16 << 10
	v := s.Edge(deaf{"none"})
	before := probe.Heap()
	call := t.Call("Notify, of an app with a name of 16 KiB that misses one pod, %d times, and Work after every %d", events, burst)
	for i := range events {
		v.Notify(Event{strings.Repeat("a", size) + fmt.Sprint(i), State{0, 0}, State{1, 0}})
		if (i+1)%burst == 0 {
			v.Work()
		}
	}
	call.Returned("")
	kept := probe.Growth(before, 4<<20)
	t.Require(kept < 4<<20, "Edge has acted on %d events of 16 KiB, Work came after every %d of them, and it has returned. Edge still holds %d KiB of them.", events, burst, kept>>10)
	v.Work()
}

// keepsNoLastEvent has Edge deal with large events in one Work, and looks at the heap before another
// one comes. An event a needs no Scale, for a b it fails, and for a c it succeeds.
func keepsNoLastEvent(t *conform.T, s Subject, letters string) {
	const size = 4 << 20
	v := s.Edge(deaf{"b"})
	before := probe.Heap()
	call := t.Call("Notify, of %s, one after the other: names of 4 MiB, of which a… misses nothing, b… and c… a pod; and Work, in which Scale fails for b…", strings.Join(strings.Split(letters, ""), "…, ")+"…")
	var dealt []string
	for _, letter := range strings.Split(letters, "") {
		notifyOfLarge(v, letter, size, map[string]int{"a": 0, "b": 1, "c": 1}[letter])
		dealt = append(dealt, map[string]string{"a": "one that needed no Scale", "b": "one for which Scale failed", "c": "one for which Scale succeeded"}[letter])
	}
	v.Work()
	call.Returned("")
	kept := probe.Growth(before, size-1<<20)
	t.Require(kept < size-1<<20, "Edge has dealt with %s of 4 MiB in one Work, which has returned: %s. Edge still holds %d MiB of them: it keeps no event that it has dealt with.", conform.Count(len(letters), "event"), strings.Join(dealt, ", "), (kept+1<<19)>>20)
	v.Work()
}

// notifyOfLarge is a function of its own, so that no frame of the case holds the event.
//
//go:noinline
func notifyOfLarge(v Strategy, letter string, size, missing int) {
	v.Notify(Event{strings.Repeat(letter, size), State{0, 0}, State{missing, 0}})
}

// farAway is a step that every notification of a drawn plan has arrived by.
const farAway = 40

// fates of notifications: what drawPlan may draw for Delays.
var (
	arrives = rapid.SliceOfN(rapid.IntRange(0, 5), 0, 2) // lost, late or doubled
	late    = rapid.SliceOfN(rapid.IntRange(0, 5), 1, 1) // late and so reordered, never lost
)

// drawPlan draws a plan of a few apps that start as they should be.
func drawPlan(rt *rapid.T, fate *rapid.Generator[[]int]) Plan {
	p := Plan{Steps: rapid.IntRange(0, 14).Draw(rt, "steps"), Start: map[string]State{}}
	for _, key := range []string{"a", "b"} {
		n := rapid.IntRange(0, 4).Draw(rt, "pods of "+key)
		p.Start[key] = State{n, n}
	}
	for i := range rapid.IntRange(0, 12).Draw(rt, "changes") {
		p.Changes = append(p.Changes, Change{
			At:      rapid.IntRange(0, 12).Draw(rt, fmt.Sprintf("step of change %d", i)),
			Key:     rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "app"),
			Desired: rapid.IntRange(-3, 3).Draw(rt, "desired"),
			Running: rapid.IntRange(-2, 1).Draw(rt, "running"),
			Delays:  fate.Draw(rt, "delays"),
		})
	}
	p.Down = rapid.SliceOfNDistinct(rapid.IntRange(0, 14), 0, 4, rapid.ID[int]).Draw(rt, "down")
	return p
}

// listsOnTime asks in which Works a cluster without apps is listed: in more of them than fit
// into a small counter.
func listsOnTime(t *conform.T, s Subject, period int) {
	c := newCluster(t, map[string]State{})
	v := start(t, resync(s, period), c)
	for n := 1; n <= 300; n++ {
		v.work()
		var due []string
		if n%period == 0 {
			due = []string{"Keys"}
		}
		compare(t, due, c.asked(), "The cluster has no apps, and LevelResync(%d) calls Keys in every Work whose number is a multiple of %[1]d, and in no other. This is Work %d.", []any{period, n})
	}
	for range period {
		v.notify("gone", State{0, 0}, State{1, 0})
		v.work()
		calls := c.asked()
		t.Require(count(calls, "Get gone") == 1, "The cluster has no apps, and an event named one that is gone. LevelResync(%d) looks at every app that is noted, whether or not Keys returns it, and the cluster was asked [%s].", period, tally(calls))
	}
}

// longPeriod asks in which Works a LevelResync with a long period calls Keys.
func longPeriod(t *conform.T, s Subject) {
	const period, times = 5000, 14 // more Works than fit into sixteen bits
	c := newCluster(t, map[string]State{})
	c.silent = true
	v := start(t, resync(s, period), c)
	call := t.Call("Work, %d times", times*period)
	for n := 1; n <= times*period; n++ {
		v.Work()
		asked := c.askedInOrder()
		var due []string
		if n%period == 0 {
			due = []string{"Keys"}
		}
		compare(t, due, asked, "The cluster has no apps, nothing was noted, and LevelResync(%d) calls Keys in every Work whose number is a multiple of %[1]d, and in no other. This is Work %d.", []any{period, n})
	}
	call.Returned("")
}

// listsWhenBusy resyncs while many apps are noted already, that Keys does not return.
func listsWhenBusy(t *conform.T, s Subject) {
	const period, works, apps = 2, 6, 1500
	c := newCluster(t, map[string]State{"a": {0, 0}})
	c.silent = true
	v := start(t, resync(s, period), c)
	for n := 1; n <= works; n++ {
		call := t.Call("Notify of %d apps that are gone", apps)
		for i := range apps {
			v.Notify(Event{fmt.Sprintf("app-%04d", i), State{1, 1}, State{0, 0}})
		}
		call.Returned("")
		v.work()
		calls := c.askedInOrder()
		lists, looks := 0, apps
		if n%period == 0 {
			lists, looks = 1, apps+1 // app a too
		}
		t.Require(count(calls, "Keys") == lists && count(calls, "Get ") == looks, "Before each Work events named %d apps that are gone. LevelResync(%d) called Keys %s and Get %s in Work %d, and should call Keys %s and Get %d times: it looks at each app that is noted, whatever the event says of it, and resyncs in every Work whose number is a multiple of %[2]d, however many are noted.",
			apps, period, conform.Count(count(calls, "Keys"), "time"), conform.Count(count(calls, "Get "), "time"), n, conform.Count(lists, "time"), looks)
		t.Require(lists == 0 || calls[0] == "Keys", "In every Work whose number is a multiple of %d LevelResync(%[1]d) first calls Keys. In Work %d its first call was %q.", period, n, calls[0])
	}
}

// looksAtAll resyncs more apps than any batch of a usual size holds.
func looksAtAll(t *conform.T, s Subject) {
	const apps = 10100
	c := newCluster(t, map[string]State{})
	c.silent = true
	for i := range apps {
		c.apps[fmt.Sprintf("app-%05d", i)] = State{1, 0}
	}
	v := start(t, resync(s, 1), c)
	v.work()
	t.Require(c.drift() == 0, "Each of %d apps missed a pod, and after the first Work of LevelResync(1) %d of the pods are missing still: a resync looks at every app that Keys returns.", apps, c.drift())
}

// neverForLong has a period that no run of a program gets to.
func neverForLong(t *conform.T, s Subject) {
	const period = math.MaxInt/2 + 2 // one, if only its lower half is kept
	c := newCluster(t, map[string]State{"a": {1, 1}})
	v := start(t, resync(s, period), c)
	for n := 1; n <= 5; n++ {
		v.work()
		c.wasAsked(t, nil, "LevelResync(%d) resyncs in every Work whose number is a multiple of %[1]d, nothing was noted, and in Work %d it touched the cluster.", period, n)
	}
}

var resyncs = []conform.Case[Subject]{
	{
		Name:   "resync-heals-within-a-period",
		Points: 7,
		Func:   "LevelResync.Work",
		Rule:   "In every period-th Work, and in no other, LevelResync looks at every app. So it repairs every loss within one period.",
		Why:    "If the last event of an app is lost, no other comes. The controller must look without an event.",
		Hint: []string{
			"Work is called in every step. Count the calls.",
			"A resync notes every key of Keys. Level does the rest anyway.",
		},
		Source: "client-go tools/cache/shared_informer.go: resyncCheckPeriod; Programming Kubernetes, ch. 1: strategy 3",
		Contract: []string{
			"NewLevelResync returns a LevelResync that acts on cluster and looks at everything in every period-th Work: the period-th, the 2·period-th and so on.",
			"in every period-th call it first calls Keys, once, and notes every app that it returns.",
			"Work does what Level.Work does, apart from the resync",
			"Every call of Work counts, with or without a note.",
			audited,
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			for _, period := range []int{1, 2, 5} {
				c := newCluster(t, map[string]State{"a": {1, 1}, "b": {2, 2}})
				v := start(t, resync(open(), period), c)
				for n := 1; n <= 4*period; n++ {
					c.add("b", 2, 0) // nobody tells
					v.work()
					calls := c.asked()
					if n%period != 0 {
						t.Require(len(calls) == 0, "With a period of %d LevelResync resyncs in every Work whose number is a multiple of %d, and in Work %d, with nothing noted, the cluster was asked [%s].", period, period, n, tally(calls))
						continue
					}
					compare(t, []string{"Keys", "Get a", "Get b", fmt.Sprintf("Scale b %d", 2*period)}, calls, "No event has come. With a period of %d LevelResync calls Keys in Work %d and looks at every app, noted or not: every call of Work counts, with or without a note.", []any{period, n})
				}
			}
			s := open()
			listsOnTime(t, s, 7)
			longPeriod(t, s)
			looksAtAll(t, s)
			listsWhenBusy(t, s)
			p := Plan{Steps: 12, Start: map[string]State{"old": {3, 1}}, Changes: []Change{{At: 6, Key: "new", Desired: 3}}}
			t.Same(Report{Converged: true, Settled: 7, Lag: 6 + 3, Lists: 3, Reads: 1 + 2 + 2, Writes: 2}, simulate(t, s, p, resync(s, 4)), "Nothing was notified, and LevelResync(4) repairs it in steps 3, 7 and 11. In the report")
		},
	},
	{
		Name:   "resync-in-peace-only-reads",
		Points: 5,
		Func:   "LevelResync.Work",
		Rule:   "A resync costs one Keys and one Get for each app, noted or not, and no write where nothing is wrong.",
		Why:    "Resyncs run all day on every object of a cluster. They are affordable because they read a local cache and write nothing.",
		Hint: []string{
			"How often do you look at an app that an event has named and that the resync finds too?",
			"Let the resync put its keys where Notify puts them, before Work takes them all.",
		},
		Source: "client-go tools/cache/delta_fifo.go: Resync (a key that is queued is skipped)",
		Contract: []string{
			"in every period-th call it first calls Keys, once, and notes every app that it returns. Work still looks only once at an app that was noted already, and it looks at one that is noted and that Keys does not return.",
			"An app that needs nothing costs one Get and no write.",
			"Without a note Work does nothing at all.",
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster(t, map[string]State{"a": {1, 1}, "b": {2, 2}, "c": {3, 3}})
			v := start(t, resync(open(), 3), c)
			look := []string{"Keys", "Get a", "Get b", "Get c"}
			for range 3 {
				v.work()
				v.work()
				c.wasAsked(t, nil, "LevelResync did something between two resyncs although nothing happened.")
				v.work()
				c.wasAsked(t, look, "A resync of a cluster where nothing is wrong costs one Keys and one Get for each app.")
			}
			v.work()
			v.work()
			v.named("b", "gone", "b", "lost") // as many apps as Keys lists
			v.work()
			calls := c.askedInOrder()
			compare(t, keysFirst(append(look, "Get gone", "Get lost")), keysFirst(calls), "In a resync each app is looked at once, also one that an event has named as well.", nil)
			t.Require(calls[0] == "Keys", "In every period-th call Work first calls Keys, also where apps are noted already. The cluster was asked, in this order, [%s].", tally(calls))
			for range 3 {
				v.work()
			}
			c.wasAsked(t, look, "Events named two apps that Keys does not return, and an earlier Work looked at them. A resync notes every app that Keys returns in this Work, and nothing else was noted.")
			delete(c.apps, "c")
			for range 3 {
				v.work()
			}
			c.wasAsked(t, []string{"Keys", "Get a", "Get b"}, "App c is gone, and Keys does not return it as it did before. A resync notes every app that Keys returns in this Work, and nothing else was noted.")
		},
	},
	{
		Name:   "no-period-no-resync",
		Points: 3,
		Func:   "NewLevelResync",
		Rule:   "With a period of zero or less LevelResync never calls Keys, and is a plain Level.",
		Why:    "Zero means \"no resync\" everywhere in client-go, and many informers use it.",
		Hint: []string{
			"What does n % 0 do in Go?",
		},
		Source: "client-go tools/cache/shared_informer.go: AddEventHandlerWithResyncPeriod (a handler with a resync period of 0 is not resynced)",
		Contract: []string{
			"With a period of zero or less it never does, and is a plain Level.",
			"looks at everything in every period-th Work: the period-th, the 2·period-th and so on.",
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			neverForLong(t, open())
			for _, period := range []int{0, -1, -3} {
				c := newCluster(t, map[string]State{"a": {1, 1}, "b": {2, 1}})
				v := start(t, resync(open(), period), c)
				for range 6 {
					v.work()
				}
				c.wasAsked(t, nil, "LevelResync looked without a note although its period is %d.", period)
				v.named("b")
				v.work()
				c.wasAsked(t, []string{"Get b", "Scale b 1"},
					"LevelResync with a period of %d did not act as a Level.", period)
			}
		},
	},
}
