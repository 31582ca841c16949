package gotest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A suite is one package with the bridge in it, and the bridge imports the subject:
// so the go command compiles the whole suite again for each subject, which takes
// longer than all else but the linker. A split recipe compiles the suite once,
// without the bridge, and the bridge as a package of its own that imports the suite.
//
// For that the bridge sees the suite by a dot import, and what is unexported in the
// suite by an exported name that a generated file adds. Where the bridge needs more
// than functions, types and constants, there is no split: errWhole.
var errWhole = errors.New("the bridge cannot be taken out of its suite")

// splitter makes a split recipe of a whole one.
type splitter struct {
	*recipe
	bridge string // path of the bridge in the repository
	text   []byte // its source, with the subject's import
	dir    string // where the compiled suite goes
}

// bridged is the import path of the bridge's package.
func bridged(suite string) string { return suite + "_bridge" }

// split returns the calls for each build, after it has compiled the suite.
func (s *splitter) split(ctx context.Context) ([]call, error) {
	n := slices.IndexFunc(s.calls, func(c call) bool { return slices.Contains(c.sources, s.bridge) })
	if n < 0 || n+3 != len(s.calls) || s.calls[n].own {
		return nil, errWhole // it is followed by the test's main and the linker, and nothing else
	}
	suite, main, link := s.calls[n], s.calls[n+1], s.calls[n+2]
	kept := slices.DeleteFunc(slices.Clone(suite.sources), func(f string) bool { return f == s.bridge })
	text, names, err := s.rewrite(kept, suite.pkg)
	if err != nil {
		return nil, err
	}
	archive := filepath.Join(s.dir, "suite.a")
	if err := s.compileSuite(ctx, suite, kept, names, archive); err != nil {
		return nil, err
	}
	bridge := suite
	bridge.args = replaceAfter(suite.args, "-p", bridged(suite.pkg))
	bridge.pkg, bridge.sources = bridged(suite.pkg), []string{s.bridge}
	bridge.text = map[string][]byte{s.bridge: text}
	bridge.config += "packagefile " + suite.pkg + "=" + archive + "\n"
	out := after(suite.args, "-o")
	// The main package calls the bridge instead of the suite.
	main.config = strings.Replace(main.config, "packagefile "+suite.pkg+"="+out+"\n",
		"packagefile "+bridge.pkg+"="+out+"\npackagefile "+suite.pkg+"="+archive+"\n", 1)
	link.config = strings.Replace(link.config, "packagefile "+suite.pkg+"="+out+"\n",
		"packagefile "+bridge.pkg+"="+out+"\npackagefile "+suite.pkg+"="+archive+"\n", 1)
	if err := redirect(main, suite.pkg); err != nil {
		return nil, err
	}
	return append(slices.Clone(s.calls[:n]), bridge, main, link), nil
}

// rewrite is the bridge as a package of its own, and the file that the suite needs for
// it. No line of the bridge changes its number.
func (s *splitter) rewrite(suite []string, pkg string) (bridge, names []byte, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "bridge_test.go", s.text, 0)
	if err != nil {
		return nil, nil, err
	}
	kinds, err := declared(suite)
	if err != nil {
		return nil, nil, err
	}
	used := map[string]string{}
	type edit struct {
		at       int
		old, new string
	}
	var edits []edit
	for _, id := range file.Unresolved {
		kind, ok := kinds[id.Name]
		if !ok || id.IsExported() {
			continue
		}
		if kind == "" {
			return nil, nil, fmt.Errorf("%w: it uses %s", errWhole, id.Name)
		}
		used[id.Name] = kind
		edits = append(edits, edit{fset.Position(id.Pos()).Offset, id.Name, outside(id.Name)})
	}
	head := fset.Position(file.Name.Pos()).Offset
	edits = append(edits, edit{head, file.Name.Name, file.Name.Name + "_bridge; import . \"" + pkg + "\""})
	slices.SortFunc(edits, func(a, b edit) int { return b.at - a.at }) // from the end, so that offsets stay true
	text := slices.Clone(s.text)
	for _, e := range edits {
		text = slices.Concat(text[:e.at], []byte(e.new), text[e.at+len(e.old):])
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\n", file.Name.Name)
	for _, name := range slices.Sorted(maps.Keys(used)) {
		equals := "= "
		if used[name] == "type" {
			equals = " = "
		}
		fmt.Fprintf(&b, "%s %s %s%s\n", used[name], outside(name), equals, name)
	}
	return text, b.Bytes(), nil
}

// outside is the name by which the bridge sees an unexported name of the suite.
func outside(name string) string { return "Bridge_" + name }

// declared says how each name of the suite's package can be given another name: var
// for a function, type, const, or "" where it can't.
func declared(files []string) (map[string]string, error) {
	kinds := map[string]string{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			declare(kinds, d)
		}
	}
	return kinds, nil
}

func declare(kinds map[string]string, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			kinds[d.Name.Name] = plain("var", d.Type.TypeParams)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				kinds[spec.Name.Name] = plain("type", spec.TypeParams)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					kinds[id.Name] = ""
					if d.Tok == token.CONST {
						kinds[id.Name] = "const"
					}
				}
			}
		}
	}
}

// plain is kind unless there are type parameters.
func plain(kind string, params *ast.FieldList) string {
	if params != nil {
		return ""
	}
	return kind
}

// compileSuite compiles the suite without its bridge. Nothing in it is anybody's but ours.
func (s *splitter) compileSuite(ctx context.Context, suite call, sources []string, names []byte, archive string) error {
	generated := filepath.Join(s.dir, "bridge_names.go")
	config := filepath.Join(s.dir, "suite.cfg")
	if err := errors.Join(os.WriteFile(generated, names, 0o600), os.WriteFile(config, []byte(suite.config), 0o600)); err != nil {
		return err
	}
	suite.sources = append(slices.Clone(sources), generated)
	suite.args = replaceAfter(suite.args, "-o", archive)
	b := &build{recipe: s.recipe, out: filepath.Join(s.dir, "none")}
	cmd := exec.CommandContext(ctx, suite.tool, b.args(suite, config)...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), suite.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %w: %s", errWhole, err, out)
	}
	return nil
}

// redirect has the test's main import the bridge.
func redirect(main call, suite string) error {
	if len(main.sources) != 1 || !filepath.IsAbs(main.sources[0]) {
		return errWhole
	}
	text, err := os.ReadFile(main.sources[0])
	if err != nil {
		return err
	}
	from := []byte(`_test "` + suite + `"`)
	if bytes.Count(text, from) != 1 {
		return errWhole
	}
	if err := os.Remove(main.sources[0]); err != nil { // it may be another's under a second name
		return err
	}
	return os.WriteFile(main.sources[0], bytes.Replace(text, from, []byte(`_test "`+bridged(suite)+`"`), 1), 0o600)
}

// after is the argument that follows a flag.
func after(args []string, flag string) string {
	if i := slices.Index(args, flag); i >= 0 && i+1 < len(args) {
		return args[i+1]
	}
	return ""
}

func replaceAfter(args []string, flag, value string) []string {
	args = slices.Clone(args)
	if i := slices.Index(args, flag); i >= 0 && i+1 < len(args) {
		args[i+1] = value
	}
	return args
}
