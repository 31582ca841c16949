package sandbox

import "syscall"

// dieWithParent has the kernel kill the process when the checker is killed.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }
