package faults

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/trivial"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const (
	// gift is how many points a program may earn that does nothing: a lab may ask for
	// little where there is nothing to do.
	gift = 3
	// sampled is how many of a lab's programs that do one function alone are proven. There
	// are as many as functions, and each is put to nearly all cases.
	sampled = 2
)

// trivials are the checks that what does nothing earns nothing.
func trivials(root string, lab catalog.Lab) ([]Check, error) {
	l, err := trivialLab(root, lab)
	if err != nil {
		return nil, err
	}
	programs, err := l.Programs()
	if err != nil {
		return nil, err
	}
	var checks []Check
	add := func(p trivial.Program, cases []conform.Meta, most int) {
		from := func(root string) (subject.Subject, error) { return subject.Given(root, lab, p.Files) }
		checks = append(checks, proof(lab, "trivial "+p.Name, from, func(ctx context.Context, kit *gotest.Kit, s subject.Subject) error {
			return earns(ctx, kit, s, cases, most)
		}))
	}
	for _, p := range programs {
		add(p, lab.Cases, gift)
	}
	names, err := l.Functions()
	if err != nil || len(names) < 2 { // without its only function a solution is the stub
		return checks, err
	}
	for _, name := range names {
		own := about(lab, func(f string) bool { return f == name })
		if len(own) == 0 {
			continue
		}
		p, err := l.Without(name)
		if err != nil {
			return nil, err
		}
		add(p, own, 0)
	}
	for _, name := range sample(lab.Dir, names) {
		p, err := l.Only(name)
		if err != nil {
			return nil, err
		}
		add(p, about(lab, func(f string) bool { return f != name && slices.Contains(names, f) }), 0)
	}
	return checks, nil
}

// about are the cases whose function is one of those.
func about(lab catalog.Lab, is func(function string) bool) []conform.Meta {
	return slices.DeleteFunc(slices.Clone(lab.Cases), func(c conform.Meta) bool { return !is(c.Func) })
}

// sample draws names, always the same ones.
func sample(seed string, names []string) []string {
	rank := func(name string) uint64 {
		h := fnv.New64a()
		h.Write([]byte(seed + "/" + name))
		return h.Sum64()
	}
	drawn := slices.Clone(names)
	slices.SortFunc(drawn, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return drawn[:min(sampled, len(drawn))]
}

// earns runs a program and fails if the cases that it passes are worth more than most.
func earns(ctx context.Context, kit *gotest.Kit, s subject.Subject, cases []conform.Meta, most int) error {
	results, err := run(ctx, kit, judge.Order{Subject: s, Cases: cases, Seed: 1, Isolate: true})
	if err != nil {
		return err
	}
	points := 0
	var passed []string
	for _, r := range results {
		if r.Verdict == verdict.Pass {
			points += r.Points
			passed = append(passed, fmt.Sprintf("%s (%d)", r.Case, r.Points))
		}
	}
	if points > most {
		return fmt.Errorf("%d points for nothing, where %d are allowed: %s", points, most, strings.Join(passed, ", "))
	}
	return nil
}

// trivialLab reads what trivial programs are made of.
func trivialLab(root string, lab catalog.Lab) (trivial.Lab, error) {
	l := trivial.Lab{Kit: map[string][]byte{}}
	stub, err := subject.Stub(root, lab)
	if err != nil {
		return l, err
	}
	l.Stub = stub.Files
	solution, err := subject.Solution(root, lab)
	if err != nil {
		return l, err
	}
	l.Solution = solution.Files
	kit, err := filepath.Glob(filepath.Join(root, "labs", "kit", "*.go"))
	if err != nil {
		return l, err
	}
	for _, file := range kit {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if l.Kit[filepath.Base(file)], err = os.ReadFile(file); err != nil {
			return l, err
		}
	}
	return l, nil
}
