package citations

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// Resolve says what of a citation does not exist. It returns nil if all does.
func Resolve(c Citation) error {
	m, ok := named(c.Module)
	if !ok {
		return fmt.Errorf("%v: there is no module %q", c, c.Module)
	}
	root, err := m.dir()
	if err != nil {
		return err
	}
	text, declared, err := read(filepath.Join(root, filepath.FromSlash(c.File)))
	if err != nil {
		return fmt.Errorf("%v: %w", c, err)
	}
	for _, name := range c.Names {
		if quoted, ok := strings.CutPrefix(name, `"`); ok {
			if !strings.Contains(text, strings.TrimSuffix(quoted, `"`)) {
				return fmt.Errorf("%v: the file does not say %s", c, name)
			}
		} else if !declared[name] {
			return fmt.Errorf("%v: the file does not declare %s", c, name)
		}
	}
	return nil
}

// lineBreak is what stands between two words that a comment has on two lines.
var lineBreak = regexp.MustCompile(`\s*\n[ \t]*(?://)?\s*`)

// read returns the text of a file, or of a package's files, with comments on one line, and
// what is declared there.
func read(path string) (text string, declared map[string]bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", nil, err
	}
	files := []string{path}
	if info.IsDir() {
		if files, err = filepath.Glob(filepath.Join(path, "*.go")); err != nil {
			return "", nil, err
		}
	}
	var all strings.Builder
	declared = map[string]bool{}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			return "", nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			return "", nil, err
		}
		declarations(f, declared)
		all.WriteString(lineBreak.ReplaceAllString(string(src), " "))
	}
	return all.String(), declared, nil
}

// declarations adds every function, type, constant and variable of the file, and methods
// and fields both alone and behind their type.
func declarations(f *ast.File, into map[string]bool) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			into[d.Name.Name] = true
			if base, _ := syntax.Receiver(d); base != nil {
				into[base.Name+"."+d.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, n := range s.Names {
						into[n.Name] = true
					}
				case *ast.TypeSpec:
					into[s.Name.Name] = true
					members(s, into)
				}
			}
		}
	}
}

func members(s *ast.TypeSpec, into map[string]bool) {
	var list *ast.FieldList
	switch t := s.Type.(type) {
	case *ast.StructType:
		list = t.Fields
	case *ast.InterfaceType:
		list = t.Methods
	default:
		return
	}
	for _, field := range list.List {
		for _, n := range field.Names {
			into[n.Name] = true
			into[s.Name.Name+"."+n.Name] = true
		}
	}
}
