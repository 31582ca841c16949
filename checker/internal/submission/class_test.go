package submission

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// item1 is a file of a submission under test.
type item1 struct{ name, text string }

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func zipOf(t *testing.T, files ...item1) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: noon})
		require.NoError(t, err)
		_, err = w.Write([]byte(f.text))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func tarOf(t *testing.T, files ...item1) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.text)), ModTime: noon}))
		_, err := w.Write([]byte(f.text))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func gzipOf(t *testing.T, text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// class writes files below a folder, name → text, and opens it.
func class(t *testing.T, files map[string]string, list string, labs ...string) *Class {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "class")
	for name, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		if strings.HasSuffix(name, "/") {
			require.NoError(t, os.MkdirAll(p, 0o755))
			continue
		}
		require.NoError(t, os.WriteFile(p, []byte(text), 0o644))
	}
	return open(t, dir, list, labs...)
}

// lab is a lab of the real book.
func lab(l catalog.Lab) Lab { return Lab{l.Number, l.Dir, l.Package, l.Files, l.Stub} }

func open(t *testing.T, path, list string, labs ...string) *Class {
	t.Helper()
	o := Options{Temp: t.TempDir(), MaxFile: 256 << 10}
	if list != "" {
		r, err := roster.Read(strings.NewReader(list))
		require.NoError(t, err)
		o.Roster = r
	}
	for _, name := range labs {
		l, err := catalog.Find(name)
		require.NoError(t, err)
		o.Labs = append(o.Labs, lab(l))
	}
	if len(labs) == 1 {
		o.Unnamed = o.Labs[0].Dir
	}
	for _, l := range catalog.Labs() {
		o.Book = append(o.Book, lab(l))
	}
	c, err := Open(path, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

// read is the first lab's source of each student, or why there is none.
func read(t *testing.T, c *Class) map[string]string {
	t.Helper()
	got := map[string]string{}
	for _, h := range c.Handins {
		found, err := c.Read(h)
		require.NoError(t, err)
		first := c.options.Labs[0]
		got[h.Student.ID] = string(found[0].Files[first.Files[0]])
		if r := found[0].Rejection; r != nil {
			got[h.Student.ID] = string(r.Kind)
		}
	}
	return got
}

func TestWaysToHandIn(t *testing.T) {
	one := []item1{{"labs/01-goroutines/gather.go", "one"}}
	c := class(t, map[string]string{
		"folder/labs/01-goroutines/gather.go":     "one",
		"folder/.git/config":                      "[core]\n fsmonitor = touch /tmp/ran",
		"named/01-goroutines/gather.go":           "one",
		"nearly/Lab 1/gather.go":                  "one",
		"flat/gather.go":                          "one",
		"deep/my/work/gather.go":                  "one",
		"zip.zip":                                 string(zipOf(t, one...)),
		"top.zip":                                 string(zipOf(t, item1{"top/", ""}, item1{"top/gather.go", "one"}, item1{"__MACOSX/top/._gather.go", "x"}, item1{"top/.DS_Store", ""})),
		"tar.tar":                                 string(tarOf(t, item1{"./", ""}, item1{"./labs/01-goroutines/gather.go", "one"})),
		"tgz.tgz":                                 string(gzipOf(t, tarOf(t, one...))),
		"targz.tar.gz":                            string(gzipOf(t, tarOf(t, one...))),
		"packed/lab.zip":                          string(zipOf(t, item1{"gather.go", "one"})),
		"clone/labs/01-goroutines/gather.go":      "one",
		"clone/checker/x/gather.go":               "two",
		"clone/solutions/01-goroutines/gather.go": "two",
		"twin/a/gather.go":                        "one",
		"twin/b/gather.go":                        "one",
		".DS_Store":                               "",
		"__MACOSX/x":                              "",
		"notes.txt":                               "",
	}, "", "1")
	for id, got := range read(t, c) {
		assert.Equal(t, "one", got, id)
	}
	assert.Len(t, c.Handins, 13)
	assert.Equal(t, []string{`"notes.txt" is neither a folder nor an archive and was passed over.`}, c.Problems)
}

// Lab 22 is read with the labs that it is made of. Where it alone is asked for, its own files need
// no folder of its name; those of the others do.
func TestPartsNeedFolders(t *testing.T) {
	files := map[string]string{"alice/undo.go": "one", "alice/queue.go": "two", "bob/lab10/queue.go": "three"}
	for asked, undo := range map[string]string{"22-control-plane": "one", "": ""} {
		c := class(t, files, "", "10", "22")
		c.options.Unnamed = asked
		alice, err := c.Read(c.Handins[0])
		require.NoError(t, err)
		assert.Empty(t, alice[0].Files)
		assert.Equal(t, undo, string(alice[1].Files["undo.go"]))
		bob, err := c.Read(c.Handins[1])
		require.NoError(t, err)
		assert.Equal(t, "three", string(bob[0].Files["queue.go"]))
		assert.Empty(t, bob[1].Files)
	}
}

func TestManyLabsNeedFolders(t *testing.T) {
	c := class(t, map[string]string{
		"flat/gather.go":     "one",
		"alice/lab1.zip":     string(zipOf(t, item1{"gather.go", "one"})),
		"alice/lab-02.tgz":   string(gzipOf(t, tarOf(t, item1{"x/pool.go", "two"}))),
		"bob/Lab1/gather.go": "one",
	}, "", "1", "2")
	assert.Equal(t, map[string]string{"flat": "", "alice": "one", "bob": "one"}, read(t, c))
	found, err := c.Read(c.Handins[0])
	require.NoError(t, err)
	assert.Equal(t, "two", string(found[1].Files["pool.go"]))
}

func TestAmbiguous(t *testing.T) {
	lab, err := catalog.Find("1")
	require.NoError(t, err)
	stub, err := lab.Stub("gather.go")
	require.NoError(t, err)
	c := class(t, map[string]string{
		"two/a/gather.go":      "one",
		"two/b/gather.go":      "two",
		"stub/new/gather.go":   "one",
		"stub/old/gather.go":   string(stub),
		"fold.zip":             string(zipOf(t, item1{"a/gather.go", "one"}, item1{"A/gather.go", "two"})),
		"again.zip":            string(zipOf(t, item1{"gather.go", "one"}, item1{"gather.go", "two"})),
		"surer/gather.go":      "two",
		"surer/lab1/gather.go": "one",
	}, "", "1")
	assert.Equal(t, map[string]string{"two": "ambiguous", "stub": "one", "fold": "duplicate", "again": "duplicate", "surer": "one"}, read(t, c))
}

func TestMoodle(t *testing.T) {
	files := map[string]string{
		"Jane Doe_123_assignsubmission_file/lab.zip":       string(zipOf(t, item1{"gather.go", "one"})),
		"Jane Doe_123_assignsubmission_onlinetext/x.html":  "hello",
		"Ann O'Neil_124_assignsubmission_file_/gather.go":  "one",
		"Max Müller_125_assignsubmission_file_my work.zip": string(zipOf(t, item1{"gather.go", "one"})),
		"Tim Lee_126_assignsubmission_file_gather.go":      "one",
	}
	c := class(t, files, "", "1")
	assert.Equal(t, map[string]string{"123": "one", "124": "one", "125": "one", "126": "one"}, read(t, c))
	assert.Equal(t, "Jane Doe", c.Handins[0].Student.Name)

	roster := "\ufeffIdentifier,\"Full name\",\"ID number\",Group\nParticipant 123,Jane Doe,u1,A\nParticipant 124,Ann O'Neil,u2,B\nParticipant 999,Not There,u3,B\n"
	c = class(t, files, roster, "1")
	assert.Equal(t, map[string]string{"u1": "one", "u2": "one", "u3": "", "125": "one", "126": "one"}, read(t, c))
	assert.Len(t, c.Problems, 2, "two are not on the roster")
}

func TestOneExport(t *testing.T) {
	var all []item1
	all = append(all,
		item1{"Jane Doe_123_assignsubmission_file/labs/01-goroutines/gather.go", "one"},
		item1{"Jim Roe_124_assignsubmission_file/lab.tgz", string(gzipOf(t, tarOf(t, item1{"gather.go", "one"})))},
		item1{"doejane_LATE_1_2_gather-1.go", "one"},
		item1{"roejim_3_4_gather.go", "old"}, item1{"roejim_3_4_gather-2.go", "one"},
		item1{"poejoe_5_6_lab-1.zip", string(zipOf(t, item1{"gather.go", "one"}))},
		item1{"../evil.zip", "x"})
	path := filepath.Join(t.TempDir(), "export.zip")
	require.NoError(t, os.WriteFile(path, zipOf(t, all...), 0o644))
	c := open(t, path, "", "1")
	assert.Equal(t, map[string]string{"123": "one", "124": "one", "1": "one", "3": "one", "5": "one"}, read(t, c))
	assert.Len(t, c.Problems, 1)
	found, err := c.Read(c.Handins[0])
	require.NoError(t, err)
	assert.True(t, c.Handins[0].Late)
	assert.Equal(t, noon, found[0].Submitted)
}

func TestCanvasNamesMeetTheRoster(t *testing.T) {
	roster := "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n\"Doe, Jane\",77,s-1,jdoe,Mon\n\"Roe, Jim\",78,s-2,jroe,Tue\n"
	c := class(t, map[string]string{"doejane_77_1_gather.go": "one", "roejim_LATE_900_2_gather.go": "one"}, roster, "1")
	assert.Equal(t, map[string]string{"77": "one", "78": "one"}, read(t, c), "by its ID, and by its name to sort by")
	assert.Equal(t, "Mon", c.Handins[0].Student.Group)
	assert.Empty(t, c.Problems)
}

func TestGitHubClassroom(t *testing.T) {
	files := map[string]string{"lab-1-jane-doe/gather.go": "one", "lab-1-jim/gather.go": "one"}
	assert.Equal(t, map[string]string{"lab-1-jane-doe": "one", "lab-1-jim": "one"}, read(t, class(t, files, "", "1")), "nothing says that these are checkouts")
	roster := "identifier,github_username,name\nu1,jane-doe,Jane\nu2,jim,Jim\n"
	assert.Equal(t, map[string]string{"u1": "one", "u2": "one"}, read(t, class(t, files, roster, "1")))
	files["lab-1-jane-doe/.git/HEAD"], files["lab-1-jim/.git"] = "", "gitdir: /etc"
	c := class(t, files, "", "1")
	assert.Equal(t, map[string]string{"jane-doe": "one", "jim": "one"}, read(t, c))
	found, err := c.Read(c.Handins[0])
	require.NoError(t, err)
	assert.Zero(t, found[0].Submitted, "the files of a checkout are as old as the clone")
}

func TestLinksAreNeverFollowed(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "labs")
	require.NoError(t, os.MkdirAll(filepath.Join(secret, "01-goroutines"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(secret, "01-goroutines", "gather.go"), []byte("secret"), 0o644))
	dir := t.TempDir()
	link := func(to string, at ...string) {
		p := filepath.Join(append([]string{dir}, at...)...)
		require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
		require.NoError(t, os.Symlink(to, p))
	}
	link(secret, "labs", "labs")
	link(filepath.Join(secret, "01-goroutines"), "lab", "labs", "01-goroutines")
	link(filepath.Join(secret, "01-goroutines", "gather.go"), "file", "gather.go")
	link(filepath.Dir(secret), "student")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "folder", "gather.go"), 0o755))
	want := map[string]string{"labs": "irregular", "lab": "irregular", "file": "irregular", "student": "irregular", "folder": "irregular"}
	assert.Equal(t, want, read(t, open(t, dir, "", "1")))
}
