package conform

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// dump is the stack of every goroutine, the caller's first.
func dump() string {
	buf := make([]byte, 1<<16)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			return string(buf[:n])
		}
		buf = make([]byte, 2*len(buf))
	}
}

// snapshot returns the IDs of the goroutines that exist before the subject is touched.
// Those that an initialiser of the subject has started are not among them: in a process of
// its own, a case answers for these, too. Under go test, all cases share a process.
func (r *run) snapshot() map[int]bool {
	_, alone := wire.Attached()
	ids := map[int]bool{}
	for _, g := range goroutine.Parse(dump()) {
		ids[g.ID] = !alone || !g.Touches(r.config.Subjects...)
	}
	return ids
}

// leaks looks for goroutines of the subject that outlive the case.
//
// There are two kinds of evidence. The runtime's leak profile proves that nothing can ever
// wake a goroutine: it has no false alarms, and misses what a timer or a package variable
// still reaches, and what goes on by itself. The other is time: a goroutine of the subject
// that is still there after unproven, blocked or not, counts as leaked. So does one that
// uses up the case's processor time before that, which the watchdog sees.
func (r *run) leaks(t *T, before map[int]bool) {
	r.mu.Lock()
	r.over = before
	r.mu.Unlock()
	for look := 0; ; look++ {
		left := r.lingering(before)
		if len(left) == 0 || worthAProfile(look, left) {
			if proven := profile(); len(proven) > 0 {
				r.leaked(t, proven, "")
				return
			}
		}
		switch {
		case len(left) == 0:
			return
		case time.Duration(look)*leakPause >= r.unproven():
			r.leaked(t, left, r.unproven().String())
			return
		}
		time.Sleep(leakPause)
	}
}

// before is which goroutines were there before the case, once it is over, and nil until then.
func (r *run) before() map[int]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over
}

// leakPause is the time between two looks at what is left.
const leakPause = 50 * time.Millisecond

// worthAProfile reports whether the profile should be asked at this look. What can still run
// may be on its way to where it gets stuck, and would not be counted: so it has some
// looks' time to get there. The profile costs a garbage collection.
func worthAProfile(look int, left []goroutine.Goroutine) bool {
	const patient = 8
	runs := slices.ContainsFunc(left, func(g goroutine.Goroutine) bool { return g.State == "running" || g.State == "runnable" })
	return look&(look-1) == 0 && (!runs || look >= patient)
}

// lingering are the goroutines that were not there before and run the subject's code or
// were started by it.
func (r *run) lingering(before map[int]bool) []goroutine.Goroutine {
	return slices.DeleteFunc(goroutine.Parse(dump()), func(g goroutine.Goroutine) bool {
		return before[g.ID] || !g.Touches(r.config.Subjects...)
	})
}

// profile asks the runtime which goroutines nothing can wake. It needs
// GOEXPERIMENT=goroutineleakprofile at build time and is silent without.
func profile() []goroutine.Goroutine {
	p := pprof.Lookup("goroutineleak")
	if p == nil {
		return nil
	}
	var text bytes.Buffer
	if err := p.WriteTo(&text, 2); err != nil {
		return nil
	}
	return slices.DeleteFunc(goroutine.Parse(text.String()), func(g goroutine.Goroutine) bool { return !g.Leaked })
}

// leaked reports goroutines that should be gone and fails the case.
// later is how long after the case they were still there; "" where they are proven to stay.
func (r *run) leaked(t *T, left []goroutine.Goroutine, later string) {
	r.mu.Lock()
	first := !r.failed
	r.failed = true
	r.mu.Unlock()
	r.tb.Fail()
	if !first {
		return
	}
	rec := leak(left, later)
	rec.History, rec.Copy = t.History(), t.copy
	wire.Send(rec)
	r.print("goroutines leaked\n"+render(left), t.History())
}

// leak is the record of goroutines that should be gone.
func leak(left []goroutine.Goroutine, detail string) wire.Record {
	return wire.Record{Kind: wire.Leak, Message: fmt.Sprintf("%d left running", len(left)), Detail: detail, Dump: render(left)}
}

// render writes goroutines back in the runtime's own layout.
func render(gs []goroutine.Goroutine) string {
	var b strings.Builder
	for _, g := range gs[:min(len(gs), 64)] {
		fmt.Fprintf(&b, "goroutine %d [%s]:\n", g.ID, g.State)
		for _, f := range g.Frames {
			fmt.Fprintf(&b, "%s(...)\n\t%s:%d\n", f.Func, f.File, f.Line)
		}
		if g.Creator.Func != "" {
			fmt.Fprintf(&b, "created by %s\n\t%s:%d\n", g.Creator.Func, g.Creator.File, g.Creator.Line)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
