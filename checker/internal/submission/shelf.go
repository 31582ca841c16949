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
)

// shelf is what the submissions lie in: a folder, or an LMS's export in one zip.
type shelf struct {
	items    []item // in the order of their names
	problems []string
	close    func() error
}

// item is one thing on a shelf.
type item struct {
	name     string
	folder   bool
	checkout bool
	mod      time.Time
	tree     func() source             // of a folder
	archive  func(label string) source // of a file
	file     func(name string) source  // of a file that is handed in as it is
}

func openShelf(dir string) (*shelf, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return folderShelf(dir)
	}
	return exportShelf(dir)
}

func folderShelf(dir string) (*shelf, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	s := &shelf{close: func() error { return nil }}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		s.items = append(s.items, diskItem(filepath.Join(dir, e.Name()), info))
	}
	return s, nil
}

func diskItem(name string, info os.FileInfo) item {
	it := item{name: info.Name(), mod: info.ModTime(), folder: info.IsDir()}
	it.tree = func() source { return dir(name) }
	it.archive = func(label string) source { return archive{name, label} }
	it.file = func(as string) source { return loose{name, as} }
	switch kindOf(info.Mode()) {
	case folder:
		it.checkout = isCheckout(name)
	case irregular: // somebody's all the same: the name says whose
		it.folder = true
		it.tree = func() source { return refused{reject(Irregular, "%s is a link or a device.", quote(info.Name()))} }
	}
	return it
}

// exportLimit bounds the table of contents of an export, 64 MiB: half a million files.
const exportLimit = 64 << 20

func exportShelf(name string) (*shelf, error) {
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
	s := &shelf{close: f.Close}
	s.group(z.File, topFolder(z.File))
	return s, nil
}

// topFolder is the one folder that everything is in, if that is not itself a
// student's: a zip of the folder of submissions, made by hand.
func topFolder(files []*zip.File) string {
	top := ""
	for _, f := range files {
		first, rest, below := strings.Cut(f.Name, "/")
		switch {
		case litter(f.Name):
		case !below || top != "" && top != first || moodle.MatchString(first) || rest != "" && strings.HasSuffix(rest, ".go") && !strings.Contains(rest, "/"):
			return ""
		case rest != "" && looksLikeLab(rest):
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

// group makes an item of each name at the top of an export, with all that is below it.
func (s *shelf) group(files []*zip.File, prefix string) {
	below := map[string][]*zip.File{}
	var names []string
	for _, f := range files {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok || name == "" {
			continue
		}
		first, _, inFolder := strings.Cut(name, "/")
		if first == "" || first == ".." || first == "." || strings.Contains(first, `\`) {
			s.problems = append(s.problems, "The export has an entry "+quote(f.Name)+", which was passed over.")
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
		s.items = append(s.items, exportItem(prefix, n, below[n]))
	}
}

func exportItem(prefix, name string, files []*zip.File) item {
	if strings.HasSuffix(name, "/") {
		return item{name: strings.TrimSuffix(name, "/"), folder: true, tree: func() source { return zipFolder{prefix + name, files} }}
	}
	f := files[0]
	it := item{name: name, mod: written(f)}
	it.archive = func(label string) source { return zipped{files, label} }
	it.file = func(as string) source { return zipFile{files, as} }
	return it
}

// written is when an entry was written, or zero where the zip does not say.
func written(f *zip.File) time.Time {
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
	return once(m, z.files, z.files[0].Name, func(e entry) error { return inner(m, e, z.label, visit) })
}

// zipFile is a single file in an export.
type zipFile struct {
	files []*zip.File
	as    string
}

func (z zipFile) each(m *meter, visit func(entry) error) error {
	return once(m, z.files, z.as, visit)
}

func once(m *meter, files []*zip.File, name string, visit func(entry) error) error {
	if len(files) > 1 {
		return reject(Duplicate, "The export has %s twice.", quote(files[0].Name))
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

var _ = []source{dir(""), archive{}, loose{}, zipFolder{}, zipped{}, zipFile{}, refused{}}
