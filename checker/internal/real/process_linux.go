package real

import "syscall"

// apart starts a program in a group of its own, which the kernel ends with its parent.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
