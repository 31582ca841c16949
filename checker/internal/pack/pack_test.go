package pack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const (
	head   = `{"schema": "controllerbook/pack/v1", "source": "s", "license": "MIT", "go_lang": "1.21"}`
	meta   = `{"class": "c", "subtype": "s", "expect": ["hang", "leak"], "copies_ok": true, "real_time_ms": 0}`
	kernel = "package k\n\nimport \"testing\"\n\nfunc Kernel(t testing.TB) {}\n"
)

// write makes a pack of these files.
func write(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	return dir
}

func TestLoad(t *testing.T) {
	p, err := Load(write(t, map[string]string{"pack.json": head, "items/a/meta.json": meta, "items/a/subject/k.go": kernel}))
	require.NoError(t, err)
	require.Len(t, p.Items, 1)
	assert.Equal(t, "1.21", p.Lang)
	assert.True(t, p.Items[0].Meta.Holds(verdict.Timeout))
	assert.False(t, p.Items[0].Meta.Holds(verdict.Panic))
	assert.Equal(t, 1, p.Programs())
}

func TestOurOwnPackIsOne(t *testing.T) {
	_, err := Load("../../pack")
	require.NoError(t, err)
}

func TestWrongPacks(t *testing.T) {
	for want, change := range map[string]map[string]string{
		"no such file":              {"pack.json": ""},
		"schema is":                 {"pack.json": `{"schema": "x", "source": "s", "license": "MIT"}`},
		"go_lang is a version":      {"pack.json": `{"schema": "controllerbook/pack/v1", "source": "s", "license": "MIT", "go_lang": "go1"}`},
		"must not be empty":         {"pack.json": `{"schema": "controllerbook/pack/v1"}`},
		"unknown field":             {"items/a/meta.json": `{"klass": "c"}`},
		"class is empty":            {"items/a/meta.json": `{"expect": []}`},
		`not "crash"`:               {"items/a/meta.json": `{"class": "c", "expect": ["crash"]}`},
		"neither subject nor fixed": {"items/a/subject/k.go": ""},
		"it is package main":        {"items/a/subject/k.go": "package main\n\nfunc Kernel(t testing.TB) {}\n"},
		"no func Kernel":            {"items/a/subject/k.go": "package k\n"},
		"expected 'package'":        {"items/a/subject/k.go": "x"},
		"two packages":              {"items/a/subject/l.go": "package l\n"},
		"is no Go file":             {"items/a/subject/README": "x"},
		"small letters, digits":     {"items/A b/meta.json": meta, "items/A b/subject/k.go": kernel},
		"is a test":                 {"items/a/subject/k_test.go": kernel},
	} {
		files := map[string]string{"pack.json": head, "items/a/meta.json": meta, "items/a/subject/k.go": kernel}
		for name, text := range change {
			if files[name] = text; text == "" {
				delete(files, name)
			}
		}
		_, err := Load(write(t, files))
		require.Error(t, err, want)
		assert.ErrorAs(t, err, new(*Error))
		assert.Contains(t, err.Error(), want)
	}
}

// A kernel that fails only with more processors than the machine has is found in one run, whether it
// may be copied or not; so is one that fails only if what it starts begins late; and one that does not fail
// is not blamed.
func TestOneRunTriesManySchedules(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	picky := "package k\n\nimport (\n\"runtime\"\n\"testing\"\n)\n\nfunc Kernel(t testing.TB) {\nif runtime.GOMAXPROCS(0) > runtime.NumCPU() { t.Error(1) }\n}\n"
	late := "package k\n\nimport (\n\"runtime\"\n\"sync/atomic\"\n\"testing\"\n)\n\nfunc Kernel(t testing.TB) {\nvar began atomic.Bool\ngo began.Store(true)\nn := 0\nfor n < 100000 {\nn++\n}\nif runtime.GOMAXPROCS(0) == 1 && !began.Load() { t.Error(n) }\n}\n"
	once := `{"class": "c", "subtype": "s", "expect": ["assert"], "copies_ok": false, "real_time_ms": 0}`
	p, err := Load(write(t, map[string]string{
		"pack.json":                 head,
		"items/copied/meta.json":    strings.Replace(once, "false", "true", 1),
		"items/copied/subject/k.go": picky,
		"items/late/meta.json":      strings.Replace(once, "false", "true", 1),
		"items/late/subject/k.go":   late,
		"items/once/meta.json":      once,
		"items/once/subject/k.go":   picky,
		"items/once/fixed/k.go":     kernel,
	}))
	require.NoError(t, err)
	runs, err := Bench(t.Context(), &gotest.Kit{Root: root, Temp: t.TempDir()}, p, Order{Runs: 1, Seed: 1})
	require.NoError(t, err)
	var verdicts []verdict.Verdict
	for _, r := range runs {
		require.Len(t, r.Results, 1, r.Name())
		verdicts = append(verdicts, r.Results[0].Verdict)
	}
	assert.Equal(t, []verdict.Verdict{verdict.WrongAnswer, verdict.WrongAnswer, verdict.WrongAnswer, verdict.Pass}, verdicts)
}

// A right kernel that prints a little is not blamed for what a thousand copies of it print.
func TestCopiesThatPrintTooMuchRunAlone(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	loud := "package k\n\nimport (\n\"fmt\"\n\"strings\"\n\"testing\"\n)\n\nfunc Kernel(t testing.TB) { fmt.Println(strings.Repeat(\"x\", 1<<13)) }\n"
	p, err := Load(write(t, map[string]string{
		"pack.json":             head,
		"items/loud/meta.json":  `{"class": "c", "subtype": "s", "expect": [], "copies_ok": true, "real_time_ms": 0}`,
		"items/loud/fixed/k.go": loud,
	}))
	require.NoError(t, err)
	runs, err := Bench(t.Context(), &gotest.Kit{Root: root, Temp: t.TempDir()}, p, Order{Runs: 1, Seed: 1})
	require.NoError(t, err)
	require.Len(t, runs, 1)
	require.Len(t, runs[0].Results, 1)
	assert.Equal(t, verdict.Pass, runs[0].Results[0].Verdict)
	assert.Equal(t, "once", runs[0].Results[0].Case)
}

func TestAReportCounts(t *testing.T) {
	item := &Item{ID: "a", Meta: Meta{Class: "c", Expect: []string{"race"}}}
	ended := func(vs ...verdict.Verdict) (all []outcome.Result) {
		for _, v := range vs {
			all = append(all, outcome.Result{Verdict: v})
		}
		return all
	}
	r := NewReport(&Pack{}, "go", Order{Runs: 4}, []Run{
		{Item: item, Results: ended(verdict.DataRace, verdict.Pass, verdict.Panic, verdict.DataRace)},
		{Item: item, Fixed: true, Results: ended(verdict.Pass, verdict.DataRace, verdict.Pass, verdict.CheckerError)},
		{Item: item, Fixed: true, Compiler: "no"},
	})
	assert.Equal(t, Count{Class: "all", Wrong: 1, One: 0.5, Ever: 1, Other: 1, Right: 1, FalseOne: 0.25, FalseEver: 1, Undecided: 1}, r.Total)
	assert.Len(t, r.Broken, 1)
	var b testWriter
	require.NoError(t, r.WriteText(&b))
	assert.Contains(t, string(b), "right, and blamed:\n  a, fixed (c)")
	assert.Contains(t, string(b), "does not compile")
}

type testWriter []byte

func (w *testWriter) Write(p []byte) (int, error) { *w = append(*w, p...); return len(p), nil }
