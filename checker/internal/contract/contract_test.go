package contract

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

func root(t *testing.T) string {
	t.Helper()
	wd, err := os.Getwd()
	require.NoError(t, err)
	return filepath.Join(wd, "..", "..", "..")
}

func TestProblems(t *testing.T) {
	lab, err := catalog.Find("goroutines")
	require.NoError(t, err)
	quoting := func(sentences ...string) []conform.Meta {
		return []conform.Meta{{Name: "a-case", Contract: sentences}}
	}
	for _, c := range []struct {
		cases []conform.Meta
		want  string
	}{
		{quoting(), "stands on no sentence"},
		{quoting("starts before it returns anything and forgets it"), "neither the stub nor labs/kit says"},
		{quoting("Gather runs"), "less than 3 words"},
		{quoting("goroutines that it starts and returns\n their results in the order of the tasks"), ""},
		{quoting("a real *corev1.Pod is a kit.Object too"), ""}, // labs/kit has it
	} {
		lab.Cases = c.cases
		problems, err := Problems(root(t), lab)
		require.NoError(t, err)
		if c.want == "" {
			assert.Empty(t, problems)
			continue
		}
		require.Len(t, problems, 1)
		assert.Contains(t, problems[0], c.want)
	}
}

// TestEachCaseStandsOnTheContract: an assertion that no sentence promises would fail a right
// implementation.
func TestEachCaseStandsOnTheContract(t *testing.T) {
	for _, lab := range catalog.Labs() {
		problems, err := Problems(root(t), lab)
		require.NoError(t, err)
		for _, p := range problems {
			t.Errorf("%s: %s", lab.Dir, p)
		}
	}
}
