package faults

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// Proof is what came of a Check.
type Proof struct {
	Check
	Result outcome.Result // as Check.Run returns it
	Err    error          // what was seen instead of what had to be proved
	Known  bool           // it held before, and was not run
}

// labsAtOnce is how many labs are under way at once: while one is linked, or its plan
// recorded, the subjects of the other are compiled and run.
const labsAtOnce = 2

// few is how many subjects the go command builds sooner than a plan is recorded.
const few = 3

// Prove carries out checks, in which those of a lab stand together, and hands each to done
// as it is proved, one at a time. The subjects of a lab are built together. What held knows,
// which may be nil, is not run; then checks are all of each lab. Prove blocks for all of it.
// The error is about the machine.
func Prove(ctx context.Context, kit *gotest.Kit, held *Held, checks []Check, done func(Proof)) error {
	p := &prover{kit: kit, held: held, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), done: done}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(labsAtOnce)
	for len(checks) > 0 {
		n := 1
		for n < len(checks) && checks[n].Lab.Dir == checks[0].Lab.Dir {
			n++
		}
		lab := checks[:n]
		checks = checks[n:]
		group.Go(func() error { return p.lab(ctx, lab) })
	}
	return group.Wait()
}

// prover is the state of Prove.
type prover struct {
	kit   *gotest.Kit
	held  *Held
	slots chan struct{} // one for each check that may run

	mu   sync.Mutex // guards calls of done
	done func(Proof)
}

// lab carries out the checks of one lab, and remembers those that held.
func (p *prover) lab(ctx context.Context, checks []Check) error {
	fresh := checks
	var keys map[string]string
	held := map[string]bool{}
	if p.held != nil {
		var err error
		if keys, err = p.held.keys(checks); err != nil {
			return err
		}
		known, err := p.held.of(checks[0].Lab)
		if err != nil {
			return err
		}
		fresh = nil
		for _, c := range checks {
			if key := keys[c.Name]; known[key] {
				held[key] = true
				p.settle(Proof{Check: c, Known: true}, nil)
			} else {
				fresh = append(fresh, c)
			}
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	err := p.run(ctx, fresh, func(c Check) { held[keys[c.Name]] = true })
	if p.held == nil {
		return err
	}
	return errors.Join(err, p.held.write(checks[0].Lab, held)) // what was interrupted remembers what it has
}

// run builds and runs checks, and hands those that hold to holds, one at a time.
func (p *prover) run(ctx context.Context, checks []Check, holds func(Check)) error {
	kit, subjects := p.kit, p.subjects(checks)
	if len(subjects) <= few {
		kit = &gotest.Kit{Root: kit.Root, Temp: kit.Temp, Budget: kit.Budget}
	}
	release, err := kit.BuildAhead(ctx, subjects)
	if err != nil {
		return err
	}
	defer release()
	var wg sync.WaitGroup
	for _, c := range checks {
		wg.Go(func() {
			p.slots <- struct{}{}
			defer func() { <-p.slots }()
			if ctx.Err() != nil {
				return
			}
			r, err := c.Run(ctx, kit)
			if ctx.Err() == nil {
				p.settle(Proof{Check: c, Result: r, Err: err}, holds)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// subjects are what checks put to a suite. One that cannot be read is passed over: its check
// says so.
func (p *prover) subjects(checks []Check) []subject.Subject {
	var subjects []subject.Subject
	for _, c := range checks {
		if c.source == nil {
			continue
		}
		if s, err := c.source(p.kit.Root); err == nil {
			subjects = append(subjects, s)
		}
	}
	return subjects
}

// settle hands a proof to those who wait for it.
func (p *prover) settle(proof Proof, holds func(Check)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if proof.Err == nil && holds != nil {
		holds(proof.Check)
	}
	p.done(proof)
}
