package conform

import (
	"fmt"
	"os"
	"reflect"
	"runtime/metrics"
	"slices"
	"strings"
	"time"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// The watchdog looks at the process every tick. It does not measure speed: a goroutine that
// could run is shown as runnable however loaded the machine is. So it sees with certainty
// that everything is blocked. That nothing will ever wake it needs a proof, because a timer
// is not a goroutine. There are two:
//
//   - Whatever waits is in a synctest bubble. The bubble's timers move only when all of
//     it is blocked on channels and the like, and then its clock would have moved on.
//     So a goroutine waits for a lock, and none that could release it can run.
//   - The runtime's leak profile names the goroutine of the case: no timer, no package
//     variable and no running goroutine reaches what it waits for.
//
// Without a proof, because a package variable or a network connection still leads to
// what is waited for, or because this runtime has no leak profile, only time is left:
// what has not moved for unproven counts as stuck, and the record says so.
//
// A loop around a short sleep moves, uses next to no processor time, and may do so for ever.
// It counts as spinning once looks that have met everything at rest at one place make up
// unproven, and others in between have met it awake: as long as no call of the case begins
// or returns, it has woken for nothing.
const (
	tick      = 25 * time.Millisecond
	lookEvery = 10 // ticks between looks at the stacks
	unproven  = 10 * time.Second
	raceGrace = 40 // ticks that a case has after a data race, to say whether it had failed before
)

// watchdog watches one case. It reaches the run, and by it all that the suite holds,
// only by a weak pointer: the leak profile would otherwise find everything within its reach.
type watchdog struct {
	run      weak.Pointer[run]
	limit    wire.Config
	unproven time.Duration // how long nothing may move
	began    time.Duration // processor time when the case began
	held     holding       // when the case began

	last  string // what the last look saw
	equal int    // how many looks in a row have seen it
	races int    // ticks since the first data race

	quiet quiet // since a call of the case began or returned last
}

// quiet is a time in which no call of the case began or returned.
type quiet struct {
	after time.Duration   // when the last one did
	looks int             // how many there were in it
	awake bool            // the last look has not met everything at rest
	rests map[string]rest // by where everything was
}

// rest is how often looks have met everything at rest, sleepers included, at one place.
type rest struct {
	looks   int
	returns int // how many of the looks came after one that had met it awake
}

// watch starts the watchdog and returns what stops it.
func (r *run) watch() (stop func()) {
	done := make(chan struct{})
	ended := make(chan struct{})
	w := &watchdog{run: weak.Make(r), limit: hurried(r.config), unproven: r.unproven(), began: r.began, held: holds()}
	go func() {
		defer close(ended)
		w.watch(done)
	}()
	return func() { close(done); <-ended }
}

func (w *watchdog) watch(done <-chan struct{}) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		w.limits()
		w.race()
		if n%lookEvery == 0 {
			w.look()
		}
	}
}

// limits ends a case that has used up its memory or its processor time.
func (w *watchdog) limits() {
	if heap := heapBytes(); heap > uint64(w.limit.Memory) {
		w.end(wire.Record{Kind: wire.Memory, Bytes: int64(heap), Dump: dump()})
	}
	if used := cpuTime() - w.began; used > time.Duration(w.limit.CPU)*time.Second {
		w.end(w.run.Value().spent(used, w.held))
	}
}

// spent is the record of a case that has used up its processor time. If the case itself is
// over, then the subject's goroutines that are left have used it.
func (r *run) spent(used time.Duration, held holding) wire.Record {
	if before := r.before(); before != nil {
		if left := r.lingering(before); len(left) > 0 {
			return leak(left, used.Round(time.Second).String()+" of processor time")
		}
	}
	return wire.Record{
		Kind: wire.Spinning, Message: "the case used " + used.Round(time.Second).String() + " of processor time", Dump: dump(),
		GoesOn: r.goesOn(held.at), Detail: holds().since(held),
	}
}

