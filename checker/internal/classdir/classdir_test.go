package classdir

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
)

// TestShow writes a class to look at: SHOW=dir go test -run TestShow
func TestShow(t *testing.T) {
	dir := os.Getenv("SHOW")
	if dir == "" {
		t.Skip("SHOW names no directory")
	}
	require.NoError(t, Write(filepath.Clean(dir), resulttest.NewClass(1, 40, 5).All(), resulttest.Book()))
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
	class := resulttest.NewClass(1, 12, 3)
	a, b := t.TempDir(), t.TempDir()
	require.NoError(t, Write(a, class.All(), resulttest.Book()))
	slices.Reverse(class.Grades)
	require.NoError(t, Write(b, class.All(), resulttest.Book()))
	first, second := tree(t, a), tree(t, b)
	assert.Equal(t, first, second)
	assert.Len(t, first, 2+1+2*12)
	require.NoError(t, Write(a, class.All(), resulttest.Book()))
	assert.Equal(t, first, tree(t, a), "written again, nothing changes")
}

func TestStudentsWhoLeftLeaveNoPage(t *testing.T) {
	dir := t.TempDir()
	class := resulttest.NewClass(1, 3, 1)
	require.NoError(t, Write(dir, class.All(), resulttest.Book()))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "html", "notes.txt"), nil, 0o644))
	class.Grades = slices.DeleteFunc(class.Grades, func(g result.Grade) bool { return g.Student.ID == "s101" })
	require.NoError(t, Write(dir, class.All(), resulttest.Book()))
	files := tree(t, dir)
	assert.NotContains(t, files, "html/s101.html")
	assert.NotContains(t, files, "feedback/s101.html")
	assert.Contains(t, files, "html/s102.html")
	assert.Contains(t, files, "html/notes.txt", "what is not ours stays")
}

func TestWhatFailsLeavesWhatWas(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Write(dir, resulttest.NewClass(1, 3, 1).All(), resulttest.Book()))
	before := tree(t, dir)
	err := Write(dir, func(yield func(result.Grade, error) bool) { yield(result.Grade{}, os.ErrClosed) }, resulttest.Book())
	require.ErrorIs(t, err, os.ErrClosed)
	assert.Equal(t, before, tree(t, dir))
}

func TestReadDir(t *testing.T) {
	dir := t.TempDir()
	class := resulttest.NewClass(1, 3, 2)
	for _, g := range class.Grades {
		at := filepath.Join(dir, "results", g.Student.ID)
		require.NoError(t, os.MkdirAll(at, 0o755))
		var text bytes.Buffer
		require.NoError(t, g.WriteJSON(&text))
		require.NoError(t, os.WriteFile(filepath.Join(at, g.Lab+".json"), text.Bytes(), 0o644))
		require.NoError(t, os.WriteFile(filepath.Join(at, "."+g.Lab+".json.tmp"), []byte("half"), 0o644))
	}
	var read resulttest.Class
	for g, err := range result.ReadDir(dir) {
		require.NoError(t, err)
		read.Grades = append(read.Grades, g)
	}
	a, b := t.TempDir(), t.TempDir()
	require.NoError(t, Write(a, class.All(), resulttest.Book()))
	require.NoError(t, Write(b, read.All(), resulttest.Book()))
	assert.Equal(t, tree(t, a), tree(t, b))

	for _, err := range result.ReadDir(t.TempDir()) {
		assert.ErrorIs(t, err, fs.ErrNotExist)
	}
}
