package judge

import (
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Blame finds out which parts of a subject are at fault where it fails a case. It returns
// the directories of the labs with whose references, and the rest the subject's own, the
// case passes. None means that it fails whatever its parts are: the fault is the subject's
// own. Blame blocks for a few builds and runs.
func Blame(ctx context.Context, kit *gotest.Kit, s subject.Subject, c conform.Meta, seed uint64) ([]string, error) {
	var parts []string
	for _, part := range s.Parts {
		parts = append(parts, part.Lab.Dir)
	}
	return blame(parts, func(dirs []string) (bool, error) {
		j, err := Judge(ctx, kit, Order{Subject: s.WithReference(dirs...), Cases: []conform.Meta{c}, Seed: seed})
		return err == nil && j.Results[0].Verdict == verdict.Pass, err
	})
}

// blame is a binary search. The references take the place of the first suspects, as many as
// it says, and where the case begins to pass the last of these is guilty. If that one is
// not enough, the next is searched for with its reference in place. So finding one guilty
// of thirteen takes six tries, and what is returned was seen to be enough.
func blame(suspects []string, passes func(replaced []string) (bool, error)) ([]string, error) {
	if ok, err := passes(suspects); err != nil || !ok {
		return nil, err
	}
	var guilty []string
	for len(suspects) > 0 {
		low, high := 0, len(suspects) // fails without suspects[:low], passes without suspects[:high]
		for high-low > 1 {
			middle := (low + high) / 2
			ok, err := passes(slices.Concat(guilty, suspects[:middle]))
			switch {
			case err != nil:
				return nil, err
			case ok:
				high = middle
			default:
				low = middle
			}
		}
		guilty = append(guilty, suspects[high-1])
		suspects = suspects[:high-1]
		if ok, err := passes(guilty); err != nil || ok {
			return guilty, err
		}
	}
	return guilty, nil
}
