package faults

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/trivial"
)

// TestEarns puts code that does something to a check that is for what does nothing.
func TestEarns(t *testing.T) {
	wd, err := os.Getwd()
	require.NoError(t, err)
	kit := &gotest.Kit{Root: filepath.Join(wd, "..", "..", ".."), Temp: t.TempDir()}
	lab, err := catalog.Find("01-goroutines")
	require.NoError(t, err)
	l, err := trivialLab(kit.Root, lab)
	require.NoError(t, err)
	c, err := lab.Case("keeps-order")
	require.NoError(t, err)
	cases := []conform.Meta{c}
	err = earns(t.Context(), kit, lab, trivial.Program{Name: "all of it", Files: l.Solution}, cases, 0)
	require.ErrorContains(t, err, "points for nothing, where 0 are allowed: keeps-order")
	require.NoError(t, earns(t.Context(), kit, lab, trivial.Program{Name: "the stub", Files: l.Stub}, cases, 0))
}

func TestSampleIsAlwaysTheSame(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	drawn := sample("01-goroutines", names)
	assert.Len(t, drawn, sampled)
	assert.Equal(t, drawn, sample("01-goroutines", []string{"e", "c", "b", "a", "d"}))
	assert.Equal(t, []string{"a"}, sample("x", []string{"a"}))
}
