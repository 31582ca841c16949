package report

import (
	"os"
	"path/filepath"
	"testing"

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
