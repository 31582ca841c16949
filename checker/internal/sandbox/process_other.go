//go:build !unix

package sandbox

import (
	"os"
	"os/exec"
	"time"
)

func isolate(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}

func status(state *os.ProcessState) (exit int, signal string) { return state.ExitCode(), "" }

// oversee does nothing: these systems are not known well enough to look.
func oversee(int, Limits, func()) (stop func() excess) { return func() excess { return within } }

// cpuTime is not known here.
func cpuTime(int) time.Duration { return 0 }
