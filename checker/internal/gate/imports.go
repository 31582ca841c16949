package gate

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// allowlist is the import paths of a lab, each with the members that may be used;
// no members mean all.
type allowlist map[string][]string

// implied narrows entries that name a whole package of which little is fit for a lab:
// the rest of these two stops the race detector's schedule, reads the build, or ends goroutines.
var implied = map[string][]string{
	"runtime":       {"Gosched", "NumCPU"},
	"runtime/debug": {"Stack"},
}

// parseAllowed reads the entries of Rules.Imports. Kit is allowed whole unless an
// entry lists its members: a lab may build what kit gives to the labs after it. The dot that starts a list of
// members stands after the last slash and before a capital, which no import path of
// a lab has there.
func parseAllowed(entries []string) allowlist {
	allowed := allowlist{}
	if !slices.ContainsFunc(entries, func(entry string) bool { return strings.HasPrefix(entry, Kit+".") }) {
		allowed[Kit] = nil
	}
	for _, entry := range entries {
		path, members := entry, implied[entry]
		last := strings.LastIndexByte(entry, '/') + 1
		if name, list, ok := strings.Cut(entry[last:], "."); ok && startsUpper(list) {
			path, members = entry[:last]+name, strings.Split(list, ",")
		}
		if before, ok := allowed[path]; ok && before == nil {
			continue // the whole package is allowed already
		} else if members != nil {
			members = append(before, members...)
		}
		allowed[path] = members
	}
	return allowed
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// String lists what may be imported, in a learner's words.
func (a allowlist) String() string {
	var words []string
	for _, path := range slices.Sorted(maps.Keys(a)) {
		word := path
		if members := a[path]; members != nil {
			word = fmt.Sprintf("%s (only %s)", path, strings.Join(members, ", "))
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// checkPackage compares the package clause.
func (g *inspection) checkPackage(f *file) {
	if got := f.syntax.Name.Name; got != g.rules.Package {
		g.add(f.syntax.Name.Pos(), Package, "Write: package "+g.rules.Package,
			"The package is called %s here; the lab's is %s.", got, g.rules.Package)
	}
}

// checkImports judges each import by the path that it means, not by how the path is
// written, and records by which name the file knows it.
func (g *inspection) checkImports(f *file) {
	for _, spec := range f.syntax.Imports {
		path := importPath(spec)
		name := localName(spec, path)
		f.imports[name] = path
		_, ok := g.allowed[path]
		switch {
		case path == "C":
			g.add(spec.Pos(), Cgo, "Write it in Go.", "The lab is to be solved in Go; import \"C\" brings in C code.")
		case !ok:
			g.add(spec.Pos(), Import, fmt.Sprintf("This lab may import: %s.", g.allowed), "The lab does not allow the import of %q.", clip(path))
		case name == ".":
			g.add(spec.Pos(), Import, "Delete the dot and write the package name before each use.",
				"A dot import of %q hides where names come from.", path)
		case name == "_":
			g.add(spec.Pos(), Import, "Delete the import.", "A blank import of %q runs the package for its side effects only.", path)
		}
	}
}

// importPath is the path that an import means, with escapes and raw strings undone.
func importPath(spec *ast.ImportSpec) string {
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return path
}

// localName is the name by which the file knows an imported package.
func localName(spec *ast.ImportSpec, path string) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		return parts[len(parts)-2] // math/rand/v2 is package rand
	}
	return last
}

// checkMembers holds a file to the members that the lab allows of a package.
func (g *inspection) checkMembers(f *file) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		path, ok := g.imported(f, sel.X)
		if members := g.allowed[path]; ok && members != nil && !slices.Contains(members, sel.Sel.Name) {
			g.add(sel.Pos(), Import, fmt.Sprintf("This lab may import: %s.", g.allowed),
				"Of %s this lab allows only %s, not %s.", path, strings.Join(members, ", "), clip(sel.Sel.Name))
		}
		return true
	})
}

// clip shortens a name of the subject's own making.
func clip(s string) string {
	if runes := []rune(s); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return s
}
