package memo

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

const (
	largest = 4 << 20 // bytes of a file: a verdict that says more is not remembered
	newest  = 8       // programs of a lab that are remembered
)

// read is what is remembered of a subject: nothing, if its file is not as write left it. The
// file begins with the hash of what follows.
func (m *Memo) read(s subject.Subject) entry {
	key := m.key(s)
	name := m.file(s.Lab.Dir, key)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > largest {
		return entry{}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return entry{}
	}
	sum, rest, _ := bytes.Cut(text, []byte("\n"))
	var e entry
	if string(sum) != hash(rest) || gob.NewDecoder(bytes.NewReader(rest)).Decode(&e) != nil || e.Key != key {
		return entry{}
	}
	return e
}

// write replaces the file of an entry, and forgets the oldest entries of the lab. JSON would
// change what code has printed that is not UTF-8.
func (m *Memo) write(lab catalog.Lab, e entry) error {
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(e); err != nil {
		return err
	}
	sum := hash(text.Bytes()) + "\n"
	if len(sum)+text.Len() > largest {
		return nil
	}
	name := m.file(lab.Dir, e.Key)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	err := atomicfile.Write(name, func(w io.Writer) error {
		_, err := io.WriteString(w, sum+text.String())
		return err
	})
	prune(filepath.Dir(name))
	return err
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// prune removes all files of a directory but the newest.
func prune(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= newest {
		return
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return cmp.Compare(b.ModTime().UnixNano(), a.ModTime().UnixNano()) })
	for _, f := range files[min(newest, len(files)):] {
		_ = os.Remove(filepath.Join(dir, f.Name()))
	}
}
