package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/timeline"
)

func newTrace(a *app) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "trace [LAB]",
		Short: "see your code at work: the timeline of cases that pass, too",
		Long: `trace grades your code with each case in a process of its own, and writes one HTML page
with the timeline of every case: who called what, in what order and when, and what came back.
In labs of many parts the lanes are in the order in which an event flows through them. The page
can be stepped through and played.

--timeline draws it in the terminal instead. Exit codes are those of run.`,
		Example: "  checker trace 16\n  checker trace 10 --case keeps-order --timeline",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.trace(cmd.Context(), args, o)
		},
	}
	o.flags(cmd, "LAB-trace.html")
	cmd.Flags().BoolVar(&o.timeline, "timeline", false, "draw it in the terminal")
	return cmd
}

func (a *app) trace(ctx context.Context, args []string, o reportOptions) error {
	j, err := a.judged(ctx, args, o, true)
	if err != nil {
		return err
	}
	defer j.close()
	if o.timeline {
		j.draw()
		return answer(j.total)
	}
	if err := j.write(o, "-trace.html", fmt.Sprintf("Trace of lab %d", j.lab.Number)); err != nil {
		return err
	}
	return answer(j.total)
}

// tracedEvents is how many events of a case are drawn in a terminal. There are more of them
// than of a failure, whose cause is near its end: here somebody wants to see it all.
const tracedEvents = 100

// draw writes the timelines to the screen.
func (j *judged) draw() {
	screen := j.a.screen(j.a.Out)
	for _, r := range j.Results {
		screen.CaseTimeline(r.Case, timeline.New(r.History, tracedEvents))
	}
}
