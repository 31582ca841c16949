// Package hostile is a class of students from hell: submissions that cheat, break out,
// break things or are merely broken, each with what must become of it, and a few
// honest ones between them. Its test grades them all as one class.
//
// A row stands for a class of attack. Each layer of the checker has rows that it alone
// must hold: reading (a-…), the gate and the build (b-…), what runs (r-…), the
// accounting of results (x-…), and plain mistakes (bad-…).
package hostile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Submission is one student of that class.
type Submission struct {
	Name  string
	About string // what it does
	Want  string // what must become of it: see Grade.Is in the test

	// Unsafe says that it must not run outside a sandbox.
	Unsafe bool

	files map[string]string                              // a folder: path → text
	pack  func(w *Workshop) (ending string, text []byte) // an archive
	make  func(w *Workshop, dir string) error            // anything else, made below dir/Name
}

// Workshop is what the submissions are made of.
type Workshop struct {
	Reference string // the source of a solution that passes
	Stub      string // the source as it was handed out
	Victim    string // a file on the host that must be neither read nor changed
	Listener  string // an address on the host that must not be reached
}

// Write puts the class below dir, each student as a folder or an archive.
func Write(dir string, w *Workshop) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, s := range Submissions() {
		if err := s.write(dir, w); err != nil {
			return fmt.Errorf("make %s: %w", s.Name, err)
		}
	}
	return nil
}

func (s Submission) write(dir string, w *Workshop) error {
	own := filepath.Join(dir, s.Name)
	if s.pack != nil {
		ending, text := s.pack(w)
		return os.WriteFile(own+ending, text, 0o644)
	}
	for name, text := range s.files {
		p := filepath.Join(own, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(p, []byte(w.expand(text)), 0o644); err != nil {
			return err
		}
	}
	if s.make != nil {
		return s.make(w, own)
	}
	return nil
}

// Marks in a source that stand for things of the Workshop.
const (
	reference = "{{reference}}"
	stub      = "{{stub}}"
	victim    = "{{victim}}"
	listener  = "{{listener}}"
)

// expand fills the marks in. "{{edit|old|new}}" lines behind the reference replace
// text that is in it exactly once.
func (w *Workshop) expand(text string) string {
	text = strings.NewReplacer(reference, w.Reference, stub, w.Stub, victim, w.Victim, listener, w.Listener).Replace(text)
	var out []string
	var edits [][2]string
	for _, line := range strings.SplitAfter(text, "\n") {
		if e, ok := strings.CutPrefix(line, "{{edit|"); ok {
			from, to, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(e), "}}"), "|")
			edits = append(edits, [2]string{unescape(from), unescape(to)})
			continue
		}
		out = append(out, line)
	}
	text = strings.Join(out, "")
	for _, e := range edits {
		if strings.Count(text, e[0]) != 1 {
			panic("hostile: an edit does not apply exactly once: " + e[0]) // our own table
		}
		text = strings.Replace(text, e[0], e[1], 1)
	}
	return text
}

func unescape(s string) string { return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(s) }

// Submissions is the class.
func Submissions() []Submission {
	var all []Submission
	for _, part := range [][]Submission{honest, archives, folders, builds, runs, cheats, broken} {
		all = append(all, part...)
	}
	return all
}

// gather is a folder with nothing but the lab's file.
func gather(text string) map[string]string { return map[string]string{"gather.go": text} }

// edited is the reference with text replaced: pairs of old and new.
func edited(pairs ...string) map[string]string {
	text := reference
	escape := strings.NewReplacer("\n", `\n`, "\t", `\t`)
	for i := 0; i < len(pairs); i += 2 {
		text += "\n{{edit|" + escape.Replace(pairs[i]) + "|" + escape.Replace(pairs[i+1]) + "}}"
	}
	return gather(text + "\n")
}

// lying is a lab 01 that does nothing of what it should, so that each point it gets
// beside what nothing earns is stolen: with imports, declarations, and statements in
// Gather before it returns nothing.
func lying(imports, declarations, body string) map[string]string {
	return gather(`package goroutines

import (
	"context"
	"fmt"
` + imports + `
)

type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

` + declarations + `

func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
` + body + `
	return nil, nil
}
`)
}
