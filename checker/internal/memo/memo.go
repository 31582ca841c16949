// Package memo remembers the last verdict on a program, by the content of all that the
// verdict follows from. docs/decisions/0011 says what may be remembered, and why.
package memo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/digest"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Memo remembers verdicts in a directory, a file for each program. A nil Memo remembers none.
type Memo struct {
	dir   string
	build string // stands for all that a verdict follows from, but for the subject
}

// Verdict is what became of a subject.
type Verdict struct {
	At time.Time // when the last case had ended
	judge.Judgement

	// Steps say where to look for the failure of a case, in a lab that is made of others,
	// as far as that was asked.
	Steps map[string]explain.Step
}

// Open opens what is remembered in dir of a workbook's labs: with the checker that runs, the
// suites and the toolchain as they are now. It blocks for the go command.
func Open(ctx context.Context, dir string, kit *gotest.Kit) (*Memo, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var checker, settings string
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() (err error) {
		checker, err = digest.Checker(program, kit.Root)
		return err
	})
	both.Go(func() (err error) {
		settings, err = kit.Settings(ctx)
		return err
	})
	if err := both.Wait(); err != nil {
		return nil, err
	}
	return &Memo{dir, fmt.Sprintf("%s\n%s\n%d processors", checker, settings, runtime.GOMAXPROCS(0))}, nil
}

// key stands for all that a verdict on the subject follows from.
func (m *Memo) key(s subject.Subject) string {
	sum := sha256.Sum256([]byte(m.build + "\n" + s.Identity()))
	return hex.EncodeToString(sum[:])
}

// Recall is the verdict that is remembered of the subject of an order, on the order's cases.
// How the order wants them run does not matter to it.
func (m *Memo) Recall(o judge.Order) (Verdict, bool) {
	if m == nil {
		return Verdict{}, false
	}
	return m.read(o.Subject).on(o.Cases)
}

// Keep remembers the verdict on the subject of an order, as far as it may be shown again. It
// returns those of the order's cases that have ended in more than one way with this very
// code. A file that cannot be written is not remembered.
func (m *Memo) Keep(o judge.Order, v Verdict) (wavering []string) {
	if m == nil {
		return nil
	}
	old := m.read(o.Subject)
	e := entry{Key: m.key(o.Subject), Verdict: v, Wavering: union(old.Wavering, old.differing(v.Results))}
	if !lasting(o, v.Judgement) || old.knowsMore(v.Results) {
		e.Verdict = old.Verdict
	}
	e.Steps = maps.Clone(old.Steps)
	if e.Steps == nil {
		e.Steps = map[string]explain.Step{}
	}
	maps.Copy(e.Steps, v.Steps)
	if len(e.Results) > 0 || len(e.Wavering) > 0 {
		_ = m.write(o.Subject.Lab, e)
	}
	return slices.DeleteFunc(e.Wavering, func(name string) bool {
		return !slices.ContainsFunc(o.Cases, func(c conform.Meta) bool { return c.Name == name })
	})
}

// lasting reports whether a verdict follows from the code alone. Several runs of a case ask
// whether they end alike, and nothing but running answers that.
func lasting(o judge.Order, j judge.Judgement) bool {
	return o.Stability <= 1 && !slices.ContainsFunc(j.Results, func(r outcome.Result) bool { return !r.Verdict.Lasts() })
}

// entry is what is remembered of one program.
type entry struct {
	Key string
	Verdict
	Wavering []string // cases that have ended in more than one way
}

// on is the verdict on some cases, if all of them are known and have always ended alike.
func (e entry) on(cases []conform.Meta) (Verdict, bool) {
	v := e.Verdict
	v.Results = nil
	for _, c := range cases {
		r, known := e.result(c.Name)
		if !known || slices.Contains(e.Wavering, c.Name) {
			return Verdict{}, false
		}
		v.Results = append(v.Results, r)
	}
	return v, true
}

func (e entry) result(name string) (outcome.Result, bool) {
	i := slices.IndexFunc(e.Results, func(r outcome.Result) bool { return r.Case == name })
	if i < 0 {
		return outcome.Result{}, false
	}
	return e.Results[i], true
}

// differing are the cases that ended otherwise before, or in several ways now. What the
// checker could not decide says nothing.
func (e entry) differing(results []outcome.Result) []string {
	var names []string
	for _, r := range results {
		before, known := e.result(r.Case)
		switch {
		case r.Verdict.Standing() == verdict.Unknown:
		case r.Verdict == verdict.Unstable, known && before.Verdict != r.Verdict:
			names = append(names, r.Case)
		}
	}
	return names
}

// knowsMore reports whether the entry has all cases of results, and others.
func (e entry) knowsMore(results []outcome.Result) bool {
	return len(e.Results) > len(results) && !slices.ContainsFunc(results, func(r outcome.Result) bool {
		_, known := e.result(r.Case)
		return !known
	})
}

func union(a, b []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
}

// file is where the entry of a key is.
func (m *Memo) file(lab, key string) string { return filepath.Join(m.dir, lab, key[:16]) }
