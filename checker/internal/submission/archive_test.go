package submission

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var good = item1{"gather.go", "one"}

func tarWith(t *testing.T, h tar.Header) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	require.NoError(t, w.WriteHeader(&h))
	require.NoError(t, w.Flush())
	require.NoError(t, w.WriteHeader(&tar.Header{Name: "gather.go", Mode: 0o644, Size: 3}))
	_, err := io.WriteString(w, "one")
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func zipMode(t *testing.T, name string, mode fs.FileMode) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: name}
	h.SetMode(mode)
	w, err := z.CreateHeader(h)
	require.NoError(t, err)
	_, err = io.WriteString(w, "/etc/passwd")
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// patch changes the table of contents of a zip: the first entry's field at an offset.
func patch(t *testing.T, z []byte, offset int, value any) []byte {
	at := bytes.Index(z, []byte("PK\x01\x02"))
	require.Positive(t, at)
	var b bytes.Buffer
	require.NoError(t, binary.Write(&b, binary.LittleEndian, value))
	z = bytes.Clone(z)
	copy(z[at+offset:], b.Bytes())
	return z
}

// badArchive is a file that a student sends, and why it is refused.
type badArchive struct {
	file string
	text []byte
	want Kind
}

// refuses reads each archive in a class beside an honest student.
func refuses(t *testing.T, archives map[string]badArchive) {
	for name, c := range archives {
		t.Run(name, func(t *testing.T) {
			class := class(t, map[string]string{c.file: string(c.text), "honest/gather.go": "one"}, "", "1")
			class.options.Limits = Limits{Entries: 200, Depth: 32, Packed: 1 << 20, Unpacked: 2 << 20, Candidate: 1 << 20, Directory: 64 << 10}
			assert.Equal(t, map[string]string{"a": string(c.want), "honest": "one"}, read(t, class))
		})
	}
}

func TestArchivesWithNamesThatLeadAway(t *testing.T) {
	refuses(t, map[string]badArchive{
		"absolute":       {"a.zip", zipOf(t, item1{"/gather.go", ""}, good), Path},
		"drive":          {"a.zip", zipOf(t, item1{"C:/gather.go", ""}, good), Path},
		"parent":         {"a.zip", zipOf(t, item1{"../gather.go", ""}, good), Path},
		"parent inside":  {"a.zip", zipOf(t, item1{"a/../gather.go", ""}, good), Path},
		"backslash":      {"a.zip", zipOf(t, item1{`..\..\evil`, ""}, good), Path},
		"NUL":            {"a.zip", zipOf(t, item1{"a\x00b", ""}, good), Path},
		"tar parent":     {"a.tar", tarOf(t, item1{"../gather.go", ""}, good), Path},
		"tar absolute":   {"a.tar", tarOf(t, item1{"/etc/gather.go", ""}, good), Path},
		"zip link":       {"a.zip", zipMode(t, "gather.go", fs.ModeSymlink|0o777), Irregular},
		"zip link aside": {"a.zip", zipMode(t, "d", fs.ModeSymlink|0o777), Irregular},
		"zip device":     {"a.zip", zipMode(t, "gather.go", fs.ModeDevice|0o777), Irregular},
		"tar link":       {"a.tar", tarWith(t, tar.Header{Name: "d", Typeflag: tar.TypeSymlink, Linkname: "/tmp"}), Irregular},
		"tar hard link":  {"a.tar", tarWith(t, tar.Header{Name: "d", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}), Irregular},
		"tar pipe":       {"a.tar", tarWith(t, tar.Header{Name: "d", Typeflag: tar.TypeFifo}), Irregular},
		"tar device":     {"a.tar", tarWith(t, tar.Header{Name: "d", Typeflag: tar.TypeBlock}), Irregular},
		"twice":          {"a.zip", zipOf(t, good, good), Duplicate},
		"by case":        {"a.zip", zipOf(t, item1{"Gather.go", ""}, good), Duplicate},
	})
}

