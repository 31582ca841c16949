//go:build unix

package sandbox

import (
	"os"
	"os/exec"
	"syscall"
)

// isolate gives the process a group of its own and makes cancelling kill it whole.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error {
		killGroup(cmd)
		return nil
	}
}

// killGroup kills everything the process started and did not outlive.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // ESRCH: nobody is left
	}
}

func status(state *os.ProcessState) (exit int, signal string) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, ws.Signal().String()
	}
	return state.ExitCode(), ""
}
