package report

import (
	"bytes"
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestShow writes a class to look at: SHOW=dir go test -run TestShow
func TestShow(t *testing.T) {
	dir := os.Getenv("SHOW")
	if dir == "" {
		t.Skip("SHOW names no directory")
	}
	require.NoError(t, WriteClass(filepath.Clean(dir), classOf(1, 40, 5)))
}

// tree is every file below dir.
func tree(t *testing.T, dir string) map[string]string {
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, dir+"/")] = string(text)
		return err
	}))
	return files
}

func TestAClassIsTheSameBytesInAnyOrder(t *testing.T) {
	class := classOf(1, 12, 3)
	a, b := t.TempDir(), t.TempDir()
	require.NoError(t, WriteClass(a, class))
	slices.Reverse(class.Grades)
	require.NoError(t, WriteClass(b, class))
	first, second := tree(t, a), tree(t, b)
	assert.Equal(t, first, second)
	assert.Len(t, first, 2+1+2*12)
	require.NoError(t, WriteClass(a, class))
	assert.Equal(t, first, tree(t, a), "written again, nothing changes")
}

func TestTheGradebookAddsUpToWhatWasGraded(t *testing.T) {
	class := classOf(2, 40, 5)
	var out bytes.Buffer
	require.NoError(t, WriteGradebook(&out, class.All()))
	rows, err := csv.NewReader(&out).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 41)
	want := map[string]int{}
	for _, g := range class.Grades {
		want[g.Student.ID] += g.Points
	}
	for _, row := range rows[1:] {
		sum := 0
		for _, cell := range row[3:8] {
			if cell == "" || cell == notGraded {
				continue
			}
			n, err := strconv.Atoi(cell)
			require.NoError(t, err)
			sum += n
		}
		assert.Equal(t, want[row[0]], sum, row)
		assert.Equal(t, strconv.Itoa(sum), row[8], row)
	}
}

func TestStudentsWhoLeftLeaveNoPage(t *testing.T) {
	dir := t.TempDir()
	class := classOf(1, 3, 1)
	require.NoError(t, WriteClass(dir, class))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "html", "notes.txt"), nil, 0o644))
	class.Grades = slices.DeleteFunc(class.Grades, func(g Grade) bool { return g.Student.ID == "s101" })
	require.NoError(t, WriteClass(dir, class))
	files := tree(t, dir)
	assert.NotContains(t, files, "html/s101.html")
	assert.NotContains(t, files, "feedback/s101.html")
	assert.Contains(t, files, "html/s102.html")
	assert.Contains(t, files, "html/notes.txt", "what is not ours stays")
}

func TestWhatFailsLeavesWhatWas(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, WriteClass(dir, classOf(1, 3, 1)))
	before := tree(t, dir)
	err := WriteGrades(dir, func(yield func(Grade, error) bool) { yield(Grade{}, os.ErrClosed) })
	require.ErrorIs(t, err, os.ErrClosed)
	assert.Equal(t, before, tree(t, dir))
}

func TestGradesOfAStudentStandTogether(t *testing.T) {
	a, b := ada(), with(func(g *Grade) { g.Student.ID = "s101" })
	err := WriteGradebook(&bytes.Buffer{}, func(yield func(Grade, error) bool) {
		_ = yield(a, nil) && yield(b, nil) && yield(a, nil)
	})
	assert.ErrorContains(t, err, `"s100" do not stand together`)
}

func TestReadResults(t *testing.T) {
	dir := t.TempDir()
	class := classOf(1, 3, 2)
	for _, g := range class.Grades {
		at := filepath.Join(dir, "results", g.Student.ID)
		require.NoError(t, os.MkdirAll(at, 0o755))
		var text bytes.Buffer
		require.NoError(t, g.WriteJSON(&text))
		require.NoError(t, os.WriteFile(filepath.Join(at, g.Lab+".json"), text.Bytes(), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(at, "."+g.Lab+".json.tmp"), []byte("half"), 0o644))
	}
	var read Class
	for g, err := range ReadResults(dir) {
		require.NoError(t, err)
		read.Grades = append(read.Grades, g)
	}
	a, b := t.TempDir(), t.TempDir()
	require.NoError(t, WriteClass(a, class))
	require.NoError(t, WriteClass(b, &read))
	assert.Equal(t, tree(t, a), tree(t, b))

	for _, err := range ReadResults(t.TempDir()) {
		assert.ErrorIs(t, err, fs.ErrNotExist)
	}
}

func TestFileNames(t *testing.T) {
	names := map[string]string{}
	for id, want := range map[string]string{
		"s100": "s100", "ada@example.org": "ada@example.org", "../../etc/passwd": "=2e.=2f..=2fetc=2fpasswd",
		"index": "=69ndex", ".hidden": "=2ehidden", "Ada Lee": "Ada=20Lee", "a/b": "a=2fb", "a=2fb": "a=3d2fb", "ü": "=c3=bc",
	} {
		got := fileName(id)
		assert.Equal(t, want, got)
		assert.NotContains(t, got, "/")
		assert.Empty(t, names[got])
		names[got] = id
	}
	long := strings.Repeat("x", 300)
	assert.Less(t, len(fileName(long)), 110)
	assert.NotEqual(t, fileName(long), fileName(long+"y"))
	assert.NotEmpty(t, fileName(""))
}

func FuzzCellText(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		g := with(func(g *Grade) { g.Student.Name = text })
		if err := WriteGradebook(&out, seq(g)); err != nil {
			t.Fatal(err)
		}
		if !soundCSV(t, out.String()) {
			t.Errorf("%q", text)
		}
	})
}
