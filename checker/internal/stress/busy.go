package stress

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
)

// Busy starts processes that never rest: this program with one argument, which is a command
// that calls Spin. stop ends them and waits until they are gone. They end with this process, too.
func Busy(processes int, command string) (stop func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	var stops []func()
	stop = func() {
		for _, s := range stops {
			s()
		}
	}
	for range processes {
		cmd := exec.Command(program, command)
		cmd.Args[0] = os.Args[0]
		cmd.Env = append(os.Environ(), "GOMAXPROCS=2") // one to spin, one to read
		alive, err := cmd.StdinPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			stop()
			return nil, fmt.Errorf("start a busy process: %w", err)
		}
		stops = append(stops, func() {
			_ = alive.Close()
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // it was killed
		})
	}
	return stop, nil
}

// Spin uses a processor until its parent closes the pipe, which the end of the parent does, too.
func Spin(parent io.Reader) {
	var gone atomic.Bool
	go func() {
		_, _ = io.Copy(io.Discard, parent)
		gone.Store(true)
	}()
	for !gone.Load() {
	}
}
