package handout

import (
	"bytes"
	"embed"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

//go:embed files
var templates embed.FS

// copied are the files of the root that a student gets as they are.
var copied = []string{"LICENSE", "go.mod", "go.sum", "flake.nix", "flake.lock", ".gitignore", "docs/anatomy-of-an-informer.md"}

// build makes the handout's files.
func build(o Options) (tree, error) {
	t := tree{}
	for _, step := range []func(Options, tree) error{rootFiles, lessons, kit, checker} {
		if err := step(o, t); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func rootFiles(o Options, t tree) error {
	for _, name := range copied {
		if err := t.copyFile(o.Root, name); err != nil {
			return err
		}
	}
	for name, source := range map[string]string{"README.md": "README.md.tmpl", "Makefile": "Makefile"} {
		text, err := fill(source, overview())
		if err != nil {
			return err
		}
		t[name] = text
	}
	return nil
}

func (t tree) copyFile(root, name string) error {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return fmt.Errorf("copy into the handout: %w", err)
	}
	t[name] = text
	return nil
}

// row is a lab in the README's table.
type row struct {
	catalog.Lab
	Public   int
	Points   int
	Withheld catalog.Withheld
}

func overview() []row {
	var rows []row
	for _, lab := range catalog.Labs() {
		w := withheldOf(lab)
		rows = append(rows, row{lab, len(lab.Cases) - w.Cases, lab.Max() - w.Points, w})
	}
	return rows
}

// fill executes one of our own templates.
func fill(name string, data any) ([]byte, error) {
	parsed, err := template.ParseFS(templates, "files/"+name)
	if err != nil {
		return nil, fmt.Errorf("read the handout's %s: %w", name, err)
	}
	var b bytes.Buffer
	if err := parsed.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("write the handout's %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// lessons are the labs: the lesson with the public cases, the catalog's file with these,
// and the stub as it was made.
func lessons(o Options, t tree) error {
	for _, lab := range catalog.Labs() {
		name := lab.LabPath() + "/README.md"
		text, err := os.ReadFile(filepath.Join(o.Root, filepath.FromSlash(name)))
		if err != nil {
			return fmt.Errorf("copy a lesson into the handout: %w", err)
		}
		if t[name], err = studentLesson(text, lab); err != nil {
			return fmt.Errorf("copy the lesson of %s into the handout: %w", lab.Dir, err)
		}
		if t[lab.DataPath()], err = publicData(lab); err != nil {
			return err
		}
		for _, f := range lab.Files {
			stub, err := lab.Stub(f)
			if err != nil {
				return err
			}
			t[lab.LabPath()+"/"+f] = stub
			t["checker/internal/stubs/"+lab.Dir+"/"+f] = stub
		}
	}
	return nil
}

// publicData is the catalog's file of a lab without its hidden cases.
func publicData(lab catalog.Lab) ([]byte, error) {
	w := withheldOf(lab)
	lab.Cases = slices.DeleteFunc(slices.Clone(lab.Cases), func(c conform.Meta) bool { return !c.Public })
	return lab.Data(w)
}

func kit(o Options, t tree) error {
	dir := filepath.Join(o.Root, "labs", "kit")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("copy the kit into the handout: %w", err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			if err := t.copyFile(o.Root, "labs/kit/"+e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// roots are the packages of a handout that no other imports: the checker, the bridges and,
// for a lab made of all others, the program that the checker builds around them.
func roots() []string {
	roots := []string{"checker"}
	for _, lab := range catalog.Labs() {
		roots = append(roots, lab.Bridge)
		if lab.Wiring != "" {
			roots = append(roots, "checker/internal/play/live")
		}
	}
	return roots
}

// checker is the checker's source, as far as a student's needs it.
func checker(o Options, t tree) error {
	replaced, err := replacements(o)
	if err != nil {
		return err
	}
	m := newModule(o.Root, replaced)
	for _, dir := range roots() {
		if err := m.load(dir); err != nil {
			return err
		}
	}
	m.shake()
	for _, p := range m.packages {
		if !p.live {
			continue
		}
		if err := m.printPackage(p, t); err != nil {
			return err
		}
	}
	return nil
}

// secretFile reports whether a file of the checker stays behind whole: the hidden
// cases of a suite.
func secretFile(name string) bool {
	return strings.HasPrefix(name, suitesDir) && strings.HasPrefix(path.Base(name), "hidden")
}

// replacements are the files of the checker that differ in a handout.
func replacements(o Options) (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, lab := range catalog.Labs() {
		text, err := fill("suite.go.tmpl", path.Base(lab.Suite))
		if err != nil {
			return nil, err
		}
		all[lab.Suite+"/withheld.go"] = text
	}
	for name, data := range map[string]any{
		"checker/internal/catalog/handout.go": nil,
		"checker/internal/cli/teaching.go":    o.Commands,
	} {
		text, err := fill(path.Base(name)+".tmpl", data)
		if err != nil {
			return nil, err
		}
		all[name] = text
	}
	return all, nil
}

func (m *module) printPackage(p *pkg, t tree) error {
	for _, f := range p.files {
		text, err := m.print(p, f)
		if err != nil {
			return err
		}
		if text != nil {
			t[f.path] = text
		}
	}
	if p.whole {
		for _, name := range p.other {
			if err := t.copyFile(m.root, name); err != nil {
				return err
			}
		}
	}
	for _, d := range p.all {
		if err := m.embedded(d, t); err != nil {
			return err
		}
	}
	return nil
}

// generated are the packages whose embedded files the handout has already written: the
// stubs, and the catalog without hidden cases.
var generated = []string{"checker/internal/stubs", "checker/internal/catalog"}

// embedded copies what a variable embeds.
func (m *module) embedded(d *decl, t tree) error {
	if !d.live || d.doc == nil || slices.Contains(generated, d.pkg.dir) {
		return nil
	}
	for _, pattern := range patterns(d.doc) {
		base := filepath.Join(m.root, filepath.FromSlash(d.pkg.dir))
		matches, err := filepath.Glob(filepath.Join(base, filepath.FromSlash(pattern)))
		if err != nil {
			return fmt.Errorf("copy what %s embeds: %w", d.file.path, err)
		}
		for _, match := range matches {
			if err := t.copyAll(m.root, match); err != nil {
				return err
			}
		}
	}
	return nil
}

func patterns(doc *ast.CommentGroup) []string {
	var all []string
	for _, c := range doc.List {
		if rest, ok := strings.CutPrefix(c.Text, "//go:embed "); ok {
			all = append(all, strings.Fields(rest)...)
		}
	}
	return slices.Compact(all)
}

// copyAll copies a file, or the files below a directory.
func (t tree) copyAll(root, name string) error {
	return filepath.WalkDir(name, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		return t.copyFile(root, filepath.ToSlash(rel))
	})
}
