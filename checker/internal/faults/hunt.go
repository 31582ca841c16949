package faults

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/mutate"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// MutantBudget is what a case may cost while mutants are hunted. Many of them never end, and
// the dearest case of any reference takes 1.6 seconds.
var MutantBudget = gotest.Budget{CPU: 5 * time.Second, Wall: 2 * time.Minute}

// Quarry is a mutant, and what became of it.
type Quarry struct {
	Of *Mutated
	mutate.Mutant
	Fate Fate

	known bool // from an earlier run
}

// Known reports whether it was known from an earlier run.
func (q *Quarry) Known() bool { return q.known }

// Hunt finds out what becomes of mutants.
type Hunt struct {
	kit *gotest.Kit

	mu    sync.Mutex                // guards what is below
	kills map[string]map[string]int // how many mutants of a function a case has killed; "" counts all
}

// Run finds out what becomes of all quarries, as many at once as there are processors, and
// hands each to done, one at a time. What the ledgers know, by lab, is not run again. The
// error is about the machine, or about a source that is mutated and does not pass as it is.
func Run(ctx context.Context, kit *gotest.Kit, ledgers map[string]*Ledger, quarries []*Quarry, done func(*Quarry)) error {
	h := &Hunt{kit: kit, kills: map[string]map[string]int{}}
	var fresh []*Quarry
	for _, q := range quarries {
		if q.Fate, q.known = ledgers[q.Of.Lab.Dir].Fate(q.Of.mutated(q.Mutant)); q.known {
			done(q)
			h.note(q)
			continue
		}
		fresh = append(fresh, q)
	}
	if err := h.baseline(ctx, fresh); err != nil {
		return err
	}
	return inParallel(fresh, func(q *Quarry) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		files := q.Of.mutated(q.Mutant)
		fate, err := h.attempt(ctx, q.Of, files, q.Func)
		if err != nil {
			return fmt.Errorf("%s of %s, %s: %w", q.ID, q.Of.Path, q.Func, err)
		}
		q.Fate = fate
		h.note(q)
		h.mu.Lock()
		defer h.mu.Unlock()
		done(q)
		return ledgers[q.Of.Lab.Dir].Write(files, fate)
	})
}

// inParallel calls f for each of all, as many at once as there are processors, until one
// of the calls returns an error.
func inParallel[T any](all []T, f func(T) error) error {
	var (
		mu    sync.Mutex // guards first
		first error
		wg    sync.WaitGroup
		slots = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	failed := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return first != nil
	}
	for _, one := range all {
		slots <- struct{}{}
		if failed() {
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			if err := f(one); err != nil {
				mu.Lock()
				defer mu.Unlock()
				first = cmp.Or(first, err)
			}
		})
	}
	wg.Wait()
	return first
}

// baseline runs the sources as they are. A suite that fails these would kill every mutant.
func (h *Hunt) baseline(ctx context.Context, quarries []*Quarry) error {
	var sources []*Mutated
	for _, q := range quarries {
		if !slices.Contains(sources, q.Of) {
			sources = append(sources, q.Of)
		}
	}
	return inParallel(sources, func(m *Mutated) error {
		fate, err := h.attempt(ctx, m, m.files, "")
		if err == nil && (fate.Refused || fate.Killed()) {
			err = fmt.Errorf("case %s: %s without any mutation", fate.Case, fate.Verdict)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", m.Path, err)
		}
		return nil
	})
}

// attempt runs the cases on a source until one of them fails.
func (h *Hunt) attempt(ctx context.Context, m *Mutated, files map[string][]byte, function string) (Fate, error) {
	s, err := subject.Given(h.kit.Root, m.Lab, files)
	if err != nil {
		return Fate{}, err
	}
	binary, err := h.kit.Build(ctx, s)
	var refused *gotest.CompileError
	if errors.As(err, &refused) {
		return Fate{Refused: true}, nil
	}
	if err != nil {
		return Fate{}, err
	}
	defer binary.Remove()
	// As with tries: what nearly every run shows may hide in one.
	for seed := range uint64(tries) {
		for _, c := range h.order(m, function) {
			r, err := binary.Run(ctx, c, seed+1)
			switch {
			case err != nil:
				return Fate{}, err
			case r.Verdict == verdict.CheckerError:
				return Fate{}, fmt.Errorf("case %s: %s", c.Name, r.Message)
			case r.Verdict != verdict.Pass:
				return Fate{Case: r.Case, Verdict: r.Verdict}, nil
			}
		}
	}
	return Fate{}, nil
}

// order is the cases in the order in which they are likely to kill a mutant of a function:
// first those that have killed others of it, then those that are about it, then those that
// kill much.
func (h *Hunt) order(m *Mutated, function string) []conform.Meta {
	h.mu.Lock()
	defer h.mu.Unlock()
	killed := func(function string, c conform.Meta) int { return h.kills[m.Lab.Dir+" "+function][c.Name] }
	about := func(c conform.Meta) int {
		if c.Func == function {
			return 1
		}
		return 0
	}
	cases := slices.Clone(m.Lab.Cases)
	slices.SortStableFunc(cases, func(a, b conform.Meta) int {
		return cmp.Or(
			cmp.Compare(killed(function, b), killed(function, a)),
			cmp.Compare(about(b), about(a)),
			cmp.Compare(killed("", b), killed("", a)),
		)
	})
	return cases
}

// note remembers which case killed a mutant.
func (h *Hunt) note(q *Quarry) {
	if !q.Fate.Killed() {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, function := range []string{q.Func, ""} {
		key := q.Of.Lab.Dir + " " + function
		if h.kills[key] == nil {
			h.kills[key] = map[string]int{}
		}
		h.kills[key][q.Fate.Case]++
	}
}
