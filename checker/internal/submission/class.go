// Package submission reads what a class has submitted: folders, archives, LMS exports
// and git checkouts, one student at a time.
//
// All of it is untrusted. The package opens only regular files with the names of a
// lab's files, never follows a link, and unpacks nothing to disk but an archive inside
// another archive. It counts bytes while it reads them, because the sizes that an
// archive declares may be false. It never runs git and never opens a .git folder.
package submission

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// Options say what to look for.
type Options struct {
	Labs    []Lab          // the labs to read
	Book    []Lab          // all labs that a folder may be named after
	Unnamed string         // the Dir of the lab that a folder named after none may be of; "" for none
	Roster  *roster.Roster // nil: the students are those who submitted
	Temp    string         // a directory for archives inside archives
	MaxFile int            // bytes; a source file that is larger is rejected
	Limits  Limits         // zero: Usual
}

// Class is everybody who submitted, in the order of their IDs, and every student of the
// roster who did not.
type Class struct {
	Handins  []*Handin
	Problems []string // what belongs to nobody, or to somebody who is not on the roster

	options Options
	index   *index
}

// Handin is what one student submitted. Nothing of it is read before Class.Read.
type Handin struct {
	Student   roster.Student
	Submitted time.Time // when it was submitted, by the roster; zero if it does not say
	Late      bool      // the LMS's file name says that it was late

	parts []part
}

// part is one of the things that make up a Handin.
type part struct {
	source   source
	mod      time.Time // of the archive as the LMS wrote it; zero where the files' own count
	checkout bool      // a git checkout: its files are as old as the clone
	name     string    // for parts that replace each other: "gather.go"
	version  int
}

// Open lists what is at the top of the submissions and finds the student of each item.
// The caller must call Close.
func Open(dir string, o Options) (*Class, error) {
	if o.Limits == (Limits{}) {
		o.Limits = Usual
	}
	x, err := openIndex(dir, o.Book)
	if err != nil {
		return nil, fmt.Errorf("open the submissions: %w", err)
	}
	c := &Class{options: o, index: x, Problems: x.problems}
	c.assign(filepath.Base(filepath.Clean(dir)))
	return c, nil
}

// Close closes the LMS's export, if it was one.
func (c *Class) Close() error { return c.index.close() }

// assigner adds each item to its student's Handin.
type assigner struct {
	*Class
	prefix string // of GitHub Classroom: what stands before each student's name
	byID   map[string]*Handin
	rawID  map[string]string // ID in lower case → the name that it was made of
}

func (c *Class) assign(root string) {
	a := assigner{Class: c, prefix: c.classroom(root), byID: map[string]*Handin{}, rawID: map[string]string{}}
	if r := c.options.Roster; r != nil {
		c.Problems = append(c.Problems, r.Problems...)
		for _, s := range r.Students {
			a.rawID[strings.ToLower(s.ID)] = s.ID
			a.byID[s.ID] = &Handin{Student: s, Submitted: r.Submitted(s.ID)}
		}
	}
	for _, it := range c.index.items {
		a.put(it)
	}
	for _, h := range a.byID {
		c.Handins = append(c.Handins, h)
	}
	slices.SortFunc(c.Handins, func(a, b *Handin) int { return strings.Compare(a.Student.ID, b.Student.ID) })
}

// put adds an item to the Handin of its student.
func (a *assigner) put(it item) {
	if ignored(it.name) {
		return
	}
	h := decode(it.name)
	if h.text {
		return
	}
	if rest, ok := strings.CutPrefix(it.name, a.prefix); ok && a.prefix != "" && rest != "" {
		h.id, _ = cutEnding(rest)
		h.keys = []string{h.id}
	}
	_, packed := cutEnding(it.name)
	if !it.folder && !packed && h.rest == it.name { // a file, and not one that an LMS named
		a.Problems = append(a.Problems, printable.Quote(it.name)+" is neither a folder nor an archive and was passed over.")
		return
	}
	a.handin(h).add(a.part(it, h), h.late)
}

