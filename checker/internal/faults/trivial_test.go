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
	"github.com/controllerbook/controllerbook/checker/internal/subject"
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
	for _, c := range []struct {
		files map[string][]byte
		want  string
	}{{l.Solution, "points for nothing, where 0 are allowed: keeps-order"}, {l.Stub, ""}} {
		s, err := subject.Given(kit.Root, lab, c.files)
		require.NoError(t, err)
		if err := earns(t.Context(), kit, s, cases, 0); c.want != "" {
			assert.ErrorContains(t, err, c.want)
		} else {
			assert.NoError(t, err)
		}
	}
}

func TestSampleIsAlwaysTheSame(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e"}
	drawn := sample("01-goroutines", names)
	assert.Len(t, drawn, sampled)
	assert.Equal(t, drawn, sample("01-goroutines", []string{"e", "c", "b", "a", "d"}))
	assert.Equal(t, []string{"a"}, sample("x", []string{"a"}))
}
