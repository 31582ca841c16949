package catalog

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// data has one file for each lab. `checker verify --fix` writes them from the suites.
//
//go:embed labs/*.json
var data embed.FS

// entry is the content of a lab's file.
type entry struct {
	conform.Lab
	Withheld Withheld `json:"withheld,omitzero"` // in a handout
}

// DataPath is the lab's file in the repository.
func (l Lab) DataPath() string { return path.Join("checker/internal/catalog/labs", l.Dir+".json") }

// Data is what the lab's file must hold. w says what was left out of the lab's cases:
// nothing, unless the file is for a handout.
func (l Lab) Data(w Withheld) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(entry{l.Lab, w}); err != nil {
		return nil, fmt.Errorf("write the catalog's file of %s: %w", l.Dir, err)
	}
	return b.Bytes(), nil
}

// Labs returns all labs in order. What they point to is shared and must not be changed.
func Labs() []Lab { return slices.Clone(load()) }

// load reads the files in the order of their names, which begin with the labs' numbers.
var load = sync.OnceValue(func() []Lab {
	files, err := data.ReadDir("labs")
	if err != nil {
		panic("catalog: " + err.Error()) // it is embedded
	}
	labs := make([]Lab, len(files))
	for i, f := range files {
		text, err := data.ReadFile("labs/" + f.Name())
		if err != nil {
			panic("catalog: " + err.Error()) // it is embedded
		}
		var e entry
		if err := json.Unmarshal(text, &e); err != nil {
			panic("catalog: " + f.Name() + ": " + err.Error()) // our own file
		}
		labs[i] = New(e.Lab)
		labs[i].withheld = e.Withheld
	}
	return labs
})
