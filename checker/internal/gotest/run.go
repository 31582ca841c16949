package gotest

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// The limits of one case. They are far above what a correct solution uses: the
// verdict of a slow machine must be that of a fast one.
const (
	copies      = 16
	cpuSeconds  = 10
	startCPU    = 2 * time.Second // until a case begins, a hundred times what that takes
	heapBytes   = 512 << 20
	wallClock   = 5 * time.Minute
	outputBytes = 1 << 20
	recordBytes = 2 << 20
)

// limits are those of the process. Its own watchdog measures, too, acts first, and says
// more. The kernel's limits are for code that never lets the watchdog start, and need an
// Isolation. Under the race detector 6 GiB of addresses are 1.2 GiB of heap.
var limits = sandbox.Limits{
	Wall: wallClock, Output: outputBytes, Record: recordBytes, Start: startCPU,
	CPU: 3 * cpuSeconds * time.Second, Memory: 6 << 30, File: 16 << 20, Tasks: 512, Disk: 32 << 20,
}

// usesNetwork reports whether a lab is about servers and clients. Their suites find
// a network of the process's own in namespaces, and listen in memory where sockets are refused.
func usesNetwork(lab catalog.Lab) bool {
	return slices.ContainsFunc(lab.Imports, func(path string) bool { return path == "net" || strings.HasPrefix(path, "net/") })
}

// Run runs one case in a process of its own and judges it. The same seed gives
// the same inputs; schedules are the machine's. The error is about the machine.
func (b *Binary) Run(ctx context.Context, c conform.Meta, seed uint64) (outcome.Result, error) {
	if b.unstarted.Load() >= enough {
		return b.notRun(c, seed), nil
	}
	budget, reduced := b.budget()
	raw, err := b.process(ctx, c, b.config(budget), budget, seed)
	if err != nil {
		return outcome.Result{}, err
	}
	if overran(raw) {
		b.overran.Add(1)
		if !has(raw, wire.Start) {
			b.unstarted.Add(1)
		}
		r := b.fold(c, raw)
		if reduced && r.Verdict == verdict.Timeout {
			r.Message += "; it was given less time than usual, because other cases had used up theirs"
		}
		return r, nil
	}
	if hung(raw) {
		config := b.config(budget)
		config.NoBubble = true
		second, err := b.process(ctx, c, config, budget.onRealClock(), seed)
		if err != nil {
			return outcome.Result{}, err
		}
		if overran(second) {
			b.overran.Add(1)
		}
		if r := b.fold(c, second); decides(r) {
			return r, nil
		}
	}
	r := b.fold(c, raw)
	if r.Verdict == verdict.Panic && !has(raw, wire.Crash) {
		return b.witnessed(ctx, c, budget, seed, r)
	}
	return r, nil
}

// witnessed runs a case once more in which a goroutine of the subject's own panicked, so that
// the process could not say what had led to that. Now it says so as it goes. It runs one
// copy of a scenario: of many nobody could tell which one it was. The result is the first
// one unless the case ends in the same way again.
func (b *Binary) witnessed(ctx context.Context, c conform.Meta, budget Budget, seed uint64, first outcome.Result) (outcome.Result, error) {
	config := b.config(budget)
	config.Live, config.Copies = true, 1
	raw, err := b.process(ctx, c, config, budget, seed)
	if err != nil {
		return outcome.Result{}, err
	}
	again := b.fold(c, raw)
	if again.Verdict != first.Verdict || again.Message != first.Message || again.At != first.At {
		return first, nil
	}
	first.History = again.History
	return first, nil
}

// notRun is the result of a case that is not run. An initialiser cannot know for which case
// it runs: what did not end in two processes will not end in the others.
func (b *Binary) notRun(c conform.Meta, seed uint64) outcome.Result {
	r := b.fold(c, outcome.Raw{TimedOut: true, Seed: seed})
	r.Message = "the case was not run, because in other cases an initialiser of the package, or a func init, did not end"
	return r
}

// decides reports whether the result of a second run, on the real clock, is believed. A
// bubble cannot judge a lock that is held across a sleep; the real clock can. But it fails
// cases that are about time, and a goroutine that waits for an hour there is no deadlock
// unless that is proven.
func decides(r outcome.Result) bool {
	proven := r.Message == ""
	return r.Verdict == verdict.Pass || r.Verdict == verdict.DataRace || r.Verdict == verdict.Deadlock && proven
}

// budget is what the next case may cost, and whether that is less than usual.
func (b *Binary) budget() (_ Budget, reduced bool) {
	if b.overran.Load() < enough {
		return b.kit.Budget, false
	}
	return b.kit.Budget.reduced(), true
}

func hung(raw outcome.Raw) bool { return has(raw, wire.Hung) }

// overran reports whether a case used up its processor time or its wall clock.
func overran(raw outcome.Raw) bool { return raw.TimedOut || has(raw, wire.Spinning) }

func has(raw outcome.Raw, kind wire.Kind) bool {
	return slices.ContainsFunc(raw.Records, func(r wire.Record) bool { return r.Kind == kind })
}

func (b *Binary) fold(c conform.Meta, raw outcome.Raw) outcome.Result {
	known := b.places()
	return outcome.Fold(outcome.Target{
		Lab: b.Subject.Lab.Dir, Case: c, Paths: b.Subject.Paths(), Decls: known.decls, Lits: known.lits, Sources: known.sources,
	}, raw)
}

