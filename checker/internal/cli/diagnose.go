package cli

import (
	"errors"
	"io/fs"
	"os/exec"
	"strings"
	"syscall"
)

// diagnoses maps the text of a toolchain's failure to what a learner can do.
var diagnoses = []struct{ mark, message, help string }{
	{"requires go >=", "The Go on this machine is too old: controllerbook needs Go 1.26.", "Install it from https://go.dev/dl, or enter `nix develop`."},
	{"invalid go version", "The Go on this machine is too old: controllerbook needs Go 1.26.", "Install it from https://go.dev/dl, or enter `nix develop`."},
	{"requires cgo", "The race detector needs cgo, which is off.", "Set CGO_ENABLED=1 and install a C compiler; `checker doctor` says more."},
	{"C compiler", "The race detector needs a C compiler, and none was found.", "Install gcc or clang (Debian: apt-get install gcc; macOS: xcode-select --install), or enter `nix develop`."},
	{"-race is only supported", "The race detector does not know this kind of machine.", "Use linux, macOS or Windows on amd64 or arm64; `checker doctor` says more."},
	{"initialize build cache", "Go's build cache cannot be written.", "Point GOCACHE at a directory that you may write to, or unset it."},
	{"no space left", "The disk is full.", "Make room: `go clean -cache` frees Go's build cache, and the temporary directory counts too."},
	{"read-only file system", "A directory that the build writes to is read-only.", "Point GOCACHE and TMPDIR at directories that you may write to."},
	{"permission denied", "The build may not write to one of its directories.", "Point GOCACHE and TMPDIR at directories that you may write to; `checker doctor` says which."},
	{"dial tcp", "A Go module is missing and cannot be fetched.", "Connect once and run `go mod download`."},
	{"missing go.sum entry", "go.sum does not fit go.mod.", "Take both from the repository again: git checkout go.mod go.sum."},
}

// diagnose says what a failure of the machine means and how to fix it.
func diagnose(err error) (message, help string) {
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "There is no Go toolchain: the command go was not found.", "Install Go 1.26 from https://go.dev/dl, or enter `nix develop`."
	case errors.Is(err, syscall.ENOSPC):
		return "The disk is full: " + err.Error() + ".", "Make room and try again; nothing was lost."
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return err.Error() + ".", "The checker writes to the temporary directory and to .controllerbook only: make them writable."
	}
	text := err.Error()
	for _, d := range diagnoses {
		if strings.Contains(text, d.mark) {
			return d.message, d.help
		}
	}
	return text, "This is the checker's failure, not yours. `checker doctor` looks at the machine."
}
