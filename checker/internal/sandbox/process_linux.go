package sandbox

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// dieWithParent has the kernel kill the process when the checker is killed.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// cpuTime is the processor time that a process has used, with all its threads; 0 if it
// is gone.
func cpuTime(pid int) time.Duration {
	clock := int32(^pid<<3 | 2) // CPUCLOCK_SCHED of the process: clock_getcpuclockid(3)
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
