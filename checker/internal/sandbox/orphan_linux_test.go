package sandbox

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func init() {
	// A checker that runs something endless, confined.
	acts["checker"] = func() int {
		i, err := Choose(context.Background(), os.Args[1])
		if err != nil {
			return 1
		}
		program, _ := os.Executable()
		_, _ = Run(context.Background(), Command{
			Path: program, Args: []string{os.Args[2]}, Dir: os.TempDir(), Env: []string{"SANDBOX_TEST_ACT=sleep"},
			Isolation: i, Limits: roomyBox,
		})
		return 0
	}
}

// TestNothingOutlivesAKilledChecker kills a checker as nobody can prepare for.
func TestNothingOutlivesAKilledChecker(t *testing.T) {
	everyMode(t, allModes, func(t *testing.T, i Isolation) {
		mark := "orphan-" + strconv.FormatInt(time.Now().UnixNano(), 36)
		checker := exec.Command(os.Args[0], string(i.Mode), mark)
		checker.Env = append(os.Environ(), "SANDBOX_TEST_ACT=checker")
		require.NoError(t, checker.Start())
		isLast := func(args []byte) bool { return bytes.HasSuffix(args, []byte("\x00"+mark+"\x00")) }
		both := func() bool { return len(commands(t, isLast)) == 2 }
		require.Eventually(t, both, 30*time.Second, 10*time.Millisecond, "the process under test did not start")
		require.NoError(t, checker.Process.Kill())
		_ = checker.Wait()
		gone := func() bool { return len(commands(t, isLast)) == 0 }
		assert.Eventually(t, gone, 30*time.Second, 10*time.Millisecond, "a process outlived its checker")
	})
}

// commands are the processes whose command line is wanted.
func commands(t *testing.T, want func(args []byte) bool) []string {
	t.Helper()
	names, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	var all []string
	for _, name := range names {
		if args, err := os.ReadFile(name); err == nil && want(args) {
			all = append(all, name)
		}
	}
	return all
}
