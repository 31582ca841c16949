package faults

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/seeded"
	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

// TestEveryLab proves of every lab that its solution and its alternatives pass, its stub
// fails and its faults die. It is the longest test of the repository: some hundreds of builds.
func TestEveryLab(t *testing.T) {
	wd, err := os.Getwd()
	require.NoError(t, err)
	kit := &gotest.Kit{Root: filepath.Join(wd, "..", "..", ".."), Temp: t.TempDir(), Planned: true}
	for _, lab := range suites.All() {
		t.Run(lab.Dir, func(t *testing.T) {
			t.Parallel() // while one lab's plan is recorded, another's subjects are built
			require.GreaterOrEqual(t, len(lab.Cases), 8, "a lab has at least eight cases")
			mistakes, err := seeded.All(kit.Root, lab)
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(mistakes), 8, "a lab has at least eight faults")
			checks, err := Checks(kit.Root, lab)
			require.NoError(t, err)
			for _, c := range checks {
				t.Run(c.Name, func(t *testing.T) {
					t.Parallel()
					_, err := c.Run(t.Context(), kit)
					require.NoError(t, err)
				})
			}
		})
	}
}
