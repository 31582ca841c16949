package gotest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/overlay"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// A recipe is what the go command does to build a lab's suite, from where the
// subject's package comes in: a few calls of the compiler and one of the linker.
// It is written down once, while the go command builds the reference, which is
// trusted. Submissions are then built by those calls alone: no go command, no
// build cache, no module and no C compiler come near them, and all that they can
// import is what the lab allows.
type recipe struct {
	calls []call
	src   string // directory with the sources that are no subject's: the test's main package
	pkg   string // directory with all that is compiled
}

// call is one call of a tool. Its arguments have marks in the place of paths that
// are another for each build.
type call struct {
	tool   string // absolute path
	pkg    string // import path; "" for the linker
	own    bool   // the subject's package: it is not shown the suite's sources
	args   []string
	config string // the import configuration: where each import is
	// sources are the files to compile: a path in the repository for one that the
	// overlay gives, or else an absolute path.
	sources []string
	names   map[string]string // of sources, on a stack
	env     []string
}

// The marks.
const (
	markOut    = "@out@"    // where tools write
	markConfig = "@config@" // the file of the import configuration
)

// extra is a file that only the recorded build has: it imports all that a lab allows,
// and changes what the package exports, so that nothing which depends on it is in the cache.
const extra = "controllerbook_recorded.go"

// recipe returns the recipe for subjects like s, and writes it down first if need be.
func (k *Kit) recipe(ctx context.Context, s subject.Subject) (*recipe, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := strings.Join(s.ImportPaths(), " ")
	if r, ok := k.recipes[key]; ok {
		return r, nil
	}
	r, err := k.record(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("prepare the build of lab %s: %w", s.Lab.Dir, err)
	}
	if k.recipes == nil {
		k.recipes = map[string]*recipe{}
	}
	k.recipes[key] = r
	return r, nil
}

// record builds the reference twice: once to have everything compiled that does not
// depend on it, and again to see what does.
func (k *Kit) record(ctx context.Context, s subject.Subject) (*recipe, error) {
	dir, err := os.MkdirTemp(k.Temp, "recipe-")
	if err != nil {
		return nil, err
	}
	r := &recipe{src: filepath.Join(dir, "src"), pkg: filepath.Join(k.Temp, "packages")}
	for _, d := range []string{r.src, r.pkg} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, err
		}
	}
	log := filepath.Join(dir, "calls")
	recorder := filepath.Join(dir, "recorder")
	if err := os.WriteFile(recorder, fmt.Appendf(nil, recorderScript, log), 0o700); err != nil {
		return nil, err
	}
	if _, _, err := k.reference(ctx, s, filepath.Join(dir, "first")); err != nil {
		return nil, err
	}
	plan, work, err := k.reference(ctx, s, filepath.Join(dir, "second"), "-p=1", "-work", "-toolexec="+strconv.Quote(recorder))
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	c := &cook{recipe: r, plan: plan, work: work, own: s.ImportPaths()}
	if err := c.read(text); err != nil {
		return nil, err
	}
	if err := k.prove(ctx, r, s); err != nil {
		return nil, err
	}
	return r, errors.Join(os.RemoveAll(filepath.Join(dir, "first")), os.RemoveAll(filepath.Join(dir, "second")))
}

// prove builds by a recipe what is known to build: the reference.
func (k *Kit) prove(ctx context.Context, r *recipe, s subject.Subject) error {
	set, err := k.referenceSet(s)
	if err != nil {
		return err
	}
	for _, own := range s.Packages() {
		delete(set, path.Join(own.Path, extra))
	}
	binary, err := k.follow(ctx, r, set)
	if err != nil {
		return err
	}
	return os.RemoveAll(filepath.Dir(binary))
}

// recorderScript stands before each tool that the go command calls and writes down its
// arguments. The go command calls it in turn: -p=1.
const recorderScript = `#!/bin/sh
case "$2" in
-V=*) ;;
*) printf '%%s\0' "$#" "$@" "GOEXPERIMENT=$GOEXPERIMENT" "GOOS=$GOOS" "GOARCH=$GOARCH" "GOAMD64=$GOAMD64" "GOARM64=$GOARM64" "GOROOT=$GOROOT" >>'%s' ;;
esac
exec "$@"
`

// recordedEnv is the number of variables that recorderScript writes after the arguments.
const recordedEnv = 6

// reference builds the suite around the reference in the subject's place, and returns
// the overlay it was built with and the go command's directory.
func (k *Kit) reference(ctx context.Context, s subject.Subject, dir string, flags ...string) (overlay.Plan, string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return overlay.Plan{}, "", err
	}
	set, err := k.referenceSet(s)
	if err != nil {
		return overlay.Plan{}, "", err
	}
	plan, err := set.Plan(k.Root, dir)
	if err != nil {
		return plan, "", err
	}
	file, err := write(plan, dir)
	if err != nil {
		return plan, "", err
	}
	args := slices.Concat([]string{"test", "-c", "-race", "-vet=off", "-trimpath", "-ldflags=-w", "-buildvcs=false",
		"-overlay=" + file, "-o", filepath.Join(dir, "suite.test")}, flags, preemption("test", s), []string{"./" + s.Lab.Bridge})
	text, err := k.compile(ctx, dir, args)
	if err != nil {
		return plan, "", &ToolError{Text: strings.TrimSpace(text), Err: err}
	}
	_, work, _ := strings.Cut(text, "WORK=")
	work, _, _ = strings.Cut(work, "\n")
	return plan, strings.TrimSpace(work), nil
}

// referenceSet is the subject's overlay with the reference's sources in it.
func (k *Kit) referenceSet(s subject.Subject) (overlay.Set, error) {
	set, err := s.Overlay(k.Root)
	if err != nil {
		return nil, err
	}
	for _, own := range s.Packages() {
		reference, err := subject.Solution(k.Root, own.Lab)
		if err != nil {
			return nil, err
		}
		for _, f := range own.Lab.Files {
			set[path.Join(own.Path, f)] = reference.Files[f]
		}
		set[path.Join(own.Path, extra)] = imports(own.Lab)
	}
	return set, nil
}

// imports is the source of extra.
func imports(lab catalog.Lab) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t_ %q\n", lab.Package, catalog.Module+"/labs/kit")
	for _, entry := range lab.Imports {
		last := strings.LastIndexByte(entry, '/') + 1
		// "runtime/debug.Stack" allows a member of a package.
		if name, member, ok := strings.Cut(entry[last:], "."); ok && member != "" && unicode.IsUpper(rune(member[0])) {
			entry = entry[:last] + name
		}
		fmt.Fprintf(&b, "\t_ %q\n", entry)
	}
	fmt.Fprintf(&b, ")\n\nconst Recorded_%s = 1\n", rand.Text())
	return b.Bytes()
}
