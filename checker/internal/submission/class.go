// Package submission reads what a class has handed in: folders, archives, LMS exports
// and git checkouts, one student at a time.
//
// All of it is untrusted. Only regular files with the names of a lab's files are
// opened, links are never followed, nothing is unpacked to disk but an archive that
// stands in another, and what is read is counted while it is read: sizes in an archive
// are a promise. git is never run, and a .git folder never opened.
package submission

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/report"
)

// Options say what to look for.
type Options struct {
	Labs   []catalog.Lab
	Roster *Roster // nil: students are who handed in
	Temp   string  // a directory for archives in archives
	Limits Limits  // zero: Usual
}

// Class is who handed in, in the order of their IDs. A student of the roster who
// handed in nothing is in it too.
type Class struct {
	Handins  []*Handin
	Problems []string // what was found and belongs to nobody, or to somebody unknown

	options Options
	shelf   *shelf
}

// Handin is what one student handed in. Nothing of it is read before Class.Read.
type Handin struct {
	Student report.Student
	Known   time.Time // when it was handed in, by the roster; zero if it does not say
	Late    bool      // the LMS's file name says that it was late

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

// Open looks at the top of the submissions and finds out whose each part is. Close
// ends the use of the class.
func Open(dir string, o Options) (*Class, error) {
	if o.Limits == (Limits{}) {
		o.Limits = Usual
	}
	s, err := openShelf(dir)
	if err != nil {
		return nil, fmt.Errorf("open the submissions: %w", err)
	}
	c := &Class{options: o, shelf: s, Problems: s.problems}
	c.collect(filepath.Base(filepath.Clean(dir)))
	return c, nil
}

// Close closes the LMS's export, if it was one.
func (c *Class) Close() error { return c.shelf.close() }

// collector puts the parts to their students.
type collector struct {
	*Class
	prefix string // of GitHub Classroom: what stands before each student's name
	byID   map[string]*Handin
	rawID  map[string]string // ID in lower case → what it was made of
}

func (c *Class) collect(root string) {
	k := collector{Class: c, prefix: c.classroom(root), byID: map[string]*Handin{}, rawID: map[string]string{}}
	if r := c.options.Roster; r != nil {
		c.Problems = append(c.Problems, r.Problems...)
		for _, s := range r.Students {
			k.rawID[strings.ToLower(s.ID)] = s.ID
			k.byID[s.ID] = &Handin{Student: s, Known: r.submitted[s.ID]}
		}
	}
	for _, it := range c.shelf.items {
		k.put(it)
	}
	for _, h := range k.byID {
		c.Handins = append(c.Handins, h)
	}
	slices.SortFunc(c.Handins, func(a, b *Handin) int { return strings.Compare(a.Student.ID, b.Student.ID) })
}

// put finds out whose an item is.
func (k *collector) put(it item) {
	if litter(it.name) {
		return
	}
	h := decode(it.name)
	if h.text {
		return
	}
	if rest, ok := strings.CutPrefix(it.name, k.prefix); ok && k.prefix != "" && rest != "" {
		h.id, _ = cutEnding(rest)
		h.keys = []string{h.id}
	}
	_, packed := cutEnding(it.name)
	if !it.folder && !packed && h.rest == it.name { // a file, and not one that an LMS named
		k.Problems = append(k.Problems, quote(it.name)+" is neither a folder nor an archive and was passed over.")
		return
	}
	k.handin(h).add(k.part(it, h), h.late)
}

// handin is the student's, by the roster if there is one.
func (k *collector) handin(h handed) *Handin {
	if k.options.Roster != nil {
		if s, ok := k.options.Roster.find(h.keys); ok {
			return k.byID[s.ID]
		}
	}
	id := safeID(h.id)
	if raw, taken := k.rawID[strings.ToLower(id)]; taken && raw != h.id {
		id += "_" + shortHash(h.id)
	}
	if known, ok := k.byID[id]; ok {
		return known
	}
	k.rawID[strings.ToLower(id)] = h.id
	if k.options.Roster != nil {
		k.Problems = append(k.Problems, fmt.Sprintf("%s is not on the roster; the ID is %s.", quote(h.id), id))
	}
	n := &Handin{Student: report.Student{ID: id, Name: plain(h.name)}}
	k.byID[id] = n
	return n
}

// part makes the source. A file's own name stands behind what the LMS put before it.
// Where only one lab is asked for, the name of an archive says nothing: Canvas puts
// "-1" to whatever was handed in again.
func (k *collector) part(it item, h handed) part {
	if it.folder {
		return part{source: it.tree(), checkout: it.checkout, name: it.name}
	}
	label, packed := cutEnding(h.rest)
	if !packed {
		name, version := k.again(h.rest)
		return part{source: it.file(name), mod: it.mod, name: name, version: version}
	}
	p := part{mod: it.mod, name: h.rest}
	if h.rest == it.name {
		label = ""
	} else if len(k.options.Labs) == 1 {
		if m := again.FindStringSubmatch(h.rest); m != nil {
			p.name, p.version = m[1]+m[3], number(m[2])
		}
		label = ""
	}
	p.source = it.archive(label)
	return p
}

// again finds "gather.go" and 1 in "gather-1.go", if gather.go is a file of a lab.
func (k *collector) again(name string) (string, int) {
	m := again.FindStringSubmatch(name)
	if m == nil || !wanted(k.options.Labs)[m[1]+m[3]] || wanted(k.options.Labs)[name] {
		return name, 0
	}
	return m[1] + m[3], number(m[2])
}

// add adds a part, or puts it in the place of an older version of itself.
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

// classroom is the prefix of GitHub Classroom's repositories, "assignment-". Its own
// tool clones them into a folder "assignment-submissions"; otherwise they are known by
// being checkouts, or by a roster that knows what stands behind the prefix.
func (c *Class) classroom(root string) string {
	if name, ok := strings.CutSuffix(root, "-submissions"); ok {
		return name + "-"
	}
	var names []string
	checkouts := true
	for _, it := range c.shelf.items {
		if it.folder && !litter(it.name) {
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
	return c.options.Roster.bestPrefix(common, names)
}

// commonPrefix is the longest that all names begin with and that ends in a hyphen.
func commonPrefix(names []string) string {
	common := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, common) {
			common = common[:len(common)-1]
		}
	}
	return common[:strings.LastIndexByte(common, '-')+1]
}

// bestPrefix is that part of the common prefix behind which the roster knows most names.
func (r *Roster) bestPrefix(common string, names []string) string {
	best, most := "", r.known("", names)
	for i, b := range []byte(common) {
		if p := common[:i+1]; b == '-' {
			if n := r.known(p, names); n > most {
				best, most = p, n
			}
		}
	}
	return best
}

func (r *Roster) known(prefix string, names []string) int {
	n := 0
	for _, name := range names {
		if _, ok := r.find(decode(strings.TrimPrefix(name, prefix)).keys); ok {
			n++
		}
	}
	return n
}

// isCheckout looks whether a folder has a .git, of whatever kind, and no further.
func isCheckout(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}
