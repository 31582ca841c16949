package subject

import (
	"path"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/overlay"
)

// Package is one Go package that is no lab of the workbook. It is in no directory of the
// repository: the compiler finds the package, and the bridge that hands it to a suite, in the
// overlay alone.
type Package struct {
	Dir    string            // where the compiler finds it, relative to the root: "pack/lost-unlock"
	Files  map[string][]byte // its sources by base name
	Bridge []byte            // the package that imports it and calls conform.Run from Cases
	Lang   string            // its version of the language, as go.mod would say it: "1.21"; "" for the workbook's own
}

// Foreign is a subject made of such a package. It has neither stub nor reference, and no
// gate knows what it may import: it can be built and run, and not graded.
func Foreign(p Package) Subject {
	lab := catalog.Lab{Bridge: path.Join("checker/internal/bridges", p.Dir)}
	lab.Dir = path.Base(p.Dir)
	s := Subject{Lab: lab, Path: p.Dir, Files: p.Files, Lang: p.Lang, replace: overlay.Set{}, foreign: true}
	for name, source := range p.Files {
		s.replace[path.Join(p.Dir, name)] = source
	}
	s.replace[path.Join(s.Lab.Bridge, "bridge.go")] = p.Bridge
	return s
}
