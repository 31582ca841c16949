package submission

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// Found is what was found of one lab.
type Found struct {
	Files     map[string][]byte // by base name; empty if nothing was handed in
	Rejection *Rejection        // why Files does not count, or nil
	Submitted time.Time         // zero if nothing tells
}

// candidate is a file that has the name of a lab's file.
type candidate struct {
	dir, base string
	content   []byte
	refused   *Rejection
	mod       time.Time // zero where it tells nothing
}

// harvest is all that was read of one submission.
type harvest struct {
	*meter
	names      map[string]bool
	candidates []candidate
	seen       map[string]string // path of a candidate in lower case → as it was written
	links      []string          // links where a lab might have been
	bytes      int64
}

// Read reads what a student handed in, lab by lab, in the order of Options.Labs. It
// holds the whole of one submission's lab files in memory, and nothing else of it. The
// error is about the machine; what is wrong with the submission is a Rejection.
func (c *Class) Read(h *Handin) ([]Found, error) {
	v := &harvest{
		meter: &meter{Limits: c.options.Limits, temp: c.options.Temp},
		names: wanted(c.options.Labs), seen: map[string]string{},
	}
	found := make([]Found, len(c.options.Labs))
	for _, p := range h.parts {
		err := v.read(p)
		var refused *Rejection
		if errors.As(err, &refused) {
			for i := range found {
				found[i].Rejection = refused
			}
			return found, nil
		}
		if err != nil {
			return nil, err
		}
	}
	for i, lab := range c.options.Labs {
		found[i] = v.lab(lab, len(c.options.Labs) == 1)
		if !h.Known.IsZero() {
			found[i].Submitted = h.Known
		}
	}
	return found, nil
}

// wanted is the names of all files of the labs.
func wanted(labs []catalog.Lab) map[string]bool {
	names := map[string]bool{}
	for _, l := range labs {
		for _, f := range l.Files {
			names[f] = true
		}
	}
	return names
}

func (v *harvest) read(p part) error {
	return p.source.each(v.meter, func(e entry) error {
		_, packed := cutEnding(e.name)
		_, folder := p.source.(dir)
		_, exported := p.source.(zipFolder)
		if packed && (folder || exported) && e.kind == file && !strings.Contains(e.name, "/") {
			label, _ := cutEnding(e.name)
			return inner(v.meter, e, label, func(in entry) error { return v.visit(in, timeOf(p, e.mod)) })
		}
		return v.visit(e, timeOf(p, e.mod))
	})
}

// timeOf is when something was handed in: the time of the archive as the LMS wrote it
// before that of a file, which is the student's own to set. The files of a checkout
// are as old as the clone, which tells nothing.
func timeOf(p part, own time.Time) time.Time {
	switch {
	case p.checkout:
		return time.Time{}
	case !p.mod.IsZero():
		return p.mod.UTC()
	case own.Year() <= 1980:
		return time.Time{}
	}
	return own.UTC()
}

// visit keeps what has a lab file's name.
func (v *harvest) visit(e entry, mod time.Time) error {
	name := path.Clean(e.name)
	dirName, base := path.Split(name)
	dirName = strings.TrimSuffix(dirName, "/")
	if e.kind == irregular && looksLikeLab(base+"/") {
		v.links = append(v.links, name)
	}
	if !v.names[strings.ToLower(base)] || foreign(dirName) {
		return nil
	}
	lower := strings.ToLower(name)
	if before, again := v.seen[lower]; again && e.kind != folder {
		return reject(Duplicate, "%s is there twice (%s).", quote(name), quote(before))
	}
	v.seen[lower] = name
	if !v.names[base] {
		return nil // "Gather.go": the gate will say that gather.go is missing
	}
	c := candidate{dir: dirName, base: base, mod: mod}
	if e.kind != file {
		c.refused = reject(Irregular, "%s is not a regular file.", quote(name))
	} else if err := v.content(&c, e); err != nil {
		return err
	}
	v.candidates = append(v.candidates, c)
	return nil
}

// content reads a candidate. One that is too large is read no further.
func (v *harvest) content(c *candidate, e entry) error {
	r, err := e.open()
	if err != nil {
		return corruptUnlessMachine(err)
	}
	defer r.Close()
	c.content, err = io.ReadAll(io.LimitReader(r, subject.MaxFile+1))
	if err != nil {
		return corruptUnlessMachine(err)
	}
	if len(c.content) > subject.MaxFile {
		c.content, c.refused = nil, reject(Size, "%s is larger than %d KiB.", quote(e.name), subject.MaxFile>>10)
	}
	v.bytes += int64(len(c.content))
	if v.bytes > v.Candidate {
		return reject(Size, "It holds more than %d MiB of files that have the names of lab files.", v.Candidate>>20)
	}
	return nil
}

