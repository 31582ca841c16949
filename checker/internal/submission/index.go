package submission

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// index lists the top of the submissions: of a folder, or of an LMS's export in one zip.
type index struct {
	items    []item // in the order of their names
	problems []string
	close    func() error
}

// item is one entry of an index: a file or a folder.
type item struct {
	name     string
	folder   bool
	checkout bool
	mod      time.Time
	tree     func() source             // of a folder
	archive  func(label string) source // of a file
	file     func(name string) source  // of a file that was submitted as it is
}

func openIndex(dir string, book []Lab) (*index, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return folderIndex(dir)
	}
	return exportIndex(dir, book)
}

func folderIndex(dir string) (*index, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	x := &index{close: func() error { return nil }}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		x.items = append(x.items, diskItem(filepath.Join(dir, e.Name()), info))
	}
	return x, nil
}

func diskItem(name string, info os.FileInfo) item {
	it := item{name: info.Name(), mod: info.ModTime(), folder: info.IsDir()}
	it.tree = func() source { return dir(name) }
	it.archive = func(label string) source { return archive{name, label} }
	it.file = func(as string) source { return singleFile{name, as} }
	switch kindOf(info.Mode()) {
	case folder:
		it.checkout = isCheckout(name)
	case irregular: // its name still says whose it is
		it.folder = true
		it.tree = func() source {
			return refused{reject(Irregular, "%s is a link or a device.", printable.Quote(info.Name()))}
		}
	}
	return it
}

// exportLimit bounds the table of contents of an export, 64 MiB: half a million files.
const exportLimit = 64 << 20

func exportIndex(name string, book []Lab) (*index, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	z, err := tableOfContents(f, info.Size(), exportLimit)
	if err != nil {
		f.Close()
		return nil, err
	}
	x := &index{close: f.Close}
	x.group(z.File, topFolder(z.File, book))
	return x, nil
}

// topFolder returns the one folder that holds everything, with a slash at its end, or ""
// where there is none or where it is a student's own. Somebody has then made a zip of the
// folder of submissions by hand.
func topFolder(files []*zip.File, book []Lab) string {
	top := ""
	for _, f := range files {
		first, rest, below := strings.Cut(f.Name, "/")
		switch {
		case ignored(f.Name):
		case !below || top != "" && top != first || moodle.MatchString(first) || rest != "" && strings.HasSuffix(rest, ".go") && !strings.Contains(rest, "/"):
			return ""
		case rest != "" && looksLikeLab(book, rest):
			return ""
		default:
			top = first
		}
	}
	if top == "" {
		return ""
	}
	return top + "/"
}

// group makes an item of each name at the top of an export, with everything below it.
func (x *index) group(files []*zip.File, prefix string) {
	below := map[string][]*zip.File{}
	var names []string
	for _, f := range files {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok || name == "" {
			continue
		}
		first, _, inFolder := strings.Cut(name, "/")
		if first == "" || first == ".." || first == "." || strings.Contains(first, `\`) {
			x.problems = append(x.problems, "The export has an entry "+printable.Quote(f.Name)+", which was passed over.")
			continue
		}
		if inFolder {
			first += "/"
		}
		if below[first] == nil {
			names = append(names, first)
		}
		below[first] = append(below[first], f)
	}
	slices.Sort(names)
	for _, n := range names {
		x.items = append(x.items, exportItem(prefix, n, below[n]))
	}
}

func exportItem(prefix, name string, files []*zip.File) item {
	if strings.HasSuffix(name, "/") {
		return item{name: strings.TrimSuffix(name, "/"), folder: true, tree: func() source { return zipFolder{prefix + name, files} }}
	}
	f := files[0]
	it := item{name: name, mod: modified(f)}
	it.archive = func(label string) source { return zipped{files, label} }
	it.file = func(as string) source { return zipFile{files, as} }
	return it
}

// modified returns when an entry was last written, or zero if the zip does not say.
func modified(f *zip.File) time.Time {
	if f.Modified.Year() <= 1980 {
		return time.Time{}
	}
	return f.Modified.UTC()
}

// zipFolder is a folder in an export.
type zipFolder struct {
	prefix string
	files  []*zip.File
}

func (z zipFolder) each(m *meter, visit func(entry) error) error {
	for _, f := range z.files {
		name := strings.TrimPrefix(f.Name, z.prefix)
		if name == "" {
			continue
		}
		if err := zipEntry(m, f, name, visit); err != nil {
			return err
		}
	}
	return nil
}

// zipped is an archive in an export.
type zipped struct {
	files []*zip.File // more than one if the name is there again
	label string
}

func (z zipped) each(m *meter, visit func(entry) error) error {
	return single(m, z.files, z.files[0].Name, func(e entry) error { return unpackInner(m, e, z.label, visit) })
}

// zipFile is a single file in an export.
type zipFile struct {
	files []*zip.File
	as    string
}

func (z zipFile) each(m *meter, visit func(entry) error) error {
	return single(m, z.files, z.as, visit)
}

// single visits the one entry of a name. A name that is there twice is a Rejection.
func single(m *meter, files []*zip.File, name string, visit func(entry) error) error {
	if len(files) > 1 {
		return reject(Duplicate, "The export has %s twice.", printable.Quote(files[0].Name))
	}
	return zipEntry(m, files[0], name, visit)
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}

var _ = []source{dir(""), archive{}, singleFile{}, zipFolder{}, zipped{}, zipFile{}, refused{}}
