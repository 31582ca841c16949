package buildplan

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

// The linker takes longer than all calls of the compiler together, and nearly all of that
// for what every binary of a lab has in common. So many subjects can share one binary. The
// packages of each are compiled under import paths of their own there, from the very
// sources that they have alone: with the same package name, file names and lines.

// SharedPath is the import path of a package, one that a plan compiles, for the subject
// that has place n in a shared binary.
func SharedPath(pkg string, n int) string {
	return sharedPrefix(n) + strings.TrimPrefix(pkg, ownPrefix)
}

// Unshared is text, such as a stack, with the import paths that the packages of place n
// have alone.
func Unshared(text []byte, n int) []byte {
	return bytes.ReplaceAll(text, []byte(sharedPrefix(n)), []byte(ownPrefix))
}

const ownPrefix = catalog.Module + "/"

func sharedPrefix(n int) string { return fmt.Sprintf("%s%d/", ownPrefix, n) }

// ExecuteAll builds several subjects into one binary, which is in dir, as their own directories
// are: builds[i] has place i. The initialisers of all of them run in each of its processes.
// errs[i] is a *SourceError if builds[i] does not build: then it is not in the binary, which is
// "" if nothing is. Any other error is about the machine, or a *SourceError if all of them
// together do not build. ExecuteAll blocks for as long as the tools run, at most atOnce
// compilers at once.
func (p *Plan) ExecuteAll(ctx context.Context, dir string, builds []Build, atOnce int) (binary string, errs []error, err error) {
	errs = make([]error, len(builds))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, b := range builds {
		group.Go(func() error {
			err := p.compileAt(groupCtx, i, b)
			if errs[i] = err; errors.As(err, new(*SourceError)) {
				return nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return "", nil, err
	}
	shared := shared{plan: p, isolation: builds[0].Isolation}
	for i, b := range builds {
		if errs[i] == nil {
			shared.places = append(shared.places, compiled{i, b.out()})
		}
	}
	if len(shared.places) == 0 {
		return "", errs, nil
	}
	binary, err = shared.link(ctx, dir)
	return binary, errs, err
}

// compileAt compiles the packages of a subject for a place. The archives stay in b.out.
func (p *Plan) compileAt(ctx context.Context, place int, b Build) error {
	e := &execution{Plan: p, Build: b, place: place}
	if err := os.Mkdir(e.out(), 0o700); err != nil {
		return fmt.Errorf("make a directory for the compiler: %w", err)
	}
	for i, s := range p.subjectSteps() {
		if err := e.run(ctx, i, p.moved(s, place)); err != nil {
			return err
		}
	}
	return nil
}

// subjectSteps are the calls of the compiler for what each subject has of its own: all but
// the main package.
func (p *Plan) subjectSteps() []step { return p.steps[:len(p.steps)-2] }

// moved is a step whose package, and what it imports of the subject's, have a place's paths.
func (p *Plan) moved(s step, place int) step {
	args := append([]string(nil), s.args...)
	for i := range args[1:] {
		if args[i] == "-p" {
			args[i+1] = SharedPath(s.pkg, place)
		}
	}
	s.args = args
	var config strings.Builder
	for line := range strings.Lines(s.config) {
		if pkg, file, ok := p.ofSubject(line); ok {
			moved := SharedPath(pkg, place)
			fmt.Fprintf(&config, "importmap %s=%s\npackagefile %s=%s", pkg, moved, moved, file)
			continue
		}
		config.WriteString(line)
	}
	s.config = config.String()
	return s
}

// ofSubject reads a line of an import configuration if it is of a package that is compiled
// for each subject.
func (p *Plan) ofSubject(line string) (pkg, file string, ok bool) {
	pkg, file, _ = strings.Cut(strings.TrimPrefix(line, "packagefile "), "=")
	for _, s := range p.subjectSteps() {
		if s.pkg == pkg {
			return pkg, file, true
		}
	}
	return "", "", false
}

// shared is the link of a shared binary.
type shared struct {
	plan      *Plan
	isolation sandbox.Isolation
	places    []compiled
}

// compiled is a place, and the directory of its archives.
type compiled struct {
	place int
	out   string
}

// link compiles a main package with the bridges of all places, and links it.
func (s shared) link(ctx context.Context, dir string) (string, error) {
	name := filepath.Join(dir, "main.go")
	last := s.plan.steps[len(s.plan.steps)-2:]
	if err := os.WriteFile(name, s.main(), 0o600); err != nil {
		return "", err
	}
	e := &execution{Plan: s.plan, Build: Build{Dir: dir, Isolation: s.isolation}, place: alone}
	if err := os.Mkdir(e.out(), 0o700); err != nil {
		return "", err
	}
	for i, step := range last {
		step.config = s.config(step)
		if !step.linker() {
			step.files, step.names = []string{name}, map[string]string{name: "main.go"}
		}
		if err := e.run(ctx, i, step); err != nil {
			return "", err
		}
	}
	return e.binary(), os.RemoveAll(e.out())
}

// config is a step's import configuration with the packages of all places.
func (s shared) config(of step) string {
	var config strings.Builder
	for line := range strings.Lines(of.config) {
		pkg, file, ok := s.plan.ofSubject(line)
		if !ok {
			config.WriteString(line)
			continue
		}
		for _, c := range s.places {
			fmt.Fprintf(&config, "packagefile %s=%s", SharedPath(pkg, c.place), strings.ReplaceAll(file, markOut, c.out))
		}
	}
	return config.String()
}

// main is the source of the main package.
func (s shared) main() []byte {
	bridge := s.plan.subjectSteps()[len(s.plan.subjectSteps())-1].pkg
	bridges := map[int]string{}
	for _, c := range s.places {
		bridges[c.place] = SharedPath(bridge, c.place)
	}
	return Main(bridges)
}

// Main is the source of a program that runs the cases of a bridge: of the one at the place
// that the checker tells it. The bridges are import paths by their places.
func Main(bridges map[int]string) []byte {
	var imports, table bytes.Buffer
	for _, place := range slices.Sorted(maps.Keys(bridges)) {
		fmt.Fprintf(&imports, "\tbridge%d %q\n", place, bridges[place])
		fmt.Fprintf(&table, "%d: bridge%d.Cases, ", place, place)
	}
	return fmt.Appendf(nil, mainSource, imports.Bytes(), ownPrefix, table.Bytes())
}

const mainSource = `package main

import (
	"testing"

%s	"%schecker/internal/conform"
)

func main() { conform.Main(map[int]func(*testing.T){%s}) }
`
