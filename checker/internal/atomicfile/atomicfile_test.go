package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func read(t *testing.T, path string) string {
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(got)
}

func modeAt(t *testing.T, path string) fs.FileMode {
	info, err := os.Stat(path)
	require.NoError(t, err)
	return info.Mode().Perm()
}

// names is what the directory holds.
func names(t *testing.T, dir string) []string {
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestWriteReplacesTheWholeFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	require.NoError(t, Write(path, text("first and longer")))
	assert.Equal(t, fs.FileMode(0o644), modeAt(t, path))
	require.NoError(t, WriteBytes(path, []byte("second")))
	assert.Equal(t, "second", read(t, path))
	assert.Equal(t, []string{"a.json"}, names(t, dir))
}

func TestWriteKeepsPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, Write(path, text("x")))
	assert.Equal(t, fs.FileMode(0o600), modeAt(t, path))
}

func TestWriteThatFailsLeavesWhatWas(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, Write(path, text("old")))
	broken := errors.New("broken")
	err := Write(path, func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return broken
	})
	require.ErrorIs(t, err, broken)
	assert.ErrorContains(t, err, path)
	assert.Equal(t, "old", read(t, path))
	assert.Equal(t, []string{"a"}, names(t, dir))
	require.ErrorIs(t, Write(filepath.Join(dir, "no", "a"), text("x")), fs.ErrNotExist)
}

func TestWriteReplacesNothingButFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	require.ErrorIs(t, Write(filepath.Join(dir, "folder"), text("x")), ErrNotRegular)

	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o644))
	require.NoError(t, os.Symlink(target, link))
	require.NoError(t, Write(link, text("new")))
	assert.Equal(t, "old", read(t, target))
	assert.Equal(t, "new", read(t, link))
}

func TestRemoveLeftovers(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	for _, name := range []string{".a.json.123", ".b.json.123", "a.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	RemoveLeftovers(path)
	assert.Equal(t, []string{".b.json.123", "a.json"}, names(t, dir))
}
