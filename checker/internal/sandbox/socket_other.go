//go:build !unix

package sandbox

import (
	"errors"
	"os"
)

// socketPair fails: these systems give a process no descriptor but the standard ones.
func socketPair() (ours, theirs *os.File, err error) {
	return nil, nil, errors.ErrUnsupported
}
