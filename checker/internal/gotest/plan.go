package gotest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/buildplan"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/overlay"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/yields"
)

// planned reports whether builds execute a plan. Elsewhere than on Linux the go command
// makes them all.
func (k *Kit) planned() bool { return (k.Planned || k.Isolation.On()) && runtime.GOOS == "linux" }

// plans are the build plans of a Kit, by the packages that they build.
type plans struct {
	mu    sync.Mutex // guards known
	known map[string]func() (*buildplan.Plan, error)
}

// planOf says which subjects are built by one plan.
func planOf(s subject.Subject) string { return strings.Join(s.ImportPaths(), " ") }

// plan returns the plan for subjects like s. The first caller records it, and others of
// the same lab wait for that.
func (k *Kit) plan(ctx context.Context, s subject.Subject) (*buildplan.Plan, error) {
	key := planOf(s)
	k.plans.mu.Lock()
	record, known := k.plans.known[key]
	if !known {
		record = sync.OnceValues(func() (*buildplan.Plan, error) { return k.record(ctx, s) })
		if k.plans.known == nil {
			k.plans.known = map[string]func() (*buildplan.Plan, error){}
		}
		k.plans.known[key] = record
	}
	k.plans.mu.Unlock()
	plan, err := record()
	if err != nil {
		return nil, fmt.Errorf("prepare the build of lab %s: %w", s.Lab.Dir, err)
	}
	return plan, nil
}

// record records the plan for subjects like s, and verifies it.
func (k *Kit) record(ctx context.Context, s subject.Subject) (*buildplan.Plan, error) {
	dir, err := os.MkdirTemp(k.Temp, "plan-")
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp(k.Temp, "record-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	set, err := reference(k.Root, s)
	if err != nil {
		return nil, err
	}
	plan, err := buildplan.Record(ctx, buildplan.Recording{
		Dir: dir, Archives: filepath.Join(k.Temp, "packages"), Tested: s.ImportPaths(), Ignore: recorded,
		Build: func(ctx context.Context, flags ...string) (string, map[string]string, error) {
			return k.buildRecorded(ctx, s, work, set, flags)
		},
	})
	if err != nil {
		return nil, err
	}
	w, err := k.newWorkspace(work, set)
	if err != nil {
		return nil, err
	}
	return plan, plan.Verify(ctx, k.buildOf(w))
}

// buildRecorded has the go command build a set of sources, with the file that only a
// recorded build has in each package under test.
func (k *Kit) buildRecorded(ctx context.Context, s subject.Subject, work string, set overlay.Set, flags []string) (string, map[string]string, error) {
	set = maps.Clone(set)
	for _, own := range s.Packages() {
		set[path.Join(own.Path, recorded)] = recordedFile(own.Lab)
	}
	w, err := k.newWorkspace(work, set)
	if err != nil {
		return "", nil, err
	}
	text, err := w.run(ctx, filepath.Join(w.dir, "suite"), suite(s), flags...)
	if err != nil {
		return "", nil, &ToolError{Text: strings.TrimSpace(text), Err: err}
	}
	return text, w.layout.Names, nil
}

// reference is the overlay that puts the reference in the place of s.
func reference(root string, s subject.Subject) (overlay.Set, error) {
	set, err := runnable(root, s)
	if err != nil {
		return nil, err
	}
	for _, own := range s.Packages() {
		reference, err := subject.Solution(root, own.Lab)
		if err != nil {
			return nil, err
		}
		for _, f := range own.Lab.Files {
			set[path.Join(own.Path, f)] = reference.Files[f]
		}
	}
	return set, nil
}

// execute builds a subject's suite by its lab's plan.
func (k *Kit) execute(ctx context.Context, s subject.Subject) (*Binary, error) {
	plan, err := k.plan(ctx, s)
	if err != nil {
		return nil, err
	}
	w, err := k.sources(s, k.Temp)
	if err != nil {
		return nil, err
	}
	file, err := plan.Execute(ctx, k.buildOf(w))
	if err == nil {
		return k.binary(file, s), nil
	}
	w.remove()
	return nil, compileError(err)
}

// compileError is the error of a plan in the words of this package.
func compileError(err error) error {
	var broken *buildplan.SourceError
	if errors.As(err, &broken) {
		return &CompileError{Text: broken.Text}
	}
	return err
}

// sources is a new workspace below parent with all that a plan builds of a subject.
func (k *Kit) sources(s subject.Subject, parent string) (*workspace, error) {
	set, err := yielding(k.Root, s)
	if err != nil {
		return nil, err
	}
	return k.newWorkspace(parent, set)
}

// buildOf is a build of the files of a workspace.
func (k *Kit) buildOf(w *workspace) buildplan.Build {
	b := buildplan.Build{Dir: w.dir, Files: map[string]string{}, Isolation: k.Isolation}
	for file, name := range w.layout.Names {
		b.Files[name] = file
	}
	return b
}

// recorded is a file that only the recorded build has.
const recorded = "controllerbook_recorded.go"

// recordedFile imports all that a lab allows, and what its code yields with, so that it is
// compiled. It changes what the package exports, so that nothing which depends on it is in the
// build cache.
func recordedFile(lab catalog.Lab) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t_ %q\n", lab.Package, yields.Import)
	for _, allowed := range gate.Packages(lab.Allowed()) {
		fmt.Fprintf(&b, "\t_ %q\n", allowed)
	}
	fmt.Fprintf(&b, ")\n\nconst Recorded_%s = 1\n", rand.Text())
	return b.Bytes()
}
