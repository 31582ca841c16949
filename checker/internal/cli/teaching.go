package cli

import (
	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/render"
)

// teaching are the commands that need solutions, hidden cases or faults. A student's
// copy of the workbook has none of them: `checker handout` writes this file anew,
// and all that only these commands use stays behind.
func teaching(a *app) []*cobra.Command {
	return []*cobra.Command{newSolution(a), newVerify(a), newMutate(a), newHandout(a), newGrade(a), newMerge(a), newExport(a), newSimilarity(a), newBench(a), newTrust(a), newReal(a)}
}

// teachersChecks are what doctor looks at for these commands.
func teachersChecks() []render.Check { return []render.Check{checkServer()} }
