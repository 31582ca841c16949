package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// An attack is one thing that code under test has no business with. It returns nil
// if it worked.
type attack struct {
	name string
	do   func(target) error
}

// target is what an attack knows of the machine: more than it could find out.
type target struct {
	Parent int    // the checker
	Secret string // a file that everyone may read
	Port   string // TCP, and UDP, that somebody listens on at 127.0.0.1
	Socket string // an abstract unix socket that somebody listens on
	Shared string // a directory that everyone may write to

	Only []string // the attacks to try; none means all
}

var onFiles = []attack{
	{"read /etc/passwd", func(target) error { return reads("/etc/passwd") }},
	{"read a file that everyone may read", func(t target) error { return reads(t.Secret) }},
	{"read its own program", func(target) error { return reads("/proc/self/exe") }},
	{"list the root", func(target) error {
		entries, err := os.ReadDir("/")
		for _, e := range entries {
			if e.Name() == "etc" && reads("/etc/hostname") == nil {
				return nil
			}
		}
		return errors.Join(err, errors.New("nothing there"))
	}},
	{"read /proc of the checker", func(t target) error {
		return first(reads(proc(t.Parent, "cmdline")), reads(proc(t.Parent, "environ")), reads(proc(t.Parent, "maps")))
	}},
	{"list the processes", func(target) error { _, err := os.ReadDir("/proc"); return err }},
	{"read its memory map", func(target) error { return reads("/proc/self/maps") }},
	{"write where everyone may", func(t target) error { return writes(filepath.Join(t.Shared, "mark")) }},
	{"write to /tmp", func(target) error { return writes("/tmp/controllerbook-mark") }},
	{"write to /dev/shm", func(target) error { return writes("/dev/shm/controllerbook-mark") }},
	{"write to the root", func(target) error { return writes("/mark") }},
	{"change a mode", func(t target) error { return os.Chmod(t.Secret, 0o666) }},
	{"truncate a file", func(t target) error { return os.Truncate(t.Secret, 0) }},
	{"link a file", func(t target) error { return os.Symlink(t.Secret, filepath.Join(t.Shared, "link")) }},
	{"open a device", func(target) error { return reads("/dev/null") }},
}

var onNetwork = []attack{
	{"connect by TCP", func(t target) error { return dials("tcp", "127.0.0.1:"+t.Port) }},
	{"send by UDP", func(t target) error { return dials("udp", "127.0.0.1:"+t.Port) }},
	{"connect to a unix socket", func(t target) error { return dials("unix", t.Socket) }},
	{"listen", func(target) error {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err == nil {
			l.Close()
		}
		return err
	}},
	{"open a raw socket", func(target) error {
		_, err := unix.Socket(unix.AF_PACKET, unix.SOCK_RAW, 0)
		return err
	}},
	{"open a netlink socket", func(target) error {
		_, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, 0)
		return err
	}},
}

var onProcesses = []attack{
	{"run a program", func(target) error { return exec.Command("/bin/true").Run() }},
	{"run itself", func(target) error { return exec.Command("/proc/self/exe").Run() }},
	{"run a program of its own making", runOwn},
	{"exec in its place", func(target) error { return syscall.Exec("/bin/true", []string{"true"}, nil) }},
	{"exec by a descriptor", execDescriptor},
	{"fork", func(target) error { return forks(0) }},
	{"fork a session that survives", func(target) error { return forks(unix.CLONE_PARENT) }},
	{"fork by clone3", func(target) error {
		args := make([]uint64, 11)
		args[4] = uint64(unix.SIGCHLD)
		return raw(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args[0])), 88)
	}},
	{"signal the checker", func(t target) error { return syscall.Kill(t.Parent, syscall.SIGCONT) }},
	{"signal a thread of the checker", func(t target) error { return unix.Tgkill(t.Parent, t.Parent, unix.SIGCONT) }},
	{"signal everyone", func(target) error { return syscall.Kill(-1, syscall.SIGCONT) }},
	{"signal through a pipe", func(t target) error {
		_, err := unix.FcntlInt(1, unix.F_SETOWN, t.Parent)
		return err
	}},
	{"hold the checker by a descriptor", func(t target) error { _, err := unix.PidfdOpen(t.Parent, 0); return err }},
	{"trace the checker", func(t target) error { return unix.PtraceAttach(t.Parent) }},
	{"ask to be traced", func(target) error { return raw(unix.SYS_PTRACE, unix.PTRACE_TRACEME) }},
	{"write to the checker's memory", func(t target) error {
		return raw(unix.SYS_PROCESS_VM_WRITEV, uintptr(t.Parent), 0, 0, 0, 0, 0)
	}},
	{"raise a limit", func(target) error {
		return unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 1 << 16, Max: 1 << 16})
	}},
	{"become root", func(target) error { return raw(unix.SYS_SETRESUID, 0, 0, 0) }},
}

