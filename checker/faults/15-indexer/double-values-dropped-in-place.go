//go:build ignore

// Mistake: A value that an IndexFunc names twice is taken out of the slice that it returned, which may be a part
//   of the object.
// Killed by: updates-look-at-all-values
// Verdict: wrong-answer

package indexer

import (
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (in *index[T]) of(obj T) ([]string, error) {
	values, err := in.values(obj)
	if err != nil {
		return nil, fmt.Errorf("index %q of %s: %w", in.name, kit.Key(obj), err)
	}
	return slices.Compact(values), nil
}
