package faults

import (
	"context"
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
}

// labsAtOnce is how many labs are under way at once: while one is linked, or its plan
// recorded, the subjects of the other are compiled and run.
const labsAtOnce = 2

// Prove carries out checks, in which those of a lab stand together, and hands each to done
// as it is proved, one at a time. The subjects of a lab are built together. Prove blocks for
// all of it. The error is about the machine.
func Prove(ctx context.Context, kit *gotest.Kit, checks []Check, done func(Proof)) error {
	p := &prover{kit: kit, slots: make(chan struct{}, runtime.GOMAXPROCS(0)), done: done}
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
	slots chan struct{} // one for each check that may run

	mu   sync.Mutex // guards calls of done
	done func(Proof)
}

// lab carries out the checks of one lab.
func (p *prover) lab(ctx context.Context, checks []Check) error {
	var subjects []subject.Subject
	for _, c := range checks {
		if c.source == nil {
			continue
		}
		if s, err := c.source(p.kit.Root); err == nil { // else the check says so
			subjects = append(subjects, s)
		}
	}
	release, err := p.kit.BuildAhead(ctx, subjects)
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
			r, err := c.Run(ctx, p.kit)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.done(Proof{c, r, err})
		})
	}
	wg.Wait()
	return ctx.Err()
}
