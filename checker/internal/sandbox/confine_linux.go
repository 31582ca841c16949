package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// init is the other half of wrap. It is an init so that every program that links
// this package can be its own launcher, test binaries too: a program that forgot to
// call an entry point would run itself again and again instead.
func init() {
	if len(os.Args) < 2 {
		return
	}
	switch {
	case os.Args[1] == probeWord:
		os.Exit(probeExit)
	case os.Args[1] == launchWord && len(os.Args) == 3:
		runtime.LockOSThread() // Landlock, seccomp and capabilities belong to a thread
		err := launcher(os.Args[2])
		_, _ = unix.Write(statusFD, []byte(err.Error()))
		os.Exit(probeExit + 1)
	}
}

// launcher confines the calling thread and becomes the process that is ordered. It
// returns only what went wrong.
func launcher(text string) error {
	var o order
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return err
	}
	unix.CloseOnExec(statusFD)
	// One that no descriptor of the process can ever have: see allowExec.
	if err := unix.Dup3(programFD, execFD, unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("move the program's descriptor: %w", err)
	}
	unix.Close(programFD)
	argv, err := syscall.SlicePtrFromStrings(o.Args)
	if err != nil {
		return err
	}
	envv, err := syscall.SlicePtrFromStrings(o.Env)
	if err != nil {
		return err
	}
	for _, step := range steps(o) {
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
	}
	if _, err := unix.Write(statusFD, []byte(ready)); err != nil {
		return err
	}
	if o.Mode == None {
		return fmt.Errorf("start the program: %w", unix.Exec(o.Path, o.Args, o.Env))
	}
	empty := [1]byte{}
	_, _, errno := unix.RawSyscall6(unix.SYS_EXECVEAT, execFD, uintptr(unsafe.Pointer(&empty)),
		uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envv[0])), unix.AT_EMPTY_PATH, 0)
	return fmt.Errorf("start the program: %w", errno)
}

type step struct {
	name string
	do   func() error
}

// steps are in the only order that works: each takes away what the ones before it
// needed.
func steps(o order) []step {
	var s []step
	if o.Mode == Namespaces {
		s = append(s, step{"make a file system of its own", func() error { return enterRoot(o) }})
		if o.Loopback {
			s = append(s, step{"bring the loopback network up", loopbackUp})
		}
	} else {
		s = append(s, step{"enter its directory", func() error { return unix.Chdir(o.Dir) }})
	}
	if o.Mode == None {
		return append(s, step{"set limits", func() error { return restrict(o) }}, step{"tie it to the checker", dieWithChecker})
	}
	if o.ABI > 0 {
		s = append(s, step{"prepare Landlock", func() error { return landlocked.prepare(o) }})
	}
	s = append(s,
		step{"leave root", func() error { return leaveRoot(o) }},
		step{"drop capabilities", dropCapabilities},
		step{"tie it to the checker", dieWithChecker}, // a change of user undoes it
	)
	if o.ABI > 0 {
		s = append(s, step{"enter Landlock", landlocked.enter})
	}
	return append(s,
		step{"set limits", func() error { return restrict(o) }},
		step{"install the system call filter", func() error { return filter(o.Loopback) }},
	)
}

// dieWithChecker has the kernel kill the process when the checker is killed.
func dieWithChecker() error {
	return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
}

// leaveRoot changes the user of the process to nobody if the checker runs as root. In
// namespaces that has happened already.
func leaveRoot(o order) error {
	if !o.Nobody || o.Mode == Namespaces {
		return nil
	}
	// Raw calls change this thread only, and this thread is the process from now on.
	for _, call := range [][4]uintptr{
		{unix.SYS_SETGROUPS, 0, 0, 0},
		{unix.SYS_SETRESGID, nobody, nobody, nobody},
		{unix.SYS_SETRESUID, nobody, nobody, nobody},
	} {
		if _, _, errno := unix.RawSyscall(call[0], call[1], call[2], call[3]); errno != 0 {
			return errno
		}
	}
	return nil
}

// dropCapabilities drops all capabilities, and every way to get one back: a user ID of 0, a
// file's capabilities.
func dropCapabilities() error {
	for c := uintptr(0); ; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
			break // EINVAL past the last one; EPERM where there is none to drop
		}
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return err
	}
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}

// restrict sets the limits, soft and hard the same: the process cannot raise them.
func restrict(o order) error {
	for _, l := range []struct {
		name string
		what int
		max  int64
	}{
		{"core files", unix.RLIMIT_CORE, 0},
		{"processor time", unix.RLIMIT_CPU, int64(o.Limits.CPU.Seconds())},
		{"file size", unix.RLIMIT_FSIZE, o.Limits.File},
		{"open files", unix.RLIMIT_NOFILE, openFiles},
		{"processes", unix.RLIMIT_NPROC, processes(o)},
		{"address space", unix.RLIMIT_AS, o.Limits.Memory},
	} {
		if l.max == 0 && l.what != unix.RLIMIT_CORE {
			continue
		}
		var now unix.Rlimit
		if err := unix.Getrlimit(l.what, &now); err != nil {
			return fmt.Errorf("limit of %s: %w", l.name, err)
		}
		limit := min(uint64(l.max), now.Max) // what is stricter already stays
		if err := unix.Setrlimit(l.what, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fmt.Errorf("limit of %s: %w", l.name, err)
		}
	}
	return nil
}

// processes is the limit on processes and threads. Outside a user namespace the limit would
// count everything that the user runs on the machine; there the system call filter allows
// no process at all.
func processes(o order) int64 {
	if o.Mode == Namespaces {
		return o.Limits.Tasks
	}
	return 0
}
