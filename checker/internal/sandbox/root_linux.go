package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// enterRoot leaves the machine's file system for an empty one in memory, with the
// files that the process may read, a private writable directory where its own
// directory was, and nothing else: no /proc, no /sys, no devices, no home.
//
// Every source is opened before anything is mounted, because what is mounted may
// hide it.
func enterRoot(o order) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	trees, err := openTrees(o)
	if err != nil {
		return err
	}
	const base = "/tmp" // any directory that every system has: nobody else sees it
	if err := unix.Mount("tmpfs", base, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=1m,mode=755"); err != nil {
		return fmt.Errorf("mount the root: %w", err)
	}
	if err := unix.Chdir(base); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change the root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leave the old root: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	if err := furnish(o, trees); err != nil {
		return err
	}
	if err := setAttr("/", 0, unix.MOUNT_ATTR_RDONLY); err != nil {
		return fmt.Errorf("make the root read-only: %w", err)
	}
	return unix.Chdir(o.Dir)
}

// tree is a file or directory of the machine that the process is to see.
type tree struct {
	path  string
	fd    int
	dir   bool
	write bool
}

func openTrees(o order) ([]tree, error) {
	var trees []tree
	for i, path := range append(append([]string{}, o.Write...), o.Read...) {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		fd, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
		trees = append(trees, tree{path, fd, info.IsDir(), i < len(o.Write)})
	}
	return trees, nil
}

// furnish makes the directories of the new root and mounts the trees in them.
func furnish(o order, trees []tree) error {
	if !covered(o.Dir, o.Write) && o.Dir != "/" {
		if err := os.MkdirAll(o.Dir, 0o755); err != nil {
			return err
		}
		options := fmt.Sprintf("size=%d,nr_inodes=1024,mode=700", o.Limits.Disk)
		if err := unix.Mount("tmpfs", o.Dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, options); err != nil {
			return fmt.Errorf("mount %s: %w", o.Dir, err)
		}
	}
	for _, t := range trees {
		if err := place(t); err != nil {
			return fmt.Errorf("mount %s: %w", t.path, err)
		}
	}
	return fakeProc(o)
}

func covered(dir string, writable []string) bool {
	for _, w := range writable {
		if dir == w || strings.HasPrefix(dir, w+"/") {
			return true
		}
	}
	return false
}

func place(t tree) error {
	if err := os.MkdirAll(filepath.Dir(t.path), 0o755); err != nil {
		return err
	}
	if t.dir {
		if err := os.MkdirAll(t.path, 0o755); err != nil {
			return err
		}
	} else if err := os.WriteFile(t.path, nil, 0o644); err != nil {
		return err
	}
	if err := unix.MoveMount(t.fd, "", unix.AT_FDCWD, t.path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
		return err
	}
	unix.Close(t.fd)
	if t.write {
		return setAttr(t.path, unix.AT_RECURSIVE, unix.MOUNT_ATTR_NOEXEC)
	}
	return setAttr(t.path, unix.AT_RECURSIVE, unix.MOUNT_ATTR_RDONLY)
}

// setAttr adds attributes to a mount. mount(2) would have to name those that are
// there already and may not be taken away.
func setAttr(path string, flags uint, attr uint64) error {
	return unix.MountSetattr(unix.AT_FDCWD, path, flags, &unix.MountAttr{
		Attr_set: attr | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV,
	})
}

// fakeProc writes the files of /proc that the race detector's runtime reads: it takes its
// options only from /proc/self/environ, and complains if it does not find its own name. A
// real /proc cannot be mounted in every container, and shows more.
func fakeProc(o order) error {
	if err := os.MkdirAll(filepath.Dir(environ), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(environ, []byte(strings.Join(o.Env, "\x00")+"\x00"), 0o444); err != nil {
		return err
	}
	return os.Symlink(o.Args[0], filepath.Join(filepath.Dir(environ), "exe"))
}

const environ = "/proc/self/environ"

// loopbackUp makes 127.0.0.1 work in a network namespace that has nothing else.
func loopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}
