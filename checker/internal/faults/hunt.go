package faults

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/mutate"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Quarry is a mutant, and what became of it.
type Quarry struct {
	Of *Mutated
	mutate.Mutant
	Equivalent bool // a list has it: it is known to be right, and runs in one round
	Fate       Fate

	known bool // from an earlier run
}

// rounds is how many rounds of all cases a mutant has to survive.
func (q *Quarry) rounds() uint64 {
	if q.Equivalent {
		return 1
	}
	return tries
}

// Known reports whether it was known from an earlier run.
func (q *Quarry) Known() bool { return q.known }

// Hunt finds out what becomes of mutants.
type Hunt struct {
	kit     *gotest.Kit
	alone   *gotest.Kit // for a mutant that needs a binary of its own: a plan builds it
	ledgers map[string]*Ledger
	done    func(*Quarry)

	mu    sync.Mutex                // guards what is below
	kills map[string]map[string]int // how many mutants of a function a case has killed; "" counts all
}

// Run finds out what becomes of all quarries, as many at once as there are processors, and
// hands each to done, one at a time. What the ledgers know, by lab, is not run again. The
// error is about the machine, or about a source that is mutated and does not pass as it is.
func Run(ctx context.Context, kit *gotest.Kit, ledgers map[string]*Ledger, quarries []*Quarry, done func(*Quarry)) error {
	h := &Hunt{kit: kit, ledgers: ledgers, done: done, kills: map[string]map[string]int{}}
	h.alone = &gotest.Kit{Root: kit.Root, Temp: kit.Temp, Budget: kit.Budget, Planned: true}
	for len(quarries) > 0 {
		n := 0
		for n < len(quarries) && n < crowd && quarries[n].Of == quarries[0].Of {
			n++
		}
		if err := h.drive(ctx, quarries[:n]); err != nil {
			return fmt.Errorf("%s: %w", quarries[0].Of.Path, err)
		}
		quarries = quarries[n:]
	}
	return nil
}

// crowd is how many mutants are put into one binary at most.
const crowd = 250

// drive finds out what becomes of quarries of one source.
func (h *Hunt) drive(ctx context.Context, quarries []*Quarry) error {
	m := quarries[0].Of
	ledger := h.ledgers[m.Lab.Dir]
	var fresh []*Quarry
	for _, q := range quarries {
		if q.Fate, q.known = ledger.Fate(m.mutated(q.Mutant), q.rounds()); q.known {
			h.done(q)
			h.note(q)
		} else {
			fresh = append(fresh, q)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	b, err := h.bundle(ctx, m, fresh)
	if err != nil {
		return err
	}
	defer b.binary.Remove()
	fate, err := h.attempt(ctx, m, b.binary, "", tries)
	switch {
	case err != nil:
		return err
	case fate.Broken != "":
		return fmt.Errorf("%s, without any mutation", fate.Broken)
	case fate.Killed():
		return fmt.Errorf("case %s: %s without any mutation", fate.Case, fate.Verdict)
	}
	return h.all(ctx, b, fresh)
}

// all finds out what becomes of the quarries of a bundle. After an error no further one is
// taken, and those that are under way go on.
func (h *Hunt) all(ctx context.Context, b *bundle, quarries []*Quarry) error {
	group, failed := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, i := range b.numbers() {
		group.Go(func() error {
			if failed.Err() != nil {
				return ctx.Err()
			}
			q := quarries[i]
			if err := h.take(ctx, b, i, q); err != nil {
				return fmt.Errorf("mutant %s: %w", q.ID, err)
			}
			h.note(q)
			h.mu.Lock()
			defer h.mu.Unlock()
			h.done(q)
			return h.ledgers[q.Of.Lab.Dir].Write(q.Of.mutated(q.Mutant), q.Fate, q.rounds())
		})
	}
	return group.Wait()
}

// take finds out what becomes of one quarry, which is number i in the bundle.
func (h *Hunt) take(ctx context.Context, b *bundle, i int, q *Quarry) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	binary := b.binary.Anew(0, fmt.Sprintf("%s=%d", mutate.Variable, i+1))
	if !b.in[i] {
		var err error
		if binary, err = h.build(ctx, h.alone, q.Of, q.Of.mutated(q.Mutant)); err != nil {
			var refused *gotest.CompileError
			if q.Fate.Refused = errors.As(err, &refused); q.Fate.Refused {
				return nil
			}
			return err
		}
		defer binary.Remove()
	}
	fate, err := h.attempt(ctx, q.Of, binary, q.Func, q.rounds())
	q.Fate = fate
	return err
}

// bundle is a binary with many mutants in it.
type bundle struct {
	binary *gotest.Binary
	in     []bool // by number: whether it is in the binary, or needs one of its own
}

// numbers are those of all mutants, those that need a binary of their own last.
func (b *bundle) numbers() []int {
	var numbers []int
	for _, in := range []bool{true, false} {
		for i := range b.in {
			if b.in[i] == in {
				numbers = append(numbers, i)
			}
		}
	}
	return numbers
}

// bundle builds a binary with quarries of one source in it. The go command builds it: a
// bundle imports more than a lab allows, and a plan has only that.
func (h *Hunt) bundle(ctx context.Context, m *Mutated, quarries []*Quarry) (*bundle, error) {
	var mutants []mutate.Mutant
	for _, q := range quarries {
		mutants = append(mutants, q.Mutant)
	}
	files, in, err := mutate.Bundle(m.files, mutants)
	if err != nil {
		return nil, err
	}
	binary, err := h.build(ctx, h.kit, m, files)
	if err != nil {
		return nil, err
	}
	original, err := subject.Given(h.kit.Root, m.Lab, m.files)
	if err != nil {
		return nil, err
	}
	binary.SharesAs(original)
	return &bundle{binary, in}, nil
}

func (h *Hunt) build(ctx context.Context, kit *gotest.Kit, m *Mutated, files map[string][]byte) (*gotest.Binary, error) {
	s, err := subject.Given(kit.Root, m.Lab, files)
	if err != nil {
		return nil, err
	}
	return kit.Build(ctx, s)
}

// attempt runs the cases of a binary until one of them fails, or fails itself, in so many
// rounds at most. As with tries, what nearly every run shows may hide in one. The first round
// meets most mutants, and ends with the first case that fails. What it does not kill is rarely
// killed by a later one, and these run all cases, in groups.
func (h *Hunt) attempt(ctx context.Context, m *Mutated, binary *gotest.Binary, function string, rounds uint64) (Fate, error) {
	cases := h.order(m, function)
	for _, c := range cases {
		r, err := binary.Run(ctx, c, 1)
		if err != nil {
			return Fate{}, err
		}
		if fate := fateOf(r); fate != (Fate{}) {
			return fate, nil
		}
	}
	for seed := uint64(2); seed <= rounds; seed++ {
		results, err := binary.RunGroups(ctx, cases, seed, func(outcome.Result) {})
		if err != nil {
			return Fate{}, err
		}
		for _, r := range results {
			if fate := fateOf(r); fate != (Fate{}) {
				return fate, nil
			}
		}
	}
	return Fate{}, nil
}

// fateOf is what a result makes of a mutant: nothing if it is a pass.
func fateOf(r outcome.Result) Fate {
	switch r.Verdict {
	case verdict.Pass:
		return Fate{}
	case verdict.CheckerError:
		return Fate{Broken: fmt.Sprintf("case %s: %s", r.Case, r.Message)}
	default:
		return Fate{Case: r.Case, Verdict: r.Verdict}
	}
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
