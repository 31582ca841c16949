package sandbox

import (
	"os/exec"
	"time"
)

// overseeEvery is how often the checker looks at a process whose limits it keeps itself.
// Memory grows by less than a gigabyte in between.
const overseeEvery = 250 * time.Millisecond

// overseeStart looks at a process until it has written its first record, and kills it if it
// uses more than limit of processor time before. Wall clock would not do: a loaded machine
// may take any time to start a process, but the start costs it little processor time. stop
// ends the looking. It returns overCPU if the process was killed.
func overseeStart(cmd *exec.Cmd, limit time.Duration, records *capped) (stop func() excess) {
	if limit <= 0 {
		return func() excess { return within }
	}
	done, found := make(chan struct{}), make(chan excess, 1)
	go func() {
		tick := time.NewTicker(overseeEvery)
		defer tick.Stop()
		for len(records.bytes()) == 0 {
			select {
			case <-done:
				found <- within
				return
			case <-tick.C:
			}
			if cpuTime(cmd.Process.Pid) > limit && len(records.bytes()) == 0 {
				killGroup(cmd)
				found <- overCPU
				return
			}
		}
		found <- within
	}()
	return func() excess {
		close(done)
		return <-found
	}
}
