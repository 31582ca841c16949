// Package gotest compiles a lab's suite with a subject in it, once, and runs each
// case in a process of its own.
package gotest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/overlay"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// Kit builds and runs test binaries for one repository.
type Kit struct {
	Root string // the repository, as $PWD spells it
	Temp string // a directory of this run's own: everything is written below it

	// Isolation is how code that is not trusted is built and run. The zero value is
	// for the learner's own.
	Isolation sandbox.Isolation
	Budget    Budget

	mu      sync.Mutex // guards recipes
	recipes map[string]*recipe
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
	places  func() places // of the subject, read once for all cases
}

func (k *Kit) binary(file string, s subject.Subject) *Binary {
	return &Binary{Path: file, Subject: s, kit: k, places: sync.OnceValue(func() places { return declarations(s) })}
}

// nudge is the function that the learner's package calls at every prologue.
const nudge = catalog.Module + "/checker/internal/conform/nudge.MayYield"

// Build compiles the suite of the subject's lab. It returns a *CompileError if the
// fault is the subject's, any other error if it is the machine's. It blocks for as
// long as the compiler does, half a second where its cache is warm.
//
// Without -vet=off the go command would check what the learner has not finished.
func (k *Kit) Build(ctx context.Context, s subject.Subject) (*Binary, error) {
	if k.direct() {
		return k.buildDirect(ctx, s)
	}
	return k.build(ctx, s, "suite.test", "test", "-c", "-race", "-vet=off", "./"+s.Lab.Bridge)
}

// BuildProgram compiles a main package with the subject in it, without the race
// detector and without preemption: a program to be used. Errors are those of Build.
func (k *Kit) BuildProgram(ctx context.Context, s subject.Subject, pkg string) (*Binary, error) {
	return k.build(ctx, s, path.Base(pkg), "build", "./"+pkg)
}

// build writes the overlay and calls the go command: verb, its flags, the package.
func (k *Kit) build(ctx context.Context, s subject.Subject, name string, verb string, args ...string) (binary *Binary, err error) {
	dir, err := os.MkdirTemp(k.Temp, "build-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the build: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
		}
	}()
	set, err := s.Overlay(k.Root)
	if err != nil {
		return nil, err
	}
	plan, err := set.Plan(k.Root, dir)
	if err != nil {
		return nil, err
	}
	overlayFile, err := write(plan, dir)
	if err != nil {
		return nil, fmt.Errorf("write the overlay: %w", err)
	}
	b := k.binary(filepath.Join(dir, name), s)
	// Without -ldflags=-w the linker writes debug information that nobody reads; with
	// -trimpath stacks name files from the root of the workbook.
	common := []string{verb, "-trimpath", "-ldflags=-w", "-buildvcs=false", "-overlay=" + overlayFile, "-o", b.Path}
	text, err := k.compile(ctx, dir, slices.Concat(common, preemption(verb, s), args))
	if err != nil && strings.Contains(text, "maymorestack") {
		// An undocumented flag of the compiler: without it fewer schedules are met.
		text, err = k.compile(ctx, dir, slices.Concat(common, args))
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return b, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &exit) && strings.Contains(text, "# "+catalog.Module):
		return nil, &CompileError{Text: k.virtual(text, plan)}
	}
	return nil, &ToolError{Text: strings.TrimSpace(text), Err: err}
}

// preemption are the flags that let tests preempt the subject at every prologue.
func preemption(verb string, s subject.Subject) []string {
	if verb != "test" {
		return nil
	}
	var flags []string
	for _, pkg := range s.ImportPaths() {
		flags = append(flags, "-gcflags="+pkg+"=-d=maymorestack="+nudge)
	}
	return flags
}

// compile calls the go command and returns what it says.
func (k *Kit) compile(ctx context.Context, dir string, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = k.Root
	cmd.Env = buildEnv(dir)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

// buildEnv is the environment of the go command: the user's, less what would
// change the build. The experiment makes the runtime find leaked goroutines; it
// is asked for only where this compiler knows it.
func buildEnv(dir string) []string {
	env := append(os.Environ(), "GOFLAGS=", "GOWORK=off", "CGO_ENABLED=1", "GOTMPDIR="+dir)
	if strings.HasPrefix(runtime.Version(), "go1.26") {
		env = append(env, "GOEXPERIMENT=goroutineleakprofile")
	}
	return env
}

func write(plan overlay.Plan, dir string) (string, error) {
	for name, content := range plan.Backing {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return "", err
		}
	}
	name := filepath.Join(dir, "overlay.json")
	return name, os.WriteFile(name, plan.JSON, 0o600)
}

// virtual gives backing files the names that the learner knows. The compiler
// prints them absolute or relative to the root.
func (k *Kit) virtual(text string, plan overlay.Plan) string {
	for backing, rel := range plan.Virtual {
		text = strings.ReplaceAll(text, backing, rel)
		if short, err := filepath.Rel(k.Root, backing); err == nil {
			text = strings.ReplaceAll(text, filepath.ToSlash(short), rel)
		}
	}
	return strings.ReplaceAll(text, path.Clean(filepath.ToSlash(k.Root))+"/", "")
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
