package submission

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// dir is a folder on disk. It visits links but never follows them.
type dir string

func (d dir) each(m *meter, visit func(entry) error) error {
	err := filepath.WalkDir(string(d), func(name string, e fs.DirEntry, err error) error {
		if name == string(d) {
			return err
		}
		return d.entry(m, name, e, err, visit)
	})
	return unread(err)
}

func (d dir) entry(m *meter, name string, e fs.DirEntry, err error, visit func(entry) error) error {
	rel, relErr := filepath.Rel(string(d), name)
	if relErr != nil {
		return relErr
	}
	rel = filepath.ToSlash(rel)
	if ignored(rel) {
		if e.IsDir() {
			return filepath.SkipDir
		}
		return nil
	}
	if err != nil {
		return err
	}
	if err := m.admit(rel); err != nil {
		return err
	}
	info, err := e.Info()
	if err != nil {
		return err
	}
	return visit(entry{
		name: rel, kind: kindOf(info.Mode()), size: info.Size(), mod: info.ModTime(),
		open: func() (io.ReadCloser, error) { return openRegular(name) },
	})
}

func kindOf(mode fs.FileMode) kind {
	switch {
	case mode.IsRegular():
		return file
	case mode.IsDir():
		return folder
	}
	return irregular
}

// openRegular opens a regular file and rejects everything else. It compares the opened
// file with the one it has checked: another file may have taken the name in between.
func openRegular(name string) (*os.File, error) {
	before, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, reject(Irregular, "%s is not a regular file.", printable.Quote(filepath.Base(name)))
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	after, err := f.Stat()
	if err != nil || !os.SameFile(before, after) {
		f.Close()
		return nil, reject(Irregular, "%s changed while it was read.", printable.Quote(filepath.Base(name)))
	}
	return f, nil
}

// unread turns the error for a file that is gone, or that we may not read, into a
// Rejection: one student's folder must not stop the class. Other errors are the machine's.
func unread(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && (errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist)) {
		return reject(Unread, "%s cannot be read: %v.", printable.Quote(filepath.Base(path.Path)), path.Err)
	}
	return err
}

// singleFile is a file on disk that was submitted by itself. Its name is the one that it had
// before the LMS put its own words in front.
type singleFile struct{ path, name string }

func (l singleFile) each(m *meter, visit func(entry) error) error {
	info, err := os.Lstat(l.path)
	if err != nil {
		return unread(err)
	}
	if err := m.admit(l.name); err != nil {
		return err
	}
	return unread(visit(entry{
		name: l.name, kind: kindOf(info.Mode()), size: info.Size(), mod: info.ModTime(),
		open: func() (io.ReadCloser, error) { return openRegular(l.path) },
	}))
}

// refused is a source that cannot be read, and why.
type refused struct{ why *Rejection }

func (r refused) each(*meter, func(entry) error) error { return r.why }
