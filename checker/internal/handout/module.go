package handout

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

const (
	suitesDir  = "checker/internal/suites/"
	conformDir = "checker/internal/conform"
	fakesDir   = conformDir + "/fake"
	bridgesDir = "checker/internal/bridges/"
)

// module is the part of the workbook's source that ./checker is built from.
type module struct {
	root     string
	replaced map[string][]byte // written by us, by path: these stand for what is on disk
	dropped  func(path string) bool
	fset     *token.FileSet
	packages map[string]*pkg // by directory: "checker/internal/cli"
	used     map[string]bool // every identifier in what is kept
}

// pkg is one package of it.
type pkg struct {
	dir   string
	name  string
	files []*file
	other []string // files that are not Go
	whole bool     // all of it is kept
	decls map[string][]*decl
	all   []*decl

	// What shake found out.
	live bool            // something of it is kept
	kept map[string]bool // names of what is kept, methods not among them
	used map[string]bool // every identifier in what is kept
}

type file struct {
	path    string
	source  []byte
	syntax  *ast.File
	imports map[string]string // local name → directory in the module, "" outside of it
	bridge  bool
}

func newModule(root string, replaced map[string][]byte) *module {
	return &module{
		root: root, replaced: replaced, dropped: secretFile, fset: token.NewFileSet(),
		packages: map[string]*pkg{}, used: map[string]bool{},
	}
}

// load reads the package of dir and all that it imports of this module.
func (m *module) load(dir string) error {
	if m.packages[dir] != nil || strings.HasPrefix(dir, "labs/") {
		return nil // labs are copied as they are
	}
	p := &pkg{dir: dir, decls: map[string][]*decl{}, kept: map[string]bool{}, used: map[string]bool{}}
	m.packages[dir] = p
	entries, err := os.ReadDir(filepath.Join(m.root, filepath.FromSlash(dir)))
	if err != nil {
		return fmt.Errorf("read the checker's source: %w", err)
	}
	for _, name := range m.names(dir, entries) {
		if err := m.add(p, path.Join(dir, name)); err != nil {
			return err
		}
	}
	for _, f := range p.files {
		for _, spec := range f.syntax.Imports {
			if to, inside := moduleDir(spec); inside {
				if err := m.load(to); err != nil {
					return err
				}
			}
		}
	}
	for _, f := range p.files {
		m.index(p, f)
	}
	return nil
}

// names are the files of a package: those on disk and those that we write.
func (m *module) names(dir string, entries []fs.DirEntry) []string {
	var names []string
	for _, e := range entries {
		if p := path.Join(dir, e.Name()); !e.IsDir() && m.replaced[p] == nil && !m.dropped(p) {
			names = append(names, e.Name())
		}
	}
	for p := range m.replaced {
		if path.Dir(p) == dir {
			names = append(names, path.Base(p))
		}
	}
	slices.Sort(names)
	return names
}

// add reads one file. Of tests only those of the bridges are in a handout.
func (m *module) add(p *pkg, name string) error {
	bridge := strings.HasPrefix(name, bridgesDir)
	switch {
	case strings.HasSuffix(name, "_test.go") && !bridge:
		return nil
	case !strings.HasSuffix(name, ".go"):
		p.other = append(p.other, name)
		// The compiler and the assembler call what no Go file of ours does.
		p.whole = p.whole || strings.HasSuffix(name, ".s")
		return nil
	}
	source := m.replaced[name]
	if source == nil {
		text, err := os.ReadFile(filepath.Join(m.root, filepath.FromSlash(name)))
		if err != nil {
			return fmt.Errorf("read the checker's source: %w", err)
		}
		source = toLabs(text)
	}
	syntax, err := parser.ParseFile(m.fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("read the checker's source: %w", err)
	}
	p.name = syntax.Name.Name
	p.files = append(p.files, &file{path: name, source: source, syntax: syntax, imports: importNames(syntax), bridge: bridge})
	return nil
}

var solutionImport = regexp.MustCompile(regexp.QuoteMeta(catalog.Module) + `/solutions/`)

// toLabs turns every import of a solution into one of the student's own code.
func toLabs(text []byte) []byte {
	return solutionImport.ReplaceAll(text, []byte(catalog.Module+"/labs/"))
}

// moduleDir is the directory of an import, if it is one of this module's.
func moduleDir(spec *ast.ImportSpec) (string, bool) {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return "", false
	}
	return strings.CutPrefix(p, catalog.Module+"/")
}

// importNames are the names by which a file knows its imports. A package whose name is
// not the last word of its path has a name in the import declaration, by our custom.
func importNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		dir, _ := moduleDir(spec)
		_, name := syntax.Import(spec)
		names[name] = dir
	}
	return names
}
