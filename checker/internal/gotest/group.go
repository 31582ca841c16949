package gotest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// RunGroups is RunAll for one run of each case, at a fraction of the cost: starting a
// process takes longer than most cases do. It first runs the cases in as few processes as
// may run at once, in an order that the seed decides. Of a process that ended without
// anything unusual, every case has passed. The cases of any other run again in processes of
// their own, and only that decides. docs/decisions/0008 says why a pass in a group is worth
// as much.
func (b *Binary) RunGroups(ctx context.Context, cases []conform.Meta, seed uint64, done func(outcome.Result)) ([]outcome.Result, error) {
	r := b.running(cases, seed, 1, done)
	groups, rest := b.groups(cases, seed)
	for _, i := range rest { // before the groups, because one that begins last has nothing beside it
		r.begin(func() { r.alone(ctx, i) })
	}
	for _, g := range groups {
		r.begin(func() { r.group(ctx, g) })
	}
	r.wg.Wait()
	return r.results, r.first
}

// running is the state of RunAll and RunGroups.
type running struct {
	b     *Binary
	cases []conform.Meta
	seed  uint64
	times int
	wg    sync.WaitGroup
	slots chan struct{} // one for each process that may run

	mu      sync.Mutex // guards the fields below, and calls of done
	done    func(outcome.Result)
	results []outcome.Result
	first   error
}

func (b *Binary) running(cases []conform.Meta, seed uint64, times int, done func(outcome.Result)) *running {
	return &running{
		b: b, cases: cases, seed: seed, times: times, slots: make(chan struct{}, b.kit.Budget.atOnce()),
		done: done, results: make([]outcome.Result, len(cases)),
	}
}

// begin has run go on by itself as soon as another process may run. It blocks until then, so
// that what begins first is what was asked for first.
func (r *running) begin(run func()) {
	r.slots <- struct{}{}
	r.wg.Go(func() {
		defer func() { <-r.slots }()
		run()
	})
}

// alone runs case i in a process of its own.
func (r *running) alone(ctx context.Context, i int) {
	result, err := r.b.repeat(ctx, r.cases[i], r.seed, r.times)
	r.settle(err, map[int]outcome.Result{i: result})
}

// group runs some cases in one process, and what that does not prove, alone.
func (r *running) group(ctx context.Context, group []int) {
	passed, err := r.b.together(ctx, r.cases, group, r.seed)
	r.settle(err, passed)
	if err != nil || len(passed) > 0 {
		return
	}
	for _, i := range group { // this one has its process still
		r.wg.Go(func() { r.begin(func() { r.alone(ctx, i) }) })
	}
}

// settle keeps results, by the positions of their cases, or an error.
func (r *running) settle(err error, results map[int]outcome.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		if r.first == nil {
			r.first = err
		}
		return
	}
	for i, result := range results {
		r.results[i] = result
		r.done(result)
	}
}

// groupWall bounds a group. It is no verdict: what takes longer has more of it alone.
const groupWall = time.Minute

// groups deals the cases out to as many processes as may run at once. The rest is what has
// to run alone, because the case wants that or because the subject could carry something
// from one case to the next.
func (b *Binary) groups(cases []conform.Meta, seed uint64) (groups [][]int, rest []int) {
	var together []int
	for i, c := range cases {
		if c.Alone {
			rest = append(rest, i)
		} else {
			together = append(together, i)
		}
	}
	if len(together) < 2 || b.carries() {
		return nil, append(rest, together...)
	}
	rng := rand.New(rand.NewPCG(seed, uint64(len(together))))
	rng.Shuffle(len(together), func(i, j int) { together[i], together[j] = together[j], together[i] })
	slices.SortStableFunc(together, func(i, j int) int { return longFirst(cases[i], cases[j]) })
	groups = make([][]int, processes(len(together), b.kit.Budget.atOnce()))
	for n, i := range together {
		groups[n%len(groups)] = append(groups[n%len(groups)], i)
	}
	return groups, rest
}

// longFirst is the order in which cases are dealt out: each of the first groups to begin
// begins with a long one, if there are so many.
func longFirst(a, b conform.Meta) int {
	switch {
	case a.Long == b.Long:
		return 0
	case a.Long:
		return -1
	}
	return 1
}

// processes is how many groups n cases make where so many processes may run at once. With
// two for each, a long case keeps fewer others waiting; with fewer than four cases in one,
// too little is saved.
func processes(n, atOnce int) int {
	if atOnce == 1 {
		return 1
	}
	return max(1, min(2*atOnce, n/4))
}

// together runs the cases of a group in one process. It returns their results, by position,
// or none unless all of it is beyond doubt. The error is about the machine.
func (b *Binary) together(ctx context.Context, cases []conform.Meta, group []int, seed uint64) (map[int]outcome.Result, error) {
	config := b.config(b.kit.Budget)
	for _, i := range group {
		config.Cases = append(config.Cases, order(cases[i], seed))
	}
	budget := b.kit.Budget
	budget.Wall = min(budget.limits().Wall, groupWall)
	r, err := b.start(ctx, config, budget)
	if err != nil {
		return nil, fmt.Errorf("run a group of %d cases: %w", len(group), err)
	}
	all := decoded(r.Records)
	if !clean(r) || len(all) != 2*len(group) {
		return nil, nil
	}
	results := map[int]outcome.Result{}
	for _, i := range group {
		records := signed(all, config.Nonce, cases[i].Name)
		result := b.fold(cases[i], outcome.Raw{Records: records, Stderr: string(r.Stderr), Seed: seed, Wall: took(records)})
		if result.Verdict != verdict.Pass {
			return nil, nil
		}
		results[i] = result
	}
	return results, nil
}

// clean reports whether a process ended as one does in which nothing happened. Printing is
// unusual, too: what was printed is shown with its case. Standard error may have log lines.
func clean(r sandbox.Result) bool {
	return r.Exit == 0 && r.Signal == "" && string(r.Stdout) == "PASS\n" && !r.TimedOut && !r.CPUSpent && !r.Flooded && !r.Outgrown
}

// took is how long a case that passed took by its own account.
func took(records []wire.Record) (d time.Duration) {
	for _, rec := range records {
		d = max(d, rec.Took)
	}
	return d
}
