// Package overlay turns a set of file replacements into what `go build -overlay`
// reads. The compiler sees the replaced tree; no file of the tree is touched.
package overlay

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// Set maps paths relative to the module root, with forward slashes, to their new
// content. A nil content takes the file away.
type Set map[string][]byte

// Layout is what must be written before the compiler is called.
type Layout struct {
	JSON  []byte            // the overlay file
	Files map[string][]byte // absolute path → content
	Names map[string]string // absolute path of a file → path relative to the root
}

// Layout lays the set out under dir for a module at root. root must be spelt as the
// go command spells it: with $PWD's own symbolic links.
func (s Set) Layout(root, dir string) (Layout, error) {
	l := Layout{Files: map[string][]byte{}, Names: map[string]string{}}
	replace := map[string]string{}
	for rel, content := range s {
		target := filepath.Join(root, filepath.FromSlash(rel))
		if content == nil {
			replace[target] = ""
			continue
		}
		// The base name is kept: the go command looks at its ending.
		file := filepath.Join(dir, fmt.Sprintf("%03d", len(l.Files)), filepath.Base(target))
		replace[target] = file
		l.Files[file] = content
		l.Names[file] = rel
	}
	var err error
	l.JSON, err = json.Marshal(map[string]any{"Replace": replace})
	return l, err
}

// RepositoryPaths rewrites the file names in what the go command said to those in the
// repository at root. The compiler prints them absolute or relative to the root.
func (l Layout) RepositoryPaths(root, text string) string {
	// The root goes first: what is left around it may make up the name of a file.
	text = strings.ReplaceAll(text, path.Clean(filepath.ToSlash(root))+"/", "")
	for file, rel := range l.Names {
		text = strings.ReplaceAll(text, file, rel)
		if short, err := filepath.Rel(root, file); err == nil {
			text = strings.ReplaceAll(text, filepath.ToSlash(short), rel)
		}
	}
	return text
}
