package conform

import (
	"bytes"
	"fmt"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"go.uber.org/goleak"

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

// snapshot remembers the goroutines that stand before the subject is touched.
func (r *run) snapshot() goleak.Option { return goleak.IgnoreCurrent() }

// leaks looks for goroutines of the subject that outlive the case.
//
// Two witnesses are heard. The runtime's leak profile proves that nothing can
// ever wake a goroutine; it has no false alarms, and misses what a package
// variable still reaches. goleak sees whatever is left; so a goroutine it names
// counts only if it is the subject's and has stayed blocked on one line.
func (r *run) leaks(t *T, before goleak.Option) {
	if proven := profile(); len(proven) > 0 {
		r.leaked(t, proven)
		return
	}
	if goleak.Find(before) == nil {
		return
	}
	first := r.lingering()
	time.Sleep(200 * time.Millisecond)
	second := r.lingering()
	still := slices.DeleteFunc(second, func(g goroutine.Goroutine) bool {
		return !slices.ContainsFunc(first, func(f goroutine.Goroutine) bool { return f.ID == g.ID && same(f, g) })
	})
	if len(still) > 0 {
		r.leaked(t, still)
	}
}

func same(a, b goroutine.Goroutine) bool {
	return a.State == b.State && slices.Equal(a.Frames, b.Frames)
}

// lingering are the blocked goroutines that run the subject's code or were started by it.
func (r *run) lingering() []goroutine.Goroutine {
	return slices.DeleteFunc(goroutine.Parse(dump()), func(g goroutine.Goroutine) bool {
		return !g.Blocked() || !g.Touches(r.config.Subjects...)
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
func (r *run) leaked(t *T, left []goroutine.Goroutine) {
	r.mu.Lock()
	first := !r.failed
	r.failed = true
	r.mu.Unlock()
	r.tb.Fail()
	if !first {
		return
	}
	wire.Send(wire.Record{
		Kind:    wire.Leak,
		Message: fmt.Sprintf("%d left running", len(left)),
		Dump:    render(left),
		History: t.history(),
		Copy:    t.copy,
	})
	r.print("goroutines leaked", render(left), t.history())
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
