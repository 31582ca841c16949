package faults

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

// afresh is the variable that has every proof run, whatever is known of earlier ones.
const afresh = "CONTROLLERBOOK_AFRESH"

// TestEveryLab proves of every lab that its solution and its alternatives pass, its stub
// fails and its faults die. It is the longest test of the repository: some hundreds of builds.
func TestEveryLab(t *testing.T) {
	root := repository(t)
	kit := &gotest.Kit{Root: root, Temp: t.TempDir(), Budget: Budget, Planned: true}
	var all []Check
	for _, lab := range suites.All() {
		checks, err := Checks(root, lab)
		require.NoError(t, err)
		mistakes := slices.DeleteFunc(slices.Clone(checks), func(c Check) bool { return c.Fault == "" })
		require.GreaterOrEqual(t, len(lab.Cases), 8, "lab %s has at least eight cases", lab.Dir)
		require.GreaterOrEqual(t, len(mistakes), 8, "lab %s has at least eight faults", lab.Dir)
		all = append(all, checks...)
	}
	var held *Held
	if dir, err := DefaultHeld(); err == nil && os.Getenv(afresh) == "" {
		if held, err = OpenHeld(t.Context(), dir, root, suites.All()); err != nil {
			t.Logf("nothing is remembered: %v", err)
		}
	}
	known := 0
	err := Prove(t.Context(), kit, held, all, func(p Proof) {
		if p.Known {
			known++
			return
		}
		t.Run(p.ID(), func(t *testing.T) { require.NoError(t, p.Err) })
	})
	require.NoError(t, err)
	t.Logf("%d of %d proofs are known from earlier runs; %s=1 runs them again", known, len(all), afresh)
}
