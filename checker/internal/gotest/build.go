// Package gotest compiles a lab's suite with a subject in it, once, and runs each
// case in a process of its own.
package gotest

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/buildplan"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/overlay"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/yields"
)

// Kit builds and runs the programs of suites for one repository.
type Kit struct {
	Root string // the repository, as $PWD spells it
	Temp string // a directory of this run's own: everything is written below it

	// Isolation is how code that is not trusted is built and run. The zero value is
	// for the learner's own.
	Isolation sandbox.Isolation
	Budget    Budget

	// Planned has builds execute a build plan instead of calling the go command. That is
	// cheaper once a lab's plan is recorded, which costs three builds. Where there is an
	// Isolation they always do.
	Planned bool

	// Trace has a case that passes send its history, as one that fails does. It is for cases
	// that run alone: the histories of a group may be more than a process may send.
	Trace bool

	// Env are further environment variables of each case.
	Env []string

	plans plans
	ahead ahead
}

// CompileError says that the subject does not build. Text is the compiler's, with
// the learner's paths.
type CompileError struct{ Text string }

func (e *CompileError) Error() string { return e.Text }

// Binary is a suite with a subject in it, ready to run.
type Binary struct {
	Path    string
	Subject subject.Subject
	kit     *Kit
	shared  *sharing      // if others are in it, too
	carries func() bool   // whether a case could keep something for the next; read once for all
	places  func() places // of the subject, read once for all cases
	procs   int           // GOMAXPROCS of each case, 0 for the machine's
	extra   []string      // further environment variables of each case

	overran   atomic.Int32 // how many runs of cases have used up their budget
	unstarted atomic.Int32 // … and how many of them before the case began
}

func (k *Kit) binary(file string, s subject.Subject) *Binary {
	return &Binary{
		Path: file, Subject: s, kit: k,
		carries: sync.OnceValue(func() bool { return carries(s) }),
		places:  sync.OnceValue(func() places { return declarations(s) }),
	}
}

// Anew is the binary as if none of its cases had been run: a case that used up its time does
// not shorten that of the next. Cases run with GOMAXPROCS procs, or with the machine's
// number if procs is 0, and with further environment variables. Remove one of the two, not both.
func (b *Binary) Anew(procs int, env ...string) *Binary {
	return &Binary{
		Path: b.Path, Subject: b.Subject, kit: b.kit, shared: b.shared,
		carries: b.carries, places: b.places, procs: procs, extra: env,
	}
}

// SharesAs has the cases of b share processes if those of s may. It is for a program that was
// generated from s, with variables of its own that no case changes.
func (b *Binary) SharesAs(s subject.Subject) {
	b.carries = sync.OnceValue(func() bool { return carries(s) })
}

// nudge is the function that the learner's package calls at every prologue.
const nudge = yields.Import + ".MayYield"

// Build compiles the suite of the subject's lab. It returns a *CompileError if the
// fault is the subject's, any other error if it is the machine's. It blocks for as
// long as the compiler does, half a second where its cache is warm.
func (k *Kit) Build(ctx context.Context, s subject.Subject) (*Binary, error) {
	if known, ok := k.ahead.of(s); ok {
		return k.built(known, s)
	}
	if k.planned() {
		return k.execute(ctx, s)
	}
	set, err := yielding(k.Root, s)
	if err != nil {
		return nil, err
	}
	return k.build(ctx, s, set, "suite", suite(s))
}

// BuildProgram compiles a main package with the subject in it, without the race
// detector and without preemption: a program to be used. Errors are those of Build.
func (k *Kit) BuildProgram(ctx context.Context, s subject.Subject, pkg string) (*Binary, error) {
	set, err := s.Overlay(k.Root)
	if err != nil {
		return nil, err
	}
	return k.build(ctx, s, set, path.Base(pkg), target{pkg: pkg})
}

// target is something that the go command can build.
type target struct {
	flags []string // only those that the build needs
	extra []string // flags of the compiler that are not documented
	pkg   string   // directory
}

// suite is the program that runs the subject's cases, in which the subject is preempted at
// prologues.
func suite(s subject.Subject) target {
	t := target{flags: []string{"-race"}, pkg: program(s)}
	lang := ""
	if s.Lang != "" {
		lang = " -lang=go" + s.Lang
		t.flags = append(t.flags, "-gcflags="+s.ImportPath()+"="+lang)
	}
	for _, pkg := range s.ImportPaths() { // the last flag for a package counts, so it repeats the language
		t.extra = append(t.extra, "-gcflags="+pkg+"=-d=maymorestack="+nudge+lang)
	}
	// Report every error, not only the first ten.
	t.flags = append(t.flags, "-gcflags="+catalog.Module+"/"+s.Lab.Bridge+"=-e")
	return t
}

// build has the go command build a target with the subject in it, by an overlay.
func (k *Kit) build(ctx context.Context, s subject.Subject, set overlay.Set, name string, t target) (*Binary, error) {
	w, err := k.newWorkspace(k.Temp, set)
	if err != nil {
		return nil, err
	}
	b := k.binary(filepath.Join(w.dir, name), s)
	text, err := w.run(ctx, b.Path, t)
	if err == nil {
		return b, nil
	}
	defer w.remove()
	var failed *goError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !errors.As(err, &failed):
	case failed.limit != "":
		return nil, &CompileError{Text: string(failed.limit)}
	case strings.Contains(text, "# "+catalog.Module):
		text = w.layout.RepositoryPaths(k.Root, text)
		return nil, &CompileError{Text: strings.ReplaceAll(text, "\n"+catalog.Module+"/", "\n")} // errors found late have the import path
	}
	return nil, &ToolError{Text: strings.TrimSpace(text), Err: err}
}

// program is the directory of the main package that runs the subject's bridge. It is in
// overlays alone.
func program(s subject.Subject) string { return path.Join(s.Lab.Bridge, "program") }

// runnable is the overlay that gives a subject to its suite, with the program that runs it.
func runnable(root string, s subject.Subject) (overlay.Set, error) {
	set, err := s.Overlay(root)
	if err != nil {
		return nil, err
	}
	set[path.Join(program(s), "main.go")] = buildplan.Main(map[int]string{0: path.Join(catalog.Module, s.Lab.Bridge)})
	return set, nil
}

// yielding is that overlay where the subject yields between its statements.
func yielding(root string, s subject.Subject) (overlay.Set, error) {
	set, err := runnable(root, s)
	if err != nil {
		return nil, err
	}
	for _, own := range s.Packages() {
		for name, text := range own.Files {
			set[path.Join(own.Path, name)] = yields.Source(text)
		}
	}
	return set, nil
}

// ToolError says that the toolchain failed for a reason that is not the subject's.
type ToolError struct {
	Text string
	Err  error
}

func (e *ToolError) Error() string {
	if e.Text == "" {
		return "run the go command: " + e.Err.Error()
	}
	return "run the go command: " + e.Text
}

func (e *ToolError) Unwrap() error { return e.Err }
