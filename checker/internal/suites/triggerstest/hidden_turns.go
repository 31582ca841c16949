package triggerstest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// edgeInTurns notifies Edge of numbered events, before its Works and from within their calls. The
// n-th event makes the app miss n pods more, or n fewer.
func edgeInTurns(rt *rapid.T, t *conform.T, k kind) {
	c := newCluster(t, map[string]State{})
	v := start(t, k, c)
	noted, acted := 0, 0
	sign := rapid.SampledFrom([]int{1, -1}).Draw(rt, "pods are missing, or too many")
	note := func(events int) {
		for range events {
			noted++
			was, is := State{noted, noted}, State{2 * noted, noted} // more are wanted
			if noted%2 == 0 {
				was, is = State{0, noted}, State{0, 0} // fewer run
			}
			if sign < 0 {
				was, is = is, was
			}
			v.notify("a", was, is)
		}
	}
	for range rapid.IntRange(1, 5).Draw(rt, "Works") {
		note(rapid.IntRange(0, 9).Draw(rt, "events before Work"))
		c.broken["a"] = rapid.Bool().Draw(rt, "Scale fails")
		due, during := noted, rapid.SliceOfN(rapid.IntRange(0, 2), 0, 6).Draw(rt, "events within the calls of Work")
		c.within = func(string) {
			if len(during) > 0 {
				events := during[0]
				during = during[1:]
				note(events)
			}
		}
		v.work()
		for _, call := range c.askedInOrder() {
			acted++
			t.Require(acted <= noted, "There were %d events, Edge had acted on each of them, and its next call was %q: it acts on each event once.", noted, call)
			want := fmt.Sprintf("Scale a %d", sign*acted)
			t.Require(call == want, "The n-th event is a change in Missing of n, or of -n. Call %d of Edge was %q, and should be %q: it acts on every event once, in the order in which they were noted.", acted, call, want)
		}
		t.Require(acted >= due, "%d events had been noted when Work began, and by its end Edge had acted on %d.", due, acted)
	}
}

// levelInTurns notifies a Level, or a LevelResync, of changes of four apps, before its Works and
// from within their calls, some of which fail.
func levelInTurns(rt *rapid.T, t *conform.T, s Subject) {
	period := rapid.IntRange(0, 3).Draw(rt, "period")
	k := resync(s, period)
	if rapid.Bool().Draw(rt, "a plain Level") {
		k, period = level(s), 0
	}
	apps := []string{"a", "b", "c", "d"}
	c := newCluster(t, map[string]State{"a": {2, 2}})
	l := &ledger{t: t, c: c, k: k, period: period, due: map[string]debt{}, again: map[string]bool{}, more: map[string]int{}}
	l.steps = rapid.SampledFrom([][]int{{1}, {-1}, {1, -1}, {2, -1, -1}}).Draw(rt, "more are wanted, note by note")
	l.v = start(t, k, c)
	app := rapid.SampledFrom(apps)
	for range rapid.IntRange(1, 4).Draw(rt, "Works") {
		for _, key := range rapid.SliceOfN(app, 0, 4).Draw(rt, "noted before Work") {
			l.note(key, "")
		}
		clear(c.broken)
		for _, key := range rapid.SliceOfN(app, 0, 2).Draw(rt, "Scale fails for") {
			c.broken[key] = true
		}
		l.working(rapid.SliceOfN(rapid.SampledFrom(append(apps, "")), 0, 8).Draw(rt, "noted within the calls of Work"))
	}
	clear(c.broken)
	l.working(nil)
	l.working(nil)
}

// ledger holds what a Level owes: which app it has to read, and by the end of which Work.
type ledger struct {
	t      *conform.T
	c      *cluster
	k      kind
	v      recorded
	period int
	works  int             // Works that have begun
	busy   bool            // one of them is under way
	steps  []int           // by how many more are wanted before each note, in turns
	notes  int             // notes so far
	due    map[string]debt // apps that were noted, and no Get has begun since
	again  map[string]bool // apps that the next Work may look at, whatever this one has done
	first  map[string]bool // apps that this Work may look at for what was noted before it, or by Keys
	more   map[string]int  // how often a Work may look at an app once more, for what was noted during it
	gaps   map[string]int  // what this Work has read and not yet written
	scaled map[string]bool // apps whose gap this Work has written, and has not read again
	lists  int             // how often this Work has called Keys
	wrong  string          // what was wrong first
}

