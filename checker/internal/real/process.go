package real

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// process is a program that runs beside the checker. Its standard input is a pipe whose
// other end only the checker has: a program that heeds it ends with the checker, however
// that ends.
type process struct {
	name string
	cmd  *exec.Cmd
	in   io.WriteCloser
	log  string        // the file with what it has said
	done chan struct{} // closed when it has ended
}

// launch starts a program that writes to a log, in a process group of its own: Ctrl-C in the
// terminal is for the checker, which ends the others in their order.
func launch(name, log string, program []string, out io.Writer) (*process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cmd := exec.Command(program[0], program[1:]...)
	cmd.Stderr, cmd.Stdout = file, file
	if out != nil {
		cmd.Stdout = out
	}
	cmd.SysProcAttr = apart()
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p := &process{name: name, cmd: cmd, in: in, log: log, done: make(chan struct{})}
	go func() {
		_ = cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// stop ends the process: by closing its standard input and SIGTERM, and by SIGKILL after
// patience.
func (p *process) stop(patience time.Duration) {
	_ = p.in.Close()
	_ = p.cmd.Process.Signal(os.Interrupt)
	select {
	case <-p.done:
	case <-time.After(patience):
		p.kill()
	}
}

// kill ends the process at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
	_ = p.in.Close()
}

// ended reports whether the process has ended.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

var errEnded = errors.New("it has ended")

// last is the end of what the process has said.
func (p *process) last() string {
	const lines = 12
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// said is all that the process has said.
func (p *process) said() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return ""
	}
	return string(text)
}
