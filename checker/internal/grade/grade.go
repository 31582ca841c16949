// Package grade runs a class's submissions through the labs' suites: students times labs,
// one result file each. A grading that was killed continues where it ended.
//
// A result carries a key of all that decides it. On a restart a result whose key is still
// right stands, so nothing is graded twice. It is written atomically, so nothing is lost.
// Each worker holds the files of a few students in memory, and nothing holds more of the class
// than its list: a class may be of any size.
package grade

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/digest"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/submission"
)

// Options say what to grade and how.
type Options struct {
	Labs      []catalog.Lab
	Out       string // results/, logs/ and all that is derived are written below it
	Jobs      int    // submissions at once; 0 is one
	Shard     Shard
	Students  []string // IDs; none means all
	Only      []string // statuses and verdicts: only what has one of them in an earlier result, again
	Regrade   bool     // whatever earlier results say
	Stability int      // how often each case runs; below 2 a failed one is confirmed instead
	Isolate   bool     // each case in a process of its own, passes too
	Seed      uint64
	Deadlines Deadlines
	Isolation string // how submissions are confined, as it stands in each grade
	Confined  bool   // whether they are
	Progress  func(Event)
}

// confirmations is how often a failed case is run again before its failure is believed.
const confirmations = 2

// mostTogether is how many students a worker takes at once, to build their code together. With
// fewer the linker does more of its work again and again; with more, who comes first waits longer.
const mostTogether = 16

// Event reports one pair of student and lab that is done. Events come one at a time.
type Event struct {
	Done, Total int
	Student     string
	Lab         string
	Word        string // what became of it: a status, or a verdict
	Points, Max int
	Earlier     bool // its result was there already
	Shared      bool // the same files were graded for another student
	Took        time.Duration
}

// Summary is what came of a class.
type Summary struct {
	Pairs    int            // students times labs
	Graded   int            // of them, in this run
	Words    map[string]int // how many pairs ended how
	Failed   int            // pairs that the grader could not decide
	Problems []string
}

// Run grades a class. It blocks until every pair is done. The error is about the machine.
// If the context is cancelled, Run returns and keeps what was done so far.
func Run(ctx context.Context, kit *gotest.Kit, class *submission.Class, o Options) (Summary, error) {
	g, err := newGrader(ctx, kit, class, o)
	if err != nil {
		return Summary{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	blocks := make(chan []*submission.Handin)
	var workers sync.WaitGroup
	jobs := max(min(o.Jobs, len(g.handins)), 1)
	if kit.Budget.AtOnce == 0 { // a processor each: more at once only wait for each other
		kit.Budget.AtOnce = max(runtime.GOMAXPROCS(0)/jobs, 1)
	}
	for range jobs {
		workers.Go(func() {
			for b := range blocks {
				if err := g.block(ctx, b); err != nil {
					cancel(err)
				}
			}
		})
	}
	for b := range slices.Chunk(g.handins, max(min(len(g.handins)/(2*jobs), mostTogether), 1)) {
		select {
		case blocks <- b:
		case <-ctx.Done():
		}
	}
	close(blocks)
	workers.Wait()
	if ctx.Err() != nil {
		return g.summary, context.Cause(ctx)
	}
	return g.summary, g.checks.last(ctx)
}

// withParts is what has to be read of each submission to grade the labs: their own files,
// and those of the labs that they are made of.
func withParts(labs []catalog.Lab) []catalog.Lab {
	want := map[string]bool{}
	for _, l := range labs {
		want[l.Dir] = true
		for _, p := range l.Parts {
			want[p] = true
		}
	}
	return slices.DeleteFunc(catalog.Labs(), func(l catalog.Lab) bool { return !want[l.Dir] })
}

// Search is the options with which package submission looks for the labs, and for no other. If
// it is one lab, its files may lie anywhere.
func Search(labs []catalog.Lab) submission.Options {
	o := submission.Options{Labs: searched(labs), Book: searched(catalog.Labs()), MaxFile: subject.MaxFile}
	if len(labs) == 1 {
		o.Unnamed = labs[0].Dir
	}
	return o
}

// SearchWithParts is Search, and looks also for what the labs are made of. These are the
// options for the class of a Run.
func SearchWithParts(labs []catalog.Lab) submission.Options {
	o := Search(labs)
	o.Labs = searched(withParts(labs))
	return o
}

func searched(labs []catalog.Lab) []submission.Lab {
	var all []submission.Lab
	for _, l := range labs {
		all = append(all, submission.Lab{Number: l.Number, Dir: l.Dir, Package: l.Package, Files: l.Files, Stub: l.Stub})
	}
	return all
}

// grader is the state of one Run.
type grader struct {
	Options
	kit       *gotest.Kit
	class     *submission.Class
	read      []catalog.Lab // in the order of Class.Read
	handins   []*submission.Handin
	keys      map[string]string // lab → hash of all but the submission
	toolchain result.Toolchain
	checks    *labChecks
	flights   flights

	mu      sync.Mutex // guards summary, and calls of Progress
	summary Summary
}

func newGrader(ctx context.Context, kit *gotest.Kit, class *submission.Class, o Options) (*grader, error) {
	tc, err := toolchain(ctx, kit)
	if err != nil {
		return nil, err
	}
	g := &grader{
		Options: o, kit: kit, class: class, read: withParts(o.Labs), keys: map[string]string{}, toolchain: tc,
		flights: flights{flying: map[string]*flight{}}, summary: Summary{Words: map[string]int{}},
	}
	g.checks = newLabChecks(g)
	if g.Progress == nil {
		g.Progress = func(Event) {}
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the checker's own program: %w", err)
	}
	checker, err := digest.Checker(program, kit.Root)
	if err != nil {
		return nil, err
	}
	for _, lab := range o.Labs {
		g.keys[lab.Dir] = g.labKey(checker, lab)
	}
	if g.handins, err = g.chosen(); err != nil {
		return nil, err
	}
	g.summary.Pairs = len(g.handins) * len(o.Labs)
	g.summary.Problems = class.Problems
	return g, makeStore(o.Out)
}

// chosen are the students who are to be graded here.
func (g *grader) chosen() ([]*submission.Handin, error) {
	unknown := slices.Clone(g.Students)
	var handins []*submission.Handin
	for _, h := range g.class.Handins {
		id := h.Student.ID
		unknown = slices.DeleteFunc(unknown, func(s string) bool { return s == id })
		if (len(g.Students) == 0 || slices.Contains(g.Students, id)) && g.Shard.Has(id) {
			handins = append(handins, h)
		}
	}
	if len(unknown) > 0 {
		return nil, &UnknownStudentError{ID: unknown[0]}
	}
	return handins, nil
}

// UnknownStudentError says that Options.Students names a student who did not submit and is
// not on the roster.
type UnknownStudentError struct{ ID string }

func (e *UnknownStudentError) Error() string {
	return fmt.Sprintf("there is no student %q in this class", e.ID)
}

// done counts a pair and reports it.
func (g *grader) done(e Event) {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := &g.summary
	s.Words[e.Word]++
	if !e.Earlier {
		s.Graded++
	}
	if e.Word == string(result.Failed) {
		s.Failed++
	}
	e.Total = s.Pairs
	for _, n := range s.Words {
		e.Done += n
	}
	g.Progress(e)
}

func (g *grader) problem(text string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.summary.Problems = append(g.summary.Problems, text)
}

var errUntrusted = errors.New("the grader is not to be trusted")
