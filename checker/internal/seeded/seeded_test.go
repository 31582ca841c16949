package seeded

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// TestEveryFaultFits: whether its case notices it is proved by package faults, which
// takes long. That it can be put into the solution of today shows here.
func TestEveryFaultFits(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	known := map[string]bool{"real": true} // those that only a real server shows
	for _, lab := range catalog.Labs() {
		known[lab.Dir] = true
		solution := map[string][]byte{}
		for _, name := range lab.Files {
			text, err := os.ReadFile(filepath.Join(root, lab.SolutionPath(), name))
			require.NoError(t, err)
			solution[name] = text
		}
		all, err := All(root, lab)
		require.NoError(t, err)
		for _, f := range all {
			_, err := f.Seed(solution)
			assert.NoError(t, err)
		}
	}
	dirs, err := os.ReadDir(filepath.Join(root, Dir))
	require.NoError(t, err)
	for _, d := range dirs {
		assert.True(t, known[d.Name()], "%s/%s is of no lab", Dir, d.Name())
	}
}

// lab is a made-up one, of two files.
var lab = catalog.New(conform.Lab{
	Dir: "99-box", Files: []string{"box.go", "lid.go"}, Cases: []conform.Meta{{Name: "it-holds"}},
})

var solution = map[string][]byte{
	"box.go": []byte(`// Package box is made up.
package box

import (
	"errors"
	"sync"
)

// ErrFull says why.
var ErrFull = errors.New("full")

const (
	small = 1 // smallest
	large = 9
)

const (
	red = iota
	green
)

var low, high = 1, 2

// Box holds.
type Box[T any] struct {
	mu    sync.Mutex
	items []T
}

// Put puts.
func (b *Box[T]) Put(v T) error {
	b.mu.Lock() // guards items
	defer b.mu.Unlock()
	b.items = append(b.items, v)
	return nil
}

// Len counts.
func (b *Box[T]) Len() int { return len(b.items) }
`),
	"lid.go": []byte(`package box

import "time"

// Lid closes.
type Lid struct{ after time.Duration }

// Close waits.
func (l Lid) Close() { time.Sleep(l.after) }
`),
}

const header = opening + `// Mistake: Nobody thought.
// Killed by: it-holds
// Verdict: wrong-answer
`

// seed parses a fault of the made-up lab and seeds it. What is said below the three
// lines of the header, and the package clause, are the caller's.
func seed(t *testing.T, rest string) (map[string]string, error) {
	t.Helper()
	f, err := parse(lab, "fault.go", []byte(header+rest))
	require.NoError(t, err)
	files, err := f.Seed(solution)
	texts := map[string]string{}
	for name, text := range files {
		formatted, err := format.Source(text)
		require.NoError(t, err)
		texts[name] = string(formatted)
	}
	return texts, err
}

// edited is a file of the solution with each second text in the place of the one before.
func edited(t *testing.T, name string, swaps []string) string {
	t.Helper()
	text := string(solution[name])
	for i := 0; i < len(swaps); i += 2 {
		require.Equal(t, 1, strings.Count(text, swaps[i]), "%q must stand once", swaps[i])
		text = strings.Replace(text, swaps[i], swaps[i+1], 1)
	}
	return text
}

// Declarations of the solution.
const (
	unlocked = "func (b *Box[T]) Put(v T) error {\n\tb.items = append(b.items, v)\n\treturn nil\n}"
	locked   = "func (b *Box[T]) Put(v T) error {\n\tb.mu.Lock() // guards items\n\tdefer b.mu.Unlock()\n\tb.items = append(b.items, v)\n\treturn nil\n}"
	length   = "// Len counts.\nfunc (b *Box[T]) Len() int { return len(b.items) }\n"
)

