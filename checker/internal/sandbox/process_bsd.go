//go:build unix && !linux

package sandbox

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// dieWithParent does nothing: these systems have no such wish.
func dieWithParent(*syscall.SysProcAttr) {}

// cpuTime is the processor time that a process has used, as ps says; 0 if ps says nothing.
func cpuTime(pid int) time.Duration {
	out, _ := exec.Command("ps", "-o", "time=", "-p", strconv.Itoa(pid)).Output()
	return psTime(strings.TrimSpace(string(out)))
}
