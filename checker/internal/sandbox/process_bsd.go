//go:build unix && !linux

package sandbox

import "syscall"

// dieWithParent does nothing: these systems have no such wish.
func dieWithParent(*syscall.SysProcAttr) {}