// fits are faults, and what each changes in the solution, apart from empty lines.
var fits = map[string]struct {
	fault    string
	box, lid []string // what stands in the files, and what stands there then
}{
	"a method of a generic type keeps its documentation": {
		fault: "\npackage box\n\n" + unlocked + "\n",
		box:   []string{locked, unlocked},
	},
	"a constant of a group, which stays": {
		fault: "\npackage box\n\nconst small = 2\n",
		box:   []string{"small = 1 ", "small = 2 "},
	},
	"variables that are declared together": {
		fault: "\npackage box\n\nvar low, high = 2, 1\n",
		box:   []string{"low, high = 1, 2", "low, high = 2, 1"},
	},
	"a declaration without a counterpart stands behind what is replaced": {
		fault: "\npackage box\n\nconst small = three\n\nvar three = 3\n\nfunc twice() int { return 2 }\n",
		box:   []string{"small = 1 ", "small = three ", length, length + "\nvar three = 3\n\nfunc twice() int { return 2 }\n"},
	},
	"a declaration that goes, with its documentation": {
		fault: "// Without: Box.Len\n\npackage box\n",
		box:   []string{"\n" + length, ""},
	},
	"a constant of a group that goes, and a variable that is alone": {
		fault: "// Without: large, ErrFull\n\npackage box\n",
		box: []string{"\tlarge = 9\n", "", "// ErrFull says why.\nvar ErrFull = errors.New(\"full\")\n\n", "",
			"import (\n\t\"errors\"\n\t\"sync\"\n)", "import (\n\t\"sync\"\n)"},
	},
	"an import that is added and one that nothing uses then": {
		fault: "\npackage box\n\nimport \"fmt\"\n\nvar ErrFull = fmt.Errorf(\"full\")\n",
		box:   []string{"errors.New", "fmt.Errorf", "\t\"errors\"\n\t\"sync\"", "\t\"fmt\"\n\t\"sync\""},
	},
	"an import that gives way to another, the only one": {
		fault: "\npackage box\n\nimport \"sync\"\n\ntype Lid struct{ mu sync.Mutex }\n\nfunc (l Lid) Close() {}\n",
		lid: []string{"import \"time\"", "import (\n\t\"sync\"\n)", "struct{ after time.Duration }", "struct{ mu sync.Mutex }",
			"{ time.Sleep(l.after) }", "{}"},
	},
	"both files": {
		fault: "\npackage box\n\nconst large = 8\n\nfunc (l Lid) Close() {}\n",
		box:   []string{"large = 9", "large = 8"},
		lid:   []string{"{ time.Sleep(l.after) }", "{}"},
	},
}

func TestSeed(t *testing.T) {
	for name, c := range fits {
		t.Run(name, func(t *testing.T) {
			got, err := seed(t, c.fault)
			require.NoError(t, err)
			want := map[string]string{"box.go": edited(t, "box.go", c.box), "lid.go": edited(t, "lid.go", c.lid)}
			assert.Equal(t, dense(want), dense(got))
		})
	}
}

// dense is the texts without their empty lines, which nobody is to read.
func dense(files map[string]string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		out[name] = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), "\n")
	}
	return out
}

func TestSeedRefuses(t *testing.T) {
	for want, fault := range map[string]string{
		"fault.go changes nothing":                                                "\npackage box\n",
		"Box.Len is as in the solution":                                           "\npackage box\n\n// Len is as before.\nfunc (b *Box[T]) Len() int {\n\treturn len(b.items) // the same\n}\n",
		"the header takes away Box.Cap, which the solution does not declare":      "// Without: Box.Cap\n\npackage box\n",
		"the header takes away low, and the solution declares low, high together": "// Without: low\n\npackage box\n",
		"the solution declares low, high together, the fault low":                 "\npackage box\n\nvar low = 3\n",
		"small is a var here and a const in the solution":                         "\npackage box\n\nvar small = 3\n",
		"green is one of a group of constants that counts":                        "\npackage box\n\nconst green = 7\n",
		"the fault replaces a declaration that it removes, or one twice":          "// Without: Lid.Close\n\npackage box\n\nfunc (l Lid) Close() {}\n",
		"func init() {} has no name by which to replace it":                       "\npackage box\n\nfunc init() {}\n",
		"var _ = Lid{} has no name by which to replace it":                        "\npackage box\n\nvar _ = Lid{}\n",
	} {
		_, err := seed(t, fault)
		assert.ErrorContains(t, err, want)
	}
	f, err := parse(lab, "fault.go", []byte(header+"\npackage box\n\nconst small = 2\n"))
	require.NoError(t, err)
	_, err = f.Seed(map[string][]byte{"box.go": solution["box.go"]})
	assert.ErrorContains(t, err, "the solution has no lid.go")
}

