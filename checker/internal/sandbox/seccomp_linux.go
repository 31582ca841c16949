//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The system call filter lists what a Go program under the race detector, the dynamic
// loader, the compiler and the linker need. Any other call returns an error and does not
// kill the process: a verdict then says what the code did, and a suite that finds no
// network listens in memory.

// A process may have openFiles descriptors, so none of them is ever execFD, which
// is the only one whose program may be executed: the exec that starts the process
// is the last one.
const (
	openFiles = 1000
	execFD    = 1010
)

// filter installs the filter on the calling thread, and so on the process that it becomes.
func filter(loopback bool) error {
	program := assemble(rules(uint32(os.Getpid()), loopback))
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return errno
	}
	return nil
}

// rule is what becomes of one system call. Without conditions it always has the
// effect; with them, where one of the conditions holds, and is refused otherwise.
type rule struct {
	number uintptr
	when   []condition
	refuse unix.Errno // 0 allows
}

// condition holds if all its comparisons do.
type condition []comparison

// comparison is argument & mask == value, on the lower half of the argument: what
// it is used for has no upper half.
type comparison struct {
	argument    uint32
	mask, value uint32
}

const whole = ^uint32(0)

// is compares a whole argument.
func is(argument, value uint32) comparison { return comparison{argument, whole, value} }

// only is a condition for each value that an argument may have.
func only(argument uint32, values ...uint32) []condition {
	var all []condition
	for _, v := range values {
		all = append(all, condition{is(argument, v)})
	}
	return all
}

func rules(pid uint32, loopback bool) []rule {
	var all []rule
	for _, list := range [][]uintptr{always, alwaysHere} {
		for _, number := range list {
			all = append(all, rule{number: number})
		}
	}
	all = append(all, conditional(pid)...)
	if loopback {
		all = append(all, network()...)
	} else {
		all = append(all, rule{number: unix.SYS_SOCKET, refuse: unix.EACCES}, rule{number: unix.SYS_SOCKETPAIR, refuse: unix.EACCES})
	}
	return append(all,
		// The C library tries clone3 first, whose flags a filter can't see, and then clone.
		rule{number: unix.SYS_CLONE3, refuse: unix.ENOSYS},
		rule{number: unix.SYS_IOCTL, refuse: unix.ENOTTY},
	)
}

// conditional are the calls whose arguments decide.
func conditional(pid uint32) []rule {
	const (
		exec      = unix.PROT_EXEC
		writeExec = unix.PROT_EXEC | unix.PROT_WRITE
		other     = unix.CLONE_NEWNS | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWIPC |
			unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP | unix.CLONE_PARENT
		thread = unix.CLONE_THREAD | unix.CLONE_VM | unix.CLONE_SIGHAND
	)
	return []rule{
		{number: unix.SYS_EXECVEAT, when: []condition{{is(0, execFD), is(4, unix.AT_EMPTY_PATH)}}},
		// Code can be mapped from a file and not be written: neither at once nor in turn.
		{number: unix.SYS_MMAP, when: []condition{{{2, exec, 0}}, {{2, writeExec, exec}}}},
		{number: unix.SYS_MPROTECT, when: []condition{{{2, exec, 0}}}},
		{number: unix.SYS_CLONE, when: []condition{{{0, other | thread, thread}}}},
		// The runtime signals its own threads to preempt them.
		{number: unix.SYS_TGKILL, when: only(0, pid)},
		{number: unix.SYS_PRLIMIT64, when: only(0, 0, pid)}, // the hard limits stand
		{number: unix.SYS_PRCTL, when: only(0, unix.PR_SET_VMA, unix.PR_SET_NAME, unix.PR_GET_NAME)},
		// F_SETOWN and F_SETSIG would send signals by way of a pipe.
		{number: unix.SYS_FCNTL, when: only(1, unix.F_DUPFD, unix.F_DUPFD_CLOEXEC, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL)},
	}
}

