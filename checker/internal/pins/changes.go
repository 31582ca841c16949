package pins

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/gate"
)

const help = "Restore the declaration as the stub has it: the tests and the other labs use it."

// Changes reads what the compiler said of a file of pins, whose path and text these are,
// and returns one violation for each declaration of the stub that is gone from the files
// of the subject or changed there, at the subject's own line. It returns nil where the
// compiler did not name the pins.
func Changes(compiler, path string, text []byte, stub, files map[string][]byte) []gate.Violation {
	names := pinnedNames(text)
	want, have := declarations(stub), declarations(files)
	var found []gate.Violation
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(path)+`:(\d+):`).FindAllStringSubmatch(compiler, -1) {
		line, _ := strconv.Atoi(m[1])
		i := slices.IndexFunc(names, func(p pinnedName) bool { return p.line >= line })
		if i < 0 || seen[names[i].name] {
			continue
		}
		seen[names[i].name] = true
		if d, ok := want[names[i].name]; ok {
			found = append(found, d.changed(have))
		}
	}
	slices.SortStableFunc(found, gate.Violation.Compare)
	return found
}

// pinnedName is the comment at the end of a pin.
type pinnedName struct {
	line int
	name string
}

// pinnedNames are the names in a file of pins, by line.
func pinnedNames(text []byte) []pinnedName {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		panic("pins: " + err.Error()) // they are generated
	}
	var names []pinnedName
	for _, group := range file.Comments {
		for _, c := range group.List {
			names = append(names, pinnedName{fset.Position(c.Pos()).Line, strings.TrimPrefix(c.Text, "// ")})
		}
	}
	return names
}

// changed says what has become of a declaration of the stub.
func (d declaration) changed(have map[string]declaration) gate.Violation {
	owner, _, member := strings.Cut(d.name, ".")
	v := gate.Violation{File: d.file, Line: 1, Col: 1, Kind: gate.API, Help: help}
	own, there := have[d.name]
	if t, ok := have[owner]; !there && member && ok {
		v.File, v.Line, v.Col = t.file, t.line, t.col // a field or a method that is gone
	}
	if there {
		v.File, v.Line, v.Col = own.file, own.line, own.col
	}
	subject := d.short()
	if there || d.field {
		v.Message = fmt.Sprintf("%s is not declared as in the stub; the lab needs: %s", subject, d.text)
	} else {
		v.Message = fmt.Sprintf("%s is gone; the lab needs: %s", subject, d.text)
	}
	return v
}

// declaration is one exported name that a package declares, a field or a method as
// "Type.Name".
type declaration struct {
	name      string
	field     bool
	file      string
	line, col int
	text      string // in Go, on one line
}

// short is how a message names a declaration.
func (d declaration) short() string {
	if d.field {
		return "The field " + d.name
	}
	_, method, ok := strings.Cut(d.name, ".")
	if ok {
		return method
	}
	return d.name
}

// declarations are the exported declarations of a package.
func declarations(files map[string][]byte) map[string]declaration {
	all := map[string]declaration{}
	for name, source := range files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler has seen it
		}
		add := func(d declaration, at token.Pos) {
			p := fset.PositionFor(at, false)
			d.file, d.line, d.col = name, p.Line, p.Column
			all[d.name] = d
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				add(declaration{name: funcName(decl), text: show(header(decl))}, decl.Name.Pos())
			case *ast.GenDecl:
				addGroup(add, decl)
			}
		}
	}
	return all
}
