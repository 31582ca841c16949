//go:build ignore

// Mistake: A failing IndexFunc is taken for a bug that should end the process, as upstream does.
// Killed by: failing-index-func-changes-nothing
// Verdict: panic

package indexer

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (in *index[T]) of(obj T) ([]string, error) {
	values, err := in.values(obj)
	if err != nil {
		panic(fmt.Errorf("index %q of %s: %w", in.name, kit.Key(obj), err))
	}
	return values, nil
}