// goesOn reports whether calls still began and returned lately: in the last tenth of the time
// since the case began. Virtual time would not say so: much may happen in one instant of it.
func (r *run) goesOn(began time.Duration) bool {
	const part = 10
	now := realTime()
	lately := now - (now-began)/part
	return r.latest() > lately
}

// latest is when a call began or returned last in any scenario that is under way, in real time.
func (r *run) latest() time.Duration {
	var latest time.Duration
	for _, t := range r.underWay() {
		latest = max(latest, t.latest())
	}
	return latest
}

// race ends a case some time after a data race. The race detector could end it at once. But
// while a case puts a failure into words it may read what goroutines of the subject still
// write, and then the failure would never be reported.
func (w *watchdog) race() {
	if _, attached := wire.Attached(); !attached || raceErrors() == 0 {
		return
	}
	if w.races++; w.races > raceGrace {
		os.Exit(1)
	}
}

// look ends a case in which everything is blocked for good, or wakes up only to wait again.
func (w *watchdog) look() {
	text := dump()
	all := others(text)
	if w.polls(all) {
		w.end(wire.Record{Kind: wire.Spinning, Message: w.quiet.String(), Dump: text})
	}
	seen := signature(all, stuck)
	if seen == "" || seen != w.last {
		w.last, w.equal = seen, 1
		return
	}
	w.equal++
	switch {
	case w.equal&(w.equal-1) == 0 && (bubbled(all) || caseLeaked()): // 2, 4, 8…: the profile costs a garbage collection
		w.end(wire.Record{Kind: hungOrStuck(text), Dump: text})
	case looking(w.equal) >= w.unproven:
		w.end(wire.Record{Kind: hungOrStuck(text), Dump: text, Message: "nothing has moved for " + w.unproven.String()})
	}
}

// looking is how long so many looks take.
func looking(looks int) time.Duration { return time.Duration(looks) * lookEvery * tick }

// polls reports whether everything has woken up again and again only to wait at the same
// place. A case about virtual time that runs on the real clock may wait for as long as it likes.
// When the case is over, who wakes up to look is the run itself, for leaks.
func (w *watchdog) polls(all []goroutine.Goroutine) bool {
	r := w.run.Value()
	here := w.quiet.add(signature(all, atRest), r.latest())
	return !w.limit.NoBubble && r.before() == nil && here.returns > 1 && looking(here.looks) >= w.unproven
}

// add counts a look that has met everything at rest there, or "", and tells how often looks
// have by now. The last call before it was at latest.
func (q *quiet) add(there string, latest time.Duration) rest {
	if q.rests == nil || latest != q.after {
		*q = quiet{after: latest, rests: map[string]rest{}}
	}
	q.looks++
	awake := q.awake
	if q.awake = there == ""; q.awake {
		return rest{}
	}
	r := q.rests[there]
	r.looks++
	if awake {
		r.returns++
	}
	q.rests[there] = r
	return r
}

// String says what has happened in a quiet time.
func (q *quiet) String() string {
	return "for " + looking(q.looks).Round(time.Second).String() + " whatever woke up in the case went back to wait at the same place"
}

// end ends the process with a record and the history of the case. If the subject has panicked in an
// attempt of a model checker, the record is of that panic, and what came after it is an echo.
func (w *watchdog) end(rec wire.Record) {
	r := w.run.Value() // held by the goroutine of the case until the watchdog is stopped
	if a := r.remembered(); a != nil {
		r.exit(a.crashed())
	}
	rec.History = r.histories()
	r.exit(rec)
}

// others are the goroutines in a dump but the first, which has taken it.
func others(text string) []goroutine.Goroutine { return goroutine.Parse(text)[1:] }

// stuck reports whether g waits for another goroutine, or for the network.
func stuck(g goroutine.Goroutine) bool { return g.Blocked() || g.State == "IO wait" }

