//go:build !linux

package real

import "syscall"

// apart starts a program as it is: where the kernel does not end it with its parent, the end
// of its standard input does.
func apart() *syscall.SysProcAttr { return nil }
