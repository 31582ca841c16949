package gotest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/buildplan"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// ahead is what BuildAhead has built, by the subjects' sources.
type ahead struct {
	mu    sync.Mutex // guards known
	known map[string]sharing
}

// sharing is what became of a subject that was built together with others.
type sharing struct {
	file  string // the binary
	place int    // in it
	err   error  // a *CompileError: it is not in the binary
}

// of is what BuildAhead made of a subject.
func (a *ahead) of(s subject.Subject) (sharing, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) == 0 {
		return sharing{}, false
	}
	known, ok := a.known[s.Identity()]
	return known, ok
}

// BuildAhead builds subjects of one lab into one binary, with one call of the linker. Until
// release is called, Build returns what became of each of them at once. Where no plans are
// executed, or processes are confined, it builds nothing: subjects in one binary run each
// other's initialisers. The error is about the machine.
func (k *Kit) BuildAhead(ctx context.Context, subjects []subject.Subject) (release func(), err error) {
	if !k.planned() || k.Isolation.On() || len(subjects) == 0 {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp(k.Temp, "shared-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the build: %w", err)
	}
	remove := func() { _ = os.RemoveAll(dir) }
	keys, err := k.share(ctx, dir, subjects)
	if err != nil {
		remove()
		return nil, err
	}
	return func() {
		k.ahead.mu.Lock()
		defer k.ahead.mu.Unlock()
		maps.DeleteFunc(k.ahead.known, func(key string, _ sharing) bool { return slices.Contains(keys, key) })
		remove()
	}, nil
}

// share builds subjects into a binary in dir. It returns their keys in k.ahead.
func (k *Kit) share(ctx context.Context, dir string, subjects []subject.Subject) (keys []string, err error) {
	plan, err := k.plan(ctx, subjects[0])
	if err != nil {
		return nil, err
	}
	var builds []buildplan.Build
	for _, s := range subjects {
		key := s.Identity()
		if slices.Contains(keys, key) {
			continue
		}
		w, err := k.sources(s, dir)
		if err != nil {
			return nil, err
		}
		keys, builds = append(keys, key), append(builds, k.buildOf(w))
	}
	file, errs, err := plan.ExecuteAll(ctx, dir, builds)
	if err != nil {
		return nil, err
	}
	k.ahead.mu.Lock()
	defer k.ahead.mu.Unlock()
	if k.ahead.known == nil {
		k.ahead.known = map[string]sharing{}
	}
	for i, key := range keys {
		k.ahead.known[key] = sharing{file: file, place: i, err: compileError(errs[i])}
	}
	return keys, nil
}

// built is what Build returns for a subject that was built ahead.
func (k *Kit) built(known sharing, s subject.Subject) (*Binary, error) {
	if known.err != nil {
		return nil, known.err
	}
	b := k.binary(known.file, s)
	b.shared = &known.place
	return b, nil
}

// place is where the subject's bridge is in the binary.
func (b *Binary) place() int {
	if b.shared == nil {
		return 0
	}
	return *b.shared
}

// importPaths are those that the packages under test have in the binary.
func (b *Binary) importPaths() []string {
	paths := b.Subject.ImportPaths()
	if b.shared != nil {
		for i, path := range paths {
			paths[i] = buildplan.SharedPath(path, *b.shared)
		}
	}
	return paths
}

// unshare takes out of all that a process of a shared binary wrote that it was one.
func (b *Binary) unshare(r *sandbox.Result) {
	if b.shared == nil {
		return
	}
	for _, text := range []*[]byte{&r.Records, &r.Stdout, &r.Stderr} {
		*text = buildplan.Unshared(*text, *b.shared)
	}
}
