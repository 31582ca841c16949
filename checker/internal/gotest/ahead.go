package gotest

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/buildplan"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// ahead is what BuildAhead has built, by the subjects' sources.
type ahead struct {
	mu    sync.Mutex // guards known, and the users of each binary
	known map[string]sharing
}

// sharing is what became of a subject that was built together with others.
type sharing struct {
	in    *sharedBinary
	place int
	err   error // a *CompileError: it is not in the binary
}

// sharedBinary is a binary that several subjects are in. It is there until nobody uses it.
type sharedBinary struct {
	dir, file string
	users     int // guarded by ahead.mu
}

// of is what BuildAhead made of a subject. The caller is a user of its binary then.
func (a *ahead) of(s subject.Subject) (sharing, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) == 0 {
		return sharing{}, false
	}
	known, ok := a.known[s.Identity()]
	if ok {
		known.in.users++
	}
	return known, ok
}

// leave ends the use of a binary. The caller must not use it any longer.
func (a *ahead) leave(b *sharedBinary) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if b.users--; b.users == 0 {
		_ = os.RemoveAll(b.dir)
	}
}

// keep makes known what became of subjects, by their keys, and makes the caller a user of
// their binary, until release is called.
func (a *ahead) keep(b *sharedBinary, made map[string]sharing) (release func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil {
		a.known = map[string]sharing{}
	}
	b.users++
	maps.Copy(a.known, made)
	return func() {
		a.mu.Lock()
		maps.DeleteFunc(a.known, func(_ string, s sharing) bool { return s.in == b })
		a.mu.Unlock()
		a.leave(b)
	}
}

// BuildAhead builds subjects of one lab into one binary, with one call of the linker. Until
// release is called, Build returns what became of each of them at once. It leaves out what
// Build does as well: where no plans are executed it builds nothing, and where processes are
// confined no subject with code that would run in the processes of the others. If ctx ends or
// the machine fails, that is an error.
func (k *Kit) BuildAhead(ctx context.Context, subjects []subject.Subject) (release func(), err error) {
	var releases []func()
	release = func() {
		for _, r := range releases {
			r()
		}
	}
	if !k.planned() {
		return release, nil
	}
	for _, like := range alike(subjects, k.Isolation.On()) {
		r, err := k.share(ctx, like)
		if err != nil {
			release()
			return nil, err
		}
		releases = append(releases, r)
	}
	return release, nil
}

// alike sorts different subjects by the packages that are compiled for them: each with all
// that are built by its plan, and nothing that would be alone.
func alike(subjects []subject.Subject, confined bool) (groups [][]subject.Subject) {
	known, plans := map[string]bool{}, map[string]int{}
	for _, s := range subjects {
		key, plan := s.Identity(), planOf(s)
		if known[key] || confined && !inert(s) {
			continue
		}
		known[key] = true
		if _, ok := plans[plan]; !ok {
			plans[plan] = len(groups)
			groups = append(groups, nil)
		}
		groups[plans[plan]] = append(groups[plans[plan]], s)
	}
	return slices.DeleteFunc(groups, func(g []subject.Subject) bool { return len(g) < 2 })
}

// share builds subjects into a binary. Where they do not build together, or are too large for
// that, each is left to Build: one of them may be to blame, and must not cost the others anything.
func (k *Kit) share(ctx context.Context, subjects []subject.Subject) (release func(), err error) {
	plan, err := k.plan(ctx, subjects[0])
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(k.Temp, "shared-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the build: %w", err)
	}
	b := &sharedBinary{dir: dir}
	var builds []buildplan.Build
	for _, s := range subjects {
		w, err := k.sources(s, dir)
		if err != nil {
			_ = os.RemoveAll(dir)
			return nil, err
		}
		builds = append(builds, k.buildOf(w))
	}
	file, errs, err := plan.ExecuteAll(ctx, dir, builds, k.Budget.atOnce())
	if err == nil && file != "" && loaded(file) > mostLoaded {
		err = &buildplan.SourceError{Text: "too large to be shared"}
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		if errors.As(err, new(*buildplan.SourceError)) {
			return func() {}, nil
		}
		return nil, err
	}
	b.file = file
	made := map[string]sharing{}
	for i, s := range subjects {
		made[s.Identity()] = sharing{in: b, place: i, err: compileError(errs[i])}
	}
	return k.ahead.keep(b, made), nil
}

// mostLoaded is how many bytes of memory a shared binary may take before anything runs. With all
// 143 programs that prove lab 20 in it, it takes 33 MiB: a subject with more than its share of
// variables would use up memory that another one's case is given.
const mostLoaded = 128 << 20

// loaded is how many bytes of memory a binary takes before anything runs.
func loaded(file string) (n uint64) {
	f, err := elf.Open(file)
	if err != nil {
		return math.MaxUint64
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			n += p.Memsz
		}
	}
	return n
}

// built is what Build returns for a subject that was built ahead.
func (k *Kit) built(known sharing, s subject.Subject) (*Binary, error) {
	if known.err != nil {
		k.ahead.leave(known.in)
		return nil, known.err
	}
	b := k.binary(known.in.file, s)
	b.shared = &known
	return b, nil
}

// place is where the subject's bridge is in the binary.
func (b *Binary) place() int {
	if b.shared == nil {
		return 0
	}
	return b.shared.place
}

// importPaths are those that the packages under test have in the binary.
func (b *Binary) importPaths() []string {
	paths := b.Subject.ImportPaths()
	if b.shared != nil {
		for i, path := range paths {
			paths[i] = buildplan.SharedPath(path, b.shared.place)
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
		*text = buildplan.Unshared(*text, b.shared.place)
	}
}
