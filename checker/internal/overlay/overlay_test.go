package overlay

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLayout(t *testing.T) {
	layout, err := Set{
		"labs/01-a/a.go":   []byte("package a"),
		"labs/01-a/bad.go": nil,
	}.Layout(filepath.FromSlash("/repo"), filepath.FromSlash("/tmp/x"))
	require.NoError(t, err)
	var doc struct{ Replace map[string]string }
	require.NoError(t, json.Unmarshal(layout.JSON, &doc))
	backing := doc.Replace[filepath.FromSlash("/repo/labs/01-a/a.go")]
	assert.Equal(t, "package a", string(layout.Files[backing]))
	assert.Equal(t, "a.go", filepath.Base(backing), "the go command looks at the ending")
	assert.Equal(t, "labs/01-a/a.go", layout.Names[backing])
	gone, ok := doc.Replace[filepath.FromSlash("/repo/labs/01-a/bad.go")]
	assert.True(t, ok)
	assert.Empty(t, gone, "an empty path takes the file away")
}