// process runs the program for one case.
func (b *Binary) process(ctx context.Context, c conform.Meta, config wire.Config, budget Budget, seed uint64) (outcome.Raw, error) {
	config.Cases = []wire.Order{order(c, seed)}
	r, err := b.start(ctx, config, budget)
	if err != nil {
		return outcome.Raw{}, fmt.Errorf("run case %s: %w", c.Name, err)
	}
	return outcome.Raw{
		Records: signed(decoded(r.Records), config.Nonce, c.Name), Exit: r.Exit, Signal: r.Signal,
		Stdout: string(r.Stdout), Stderr: string(r.Stderr),
		TimedOut: r.TimedOut || r.CPUSpent, Flooded: r.Flooded, Wall: r.Wall, CPU: r.CPU, Seed: seed,
	}, nil
}

// order asks for a case. Its seed is the same in a group and alone.
func order(c conform.Meta, seed uint64) wire.Order {
	return wire.Order{Case: c.Name, Seed: mix(seed, c.Name)}
}

// config are the orders of a process, but for its cases.
func (b *Binary) config(budget Budget) wire.Config {
	return wire.Config{
		Nonce: rand.Text(), Copies: copies, CPU: int(budget.cpu() / time.Second), Memory: heapBytes,
		Trace: b.kit.Trace, Place: b.place(), Subjects: b.importPaths(),
	}
}

// start runs the program to its end.
func (b *Binary) start(ctx context.Context, config wire.Config, budget Budget) (sandbox.Result, error) {
	dir, err := os.MkdirTemp(filepath.Dir(b.Path), "case-")
	if err != nil {
		return sandbox.Result{}, fmt.Errorf("make a directory for the process: %w", err)
	}
	defer os.RemoveAll(dir)
	orders, err := json.Marshal(config)
	if err != nil {
		return sandbox.Result{}, err
	}
	r, err := sandbox.Run(ctx, sandbox.Command{
		Path:   b.Path,
		Dir:    dir,
		Env:    slices.Concat(runEnv(dir, b.kit.Isolation), b.processors(), b.extra, b.kit.Env),
		Orders: orders,
		Limits: budget.limits(),

		Isolation: b.kit.Isolation,
		Loopback:  usesNetwork(b.Subject.Lab),
	})
	b.unshare(&r)
	return r, err
}

// runEnv is all the environment a case gets. The race detector sleeps a second at exit
// unless atexit_sleep_ms is 0; conform has already waited for all that it could still find.
//
// A learner's process goes on after a data race until conform's watchdog ends it, because the
// case may be about to report a failure. Code that is not trusted stops at the first race,
// because code that races on an interface value on purpose can write to any address of the
// process. The price: where composing the failure's message races, the race is reported and
// the failure is not.
func runEnv(dir string, isolation sandbox.Isolation) []string {
	halt := "halt_on_error=0"
	if isolation.On() {
		halt = "halt_on_error=1"
	}
	return []string{
		wire.Env + "=1",
		"GORACE=atexit_sleep_ms=0 " + halt,
		"GOTRACEBACK=all",
		"HOME=" + dir, "TMPDIR=" + dir, "TZ=UTC", "LANG=C.UTF-8",
	}
}

// processors is the part of a process's environment that says how many processors to use.
func (b *Binary) processors() []string {
	if b.procs == 0 {
		return nil
	}
	return []string{fmt.Sprintf("GOMAXPROCS=%d", b.procs)}
}

// signed are the records of a case that carry the run's nonce.
func signed(records []wire.Record, nonce, name string) []wire.Record {
	return slices.DeleteFunc(slices.Clone(records), func(r wire.Record) bool { return r.Nonce != nonce || r.Case != name })
}

// decoded reads all records.
func decoded(text []byte) []wire.Record {
	var records []wire.Record
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var r wire.Record
		if d.Decode(&r) != nil {
			return records // the end, or a record that a crash cut short
		}
		records = append(records, r)
	}
}

func mix(seed uint64, name string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d/%s", seed, name)
	return h.Sum64()
}

// RunAll runs each case in processes of its own, side by side, as many at once as the Kit's
// Budget allows, each of them times times, and hands each result to done as it comes in, one
// at a time. It returns the results in the order of the cases.
func (b *Binary) RunAll(ctx context.Context, cases []conform.Meta, seed uint64, times int, done func(outcome.Result)) ([]outcome.Result, error) {
	r := b.running(cases, seed, times, done)
	for i := range cases {
		r.begin(func() { r.alone(ctx, i) })
	}
	r.wg.Wait()
	return r.results, r.first
}

// repeat runs a case times times, each with a seed of its own. All runs agree on
// passing or the verdict is unstable; otherwise the first failure stands.
func (b *Binary) repeat(ctx context.Context, c conform.Meta, seed uint64, times int) (outcome.Result, error) {
	times = max(times, 1)
	var runs []outcome.Result
	for i := range times {
		r, err := b.Run(ctx, c, seed+uint64(i))
		if err != nil {
			return r, err
		}
		runs = append(runs, r)
	}
	return outcome.Join(runs), nil
}

// Remove deletes the binary and what was built with it. A shared one stays until nobody uses it.
func (b *Binary) Remove() {
	if b.shared != nil {
		b.kit.ahead.leave(b.shared.in)
		return
	}
	_ = os.RemoveAll(filepath.Dir(b.Path))
}
