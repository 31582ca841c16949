// Package buildplan builds the program of a lab's suite without the go command.
//
// A Plan is what the go command does for a lab from the subject's package on: a few calls
// of the compiler and one of the linker. Record writes them down while the go command
// builds the reference, which is trusted. Execute makes the same calls for another subject,
// without build cache, modules or a C compiler: the subject can import only what was
// compiled for the plan. It is also cheaper than the go command, which looks at every
// package again.
package buildplan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

// Plan is a recorded build. It may be executed by several goroutines at once.
type Plan struct {
	steps    []step
	sources  string // directory of the sources that are the same in each build
	archives string // directory of everything that was compiled before
}

// step is one call of a tool. Its arguments have marks in the place of paths that
// differ from build to build.
type step struct {
	tool   string // absolute path
	pkg    string // import path; "" for the linker
	tested bool   // the package is one under test: its compiler is not shown the plan's sources
	args   []string
	config string // the import configuration: where each import is
	// files are what is compiled: a path in the repository for one that is the build's
	// own, or else an absolute path.
	files []string
	names map[string]string // of files, on a stack
	env   []string
}

// The marks.
const (
	markOut    = "@out@"    // the directory that tools write to
	markConfig = "@config@" // the file of the import configuration
)

// linker reports whether the step is the call of the linker.
func (s step) linker() bool { return s.pkg == "" }

// Build is what one execution of a plan is given.
type Build struct {
	Dir       string            // everything is written below it; it must be absolute and writable
	Files     map[string]string // the sources that are this build's own: path in the repository → absolute path
	Isolation sandbox.Isolation // how the tools are confined
}

// Execute builds what b gives and returns the path of the binary, which is in b.Dir. It
// blocks for as long as the tools run. It returns a *SourceError if the sources do not
// build, and a *ToolError if a tool failed for another reason.
func (p *Plan) Execute(ctx context.Context, b Build) (string, error) {
	e := &execution{Plan: p, Build: b, place: alone}
	if err := os.Mkdir(e.out(), 0o700); err != nil {
		return "", fmt.Errorf("make a directory for the compiler: %w", err)
	}
	for i, s := range p.steps {
		if err := e.run(ctx, i, s); err != nil {
			return "", err
		}
	}
	return e.binary(), os.RemoveAll(e.out())
}

// Verify executes the plan with the sources of the reference, and returns an error if it
// does not build these.
func (p *Plan) Verify(ctx context.Context, b Build) error {
	if _, err := p.Execute(ctx, b); err != nil {
		return fmt.Errorf("the recorded build does not build the reference: %w", err)
	}
	return nil
}

// execution is one execution of a plan.
type execution struct {
	*Plan
	Build
	place int // in a shared binary
}

// alone is the place of what has a binary to itself.
const alone = -1

// out is the directory that tools write to.
func (b Build) out() string { return filepath.Join(b.Dir, "out") }

// binary is where the linker writes.
func (e *execution) binary() string { return filepath.Join(e.Dir, "suite") }

// run calls the tool of step n and judges how it ended.
func (e *execution) run(ctx context.Context, n int, s step) error {
	config := filepath.Join(e.Dir, fmt.Sprintf("importcfg-%d", n))
	if err := os.WriteFile(config, []byte(strings.ReplaceAll(s.config, markOut, e.out())), 0o600); err != nil {
		return err
	}
	read := []string{e.archives}
	if !s.tested {
		read = append(read, e.sources)
	}
	isolation := e.Isolation
	if !isolation.On() {
		isolation.Mode = sandbox.None // the limits hold without an Isolation, too
	}
	r, err := sandbox.Run(ctx, sandbox.Command{
		Path: s.tool, Args: e.args(s, config), Dir: e.Dir,
		Env:    append([]string{"TMPDIR=" + e.out(), "HOME=" + e.out(), "LANG=C.UTF-8", GC}, s.env...),
		Limits: Limits, Isolation: isolation, Read: read, Write: []string{e.Dir}, Own: true,
	})
	if err != nil {
		return fmt.Errorf("run %s: %w", filepath.Base(s.tool), err)
	}
	if r.Exit == 0 && r.Signal == "" && !r.Flooded {
		return nil
	}
	return e.judge(s, r)
}

// args are a step's arguments with this build's paths in them.
func (e *execution) args(s step, config string) []string {
	var args []string
	for i, a := range s.args {
		a = strings.ReplaceAll(strings.ReplaceAll(a, markOut, e.out()), markConfig, config)
		if s.linker() && i > 0 && s.args[i-1] == "-o" {
			a = e.binary()
		}
		args = append(args, a)
	}
	if s.linker() {
		return args
	}
	var files, trim []string
	for _, name := range s.files {
		file := name
		if !filepath.IsAbs(name) {
			var given bool
			if file, given = e.Files[name]; !given {
				continue // it was not submitted: the compiler will say what is missing
			}
		}
		files = append(files, file)
		trim = append(trim, file+"=>"+s.names[name])
	}
	args = append([]string{"-trimpath", strings.Join(append(trim, e.out()+"=>"), ";")}, args...)
	return append(args, files...)
}
