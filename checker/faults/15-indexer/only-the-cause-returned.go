//go:build ignore

// Mistake: What an IndexFunc wrapped its cause in is taken off, so errors.Is finds the cause and no longer the
//   error itself.
// Killed by: failing-index-func-changes-nothing
// Verdict: wrong-answer

package indexer

import (
	"errors"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (in *index[T]) of(obj T) ([]string, error) {
	values, err := in.values(obj)
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			err = cause
		}
		return nil, fmt.Errorf("index %q of %s: %w", in.name, kit.Key(obj), err)
	}
	return values, nil
}
