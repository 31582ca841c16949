package sandbox

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALaunchThatCannotBePreparedLeavesNothingOpen(t *testing.T) {
	open := func() int {
		all, err := os.ReadDir("/proc/self/fd")
		require.NoError(t, err)
		return len(all)
	}
	script := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\n"), 0o700))
	before := open()
	for range 10 {
		_, err := Run(t.Context(), Command{Path: script, Isolation: Isolation{Mode: None}, Limits: roomy})
		require.Error(t, err, "a script has no libraries to name")
	}
	assert.Equal(t, before, open())
}