func TestHeader(t *testing.T) {
	f, err := parse(lab, "checker/faults/99-box/nobody-thought.go", []byte(opening+`// Mistake: Nobody thought
//   of it (kubernetes#1234).
// Killed by: it-holds
// Verdict: data-race (seen
//   before the panic)
// Without: Box.Len, Lid

package box
`))
	require.NoError(t, err)
	assert.Equal(t, "nobody-thought", f.Name)
	assert.Equal(t, "Nobody thought of it (kubernetes#1234).", f.Mistake)
	assert.Equal(t, "it-holds", f.KilledBy)
	assert.Equal(t, verdict.DataRace, f.Verdict)
	assert.Equal(t, "seen before the panic", f.Remark)
	assert.Equal(t, []string{"Box.Len", "Lid"}, f.without)
}

func TestHeaderIsStrict(t *testing.T) {
	const (
		mistake = "// Mistake: Nobody thought.\n"
		killed  = "// Killed by: it-holds\n"
		answer  = "// Verdict: wrong-answer\n"
		rest    = "\npackage box\n"
	)
	for want, text := range map[string]string{
		"the file does not begin with //go:build ignore":              mistake + killed + answer + rest,
		`has "// Killed by: it-holds" where it needs "// Mistake: …"`: opening + killed + mistake + answer + rest,
		`where it needs "// Killed by: …"`:                            opening + mistake + answer + rest,
		`the header has no "// Verdict: …"`:                           opening + mistake + killed + rest,
		`has "// Mistake: " where`:                                    opening + "// Mistake: \n" + killed + answer + rest,
		`"// More: x" is one line too many`:                           opening + mistake + killed + answer + "// Without: x\n// More: x\n" + rest,
		`"wrong answer" is no verdict`:                                opening + mistake + killed + "// Verdict: wrong answer\n" + rest,
		`"wrong" is no verdict`:                                       opening + mistake + killed + "// Verdict: wrong\n" + rest,
		`no case "it-hold"`:                                           opening + mistake + "// Killed by: it-hold\n" + answer + rest,
		"package crate, and that of the lab is box":                   opening + mistake + killed + answer + "\npackage crate\n",
		"imports fmt and does not use it":                             opening + mistake + killed + answer + rest + "\nimport \"fmt\"\n",
		"fault.go:8:1: expected declaration":                          opening + mistake + killed + answer + rest + "b.Lock()\n",
	} {
		_, err := parse(lab, "fault.go", []byte(text))
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, "fault.go")
	}
}

func TestAll(t *testing.T) {
	root := t.TempDir()
	all, err := All(root, lab)
	require.NoError(t, err)
	assert.Empty(t, all, "a workbook without the directory has none")

	dir := filepath.Join(root, Dir, lab.Dir)
	require.NoError(t, os.MkdirAll(dir, 0o755))
	write := func(name string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(header+"\npackage box\n"), 0o644))
	}
	write("one.go")
	write("another.go")
	all, err = All(root, lab)
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, []string{"another", "one"}, []string{all[0].Name, all[1].Name})
	write("notes.md")
	_, err = All(root, lab)
	require.ErrorContains(t, err, "checker/faults/99-box/notes.md is no fault")
}