var onKernel = []attack{
	{"io_uring", func(target) error {
		p := [128]byte{}
		return raw(unix.SYS_IO_URING_SETUP, 4, uintptr(unsafe.Pointer(&p)))
	}},
	{"userfaultfd", func(target) error { return raw(unix.SYS_USERFAULTFD, 1) }},
	{"keyctl", func(target) error { return raw(unix.SYS_KEYCTL, 0, ^uintptr(2), 0) }},
	{"bpf", func(target) error { return raw(unix.SYS_BPF, 5, 0, 0) }},
	{"perf", func(target) error { return raw(unix.SYS_PERF_EVENT_OPEN, 0, 0, 0, 0, 0) }},
	{"a new user namespace", func(target) error { return unix.Unshare(unix.CLONE_NEWUSER) }},
	{"mount", func(target) error { return unix.Mount("tmpfs", "/tmp", "tmpfs", 0, "") }},
	{"chroot", func(target) error { return unix.Chroot("/") }},
	{"personality", func(target) error { return raw(unix.SYS_PERSONALITY, 0x0400000) }},
	{"a secret file in memory", func(target) error { _, err := unix.MemfdCreate("x", 0); return err }},
	{"shared memory that stays", func(target) error { return raw(unix.SYS_SHMGET, 0, 4096, 0o1600) }},
	{"set the host name", func(target) error { return unix.Sethostname([]byte("x")) }},
}

var onCode = []attack{
	{"map writable code", func(target) error {
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
		return err
	}},
	{"write and then execute", func(target) error {
		b, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return err
		}
		return unix.Mprotect(b, unix.PROT_READ|unix.PROT_EXEC)
	}},
	{"patch its own code", func(target) error {
		pc, _, _, _ := runtime.Caller(0)
		page := pc &^ 4095
		return raw(unix.SYS_MPROTECT, page, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC)
	}},
	{"patch its own code by way of /proc", func(target) error {
		f, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
		if err == nil {
			f.Close()
		}
		return err
	}},
	{"map code from a file of its own", func(target) error {
		if err := os.WriteFile("code", make([]byte, 4096), 0o700); err != nil {
			return err
		}
		f, err := os.Open("code")
		if err != nil {
			return err
		}
		_, err = unix.Mmap(int(f.Fd()), 0, 4096, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE)
		return err
	}},
}

func attacks() []attack {
	var all []attack
	for _, list := range [][]attack{onFiles, onNetwork, onProcesses, onKernel, onCode} {
		all = append(all, list...)
	}
	return all
}

// attackAll tries everything and prints what worked, by name.
func attackAll() int {
	var t target
	if err := json.Unmarshal([]byte(os.Args[1]), &t); err != nil {
		panic(err)
	}
	worked := map[string]string{}
	for _, a := range attacks() {
		if len(t.Only) > 0 && !slices.Contains(t.Only, a.name) {
			continue
		}
		if err := a.do(t); err == nil {
			worked[a.name] = "it worked"
		}
	}
	fmt.Println(len(attacks()))
	_ = json.NewEncoder(os.Stdout).Encode(worked)
	return 0
}

func proc(pid int, name string) string { return filepath.Join("/proc", strconv.Itoa(pid), name) }

// first is nil if any of the attempts worked.
func first(attempts ...error) error {
	for _, err := range attempts {
		if err == nil {
			return nil
		}
	}
	return attempts[0]
}

func reads(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Read(make([]byte, 1))
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func writes(name string) error { return os.WriteFile(name, []byte("mark"), 0o600) }

func dials(network, address string) error {
	c, err := net.Dial(network, address)
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write([]byte("hello"))
	return err
}

func raw(number uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	_, _, errno := unix.RawSyscall6(number, a[0], a[1], a[2], a[3], a[4], a[5])
	if errno != 0 {
		return errno
	}
	return nil
}

// forks makes a process that would outlive its parent. The child does nothing but
// wait: after a raw fork a Go program has one thread and no runtime.
func forks(flags uintptr) error {
	pid, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD)|flags, 0, 0, 0, 0, 0)
	if errno != 0 {
		return errno
	}
	if pid == 0 {
		_, _, _ = unix.RawSyscall(unix.SYS_SETSID, 0, 0, 0)
		unix.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
	}
	return nil
}

// runOwn writes a program, as a script and as a copy, and runs it.
func runOwn(target) error {
	if err := os.WriteFile("evil", []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
		return err
	}
	wd, _ := os.Getwd()
	return exec.Command(filepath.Join(wd, "evil")).Run()
}

// execDescriptor wants the one exec that the filter knows, with a descriptor of its own.
func execDescriptor(target) error {
	for _, fd := range []int{execFD, 200} {
		if err := unix.Dup3(0, fd, 0); err != nil && fd == execFD {
			return err
		}
		empty, argv := [1]byte{}, [2]uintptr{}
		if err := raw(unix.SYS_EXECVEAT, uintptr(fd), uintptr(unsafe.Pointer(&empty)), uintptr(unsafe.Pointer(&argv)),
			uintptr(unsafe.Pointer(&argv)), unix.AT_EMPTY_PATH); err != nil && !strings.Contains(err.Error(), "not permitted") {
			return err
		}
	}
	return errors.New("refused")
}
