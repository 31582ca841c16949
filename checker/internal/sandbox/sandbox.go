// Package sandbox runs one process within limits.
//
// A process gets its own group, which is killed whole when the run ends, however
// it ends: a child that a subject started does not outlive the case.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

// Command is a process to run.
type Command struct {
	Path string
	Args []string // without the program's name
	Dir  string
	Env  []string

	// Orders, if not nil, give the process a socket as its descriptor 3: they are sent
	// over it, and what the process writes to it is kept. Standard input is empty.
	Orders []byte
	Limits Limits

	// Isolation says how the process is confined. The fields after it count only if it is. Dir
	// is then a private, writable, empty directory in namespaces; otherwise it is the
	// directory of that name, which the process cannot write to.
	Isolation Isolation
	Read      []string // files and directories that it may read and execute, absolute
	Write     []string // directories that it may write to, absolute
	Loopback  bool     // TCP to itself, in namespaces; sockets are refused otherwise
	Own       bool     // keep the checker's user: Read or Write are for that user only
}

// Limits bound what the process may use.
type Limits struct {
	Wall   time.Duration // from start to end
	Output int64         // bytes on standard output and standard error together
	Record int64         // bytes that the process writes to descriptor 3

	// Start is the processor time that the process may use before it writes anything to
	// descriptor 3. 0 is no limit. Only Unix keeps it.
	Start time.Duration

	// These need an Isolation, if only None. 0 is no limit. The first three are for each
	// process, children too. CPU and Memory are kept on Unix only, the others on Linux only.
	CPU    time.Duration // processor time, to a second
	Memory int64         // bytes of address space
	File   int64         // bytes in one file
	Tasks  int64         // processes and threads, in namespaces
	Disk   int64         // bytes in a private Dir; 0 is half the machine's memory
}

// Result is how a process ended and what it wrote.
type Result struct {
	Exit     int    // exit code, -1 where a signal ended it
	Signal   string // the signal, "" for none
	Stdout   []byte
	Stderr   []byte
	Records  []byte
	TimedOut bool // killed at the wall limit
	Flooded  bool // killed for its output
	CPUSpent bool // killed for its processor time
	Outgrown bool // killed for its memory, by the checker: where the kernel keeps the limit, the process says so itself
	Wall     time.Duration
	CPU      time.Duration // processor time of the process, and of what it waited for
}

// graceAfterExit is how long pipes may stay open once the process has ended. A grandchild
// that keeps them open must not block the checker. Without one they close at once, and what
// is in them is read however busy the machine is: so this is far longer than reading takes.
const graceAfterExit = 3 * time.Second

// Run runs the command to its end. It blocks until the process is gone. The error
// is about the machine, never about what the process did.
func Run(ctx context.Context, c Command) (Result, error) {
	runCtx, cancel := context.WithTimeoutCause(ctx, c.Limits.Wall, errWall)
	defer cancel()
	cmd := exec.CommandContext(runCtx, c.Path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.WaitDelay = graceAfterExit
	isolate(cmd)
	l, err := confine(cmd, c)
	if err != nil {
		return Result{}, err
	}
	defer l.close()
	output := &budget{left: c.Limits.Output, kill: cancel}
	stdout, stderr := &capped{budget: output}, &capped{budget: output}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	records, wait, err := converse(cmd, c)
	if err != nil {
		return Result{}, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		wait()
		return Result{}, l.failed(err)
	}
	l.started()
	stop := overseeStart(cmd, c.Limits.Start, records)
	_ = cmd.Wait() // how it ended stands in ProcessState
	over := cmp.Or(stop(), l.exceeded())
	killGroup(cmd)
	wait()
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	if err := l.verify(); err != nil {
		return Result{}, err
	}
	r := Result{Stdout: stdout.bytes(), Stderr: stderr.bytes(), Records: records.bytes(), Wall: time.Since(began)}
	r.Flooded, r.TimedOut = output.spent.Load(), errors.Is(context.Cause(runCtx), errWall)
	r.Outgrown = over == overMemory
	r.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	r.Exit, r.Signal = status(cmd.ProcessState)
	r.CPUSpent = r.Signal != "" && (over == overCPU || c.stoppedByKernel(cmd.ProcessState))
	return r, nil
}

// confine prepares the launch of a command that has an Isolation. It returns nil for one
// that has none.
func confine(cmd *exec.Cmd, c Command) (*launch, error) {
	if !c.Isolation.On() {
		return nil, nil
	}
	return wrap(cmd, c)
}

// stoppedByKernel reports whether a process that a signal ended had used up its processor
// time. The kernel's limit counts ticks, and on a busy machine these run ahead.
func (c Command) stoppedByKernel(state *os.ProcessState) bool {
	return c.Isolation.On() && c.Limits.CPU > 0 && state.UserTime()+state.SystemTime() >= c.Limits.CPU/2
}

var errWall = errors.New("wall clock limit")

// converse gives the process its descriptor 3, sends the orders, and reads what the
// process writes until wait is called.
func converse(cmd *exec.Cmd, c Command) (records *capped, wait func(), err error) {
	records = &capped{budget: &budget{left: c.Limits.Record, kill: func() {}}}
	if c.Orders == nil {
		return records, func() {}, nil
	}
	ours, theirs, err := socketPair()
	if err != nil {
		return nil, nil, fmt.Errorf("make a socket for the process: %w", err)
	}
	cmd.ExtraFiles = append([]*os.File{theirs}, cmd.ExtraFiles...)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = ours.Write(c.Orders) // a process that has ended reads none
		_, _ = io.Copy(records, ours)
	}()
	return records, func() {
		theirs.Close() // our copy: the reader ends once the process's is closed too
		select {
		case <-done:
		case <-time.After(graceAfterExit):
		}
		ours.Close()
		<-done
	}, nil
}

// budget is the number of bytes that several streams may still write.
type budget struct {
	mu    sync.Mutex // guards left
	left  int64
	spent atomic.Bool
	kill  func()
}

func (b *budget) take(n int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	took := min(int64(n), b.left)
	b.left -= took
	if took < int64(n) && !b.spent.Swap(true) {
		b.kill()
	}
	return int(took)
}

// capped keeps what its budget allows and swallows the rest, so that the writer
// never blocks.
type capped struct {
	budget *budget
	mu     sync.Mutex // guards buf
	buf    []byte
}

func (c *capped) Write(p []byte) (int, error) {
	n := c.budget.take(len(p))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.buf = append(c.buf, p[:n]...)
	return len(p), nil
}

func (c *capped) bytes() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buf
}
