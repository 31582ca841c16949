//go:build unix

package sandbox

import (
	"os"
	"syscall"
)

// socketPair returns two connected sockets. Reading and writing ours ends when it is
// closed; theirs is as a process expects it, in blocking mode.
//
// It is a pair of sockets and not of pipes because a process can open its pipes again
// through /proc/self/fd, and so read what is meant for somebody else in it.
func socketPair() (ours, theirs *os.File, err error) {
	syscall.ForkLock.RLock() // no process may start between the two calls
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fds[0])
		syscall.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	if err := syscall.SetNonblock(fds[0], true); err != nil {
		syscall.Close(fds[0])
		syscall.Close(fds[1])
		return nil, nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(fds[0]), "orders and records"), os.NewFile(uintptr(fds[1]), "orders and records"), nil
}
