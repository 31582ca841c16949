package conform

import (
	"fmt"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// The watchdog looks at the process every tick. Nothing here measures how fast
// the subject is: a goroutine that could run shows as runnable however loaded
// the machine is, so "everything is blocked" is a fact and not a time-out.
const (
	tick      = 25 * time.Millisecond
	lookEvery = 10 // ticks between looks at the stacks
	locksOnly = 2  // equal looks needed where only locks, conditions and sends are waited for
	mayWake   = 6  // equal looks needed where a timer could still wake someone
	sockets   = 12 // equal looks needed where a socket could
)

// watch starts the watchdog and returns what stops it.
func (r *run) watch() (stop func()) {
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r.watchdog(done)
	}()
	return func() { close(done); <-ended }
}

func (r *run) watchdog(done <-chan struct{}) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	began := cpuTime()
	var last string
	equal := 0
	for n := 1; ; n++ {
		select {
		case <-done:
			return
		case <-ticker.C:
		}
		if heap := heapBytes(); heap > uint64(r.config.Memory) {
			r.exit(wire.Record{Kind: wire.Memory, Bytes: int64(heap), Dump: dump(), History: r.histories()})
		}
		if used := cpuTime() - began; used > time.Duration(r.config.CPU)*time.Second {
			r.exit(wire.Record{Kind: wire.Spinning, Message: used.Round(time.Second).String(), Dump: dump(), History: r.histories()})
		}
		if n%lookEvery != 0 {
			continue
		}
		text := dump()
		seen, patience := look(text)
		if seen == "" || seen != last {
			last, equal = seen, 1
			continue
		}
		if equal++; equal >= patience {
			r.exit(wire.Record{Kind: hungOrStuck(text), Dump: text, History: r.histories()})
		}
	}
}

// look sums up where every goroutine stands, or "" if any could still move, and
// says how many equal looks it takes to believe it.
func look(text string) (signature string, patience int) {
	patience = locksOnly
	var b strings.Builder
	for _, g := range goroutine.Parse(text)[1:] { // the first is the watchdog
		if !g.Blocked() && g.State != "IO wait" {
			return "", 0
		}
		switch {
		case g.State == "IO wait":
			patience = sockets
		case g.MayWake() && !testMain(g) && g.Bubble == 0:
			patience = max(patience, mayWake)
		}
		fmt.Fprintf(&b, "%d %s", g.ID, g.State)
		for _, f := range g.Frames {
			fmt.Fprintf(&b, " %s:%d", f.Func, f.Line)
		}
		b.WriteByte('\n')
	}
	return b.String(), patience
}

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

// settle returns when two looks in a row saw nothing that could run.
func settle() {
	for last := ""; ; {
		time.Sleep(10 * time.Millisecond)
		now, _ := look(dump())
		if now != "" && now == last {
			return
		}
		last = now
	}
}

// histories is the history of the scenario that has most to tell: the newest
// with a call still open, or else the newest with any history at all.
func (r *run) histories() []wire.Event {
	r.mu.Lock()
	live := append([]*T(nil), r.live...)
	r.mu.Unlock()
	var past []wire.Event
	for _, t := range slices.Backward(live) {
		h := t.history()
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
