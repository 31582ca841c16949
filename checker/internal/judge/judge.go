// Package judge is the path from a subject to its results: the gate, then the build, then
// every case in its own process. The commands run and watch, the author's verify and class
// grading all use it.
package judge

import (
	"context"
	"errors"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/pins"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Order says what to run.
type Order struct {
	Subject   subject.Subject
	Cases     []conform.Meta
	Seed      uint64
	Stability int                  // how often each case runs; 0 and 1 are once
	Confirm   int                  // how often a case that failed runs again, with other inputs
	Isolate   bool                 // run each case in a process of its own, passes too
	Single    []string             // isolated cases that run last, one after the other, with nothing beside them
	Done      func(outcome.Result) // called for each result as it comes in, one at a time; may be nil
}

// Judgement is what came of an order: one result per case, in the order's order.
type Judgement struct {
	Results    []outcome.Result
	Violations []gate.Violation // why the source was refused; nothing was run then
	Refused    string           // the directory of that source: the subject's, or that of one of its parts
	Compiler   string           // what the compiler said; nothing was run then
}

// Judge carries an order out. It blocks until all cases have run. The error is about the
// machine or the checker, and never about the subject: whatever that does is a verdict.
func Judge(ctx context.Context, kit *gotest.Kit, o Order) (Judgement, error) {
	return Begin(ctx, kit, o).Finish()
}

// Begun is an order whose subject is being built. Finish or Drop must be called, once.
type Begun struct {
	ctx    context.Context
	cancel context.CancelFunc
	order  Order
	built  chan built
}

// built is what Build returned.
type built struct {
	binary  *gotest.Binary
	refused Judgement
	err     error
}

// Begin begins to carry an order out, while the caller finds out whether it has to be. It
// does not block. If ctx ends, so does all of it.
func Begin(ctx context.Context, kit *gotest.Kit, o Order) *Begun {
	ctx, cancel := context.WithCancel(ctx)
	b := &Begun{ctx, cancel, o, make(chan built, 1)}
	go func() {
		binary, refused, err := Build(ctx, kit, o)
		b.built <- built{binary, refused, err}
	}()
	return b
}

// Finish carries the order out. It is Judge from there on.
func (b *Begun) Finish() (Judgement, error) {
	defer b.cancel()
	built := <-b.built
	if built.binary == nil || built.err != nil {
		return built.refused, built.err
	}
	defer built.binary.Remove()
	results, err := b.order.run(b.ctx, built.binary)
	if err == nil && b.order.Stability <= 1 {
		err = b.order.confirm(b.ctx, built.binary, results)
	}
	return Judgement{Results: results}, err
}

// Drop gives the order up. It blocks until the tools that were building have ended.
func (b *Begun) Drop() {
	b.cancel()
	if built := <-b.built; built.binary != nil {
		built.binary.Remove()
	}
}

// Ahead builds subjects of one lab together, as far as that can be, so that orders for them find
// them built until release is called. It blocks for as long as the tools run. The error is
// about the machine.
func Ahead(ctx context.Context, kit *gotest.Kit, subjects []subject.Subject) (release func(), err error) {
	subjects = slices.DeleteFunc(slices.Clone(subjects), func(s subject.Subject) bool {
		_, violations := gated(s)
		return len(violations) > 0
	})
	return kit.BuildAhead(ctx, subjects)
}

// Build has the gate read the subject of an order and then compiles it. The binary is nil
// where the subject is refused; then the judgement says why. Nothing is run.
func Build(ctx context.Context, kit *gotest.Kit, o Order) (*gotest.Binary, Judgement, error) {
	if path, violations := gated(o.Subject); len(violations) > 0 {
		v := verdict.Forbidden
		if violations[0].Kind == gate.Syntax {
			v = verdict.CompileError // the gate only met it before the compiler did
		}
		return nil, Judgement{Results: o.refused(v, violations[0].Message), Violations: violations, Refused: path}, nil
	}
	binary, err := kit.Build(ctx, o.Subject)
	var broken *gotest.CompileError
	if errors.As(err, &broken) {
		path, violations, err := changed(kit.Root, o, broken.Text)
		if err != nil {
			return nil, Judgement{}, err
		}
		if len(violations) > 0 {
			return nil, Judgement{Results: o.refused(verdict.Forbidden, violations[0].Message), Violations: violations, Refused: path}, nil
		}
		return nil, Judgement{Results: o.refused(verdict.CompileError, ""), Compiler: broken.Text}, nil
	}
	return binary, Judgement{}, err
}

// run runs the cases. Only one run of each can be had in groups.
func (o Order) run(ctx context.Context, binary *gotest.Binary) ([]outcome.Result, error) {
	if !o.Isolate && o.Stability <= 1 {
		return binary.RunGroups(ctx, o.Cases, o.Seed, o.done)
	}
	var beside, single []conform.Meta
	for _, c := range o.Cases {
		if slices.Contains(o.Single, c.Name) {
			single = append(single, c)
		} else {
			beside = append(beside, c)
		}
	}
	results, err := binary.RunAll(ctx, beside, o.Seed, o.Stability, o.done)
	for i := 0; i < len(single) && err == nil; i++ {
		var own []outcome.Result
		own, err = binary.RunAll(ctx, single[i:i+1], o.Seed, o.Stability, o.done)
		results = append(results, own...)
	}
	return o.sorted(results), err
}

// sorted puts results into the order of the order's cases.
func (o Order) sorted(results []outcome.Result) []outcome.Result {
	at := func(r outcome.Result) int {
		return slices.IndexFunc(o.Cases, func(c conform.Meta) bool { return c.Name == r.Case })
	}
	slices.SortStableFunc(results, func(a, b outcome.Result) int { return at(a) - at(b) })
	return results
}

// gated is what the gate says against the first package of a subject that it does not let pass.
func gated(s subject.Subject) (path string, violations []gate.Violation) {
	for _, own := range s.Packages() {
		if violations := inspect(own); len(violations) > 0 {
			return own.Path, violations
		}
	}
	return "", nil
}

// inspect has the gate read the source.
func inspect(s subject.Subject) []gate.Violation {
	for _, f := range s.Lab.Files {
		if why, wrong := s.Wrong[f]; wrong {
			return []gate.Violation{{File: f, Kind: gate.Missing, Message: f + " " + why + ".",
				Help: "checker reset " + s.Lab.Dir + " puts the stub in its place and keeps what can be kept."}}
		}
	}
	return gate.Check(gate.Rules{Package: s.Lab.Package, Imports: s.Lab.Allowed(), Files: s.Lab.Files}, s.Files)
}

// changed asks the pins which of the stub's declarations the source changed. It is called
// once the compiler has found that something does not fit. It also returns whose
// declarations they are.
func changed(root string, o Order, compiler string) (path string, violations []gate.Violation, err error) {
	for _, own := range o.Subject.Packages() {
		stub := map[string][]byte{}
		for _, f := range own.Lab.Files {
			if stub[f], err = own.Lab.Stub(f); err != nil {
				return "", nil, err
			}
		}
		file, text, err := o.Subject.Pins(root, own)
		if err != nil {
			return "", nil, err
		}
		if found := pins.Changes(compiler, file, text, stub, own.Files); len(found) > 0 {
			return own.Path, found, nil
		}
	}
	return "", nil, nil
}

// done hands a result to the caller that waits for it.
func (o Order) done(r outcome.Result) {
	if o.Done != nil {
		o.Done(r)
	}
}

// refused gives every case the same verdict: none of them was run.
func (o Order) refused(v verdict.Verdict, message string) []outcome.Result {
	results := make([]outcome.Result, len(o.Cases))
	for i, c := range o.Cases {
		results[i] = outcome.Result{
			Lab: o.Subject.Lab.Dir, Case: c.Name, Verdict: v, Max: c.Points, Message: message, Seed: o.Seed,
		}
		o.done(results[i])
	}
	return results
}
