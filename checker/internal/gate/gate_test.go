package gate

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lab is the rules of the made-up lab of the test data: as much as any lab allows.
var lab = Rules{
	Package: "lab",
	Imports: []string{
		"bufio", "bytes", "cmp", "container/heap", "container/list", "context", "encoding/json", "errors", "fmt", "hash/fnv", "io",
		"iter", "maps", "math", "math/bits", "math/rand/v2", "net/http", "regexp", "runtime", "runtime/debug", "slices", "sort", "strconv",
		"strings", "sync", "sync/atomic", "time", "unicode/utf8", "golang.org/x/sync/errgroup", "golang.org/x/sync/semaphore",
	},
	Files: []string{"lab.go"},
}

// section is one file of an archive in the txtar format.
type section struct {
	title  string
	source []byte
}

func (s section) name() string { return strings.Fields(s.title)[0] }

func sections(t testing.TB, path string) []section {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	var all []section
	for line := range strings.Lines(string(data)) {
		if title, ok := strings.CutPrefix(line, "-- "); ok {
			all = append(all, section{title: strings.TrimSuffix(strings.TrimSpace(title), " --")})
		} else if len(all) > 0 {
			last := &all[len(all)-1]
			last.source = append(last.source, line...)
		}
	}
	return all
}

func judge(src string) []Violation {
	return Check(lab, map[string][]byte{"lab.go": []byte(src)})
}

// places writes violations as the titles of the test data do.
func places(found []Violation) []string {
	var all []string
	for _, v := range found {
		all = append(all, fmt.Sprintf("%s:%d", v.Kind, v.Line))
	}
	slices.Sort(all)
	return all
}

func TestHostile(t *testing.T) {
	all := sections(t, "testdata/hostile.txtar")
	assert.GreaterOrEqual(t, len(all), 80)
	for _, s := range all {
		t.Run(s.name(), func(t *testing.T) {
			found := judge(string(s.source))
			want := strings.Fields(s.title)[1:]
			slices.Sort(want)
			assert.Equal(t, want, places(found), "%v", found)
			for _, v := range found {
				checkWords(t, v)
			}
		})
	}
}

// checkWords holds a violation to what a learner needs: a place, a sentence, a next step.
func checkWords(t *testing.T, v Violation) {
	t.Helper()
	assert.NotEmpty(t, v.File)
	assert.Positive(t, v.Line)
	assert.Positive(t, v.Col)
	assert.NotEmpty(t, v.Help, v.Message)
	assert.NotContains(t, v.Message+v.Help, "%!", "a verb without its argument")
	assert.True(t, strings.HasSuffix(v.Message, "."), v.Message)
}

func TestHonest(t *testing.T) {
	all := sections(t, "testdata/honest.txtar")
	assert.GreaterOrEqual(t, len(all), 30)
	for _, s := range all {
		t.Run(s.name(), func(t *testing.T) {
			assert.Empty(t, judge(string(s.source)))
		})
	}
}

// misencoded are files that are refused, and the place that is named.
var misencoded = []struct{ name, src, at string }{
	{"zero byte", "package lab\n\nvar s = \"a\x00b\"\n", "3:11"},
	{"UTF-16 little endian", "\xff\xfep\x00a\x00c\x00k\x00a\x00g\x00e\x00", "1:1"},
	{"UTF-16 big endian", "\xfe\xff\x00p\x00a", "1:1"},
	{"UTF-16 without a mark", "p\x00a\x00c\x00k\x00", "1:1"},
	{"UTF-16 big endian without a mark", "\x00p\x00a\x00c\x00k", "1:1"},
	{"UTF-32", "\x00\x00\xfe\xff\x00\x00\x00p", "1:1"},
	{"Latin-1", "package lab\n// \xfcbung\n", "2:4"},
	{"half a rune at the end", "package lab\n// \xe2\x82", "2:4"},
	{"surrogate", "package lab\n// \xed\xa0\x80", "2:4"},
	{"overlong", "package lab\n// \xc0\xaf", "2:4"},
	{"mark in the middle", "package lab\n// \ufeff\n", "2:4"},
	{"two marks", "\ufeff\ufeffpackage lab\n", "1:4"},
	{"escape", "package lab\n// \x1b[2J\n", "2:4"},
	{"test2json marker", "package lab\nvar s = `\x16--- PASS: TestX`\n", "2:10"},
	{"backspace", "package lab\n// evil\b\b\b\bgood\n", "2:8"},
	{"delete", "package lab\n// \x7f\n", "2:4"},
	{"C1 control", "package lab\n// \u009b2J\n", "2:4"},
	{"form feed", "package lab\f\n", "1:12"},
	{"bidi override", "package lab\n// \u202e\n", "2:4"},
	{"bidi isolate", "package lab\nvar s = \"\u2066\"\n", "2:10"},
	{"right-to-left mark", "package lab\n// \u200f\n", "2:4"},
	{"line separator", "package lab\n// x\u2028func evil() {}\n", "2:5"},
	{"carriage return alone", "package lab\n// x\rfunc f() {}\n", "2:5"},
	{"carriage returns only", "package lab\rfunc f() {}\r", "1:12"},
}