// network allows TCP, for a namespace in which there is only the process itself.
func network() []rule {
	all := []rule{{number: unix.SYS_SOCKET, when: []condition{
		{is(0, unix.AF_INET), {1, 0xf, unix.SOCK_STREAM}},
		{is(0, unix.AF_INET6), {1, 0xf, unix.SOCK_STREAM}},
	}}}
	for _, number := range []uintptr{
		unix.SYS_BIND, unix.SYS_CONNECT, unix.SYS_LISTEN, unix.SYS_ACCEPT4, unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME,
		unix.SYS_SETSOCKOPT, unix.SYS_GETSOCKOPT, unix.SYS_SHUTDOWN, unix.SYS_SENDTO, unix.SYS_RECVFROM,
	} {
		all = append(all, rule{number: number})
	}
	return all
}

// Where the kernel puts what a filter reads: struct seccomp_data.
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArgs   = 16
)

// assemble writes the filter as the kernel's small machine reads it: for each rule
// a comparison with its number and, where that fits, what becomes of the call.
func assemble(rules []rule) []unix.SockFilter {
	deny := refuse(unix.ENOSYS)
	program := []unix.SockFilter{
		load(offsetArch), jump(unix.BPF_JEQ, auditArch, 1, 0), deny,
		load(offsetNumber), jump(unix.BPF_JGE, newest+1, 0, 1), deny, // foreign calls, and ones newer than this list
	}
	for _, r := range rules {
		body := r.body()
		program = append(program, jump(unix.BPF_JEQ, uint32(r.number), 0, uint8(len(body))))
		program = append(program, body...)
	}
	return append(program, refuse(unix.EPERM))
}

// body is what becomes of a call with the rule's number.
func (r rule) body() []unix.SockFilter {
	if r.refuse != 0 {
		return []unix.SockFilter{refuse(r.refuse)}
	}
	if len(r.when) == 0 {
		return []unix.SockFilter{allow}
	}
	var body []unix.SockFilter
	for _, c := range r.when {
		body = append(body, c.body()...)
	}
	return append(body, refuse(unix.EPERM))
}

// body allows the call if all comparisons hold, and falls out at its end if one does not.
func (c condition) body() []unix.SockFilter {
	var body []unix.SockFilter
	const each = 3
	for i, is := range c {
		rest := uint8((len(c)-i-1)*each + 1)
		body = append(body,
			load(offsetArgs+8*is.argument),
			unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: is.mask},
			jump(unix.BPF_JEQ, is.value, 0, rest),
		)
	}
	return append(body, allow)
}

var allow = unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}

func refuse(errno unix.Errno) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(errno)}
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

func jump(op uint16, k uint32, yes, no uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, Jt: yes, Jf: no, K: k}
}

// newest is the last system call that this list was made with. Programs try newer
// ones and go back to older ones if there are none.
const newest = unix.SYS_FUTEX_REQUEUE

// always are the calls that can harm nothing but the process itself, given the limits on
// files and memory.
var always = []uintptr{
	// memory and threads
	unix.SYS_FUTEX, unix.SYS_MUNMAP, unix.SYS_MADVISE, unix.SYS_MREMAP, unix.SYS_MINCORE, unix.SYS_BRK, unix.SYS_MSYNC,
	unix.SYS_SET_TID_ADDRESS, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_MEMBARRIER,
	unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_EXIT, unix.SYS_EXIT_GROUP,
	// time and signals
	unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_GETTIMEOFDAY,
	unix.SYS_SETITIMER, unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_DELETE, unix.SYS_RESTART_SYSCALL,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK,
	// who am I
	unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID,
	unix.SYS_GETRANDOM, unix.SYS_GETRLIMIT, unix.SYS_GETRUSAGE, unix.SYS_SYSINFO, unix.SYS_UNAME, unix.SYS_GETCWD,
	// descriptors
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64, unix.SYS_PWRITE64, unix.SYS_LSEEK,
	unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_PIPE2, unix.SYS_EVENTFD2,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_PPOLL, unix.SYS_PSELECT6,
	unix.SYS_SENDFILE, unix.SYS_SPLICE, unix.SYS_COPY_FILE_RANGE,
	// files: Landlock and the root say which
	unix.SYS_OPENAT, unix.SYS_FSTAT, unix.SYS_STATX, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT, unix.SYS_GETDENTS64,
	unix.SYS_CHDIR, unix.SYS_FCHDIR, unix.SYS_UNLINKAT, unix.SYS_MKDIRAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2,
	unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_FSYNC, unix.SYS_FDATASYNC, unix.SYS_FLOCK, unix.SYS_FADVISE64,
}
