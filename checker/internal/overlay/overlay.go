// Package overlay turns a set of file replacements into what `go build -overlay`
// reads. The compiler sees the replaced tree; no file of the tree is touched.
package overlay

import (
	"encoding/json"
	"fmt"
	"path/filepath"
)

// Set maps paths relative to the module root, with forward slashes, to their new
// content. A nil content takes the file away.
type Set map[string][]byte

// Plan is what has to be written before the compiler is called.
type Plan struct {
	JSON    []byte            // the overlay file
	Backing map[string][]byte // where the contents go: absolute path → content
	Virtual map[string]string // absolute path of a backing file → path relative to the root
}

// Plan lays the set out under dir for a module at root. root must be spelt as the
// go command spells it: with $PWD's own symbolic links.
func (s Set) Plan(root, dir string) (Plan, error) {
	p := Plan{Backing: map[string][]byte{}, Virtual: map[string]string{}}
	replace := map[string]string{}
	for rel, content := range s {
		target := filepath.Join(root, filepath.FromSlash(rel))
		if content == nil {
			replace[target] = ""
			continue
		}
		// The base name is kept: the go command looks at its ending.
		backing := filepath.Join(dir, fmt.Sprintf("%03d", len(p.Backing)), filepath.Base(target))
		replace[target] = backing
		p.Backing[backing] = content
		p.Virtual[backing] = rel
	}
	var err error
	p.JSON, err = json.Marshal(map[string]any{"Replace": replace})
	return p, err
}
