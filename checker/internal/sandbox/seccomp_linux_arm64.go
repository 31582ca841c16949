package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

// alwaysHere are the calls that only this architecture has, or names so.
var alwaysHere = []uintptr{unix.SYS_NEWFSTATAT}
