// Package stubs holds every lab's stub as it is handed out: what reset restores,
// and the API that a learner's code is compared with. The learner edits the copy
// under labs; this one never changes with it.
package stubs

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed [0-9][0-9]-*/*.go
var files embed.FS

// Read returns the stub file of a lab directory, such as "01-goroutines".
func Read(dir, file string) ([]byte, error) {
	b, err := fs.ReadFile(files, dir+"/"+file)
	if err != nil {
		return nil, fmt.Errorf("no stub %s for lab %s: %w", file, dir, err)
	}
	return b, nil
}