// atRest reports whether g waits for anything.
func atRest(g goroutine.Goroutine) bool { return stuck(g) || g.State == "sleep" }

// signature sums up where every goroutine stands, or is "" if one of them does not stand still.
func signature(all []goroutine.Goroutine, still func(goroutine.Goroutine) bool) string {
	var b strings.Builder
	for _, g := range all {
		if !still(g) {
			return ""
		}
		fmt.Fprintf(&b, "%d %s", g.ID, g.State)
		for _, f := range g.Frames {
			fmt.Fprintf(&b, " %s:%d", f.Func, f.Line)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// bubbled reports whether all goroutines are in bubbles, but for those that wait for a
// bubble or a test to end.
func bubbled(all []goroutine.Goroutine) bool {
	return !slices.ContainsFunc(all, func(g goroutine.Goroutine) bool {
		return g.Bubble == 0 && g.State != "synctest.Run" && !testMain(g)
	})
}

// caseLeaked reports whether nothing can wake the goroutine of the case.
func caseLeaked() bool {
	return slices.ContainsFunc(profile(), func(g goroutine.Goroutine) bool {
		return slices.ContainsFunc(g.Frames, func(f goroutine.Frame) bool { return f.Func == caseFunc })
	})
}

// caseFunc is the function on whose goroutine every case runs.
var caseFunc = reflect.TypeFor[run]().PkgPath() + ".one"

// testMain reports whether g is a goroutine of package testing that waits for a test.
func testMain(g goroutine.Goroutine) bool {
	return len(g.Frames) > 0 && strings.HasPrefix(g.Frames[0].Func, "testing.")
}

// hungOrStuck tells a deadlock from a bubble that cannot go on because someone in
// it sleeps, or waits for a timer, while another waits for a lock.
func hungOrStuck(text string) wire.Kind {
	all := goroutine.Parse(text)
	inBubble := func(f func(goroutine.Goroutine) bool) bool {
		return slices.ContainsFunc(all, func(g goroutine.Goroutine) bool { return g.Bubble != 0 && f(g) })
	}
	if inBubble(goroutine.Goroutine.OnMutex) && inBubble(func(g goroutine.Goroutine) bool {
		return g.State == "sleep" || g.State == "select" || g.State == "chan receive"
	}) {
		return wire.Hung
	}
	return wire.Stuck
}

// settle returns when two looks in a row saw nothing that could run, but for other
// goroutines that settle: copies of a scenario would wait for each other for good. The looks
// are further and further apart, and far apart from the first on where somebody waits for the
// network: what comes may be on its way through the kernel.
func settle() {
	const longest = 10 * time.Millisecond
	pause := time.Millisecond
	for last := ""; ; {
		pause = min(2*pause, longest)
		time.Sleep(pause)
		seen := slices.DeleteFunc(others(dump()), settling)
		if slices.ContainsFunc(seen, func(g goroutine.Goroutine) bool { return g.State == "IO wait" }) {
			pause = longest
		}
		now := signature(seen, stuck)
		if now != "" && now == last {
			return
		}
		last = now
	}
}

// settling reports whether g waits in settle.
func settling(g goroutine.Goroutine) bool {
	return slices.ContainsFunc(g.Frames, func(f goroutine.Frame) bool { return f.Func == settleFunc })
}

// settleFunc is the name of settle in a dump.
var settleFunc = reflect.TypeFor[run]().PkgPath() + ".settle"

// histories returns the history of the scenario that shows most: the newest with a call
// still open, or else the newest with any history at all.
func (r *run) histories() []wire.Event {
	var past []wire.Event
	for _, t := range slices.Backward(r.underWay()) {
		h := t.History()
		if slices.ContainsFunc(h, func(e wire.Event) bool { return e.Open }) {
			return h
		}
		if len(past) == 0 {
			past = h
		}
	}
	return past
}

func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