func TestArchivesThatAreTooLarge(t *testing.T) {
	big := strings.Repeat("x", 1<<20)
	var many []item1
	for range 300 {
		many = append(many, item1{strings.Repeat("d", len(many)) + "x", ""})
	}
	refuses(t, map[string]badArchive{
		"file too large":   {"a.zip", zipOf(t, item1{"gather.go", big}), Size},
		"lying size, vast": {"a.zip", patch(t, zipOf(t, good), 24, uint32(0xfffffffe)), Size},
		"bomb":             {"a.zip", zipOf(t, item1{"bomb", strings.Repeat(big, 3)}, good), Size},
		"gzip bomb":        {"a.tgz", gzipOf(t, tarOf(t, item1{"bomb", strings.Repeat(big, 3)}, good)), Size},
		"too large":        {"a.zip", append(zipOf(t, good), make([]byte, 2<<20)...), Size},
		"many":             {"a.zip", zipOf(t, many...), Count},
		"many in tar":      {"a.tar", tarOf(t, many...), Count},
		"deep":             {"a.zip", zipOf(t, item1{strings.Repeat("d/", 50) + "gather.go", ""}), Depth},
	})
}

// TestOutsideAnArchive: the directory of a zip can name any place, and a file has an error of
// its own for some of them.
func TestOutsideAnArchive(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.zip")
	require.NoError(t, os.WriteFile(name, zipOf(t, good), 0o644))
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	for _, off := range []int64{-1, math.MinInt64, 1 << 40, math.MaxInt64 - 1} {
		_, err := (&limitedReaderAt{r: f, size: 100, left: -1}).ReadAt(make([]byte, 512), off)
		var rejected *Rejection
		require.ErrorAs(t, err, &rejected, "at %d", off)
		require.Equal(t, Corrupt, rejected.Kind)
	}
}

func TestArchivesThatCannotBeRead(t *testing.T) {
	long := strings.Repeat("some text that does not pack so well 1234567890 ", 3)
	zipped := zipOf(t, good)
	directory := bytes.Index(zipped, []byte("PK\x01\x02"))
	end := bytes.Index(zipped, []byte("PK\x05\x06"))
	refuses(t, map[string]badArchive{
		"before it":  {"a.zip", patch(t, zipped, end+16-directory, uint32(directory+10)), Corrupt},
		"lying size": {"a.zip", patch(t, zipOf(t, item1{"gather.go", long}), 24, uint32(3)), Corrupt},
		"cut":        {"a.zip", zipOf(t, good)[:60], Corrupt},
		"cut tar":    {"a.tar", tarOf(t, good)[:600], Corrupt},
		"cut gzip":   {"a.tgz", gzipOf(t, tarOf(t, good))[:50], Corrupt},
		"empty":      {"a.zip", nil, Corrupt},
		"not one":    {"a.zip", []byte("<html>please log in</html>"), Corrupt},
		"encrypted":  {"a.zip", patch(t, zipOf(t, good), 8, uint16(1)), Encrypted},
		"rar":        {"a.rar", []byte("Rar!\x1a\x07\x00"), Format},
	})
}

func TestArchivesInAnArchiveOfAFolderAreBounded(t *testing.T) {
	bomb := gzipOf(t, tarOf(t, item1{"bomb", strings.Repeat("x", 3<<20)}, good))
	class := class(t, map[string]string{"a/one.zip": string(zipOf(t, good)), "b/bomb.tgz": string(bomb)}, "", "1")
	class.options.Limits = Limits{Entries: 200, Depth: 32, Packed: 1 << 20, Unpacked: 2 << 20, Candidate: 1 << 20, Directory: 64 << 10}
	assert.Equal(t, map[string]string{"a": "one", "b": "size"}, read(t, class))
}

func TestStudentsWhoseIDsLookAlikeStayApart(t *testing.T) {
	c := class(t, map[string]string{"a b/gather.go": "one", "a_b/gather.go": "one", "Jim/gather.go": "one", "jim.zip": string(zipOf(t, good))}, "", "1")
	assert.Len(t, read(t, c), 4)
}
