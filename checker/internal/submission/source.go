package submission

import (
	"io"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// Limits bound what one student's submission may make the checker read.
type Limits struct {
	Entries   int   // files and folders
	Depth     int   // folders in folders
	Packed    int64 // bytes of one archive
	Unpacked  int64 // bytes of everything an archive holds, declared or found
	Candidate int64 // bytes of all files that have a lab file's name
	Directory int64 // bytes of a zip's table of contents: it is held in memory
}

// Usual is far above what a course's repository with its history needs.
var Usual = Limits{
	Entries: 50_000, Depth: 32, Packed: 128 << 20, Unpacked: 1 << 30, Candidate: 16 << 20, Directory: 4 << 20,
}

// kind is what an entry is.
type kind int

const (
	file kind = iota
	folder
	irregular // a link, a device, a pipe, a socket
)

// entry is one file or folder of a source.
type entry struct {
	name string // relative, with slashes
	kind kind
	size int64 // as declared: it may be false
	mod  time.Time
	open func() (io.ReadCloser, error) // valid until the visit returns
}

// source is one thing that a student submitted: a folder, an archive or a file.
type source interface {
	// each visits the entries. An error of visit ends the walk and is returned.
	each(m *meter, visit func(entry) error) error
}

// meter counts what the checker has read of one submission.
type meter struct {
	Limits
	temp    string // for archives in archives
	entries int
	bytes   int64
}

// admit counts an entry and rejects a name that no honest tool writes, or that would name
// another file on another system.
func (m *meter) admit(name string) error {
	m.entries++
	if m.entries > m.Entries {
		return reject(Count, "It holds more than %d files.", m.Entries)
	}
	clean := strings.TrimSuffix(name, "/")
	switch {
	case clean == "" || len(clean) > 4096 || strings.ContainsFunc(clean, func(r rune) bool { return r < ' ' }):
		return reject(Path, "An entry has the name %s.", printable.Quote(name))
	case strings.Contains(clean, `\`):
		return reject(Path, `The entry %s has a backslash in its path; write "/" between folders.`, printable.Quote(name))
	case path.IsAbs(clean) || len(clean) > 1 && clean[1] == ':' && clean[0] < utf8.RuneSelf:
		return reject(Path, "The entry %s has an absolute path.", printable.Quote(name))
	case !inside(clean):
		return reject(Path, "The entry %s leaves the archive.", printable.Quote(name))
	case strings.Count(clean, "/") > m.Depth:
		return reject(Depth, "The entry %s is more than %d folders deep.", printable.Quote(name), m.Depth)
	}
	return nil
}

func inside(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return false
		}
	}
	return true
}

// unpack counts bytes that came out of an archive, or that it declares.
func (m *meter) unpack(n int64) error {
	m.bytes += n
	if n < 0 || m.bytes > m.Unpacked {
		return reject(Size, "Unpacked it is larger than %d MiB.", m.Unpacked>>20)
	}
	return nil
}

// ignored reports whether a path belongs to the files and folders that tools leave
// behind. They are never opened and do not count as entries.
func ignored(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		switch part {
		case ".git", "__MACOSX", ".DS_Store", "Thumbs.db", ".idea", ".vscode", "node_modules", ".controllerbook":
			return true
		}
		if strings.HasPrefix(part, "._") {
			return true
		}
	}
	return false
}