// handin returns the Handin of a student, by the roster if there is one.
func (a *assigner) handin(h submitter) *Handin {
	if a.options.Roster != nil {
		if s, ok := a.options.Roster.Find(h.keys); ok {
			return a.byID[s.ID]
		}
	}
	id := roster.SafeID(h.id)
	if raw, taken := a.rawID[strings.ToLower(id)]; taken && raw != h.id {
		id += "_" + shortHash(h.id)
	}
	if known, ok := a.byID[id]; ok {
		return known
	}
	a.rawID[strings.ToLower(id)] = h.id
	if a.options.Roster != nil {
		a.Problems = append(a.Problems, fmt.Sprintf("%s is not on the roster; the ID is %s.", printable.Quote(h.id), id))
	}
	n := &Handin{Student: roster.Student{ID: id, Name: roster.CleanName(h.name)}}
	a.byID[id] = n
	return n
}

// part makes the source of an item. The name of an archive may name a lab, but not where
// only one lab is asked for: Canvas appends "-1" to whatever was submitted again.
func (a *assigner) part(it item, h submitter) part {
	if it.folder {
		return part{source: it.tree(), checkout: it.checkout, name: it.name}
	}
	label, packed := cutEnding(h.rest)
	if !packed {
		name, version := a.resubmission(h.rest)
		return part{source: it.file(name), mod: it.mod, name: name, version: version}
	}
	p := part{mod: it.mod, name: h.rest}
	if h.rest == it.name {
		label = ""
	} else if len(a.options.Labs) == 1 {
		if m := resubmitted.FindStringSubmatch(h.rest); m != nil {
			p.name, p.version = m[1]+m[3], number(m[2])
		}
		label = ""
	}
	p.source = it.archive(label)
	return p
}

// resubmission finds "gather.go" and 1 in "gather-1.go", if gather.go is a file of a lab.
func (a *assigner) resubmission(name string) (string, int) {
	m := resubmitted.FindStringSubmatch(name)
	if m == nil || !wanted(a.options.Labs)[m[1]+m[3]] || wanted(a.options.Labs)[name] {
		return name, 0
	}
	return m[1] + m[3], number(m[2])
}

// add adds a part, or replaces an older version of it.
func (h *Handin) add(p part, late bool) {
	h.Late = h.Late || late
	i := slices.IndexFunc(h.parts, func(o part) bool { return o.name == p.name })
	switch {
	case i < 0 || h.parts[i].version == p.version:
		h.parts = append(h.parts, p)
	case p.version > h.parts[i].version:
		h.parts[i] = p
	}
}

// classroom returns the prefix of GitHub Classroom's repositories, "assignment-". Its own
// tool clones them into a folder "assignment-submissions". Otherwise the prefix is what
// all names begin with, if all are checkouts or the roster knows what follows it.
func (c *Class) classroom(root string) string {
	if name, ok := strings.CutSuffix(root, "-submissions"); ok {
		return name + "-"
	}
	var names []string
	checkouts := true
	for _, it := range c.index.items {
		if it.folder && !ignored(it.name) {
			names = append(names, it.name)
			checkouts = checkouts && it.checkout
		}
	}
	if len(names) < 2 {
		return ""
	}
	common := commonPrefix(names)
	if c.options.Roster == nil {
		if checkouts {
			return common
		}
		return ""
	}
	return bestPrefix(c.options.Roster, common, names)
}

// commonPrefix returns the longest text that all names begin with and that ends in a hyphen.
func commonPrefix(names []string) string {
	common := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, common) {
			common = common[:len(common)-1]
		}
	}
	return common[:strings.LastIndexByte(common, '-')+1]
}

// bestPrefix returns the part of the common prefix behind which the roster knows most names.
func bestPrefix(r *roster.Roster, common string, names []string) string {
	best, most := "", known(r, "", names)
	for i, b := range []byte(common) {
		if p := common[:i+1]; b == '-' {
			if n := known(r, p, names); n > most {
				best, most = p, n
			}
		}
	}
	return best
}

// known counts the names that the roster knows without their prefix.
func known(r *roster.Roster, prefix string, names []string) int {
	n := 0
	for _, name := range names {
		if _, ok := r.Find(decode(strings.TrimPrefix(name, prefix)).keys); ok {
			n++
		}
	}
	return n
}

// isCheckout reports whether a folder has a .git of any kind, without opening it.
func isCheckout(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}
