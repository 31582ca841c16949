package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/classdir"
	"github.com/controllerbook/controllerbook/checker/internal/grade"
	"github.com/controllerbook/controllerbook/checker/internal/result"
)

func newMerge(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "merge OUT DIR…",
		Short: "for teachers: join the results of shards",
		Long: `merge joins the results that grade --shard wrote to each DIR in OUT, where there
may be some already, and writes the gradebook and the pages anew. Results that were
not made of the same submission with the same tests, toolchain and options do not
fit together: then nothing is written.`,
		Example: "  checker merge results shard-1 shard-2 shard-3",
		Args:    cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			n, err := grade.Merge(args[0], args[1:])
			if err != nil {
				return err
			}
			if err := classdir.Write(args[0], result.ReadDir(args[0]), book()); err != nil {
				return err
			}
			a.screen(a.Out).Good(fmt.Sprintf("%d results in %s", n, args[0]))
			return nil
		},
	}
}
