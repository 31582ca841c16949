package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// Mode names a way to confine a process.
type Mode string

// The modes. The zero Mode starts the process as it is, within wall clock and output
// only: that is for a learner's own code.
const (
	Auto       Mode = "auto"     // asks Choose for the strongest that this machine has
	Namespaces Mode = "ns"       // namespaces, Landlock where there is any, seccomp, limits
	Landlock   Mode = "landlock" // Landlock, seccomp, limits
	None       Mode = "none"     // limits only
)

// Modes are the words that Choose understands, the usual one first.
func Modes() []string {
	return []string{string(Auto), string(Namespaces), string(Landlock), string(None)}
}

// Isolation is a mode that was tried on this machine and found to work. The zero
// Isolation confines nothing.
type Isolation struct {
	Mode   Mode
	nobody bool // a checker that runs as root starts its processes as nobody
	abi    int  // version of Landlock, 0 where the kernel has none
}

// On reports whether a process is confined or limited beyond wall clock and output.
func (i Isolation) On() bool { return i.Mode != "" }

// Confined reports whether a process is kept from the machine, and not only limited.
func (i Isolation) Confined() bool { return i.Mode == Namespaces || i.Mode == Landlock }

// String says in one line what is between a submission and the machine.
func (i Isolation) String() string {
	lock := "no Landlock in this kernel"
	if i.abi > 0 {
		lock = fmt.Sprintf("Landlock ABI %d", i.abi)
	}
	switch i.Mode {
	case Namespaces:
		return "ns: user, pid, net, ipc, uts and mount namespaces of its own, " + lock + ", seccomp, limits"
	case Landlock:
		return "landlock: " + lock + ", seccomp, limits; this machine gives no user namespaces, or they were not asked for"
	case None:
		return "none: limits only. A submission can read what you can read, and use the network"
	}
	return "off"
}

// ErrNoIsolation is returned by Choose where the machine cannot confine a process.
var ErrNoIsolation = errors.New("this machine cannot confine untrusted code")

// ConfineError says that a process could not be confined and was not started. It is
// about the machine: nothing ran.
type ConfineError struct {
	Mode Mode
	Text string // what failed, and how
}

func (e *ConfineError) Error() string {
	return fmt.Sprintf("confine a process (%s): %s", e.Mode, e.Text)
}

// Choose tries a mode on this machine, by name, and returns it if a process can be started
// in it. auto tries the strongest first and never chooses none, which has to be asked for
// by name. An unknown name is an error of its own.
//
// The choice is final: if a process cannot be confined as chosen here, it is not started,
// and Run returns a *ConfineError.
func Choose(ctx context.Context, mode string) (Isolation, error) {
	switch Mode(mode) {
	case Namespaces, Landlock:
		return try(ctx, Mode(mode))
	case None:
		return Isolation{Mode: None}, nil
	case Auto:
		ns, first := try(ctx, Namespaces)
		if first == nil {
			return ns, nil
		}
		lock, second := try(ctx, Landlock)
		if second == nil {
			return lock, nil
		}
		return Isolation{}, fmt.Errorf("%w: %w; %w", ErrNoIsolation, first, second)
	}
	return Isolation{}, fmt.Errorf("there is no sandbox %q: choose one of %v", mode, Modes())
}

// try starts this very program in the mode, where it does nothing and exits. A
// checker that runs as root first tries to start it as nobody.
func try(ctx context.Context, mode Mode) (Isolation, error) {
	var last error
	for _, i := range candidates(mode) {
		if last = probe(ctx, i); last == nil {
			return i, nil
		}
	}
	if last == nil {
		last = &ConfineError{mode, "this system has nothing to confine with"}
	}
	return Isolation{}, last
}

// probe runs the program itself, confined. Its exit code shows that it got as far as its own code.
func probe(ctx context.Context, i Isolation) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	r, err := Run(ctx, Command{
		Path: program, Args: []string{probeWord}, Dir: "/", Isolation: i,
		Limits: Limits{Wall: time.Minute, Output: 1 << 12, CPU: time.Minute, File: 1 << 20, Tasks: 64},
	})
	if err != nil {
		return err
	}
	if r.Exit != probeExit {
		return &ConfineError{i.Mode, fmt.Sprintf("the trial ended with %d%s: %s", r.Exit, r.Signal, r.Stderr)}
	}
	return nil
}
