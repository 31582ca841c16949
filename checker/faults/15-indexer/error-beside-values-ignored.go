//go:build ignore

// Mistake: An error of an IndexFunc counts only if there are no values beside it.
// Killed by: failing-index-func-changes-nothing
// Verdict: wrong-answer

package indexer

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (in *index[T]) of(obj T) ([]string, error) {
	values, err := in.values(obj)
	if err != nil && len(values) == 0 {
		return nil, fmt.Errorf("index %q of %s: %w", in.name, kit.Key(obj), err)
	}
	return values, nil
}
