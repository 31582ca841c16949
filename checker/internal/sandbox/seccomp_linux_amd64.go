package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// alwaysHere are the calls that only this architecture has, or names so.
var alwaysHere = []uintptr{
	unix.SYS_NEWFSTATAT, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_ACCESS, unix.SYS_OPEN, unix.SYS_ARCH_PRCTL,
	unix.SYS_EPOLL_WAIT, unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_PIPE, unix.SYS_DUP2, unix.SYS_TIME,
	unix.SYS_UNLINK, unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_RENAME, unix.SYS_READLINK,
}
