package submission

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// Found is what a submission holds of one lab.
type Found struct {
	Files     map[string][]byte // by base name; empty if nothing was submitted
	Rejection *Rejection        // why Files does not count, or nil
	Submitted time.Time         // zero if unknown
}

// candidate is a file that has the name of a lab's file.
type candidate struct {
	dir, base string
	content   []byte
	refused   *Rejection
	mod       time.Time // zero if unknown
}

// collector reads one submission and keeps the files that have a lab file's name.
type collector struct {
	*meter
	options    Options
	names      map[string]bool // of all files of the labs
	candidates []candidate
	seen       map[string]string // path of a candidate in lower case → as it was written
	links      []string          // links where a lab might have been
	bytes      int64
}

// Read reads what a student submitted, lab by lab, in the order of Options.Labs. It
// holds only the lab files of this one submission in memory. An error is about the
// machine; what is wrong with the submission is a Rejection.
func (c *Class) Read(h *Handin) ([]Found, error) {
	v := &collector{
		meter: &meter{Limits: c.options.Limits, temp: c.options.Temp}, options: c.options,
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
		found[i] = v.lab(lab)
		if !h.Submitted.IsZero() {
			found[i].Submitted = h.Submitted
		}
	}
	return found, nil
}

// wanted returns the names of all files of the labs.
func wanted(labs []Lab) map[string]bool {
	names := map[string]bool{}
	for _, l := range labs {
		for _, f := range l.Files {
			names[f] = true
		}
	}
	return names
}

func (v *collector) read(p part) error {
	return p.source.each(v.meter, func(e entry) error {
		_, packed := cutEnding(e.name)
		_, folder := p.source.(dir)
		_, exported := p.source.(zipFolder)
		if packed && (folder || exported) && e.kind == file && !strings.Contains(e.name, "/") {
			label, _ := cutEnding(e.name)
			return unpackInner(v.meter, e, label, func(in entry) error { return v.visit(in, timeOf(p, e.mod)) })
		}
		return v.visit(e, timeOf(p, e.mod))
	})
}

// timeOf returns when something was submitted. The time of the archive as the LMS wrote
// it comes before that of a file, which the student can set. The files of a checkout are
// as old as the clone, so their time is unknown.
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
func (v *collector) visit(e entry, mod time.Time) error {
	name := path.Clean(e.name)
	dirName, base := path.Split(name)
	dirName = strings.TrimSuffix(dirName, "/")
	if e.kind == irregular && looksLikeLab(v.options.Book, base+"/") {
		v.links = append(v.links, name)
	}
	if !v.names[strings.ToLower(base)] || foreign(dirName) {
		return nil
	}
	lower := strings.ToLower(name)
	if before, again := v.seen[lower]; again && e.kind != folder {
		return reject(Duplicate, "%s is there twice (%s).", printable.Quote(name), printable.Quote(before))
	}
	v.seen[lower] = name
	if !v.names[base] {
		return nil // "Gather.go": the gate will say that gather.go is missing
	}
	c := candidate{dir: dirName, base: base, mod: mod}
	if e.kind != file {
		c.refused = reject(Irregular, "%s is not a regular file.", printable.Quote(name))
	} else if err := v.content(&c, e); err != nil {
		return err
	}
	v.candidates = append(v.candidates, c)
	return nil
}

// content reads a candidate, and rejects one that is too large.
func (v *collector) content(c *candidate, e entry) error {
	r, err := e.open()
	if err != nil {
		return corruptUnlessMachine(err)
	}
	defer r.Close()
	c.content, err = io.ReadAll(io.LimitReader(r, int64(v.options.MaxFile)+1))
	if err != nil {
		return corruptUnlessMachine(err)
	}
	if len(c.content) > v.options.MaxFile {
		c.content, c.refused = nil, reject(Size, "%s is larger than %d KiB.", printable.Quote(e.name), v.options.MaxFile>>10)
	}
	v.bytes += int64(len(c.content))
	if v.bytes > v.Candidate {
		return reject(Size, "It holds more than %d MiB of files that have the names of lab files.", v.Candidate>>20)
	}
	return nil
}

// foreign reports whether a file with a lab file's name in this folder is not the
// student's answer: in a clone of the whole book, the reference and the stubs.
func foreign(dir string) bool {
	for part := range strings.SplitSeq(dir, "/") {
		if part == "solutions" || part == "checker" || part == "vendor" || strings.HasPrefix(part, ".") && part != "." {
			return true
		}
	}
	return false
}

// lab returns what the folder holds that is most surely the lab's.
func (v *collector) lab(lab Lab) Found {
	best, byDir := never, map[string][]candidate{}
	for _, c := range v.candidates {
		if !slices.Contains(lab.Files, c.base) {
			continue
		}
		switch r := rank(v.options.Book, c.dir, lab, lab.Dir == v.options.Unnamed); {
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

func (v *collector) nothing() Found {
	if len(v.links) > 0 {
		return Found{Rejection: reject(Irregular, "%s is a link, and links are never followed.", printable.Quote(v.links[0]))}
	}
	return Found{}
}

// choose takes the one folder. It ignores an untouched stub beside another version, and
// takes either of two folders that hold the same. Two that differ are ambiguous.
func choose(lab Lab, byDir map[string][]candidate) Found {
	dirs := slices.Sorted(maps.Keys(byDir))
	if touched := slices.DeleteFunc(slices.Clone(dirs), func(d string) bool { return pristine(lab, byDir[d]) }); len(touched) > 0 {
		dirs = touched
	}
	found := gather(byDir[dirs[0]])
	for _, d := range dirs[1:] {
		other := gather(byDir[d])
		if !maps.EqualFunc(found.Files, other.Files, bytes.Equal) || other.Rejection != nil {
			found.Rejection = reject(Ambiguous, "Lab %s was handed in twice, and not the same: in %s and in %s.", lab.Dir, printable.Quote(dirs[0]), printable.Quote(d))
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

// pristine reports whether files are the lab's untouched stub.
func pristine(lab Lab, files []candidate) bool {
	for _, c := range files {
		stub, err := lab.Stub(c.base)
		if err != nil || !bytes.Equal(stub, c.content) {
			return false
		}
	}
	return true
}

// corruptUnlessMachine tells an error of the file system from one of an archive's
// decompressor.
func corruptUnlessMachine(err error) error {
	var disk *fs.PathError
	if errors.As(err, &disk) {
		return unread(err)
	}
	return corrupt(err)
}
