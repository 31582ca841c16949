package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/gotest"
)

func TestDiagnoseKnowsWhatMachinesLack(t *testing.T) {
	tool := func(text string) error { return &gotest.ToolError{Text: text, Err: errors.New("exit status 1")} }
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no go":           {fmt.Errorf("run: %w", exec.ErrNotFound), "no Go toolchain"},
		"old go":          {tool("go: go.mod requires go >= 1.26.0 (running go 1.22.1; GOTOOLCHAIN=local)"), "too old"},
		"very old go":     {tool("go: errors parsing go.mod:\ngo.mod:3: invalid go version '1.26.0': must match format 1.23"), "too old"},
		"no cgo":          {tool("go: -race requires cgo; enable cgo by setting CGO_ENABLED=1"), "cgo"},
		"no C compiler":   {tool(`# runtime/cgo` + "\n" + `cgo: C compiler "gcc" not found: exec: "gcc": executable file not found in $PATH`), "C compiler"},
		"no race":         {tool("-race is only supported on linux/amd64, linux/ppc64le, linux/arm64"), "does not know"},
		"disk full":       {fmt.Errorf("write the overlay: %w", syscall.ENOSPC), "disk is full"},
		"disk full in go": {tool("write /tmp/x: no space left on device"), "disk is full"},
		"read-only":       {tool("open /root/.cache/x: read-only file system"), "read-only"},
		"no permission":   {fmt.Errorf("save progress: %w", fs.ErrPermission), "save progress"},
		"no cache":        {tool("failed to initialize build cache at /x: mkdir /x: permission denied"), "build cache"},
		"no network":      {tool(`Get "https://example.org": dial tcp: lookup example.org: no such host`), "module is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			message, help := diagnose(c.err)
			assert.Contains(t, message, c.want)
			assert.NotEmpty(t, help)
		})
	}
	_, help := diagnose(errors.New("something new"))
	assert.Contains(t, help, "not yours")
}

// TestAFullDisk runs the checker where the temporary directory has no room. It
// needs a small file system of its own, which only root may mount.
func TestAFullDisk(t *testing.T) {
	small := t.TempDir()
	if err := syscall.Mount("tmpfs", small, "tmpfs", 0, "size=64k"); err != nil {
		t.Logf("no small file system here (%v): the words for a full disk are tested above", err)
		return
	}
	defer func() { require.NoError(t, syscall.Unmount(small, 0)) }()
	require.Error(t, os.WriteFile(filepath.Join(small, "fill"), make([]byte, 128<<10), 0o600))
	book := filepath.Join(t.TempDir(), "book")
	require.NoError(t, clone(book))
	t.Chdir(book)
	t.Setenv("TMPDIR", small)
	var out, errs bytes.Buffer
	code := Main([]string{"run", "1", "--case", "no-tasks", "--again"}, Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	assert.Equal(t, exitBroken, code)
	assert.Contains(t, errs.String(), "disk is full")
	assert.NotContains(t, errs.String(), "goroutine ")
	left, err := os.ReadDir(small)
	require.NoError(t, err)
	// A go command that fails does not wait for the C compilers that it has started.
	left = slices.DeleteFunc(left, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "cc") })
	assert.Len(t, left, 1, "the checker left files in the temporary directory")
}
