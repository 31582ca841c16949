// Package digest hashes what every result follows from: the checker, and the sources that
// cases are compiled from.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// sources are the parts of the workbook that cases are compiled from. A test asks the go
// command whether they are all. The checker itself is hashed as the program that runs.
var sources = []string{"go.mod", "go.sum", "labs/kit", "checker/internal", "checker/nudge", "solutions"}

// Checker hashes the checker: its program, and the sources in the workbook at root, of which
// a student's copy has no solutions. It does not choose the packages that decide a result,
// because such a choice can miss one. So it is another after any change of the checker, if
// only of a word on a screen.
func Checker(program, root string) (string, error) {
	h := sha256.New()
	text, err := os.Open(program)
	if err != nil {
		return "", fmt.Errorf("read the checker's own program: %w", err)
	}
	defer text.Close()
	if _, err := io.Copy(h, text); err != nil {
		return "", fmt.Errorf("read the checker's own program: %w", err)
	}
	for _, p := range sources {
		if err := tree(h, root, p); err != nil {
			return "", fmt.Errorf("read the workbook: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// tree adds a file, or the sources below a directory. It adds nothing where nothing is.
func tree(h hash.Hash, root, rel string) error {
	top := filepath.Join(root, filepath.FromSlash(rel))
	return filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
		if name == top && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() || !slices.Contains([]string{".go", ".s", ".mod", ".sum"}, filepath.Ext(name)) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		short, err := filepath.Rel(root, name)
		File(h, filepath.ToSlash(short), text)
		return err
	})
}

// File adds a file so that no other files have the same bytes: lengths come first.
func File(h hash.Hash, name string, text []byte) {
	fmt.Fprintf(h, "%d %d %s\n", len(name), len(text), name)
	h.Write(text)
}

// Files adds files by their names, in the order of these.
func Files(h hash.Hash, files map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		File(h, name, files[name])
	}
}
