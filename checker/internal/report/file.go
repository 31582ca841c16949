package report

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// file is a file that appears under its name whole or not at all.
type file struct {
	*bufio.Writer
	f    *os.File
	path string
}

// create begins a file. Its directory must be there.
func create(path string) (*file, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	return &file{bufio.NewWriter(f), f, path}, nil
}

// commit gives the file its name. Where something went wrong before, cause, the file
// is taken back instead.
func (f *file) commit(cause error) error {
	err := cause
	if err == nil {
		err = f.Flush()
	}
	if err == nil {
		err = f.f.Chmod(0o644)
	}
	if closed := f.f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.f.Name(), f.path)
	}
	if err != nil {
		_ = os.Remove(f.f.Name())
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	return nil
}

// WriteFile writes a file that appears whole or not at all.
func WriteFile(path string, write func(io.Writer) error) error {
	f, err := create(path)
	if err != nil {
		return err
	}
	return f.commit(write(f))
}

// maxFileName keeps a name and its extensions within what file systems take.
const maxFileName = 100

// fileName makes a student's ID fit for a file name and a URL: what is not plain
// is written as =xx, as in quoted-printable. Different IDs get different names.
func fileName(id string) string {
	var b strings.Builder
	for i := range len(id) {
		c := id[i]
		plain := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '@' || c == '.' && i > 0
		if plain {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "=%02x", c)
		}
	}
	name := b.String()
	switch {
	case name == "index": // the class's own page
		return "=69ndex"
	case name == "" || len(name) > maxFileName:
		return fmt.Sprintf("%.60s=%08x", name, hash(id))
	}
	return name
}

// hash is FNV-1a, enough to tell two long IDs apart.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
