package sandbox

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlockABI is the kernel's version of Landlock, 0 where it has none.
func landlockABI() int {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

// The rights of the file system, by what they are granted for.
const (
	mayRead  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_EXECUTE
	mayWrite = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	ofFiles = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE
)

// handled are all rights that a version of Landlock knows: what is not granted is
// denied.
func handled(abi int) ruleset {
	r := ruleset{fs: 1<<13 - 1} // ABI 1: from EXECUTE to MAKE_SYM
	if abi >= 2 {
		r.fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		r.fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 4 {
		r.net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= 5 {
		r.fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= 6 {
		r.scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return r
}

// ruleset is struct landlock_ruleset_attr.
type ruleset struct{ fs, net, scoped uint64 }

// pathBeneath is struct landlock_path_beneath_attr, which is packed.
type pathBeneath struct {
	access uint64
	parent int32
}

const ruleBeneath = 1 // LANDLOCK_RULE_PATH_BENEATH

// domain is a set of rules on its way to being enforced.
type domain struct{ fd int }

var landlocked domain

// prepare makes the rules: while there are still paths to open, and a user who may.
func (d *domain) prepare(o order) error {
	all := handled(o.ABI)
	if o.Loopback {
		all.net = 0 // the network namespace has nobody else in it
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&all)), unsafe.Sizeof(all), 0)
	if errno != 0 {
		return errno
	}
	d.fd = int(fd)
	if err := d.allow(execFD, ofFiles, "the program"); err != nil {
		return err
	}
	// A file of its own may be written in namespaces, where nothing in it can be
	// executed or mapped as code: see docs/decisions/0005-confinement.md.
	write := append([]string{}, o.Write...)
	if o.Mode == Namespaces {
		write = append(write, o.Dir)
	}
	for _, path := range write {
		if err := d.path(path, mayWrite&all.fs, unix.O_CLOEXEC); err != nil {
			return err
		}
	}
	for _, path := range o.Read {
		if err := d.path(path, mayRead, unix.O_CLOEXEC); err != nil {
			return err
		}
	}
	if o.Mode == Namespaces {
		return d.path(environ, unix.LANDLOCK_ACCESS_FS_READ_FILE, unix.O_CLOEXEC)
	}
	// The kernel makes the entries of /proc anew when no process has them open, and a new one
	// has no rule. This one stays open in the process, which can do nothing with it.
	return d.path(environ, unix.LANDLOCK_ACCESS_FS_READ_FILE, 0)
}

// path allows access to a file, or to a directory and all that is in it.
func (d *domain) path(path string, access uint64, flags int) error {
	fd, err := unix.Open(path, unix.O_PATH|flags, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if flags&unix.O_CLOEXEC != 0 {
		defer unix.Close(fd)
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= ofFiles
	}
	return d.allow(fd, access, path)
}

func (d *domain) allow(fd int, access uint64, name string) error {
	rule := pathBeneath{access, int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(d.fd), ruleBeneath, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("%s: %w", name, errno)
	}
	return nil
}

func (d *domain) enter() error {
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(d.fd), 0, 0); errno != 0 {
		return errno
	}
	return unix.Close(d.fd)
}