// debt is an app that has to be read by the end of a Work.
type debt struct {
	work int
	why  string
}

func (l *ledger) owe(key string, work int, why string) {
	if _, ok := l.due[key]; !ok {
		l.due[key] = debt{work, why}
	}
}

// note changes an app and notifies of it, before a Work or within a call of one.
func (l *ledger) note(key, within string) {
	l.notes++
	before, after := l.c.add(key, l.steps[l.notes%len(l.steps)], 0)
	if l.busy {
		l.more[key]++
		l.owe(key, l.works+1, fmt.Sprintf("was noted within %s of Work %d", within, l.works))
	} else {
		l.again[key] = true
		l.owe(key, l.works+1, fmt.Sprintf("was noted before Work %d", l.works+1))
	}
	l.v.notify(key, before, after)
}

// working calls Work, and notes one app of these within each of its calls; an empty name is none.
func (l *ledger) working(during []string) {
	l.works++
	l.busy, l.lists, l.gaps, l.scaled = true, 0, map[string]int{}, map[string]bool{}
	l.first, l.again, l.more = l.again, map[string]bool{}, map[string]int{}
	l.c.within = func(call string) {
		l.served(call)
		if len(during) > 0 {
			key := during[0]
			during = during[1:]
			if key != "" {
				l.note(key, call)
			}
		}
	}
	l.v.work()
	l.busy = false
	for key, n := range l.more {
		if n > 0 { // noted during this Work, and not looked at since
			l.again[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(l.due)) {
		if d := l.due[key]; d.work <= l.works {
			l.breaks("App %s %s, and by the end of Work %d no Get of %[1]s had begun since. The note was lost.", key, d.why, l.works)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(l.gaps)) {
		l.breaks("Work %d read that app %s misses %d (below zero: too many), and did not call Scale for it.", l.works, key, l.gaps[key])
	}
	if l.period > 0 && l.works%l.period == 0 && l.lists == 0 {
		l.breaks("Work %d is one with a resync, and did not call Keys.", l.works)
	}
	l.t.Require(l.wrong == "", "%s: %s", l.k.name, l.wrong)
}

// served is called when the cluster has answered a call.
func (l *ledger) served(call string) {
	name, rest, _ := strings.Cut(call, " ")
	key, number, _ := strings.Cut(rest, " ")
	switch name {
	case "Keys":
		l.lists++
		if l.lists > 1 || l.period <= 0 || l.works%l.period != 0 {
			l.breaks("Keys is called once in every period-th Work, and never by a plain Level. This is call %d of Keys in Work %d.", l.lists, l.works)
		}
		for key := range l.c.apps {
			l.first[key] = true
			l.owe(key, l.works, fmt.Sprintf("was listed by Keys in Work %d", l.works))
		}
	case "Get":
		if l.first[key] {
			delete(l.first, key)
		} else if l.more[key]--; l.more[key] < 0 {
			l.breaks("Work %d looked at app %s once too often: it looks once at an app that is noted, and a note that comes while Work is under way causes at most one look more, in this Work or in the next.", l.works, key)
		}
		delete(l.due, key)
		delete(l.gaps, key)
		delete(l.scaled, key)
		if n := l.c.apps[key].missing(); n != 0 {
			l.gaps[key] = n
		}
	case "Scale":
		due, ok := l.gaps[key]
		switch {
		case l.scaled[key]:
			l.breaks("Work %d called %q, and had called Scale of %s already since its last Get of it: it calls Get, once, and Scale, once.", l.works, call, key)
		case !ok:
			l.breaks("Work %d called %q, and had read no gap of %s before it.", l.works, call, key)
		case number != fmt.Sprint(due):
			l.breaks("Work %d called %q, and its last Get of %s had read that it misses %d (below zero: too many).", l.works, call, key, due)
		}
		delete(l.gaps, key)
		l.scaled[key] = true
		if l.c.broken[key] {
			l.again[key] = true
			l.owe(key, l.works+1, fmt.Sprintf("had a Scale that failed in Work %d", l.works))
		}
	}
}

func (l *ledger) breaks(sentence string, args ...any) {
	if l.wrong == "" {
		l.wrong = fmt.Sprintf(sentence, args...)
		l.t.Breaks("%s", l.wrong)
	}
}
