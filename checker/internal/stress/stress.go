// Package stress runs the cases of a lab very often, with few processors and with many,
// on a quiet machine and on a busy one, and counts how often each of them fails.
package stress

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Setting is what a run may have: so many processors, and so many busy processes beside it.
type Setting struct {
	CPU  int `json:"cpu"`  // GOMAXPROCS of the case
	Busy int `json:"busy"` // processes that never rest
}

// Settings are all combinations, the quiet ones first.
func Settings(cpus, busy []int) []Setting {
	var all []Setting
	for _, b := range busy {
		for _, c := range cpus {
			all = append(all, Setting{c, b})
		}
	}
	return all
}

// Order says what to run, and how often.
type Order struct {
	Cases    []conform.Meta
	Times    int           // runs of each case in all settings together; 0 for as many as there is time for
	For      time.Duration // no run begins later; 0 for no end
	Settings []Setting
	Seed     uint64 // the inputs of the first run; the next has the next seed
	Fixed    bool   // every run has the inputs of the first

	Load func(processes int) (stop func(), err error) // makes the machine busy
	Done func(of Count)                               // called after each run, one at a time; may be nil
}

// Failure is a run that did not pass.
type Failure struct {
	Setting
	Result outcome.Result `json:"result"`
}

// Count is what came of one case.
type Count struct {
	Case     string        `json:"case"`
	Runs     int           `json:"runs"`
	Failures int           `json:"failures"`
	CPU      time.Duration `json:"cpu_ns"`     // processor time of all runs
	Longest  time.Duration `json:"longest_ns"` // processor time of the dearest run
	Kept     []Failure     `json:"kept,omitempty"`
}

// Cost is the processor time of a run, on average.
func (c Count) Cost() time.Duration { return c.CPU / time.Duration(max(c.Runs, 1)) }

// kept is how many failures of a case are kept: they carry histories.
const kept = 5

// Run runs the cases of a binary. It blocks until all of them have run so often, the time
// is over, or ctx is done, and returns what was counted until then, in the order of the
// cases. The error is about the machine, or ctx's.
func Run(ctx context.Context, b *gotest.Binary, o Order) ([]Count, error) {
	r := &runner{o: o, binary: b, seed: o.Seed, counts: make([]Count, len(o.Cases))}
	for i, c := range o.Cases {
		r.counts[i].Case = c.Name
	}
	if o.For > 0 {
		r.end = time.Now().Add(o.For)
	}
	busy := map[int][]Setting{}
	var levels []int
	for _, s := range o.Settings {
		if busy[s.Busy] == nil {
			levels = append(levels, s.Busy)
		}
		busy[s.Busy] = append(busy[s.Busy], s)
	}
	for i, level := range levels {
		share := r.share(i, len(levels))
		if err := r.under(ctx, level, busy[level], share); err != nil {
			return r.counts, err
		}
	}
	return r.counts, nil
}

type runner struct {
	o      Order
	binary *gotest.Binary
	end    time.Time // zero for never
	seed   uint64    // of the next round

	mu     sync.Mutex // guards what follows, and calls of Done
	counts []Count
	first  error
}

// share is the part of the runs and of the time that level i of n gets.
type share struct {
	times int
	end   time.Time
}

func (r *runner) share(i, n int) share {
	s := share{times: r.o.Times*(i+1)/n - r.o.Times*i/n}
	if !r.end.IsZero() {
		s.end = time.Now().Add(time.Until(r.end) / time.Duration(n-i))
	}
	return s
}

// under runs all cases while the machine is busy with so many processes.
func (r *runner) under(ctx context.Context, busy int, settings []Setting, s share) error {
	if busy > 0 {
		stop, err := r.o.Load(busy)
		if err != nil {
			return err
		}
		defer stop()
	}
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	defer wg.Wait()
	for round := 0; r.o.Times == 0 || round < s.times; round++ {
		for i := range r.o.Cases {
			slots <- struct{}{}
			if err := r.stopped(ctx); err != nil {
				return err
			}
			if !s.end.IsZero() && time.Now().After(s.end) {
				return nil
			}
			seed := r.seed
			wg.Go(func() {
				defer func() { <-slots }()
				r.once(ctx, i, settings[(round+i)%len(settings)], seed)
			})
		}
		if !r.o.Fixed {
			r.seed++
		}
	}
	wg.Wait()
	return r.stopped(ctx)
}

// stopped is why no further run may begin.
func (r *runner) stopped(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return cmp.Or(ctx.Err(), r.first)
}

func (r *runner) once(ctx context.Context, i int, s Setting, seed uint64) {
	result, err := r.binary.Anew(s.CPU).Run(ctx, r.o.Cases[i], seed)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.first = cmp.Or(r.first, err)
		return
	}
	c := &r.counts[i]
	c.Runs++
	c.CPU += result.CPU
	c.Longest = max(c.Longest, result.CPU)
	if result.Verdict != verdict.Pass {
		c.Failures++
		if len(c.Kept) < kept {
			c.Kept = append(c.Kept, Failure{s, result})
		}
	}
	if r.o.Done != nil {
		r.o.Done(*c)
	}
}
