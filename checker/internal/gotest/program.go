package gotest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// Crash judges a program that was built with BuildProgram and has ended by a crash,
// from what it left on standard error.
func (b *Binary) Crash(name conform.Meta, stderr string) outcome.Result {
	return b.fold(name, outcome.Raw{Exit: 2, Stderr: stderr})
}