func TestEncodingsThatAreRefused(t *testing.T) {
	for _, c := range misencoded {
		t.Run(c.name, func(t *testing.T) {
			found := judge(c.src)
			require.Len(t, found, 1)
			assert.Equal(t, Encoding, found[0].Kind)
			assert.Equal(t, c.at, fmt.Sprintf("%d:%d", found[0].Line, found[0].Col))
			checkWords(t, found[0])
		})
	}
}

func TestEncodingsThatPass(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"mark at the start", "\ufeffpackage lab\n"},
		{"CRLF", "package lab\r\n\r\nfunc f() {}\r\n"},
		{"CRCRLF", "package lab\r\r\nfunc f() {}\r\r\n"},
		{"no newline at the end", "package lab"},
		{"replacement character", "package lab\n// \ufffd\n"},
		{"joiners", "package lab\n// 👩\u200d👩\u200d👧 می\u200cخواهم\n"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Empty(t, judge(c.src)) })
	}
}

// TestLarge makes what is too long to write down. It is the compiler that is given
// limits, so nearly all of it may pass: but none may take the checker down with it.
func TestLarge(t *testing.T) {
	n := 120_000
	many := func(before, unit, after string, n int) string {
		return "package lab\n\n" + before + strings.Repeat(unit, n) + after + "\n"
	}
	for _, c := range []struct {
		name, src string
		want      Kind // "" if it passes
	}{
		{"file", "package lab\n" + strings.Repeat("// x\n", 60_000), Size},
		{"parentheses", many("var x = ", "(", "", n), Size},
		{"balanced parentheses", many("var x = "+strings.Repeat("(", 10_000)+"1", ")", "", 10_000), ""},
		{"brackets", many("var x = ", "[", "", n), Size},
		{"braces", many("func f() ", "{", "", n), Size},
		{"not", many("var x = ", "!", "true", n), Size},
		{"minus", many("var x = ", "- ", "1", n), Size},
		{"pointers", many("var x ", "*", "int", n), Size},
		{"slices", many("var x ", "[]", "int", n), Size},
		{"channels", many("var x ", "chan ", "int", n/3), ""},
		{"functions", many("var x ", "func()", "int", n/4), Size},
		{"maps", many("var x ", "map[int]", "int", n/8), Size},
		{"sum", many("var x = 1", "+1", "", n), Size},
		{"calls", many("var f = f", "()", "", n), Size},
		{"selectors", many("var x = f", ".f", "", n), Size},
		{"indices", many("var x = f", "[0]", "", n/2), Size},
		{"else-ifs", many("func f() {\n", "if x {} else ", "{} }", n/8), Size},
		{"labels", many("func f() {\n", "a: ", "}", n/2), Size},
		{"statements", many("func f(i int) {\n", "i++\n", "}", 25_000), ""},
		{"digits", many("var x = 1", "0", "", n), ""},
		{"comments", "package lab\n" + strings.Repeat("//\n", 80_000), ""},
		{"function literals", many("var x = []func(){", "func(){},", "}", 3000), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := judge(c.src)
			if c.want == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			assert.Equal(t, c.want, found[0].Kind, "%v", found)
			checkWords(t, found[0])
		})
	}
}

// TestWide holds source that is long and of one kind. None may take the checker long,
// as a rule that looks at everything for each thing would: a hang here is a failure.
func TestWide(t *testing.T) {
	head := "package lab\n\nimport \"time\"\n\n"
	for name, src := range map[string]string{
		"carriage returns": "package lab\n//" + strings.Repeat("\r", 250_000) + "\n",
		"kept pointers":    head + "func set(p, q any) { *p = *q }\n\nvar x = []any{" + strings.Repeat("time.UTC,", 20_000) + "}\n",
		"constants":        "package lab\n\nconst (\n" + numbered(2000, "a#,") + "z = " + strings.Repeat("1,", 2000) + "1\n)\n\nvar x = []int{" + numbered(2000, "a#+1,") + "}\n",
		"generic calls":    "package lab\n\nfunc f[T any](x T) {\n" + strings.Repeat(strings.Repeat("f(", 90)+"x"+strings.Repeat(")", 90)+"\n", 300) + "}\n",
		"literals":         "package lab\n\nvar x = [][]int{" + strings.Repeat("{1:1},", 20_000) + "}\n",
		"structs":          "package lab\n\n" + numbered(5000, "type a# struct{ x, y a1 }\n"),
		"aliases":          "package lab\n\n" + numbered(3000, "type a# = func(a1#, a2#, a#)\n"),
		"generic types":    "package lab\n\n" + numbered(3000, "type a#[T any] struct{ x a1#[T]; y a2#[[]T] }\n"),
		"arrays":           "package lab\n\n" + numbered(100, "var x# "+strings.Repeat("[1]", 400)+"int\n"),
		"sums":             "package lab\n\nvar x = []int{" + strings.Repeat(strings.Repeat("1+", 480)+"1,", 100) + "}\n",
		"imports":          "package lab\n\n" + strings.Repeat("import \"os\"\n", 20_000),
		"directives":       "package lab\n\n" + strings.Repeat("//go:norace\n", 20_000),
		"functions":        "package lab\n\n" + numbered(10_000, "func F#()\n"),
		"methods":          "package lab\n\ntype x interface{ " + numbered(15_000, "a#();") + " }\n",
	} {
		t.Run(name, func(t *testing.T) {
			require.Less(t, len(src), maxFile)
			assert.LessOrEqual(t, len(judge(src)), maxViolations)
		})
	}
}

