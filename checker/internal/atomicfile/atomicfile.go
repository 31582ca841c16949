// Package atomicfile writes a file that appears under its name whole or not at all.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotRegular is returned by Write where something other than a regular file has the
// name: a rename would replace a directory, a device or a pipe.
var ErrNotRegular = errors.New("not a regular file")

// newMode is the mode of a file that was not there before.
const newMode = 0o644

// Write replaces the file at path by what content writes. It writes to a temporary file
// in the same directory, which must exist, syncs that to the disk and renames it. A
// reader sees the old file or the whole new one, also after a crash. The file keeps the
// permissions it had; a new one gets 0644. A symbolic link is replaced, not followed.
//
// Where content returns an error, or the file cannot be written, path stays as it was,
// and the error is wrapped. It is ErrNotRegular for what is not a file.
func Write(path string, content func(io.Writer) error) error {
	if err := write(path, content); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// WriteBytes is Write of a text that is there already.
func WriteBytes(path string, content []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	})
}

func write(path string, content func(io.Writer) error) (err error) {
	mode, err := modeOf(path)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), pattern(path))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := fill(f, content); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Sync(); err != nil { // else a crash may leave the new name with no content
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	syncDir(filepath.Dir(path))
	return nil
}

func fill(f *os.File, content func(io.Writer) error) error {
	b := bufio.NewWriter(f)
	if err := content(b); err != nil {
		return err
	}
	return b.Flush()
}

// modeOf is the permissions that the file will have.
func modeOf(path string) (fs.FileMode, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newMode, nil
	case err != nil:
		return 0, err
	case info.Mode().Type() == fs.ModeSymlink:
		return newMode, nil
	case !info.Mode().IsRegular():
		return 0, ErrNotRegular
	}
	return info.Mode().Perm(), nil
}

// syncDir makes a rename last. Not every system lets a directory be opened or synced;
// there the rename is as good as it gets.
func syncDir(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	_ = d.Sync()
}

// pattern names the temporary files of path for os.CreateTemp and filepath.Glob.
func pattern(path string) string { return "." + filepath.Base(path) + ".*" }

// RemoveLeftovers removes the temporary files that a killed process left beside path. It
// must not be called while another Write to path is going on: it would remove that
// one's file.
func RemoveLeftovers(path string) {
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), pattern(path)))
	if err != nil {
		return // the name has a character that means something to Glob
	}
	for _, name := range left {
		os.Remove(name)
	}
}
