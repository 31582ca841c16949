package conform

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
	"github.com/controllerbook/controllerbook/checker/nudge"
)

// defaults are the settings of a run that no checker started: go test.
var defaults = wire.Config{Copies: 16, CPU: 60, Memory: 1 << 30}

// Run runs every case, or under the checker those that it asked for. Each case gets its
// subjects from open, as many as it wants.
//
// Under the checker a case has this process to itself, so a panic, a deadlock or a leak
// cannot touch its neighbours, or it is one of a group, of which the process ends at the
// first sign of any of these.
func Run[S any](tb *testing.T, cases []Case[S], open func() S) { runAll(tb, bind(cases, open)) }

func runAll(tb *testing.T, cases []bound) {
	config, attached := wire.Attached()
	if !attached {
		config = defaults
		for _, c := range cases {
			config.Cases = append(config.Cases, wire.Order{Case: c.name, Seed: 1})
		}
	}
	for _, order := range config.Cases {
		for _, c := range cases {
			if c.name != order.Case {
				continue
			}
			wire.Begin(c.name)
			nudge.Seed(order.Seed)
			passed := tb.Run(c.name, func(tb *testing.T) { one(tb, config, order.Seed, c.run) })
			if grouped(config) {
				next(passed, config)
			}
		}
	}
}

// one runs a single case and reports how it ended.
func one(tb *testing.T, config wire.Config, seed uint64, check func(t *T)) {
	began := time.Now()
	r := &run{tb: tb, config: config, seed: seed, began: cpuTime()}
	stop := r.watch()
	before := r.snapshot() // before the subject is touched
	wire.Send(wire.Record{Kind: wire.Start})
	ctx, cancel := context.WithCancel(context.Background())
	t := r.newT(tb, ctx, 0, false)
	completed := false
	// A deferred end, because FailNow and a panic both leave through here.
	defer func() {
		cancel()
		if p := recover(); p != nil {
			r.crashed(t, p)
			panic(p)
		}
		if completed && r.answersForLeaks() {
			r.leaks(t, before)
		}
		stop()
		wire.Send(wire.Record{Kind: wire.End, Passed: completed && !r.hasFailed(), Took: time.Since(began), History: r.trace()})
	}()
	check(t)
	t.Join()
	completed = true
}

// answersForLeaks reports whether what is left of the subject now is its own doing.
func (r *run) answersForLeaks() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.failed && !r.maimed
}

func (r *run) hasFailed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// crashed tells the checker of a panic on one of the case's own goroutines while
// its history is still at hand. The process crashes all the same: the stack of
// record is the one the runtime prints.
func (r *run) crashed(t *T, value any) {
	wire.Send(crash(t, value, string(debug.Stack()), t.History()))
}

// crash is the record of a panic.
func crash(t *T, value any, stack string, past []wire.Event) wire.Record {
	return wire.Record{Kind: wire.Crash, Message: fmt.Sprint(value), Dump: stack, History: past, Copy: t.copy}
}

// print shows a failure to an author who runs the suite with go test.
func (r *run) print(message string, past []wire.Event) {
	if _, attached := wire.Attached(); attached {
		return
	}
	r.tb.Logf("%s\n", message)
	for _, e := range past {
		r.tb.Logf("%12v %-10s %s %s", e.At.Round(time.Microsecond), e.Who, e.What, e.Result)
	}
}

// exit ends the process with a record. It is for goroutines that cannot be stopped otherwise.
func (r *run) exit(rec wire.Record) {
	wire.Send(rec)
	if _, attached := wire.Attached(); !attached {
		fmt.Fprintf(os.Stderr, "%s: %s %s\n%s\n", r.tb.Name(), rec.Kind, rec.Message, rec.Dump)
	}
	os.Exit(1)
}
