//go:build linux && !amd64 && !arm64

package sandbox

import "golang.org/x/sys/unix"

const (
	openFiles = 1000
	execFD    = 1010
)

// filter refuses: no list was made for this architecture, and half a filter is none.
func filter(bool) error { return unix.ENOSYS }
