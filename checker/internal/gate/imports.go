package gate

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/syntax"
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

// Listing is what Rules with these Imports allow, in a learner's words.
func Listing(imports []string) string { return parseAllowed(imports).String() }

// Packages are the import paths of what Rules with these Imports allow, whole or in part, in order.
func Packages(imports []string) []string { return slices.Sorted(maps.Keys(parseAllowed(imports))) }

// reasons say why a package is not for a lab, by its path or by what its path begins with.
// Packages that stand here and that a lab is about are on its list.
var reasons = []struct{ prefix, why string }{
	{"os/exec", "it starts other programs"},
	{"os", "it reaches files and the process itself, on which the tests rely"},
	{"syscall", "it reaches files and the process itself, on which the tests rely"},
	{"golang.org/x/sys", "it reaches files and the process itself, on which the tests rely"},
	{"io/ioutil", "it reaches files, and a lab reads and writes none"},
	{"embed", "it reaches files, and a lab reads and writes none"},
	{"path/filepath", "it reaches files, and a lab reads and writes none"},
	{"net", "it reaches the network, and this lab is not about that"},
	{"runtime", "it changes how the program is run and watched"},
	{"unsafe", "it passes over the type system, and with it over the tests"},
	{"reflect", "it passes over the type system, and with it over the tests"},
	{"plugin", "it loads code from elsewhere"},
	{"testing", "it belongs to the tests"},
	{"log/slog", "a lab writes no log; for debugging use fmt.Println"},
	{"log", "log.Fatal would end the tests; for debugging use fmt.Println"},
	{"flag", "its flags are those of the tests"},
	{module + "solutions", "it is the reference"},
	{module + "checker", "it belongs to the tests"},
	{module + "labs", "what a lab needs of another one it is given, as an interface of the kit"},
}

const module = "github.com/controllerbook/controllerbook/"

// why says why a path is not on the lab's list.
func why(path string) string {
	for _, r := range reasons {
		if rest, ok := strings.CutPrefix(path, r.prefix); ok && (rest == "" || rest[0] == '/') {
			return r.why
		}
	}
	if strings.Contains(strings.Split(path, "/")[0], ".") {
		return "labs are solved with the standard library and the kit"
	}
	return "this lab is solved without it"
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
		path, name := syntax.Import(spec)
		f.imports[name] = path
		_, ok := g.allowed[path]
		switch {
		case path == "C":
			g.add(spec.Pos(), Cgo, "Write it in Go.", "The lab is to be solved in Go; import \"C\" brings in C code.")
		case !ok:
			g.add(spec.Pos(), Import, fmt.Sprintf("This lab may import: %s.", g.allowed), "The lab does not allow the import of %q: %s.", clip(path), why(path))
		case name == ".":
			g.add(spec.Pos(), Import, "Delete the dot and write the package name before each use.",
				"A dot import of %q hides where names come from.", path)
		case name == "_":
			g.add(spec.Pos(), Import, "Delete the import.", "A blank import of %q runs the package for its side effects only.", path)
		}
	}
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
func clip(s string) string { return printable.Shorten(s, 60, "…") }