// foreign are folders in which a file of a lab's name is not the student's answer:
// the reference and the pristine stubs, if a whole clone was handed in.
func foreign(dir string) bool {
	for part := range strings.SplitSeq(dir, "/") {
		if part == "solutions" || part == "checker" || part == "vendor" || strings.HasPrefix(part, ".") && part != "." {
			return true
		}
	}
	return false
}

var numbered = regexp.MustCompile(`^(?:lab|labs|exercise|ex|assignment|homework|hw)?[-_ .]?0*(\d{1,2})(?:[-_ .].*)?$`)

// labOf is the lab that a folder's name means, "" for none.
func labOf(name string) string {
	name = strings.ToLower(name)
	m := numbered.FindStringSubmatch(name)
	for _, l := range catalog.Labs() {
		_, word, _ := strings.Cut(l.Dir, "-")
		if name == l.Dir || name == word || name == l.Package || m != nil && number(m[1]) == l.Number {
			return l.Dir
		}
	}
	return ""
}

// looksLikeLab reports whether a path begins with a folder for labs, or for one of them.
func looksLikeLab(name string) bool {
	first, _, below := strings.Cut(name, "/")
	return below && (strings.EqualFold(first, "labs") || labOf(first) != "")
}

// How sure it is that a folder is a lab's. The surest that a submission has wins.
const (
	exact   = iota // labs/01-goroutines
	named          // 01-goroutines
	nearly         // lab1, goroutines, Lab 01
	unnamed        // any other, where one lab alone is asked for
	never
)

func rank(dir string, lab catalog.Lab, single bool) int {
	parts := strings.Split(dir, "/")
	last := parts[len(parts)-1]
	if last == lab.Dir {
		if len(parts) > 1 && parts[len(parts)-2] == "labs" {
			return exact
		}
		return named
	}
	for i := len(parts) - 1; i >= 0; i-- {
		switch labOf(parts[i]) {
		case "":
		case lab.Dir:
			return nearly
		default:
			return never
		}
	}
	if single {
		return unnamed
	}
	return never
}

// lab picks the folder that is the lab's.
func (v *harvest) lab(lab catalog.Lab, single bool) Found {
	best, byDir := never, map[string][]candidate{}
	for _, c := range v.candidates {
		if !slices.Contains(lab.Files, c.base) {
			continue
		}
		switch r := rank(c.dir, lab, single); {
		case r == never || r > best:
			continue
		case r < best:
			best, byDir = r, map[string][]candidate{}
		}
		byDir[c.dir] = append(byDir[c.dir], c)
	}
	if len(byDir) == 0 {
		return v.nothing()
	}
	return choose(lab, byDir)
}

func (v *harvest) nothing() Found {
	if len(v.links) > 0 {
		return Found{Rejection: reject(Irregular, "%s is a link, and links are never followed.", quote(v.links[0]))}
	}
	return Found{}
}

// choose takes the one folder. An untouched stub beside another version is passed
// over, and of two that are the same either will do.
func choose(lab catalog.Lab, byDir map[string][]candidate) Found {
	dirs := slices.Sorted(maps.Keys(byDir))
	if touched := slices.DeleteFunc(slices.Clone(dirs), func(d string) bool { return pristine(lab, byDir[d]) }); len(touched) > 0 {
		dirs = touched
	}
	found := gather(byDir[dirs[0]])
	for _, d := range dirs[1:] {
		other := gather(byDir[d])
		if !maps.EqualFunc(found.Files, other.Files, bytes.Equal) || other.Rejection != nil {
			found.Rejection = reject(Ambiguous, "Lab %s was handed in twice, and not the same: in %s and in %s.", lab.Dir, quote(dirs[0]), quote(d))
			break
		}
	}
	return found
}

func gather(files []candidate) Found {
	f := Found{Files: map[string][]byte{}}
	for _, c := range files {
		if c.refused != nil {
			f.Rejection = c.refused
		}
		f.Files[c.base] = c.content
		if c.mod.After(f.Submitted) {
			f.Submitted = c.mod
		}
	}
	return f
}

// pristine reports whether files are the lab's stub as it was handed out.
func pristine(lab catalog.Lab, files []candidate) bool {
	for _, c := range files {
		stub, err := lab.Stub(c.base)
		if err != nil || !bytes.Equal(stub, c.content) {
			return false
		}
	}
	return true
}

// corruptUnlessMachine keeps what the file system says apart from what an archive's
// decompressor says.
func corruptUnlessMachine(err error) error {
	var disk *fs.PathError
	if errors.As(err, &disk) {
		return unread(err)
	}
	return corrupt(err)
}