// numbered repeats a text, with the number of the repetition for each #.
func numbered(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", strconv.Itoa(i)))
	}
	return b.String()
}

func TestManyViolationsAreBounded(t *testing.T) {
	found := judge("package lab\n\nfunc f() {\n" + strings.Repeat("\tprintln()\n", 900) + "}\n")
	assert.Len(t, found, maxViolations)
}

func TestLongWordsAreBounded(t *testing.T) {
	long := strings.Repeat("ä", 50_000)
	for _, src := range []string{
		"package lab\nimport \"" + long + "\"\n",
		"package " + long + "\n",
		"package lab\nvar x = " + long + "()\n",
		"package lab\nfunc f() { var x " + long + " " + long + " }\n",
	} {
		for _, v := range judge(src) {
			assert.LessOrEqual(t, len(v.Message), maxMessage+len("…"))
			assert.LessOrEqual(t, len(v.Help), maxMessage+len("…"))
		}
	}
}

func TestImportedTextIsQuoted(t *testing.T) {
	found := judge("package lab\nimport \"a\\x1b[2Jb\"\n")
	require.Len(t, found, 1)
	assert.NotContains(t, found[0].Message, "\x1b")
}

func TestMissing(t *testing.T) {
	rules := Rules{Package: "lab", Files: []string{"a.go", "b.go"}}
	found := Check(rules, map[string][]byte{"a.go": []byte("package lab\nfunc A() { println() }\n")})
	assert.Equal(t, []string{"builtin:2", "missing:1"}, places(found))
	assert.Equal(t, "b.go", found[1].File)
	assert.Len(t, Check(rules, nil), 2)
}

// One broken file is one message: what the others declare is not held against it.
func TestBrokenFileAmongOthers(t *testing.T) {
	rules := Rules{Package: "lab", Files: []string{"a.go", "b.go"}}
	found := Check(rules, map[string][]byte{
		"a.go": []byte("package lab\nfunc A() { println() }\n"),
		"b.go": []byte("package lab\nfunc println() {}\nfunc B() {\n"),
	})
	assert.Equal(t, []string{"syntax:3"}, places(found))
}

// Names of other files count: a package is judged as a whole.
func TestNamesOfOtherFiles(t *testing.T) {
	rules := Rules{Package: "lab", Imports: []string{"time"}, Files: []string{"a.go", "b.go"}}
	found := Check(rules, map[string][]byte{
		"a.go": []byte("package lab\nimport \"time\"\nvar x = compute()\nvar y = kind(1)\nfunc f() { println(); time.UTC = nil }\n"),
		"b.go": []byte("package lab\nimport \"time\"\nfunc println() {}\nfunc compute() int { return 1 }\ntype kind int\nvar p = time.UTC\n"),
	})
	assert.Equal(t, []string{"global-write:5"}, places(found))
}

func TestAllowlist(t *testing.T) {
	rules := Rules{Package: "lab", Imports: []string{"runtime.Gosched", "runtime.NumCPU,GOMAXPROCS", "runtime/debug", "math/rand/v2.IntN", "fmt", "fmt.Println"}}
	src := `package lab

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
)

func f() {
	fmt.Print(debug.Stack(), rand.IntN(1), runtime.NumCPU(), runtime.GOMAXPROCS(0))
	runtime.Gosched()
	debug.PrintStack()
	rand.Int()
	runtime.Goexit()
}
`
	found := Check(rules, map[string][]byte{"lab.go": []byte(src)})
	assert.Equal(t, []string{"import:13", "import:14", "import:15"}, places(found))
	assert.Contains(t, found[2].Help, "runtime (only Gosched, NumCPU, GOMAXPROCS)")
}

func TestKitIsAllowedWholeUnlessNarrowed(t *testing.T) {
	src := map[string][]byte{"lab.go": []byte(`package lab

import "github.com/controllerbook/controllerbook/labs/kit"

func f() { panic(kit.TODO("f")) }

func g(b kit.Backoff) {}
`)}
	assert.Empty(t, Check(Rules{Package: "lab"}, src))
	narrowed := Rules{Package: "lab", Imports: []string{Kit + ".TODO"}}
	assert.Equal(t, []string{"import:7"}, places(Check(narrowed, src)))
}

func TestFileIsBaseName(t *testing.T) {
	found := Check(Rules{Package: "lab"}, map[string][]byte{"/tmp/x/lab.go": []byte("package main\n")})
	require.Len(t, found, 1)
	assert.Equal(t, "lab.go", found[0].File)
	assert.Equal(t, 9, found[0].Col)
}
