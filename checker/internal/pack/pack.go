// Package pack measures the checker. A pack is a directory of small programs, right ones
// and wrong ones, each with the verdicts that a checker should reach. Bench puts them
// through the engine that labs go through and counts true and false verdicts.
//
// The format:
//
//	pack.json              {"schema": "controllerbook/pack/v1", "source", "commit", "license", "go_lang"}
//	items/ID/meta.json     {"class", "subtype", "expect", "copies_ok", "real_time_ms"}
//	items/ID/subject/*.go  a program with func Kernel(t testing.TB)
//	items/ID/fixed/*.go    the same without its mistake; may be absent
//
// An item without subject, or with an empty expect, is a right program: no verdict but
// pass is true of it.
package pack

import (
	"bytes"
	"encoding/json"
	"errors"
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
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Schema is the version of the format.
const Schema = "controllerbook/pack/v1"

// Pack is a pack as its directory has it.
type Pack struct {
	Source  string `json:"source"`            // where the programs are from
	Commit  string `json:"commit,omitempty"`  // the state of that source
	License string `json:"license"`           // the programs' licence, as SPDX names it
	Lang    string `json:"go_lang,omitempty"` // the version of the language that they are compiled as: "1.21"
	Items   []Item `json:"-"`
}

// Item is one program of a pack, with its mistake, without it, or both.
type Item struct {
	ID      string
	Meta    Meta
	Subject map[string][]byte // sources by base name; nil if there is none
	Fixed   map[string][]byte
}

// Meta is what a pack says of an item.
type Meta struct {
	Class   string   `json:"class"`
	Subtype string   `json:"subtype"`
	Expect  []string `json:"expect"`       // the verdicts that are true of it
	Copies  bool     `json:"copies_ok"`    // copies of it may run side by side
	Real    int      `json:"real_time_ms"` // how long it rightly waits on the real clock; for readers: the engine is not told
}

// meanings are the verdicts behind the words of a pack.
var meanings = map[string][]verdict.Verdict{
	"hang":   {verdict.Deadlock, verdict.Timeout},
	"leak":   {verdict.GoroutineLeak},
	"race":   {verdict.DataRace},
	"panic":  {verdict.Panic},
	"assert": {verdict.WrongAnswer},
}

// Error says what is wrong with a pack.
type Error struct{ Problems []string }

func (e *Error) Error() string {
	return "this pack cannot be used:\n  " + strings.Join(e.Problems, "\n  ")
}

// Load reads a pack. It reports all that is wrong with it at once, as an *Error.
func Load(dir string) (*Pack, error) {
	var p struct {
		Schema string `json:"schema"`
		Pack
	}
	if err := readJSON(filepath.Join(dir, "pack.json"), &p); err != nil {
		return nil, &Error{[]string{err.Error()}}
	}
	var problems []string
	if p.Schema != Schema {
		problems = append(problems, fmt.Sprintf("pack.json: schema is %q, not %q", p.Schema, Schema))
	}
	if p.Lang != "" && !language.MatchString(p.Lang) {
		problems = append(problems, fmt.Sprintf("pack.json: go_lang is a version like 1.21, not %q", p.Lang))
	}
	if p.Source == "" || p.License == "" {
		problems = append(problems, "pack.json: source and license say whose programs these are, and must not be empty")
	}
	entries, err := os.ReadDir(filepath.Join(dir, "items"))
	if err != nil {
		problems = append(problems, "items: "+reason(err))
	}
	for _, e := range entries {
		item, wrong := load(filepath.Join(dir, "items", e.Name()), e.Name())
		p.Items = append(p.Items, item)
		for _, w := range wrong {
			problems = append(problems, "items/"+e.Name()+": "+w)
		}
	}
	if err == nil && len(entries) == 0 {
		problems = append(problems, "items: there is none")
	}
	if len(problems) > 0 {
		return nil, &Error{problems}
	}
	return &p.Pack, nil
}

var (
	language = regexp.MustCompile(`^1\.\d+$`)
	itemID   = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`) // it becomes a package path
)

// load reads one item and says what is wrong with it.
func load(dir, id string) (item Item, problems []string) {
	item.ID = id
	if !itemID.MatchString(id) {
		problems = append(problems, "an item is named by small letters, digits and hyphens")
	}
	if err := readJSON(filepath.Join(dir, "meta.json"), &item.Meta); err != nil {
		problems = append(problems, err.Error())
	} else {
		problems = append(problems, item.Meta.problems()...)
	}
	for _, part := range []struct {
		name string
		into *map[string][]byte
	}{{"subject", &item.Subject}, {"fixed", &item.Fixed}} {
		sources, err := program(filepath.Join(dir, part.name))
		if err != nil {
			problems = append(problems, part.name+": "+err.Error())
		}
		*part.into = sources
	}
	if len(problems) > 0 {
		return item, problems
	}
	switch {
	case item.Subject == nil && item.Fixed == nil:
		problems = append(problems, "it has neither subject nor fixed")
	case item.Subject == nil && len(item.Meta.Expect) > 0:
		problems = append(problems, "it expects a verdict and has no subject")
	}
	return item, problems
}

func (m Meta) problems() (problems []string) {
	if m.Class == "" {
		problems = append(problems, "meta.json: class is empty")
	}
	for _, word := range m.Expect {
		if meanings[word] == nil {
			problems = append(problems, fmt.Sprintf("meta.json: expect may hold hang, leak, race, panic and assert, not %q", word))
		}
	}
	return problems
}

// Holds reports whether v is one of the verdicts that are true of the item's subject.
func (m Meta) Holds(v verdict.Verdict) bool {
	return slices.ContainsFunc(m.Expect, func(word string) bool { return slices.Contains(meanings[word], v) })
}

// program reads the Go files of a directory; there are none where there is no directory.
func program(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, errors.New(reason(err))
	}
	sources := map[string][]byte{}
	name, kernel := "", false
	for _, e := range entries {
		if path.Ext(e.Name()) != ".go" {
			return nil, fmt.Errorf("%s is no Go file", e.Name())
		}
		if strings.HasSuffix(e.Name(), "_test.go") {
			return nil, fmt.Errorf("%s is a test; a kernel is in an ordinary file", e.Name())
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("%s: %s", e.Name(), reason(err))
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if name != "" && name != file.Name.Name {
			return nil, fmt.Errorf("there are two packages in it, %s and %s", name, file.Name.Name)
		}
		name, kernel = file.Name.Name, kernel || hasKernel(file)
		sources[e.Name()] = text
	}
	switch {
	case len(sources) == 0:
		return nil, errors.New("it has no Go files")
	case name == "main":
		return nil, errors.New("it is package main, which nothing can import")
	case !kernel:
		return nil, errors.New("it has no func Kernel(t testing.TB)")
	}
	return sources, nil
}

func hasKernel(file *ast.File) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && fn.Name.Name == "Kernel" && len(fn.Type.Params.List) == 1 && fn.Type.Results == nil
	})
}

// readJSON reads a file with no other fields than the value has.
func readJSON(file string, into any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s: %s", filepath.Base(file), reason(err))
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	return nil
}

// reason is an error of the file system without the path, which the reader knows.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
