package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/pack"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// benchOptions are the flags of bench.
type benchOptions struct {
	pack    string
	items   []string
	runs    int
	seed    uint64
	json    bool
	explain bool
}

func newBench(a *app) *cobra.Command {
	var o benchOptions
	cmd := &cobra.Command{
		Use:   "bench --pack DIR",
		Short: "for authors: measure what the checker finds, and what it blames wrongly",
		Long: `bench puts the programs of a pack through the engine that labs go through: the same
build, preemption, copies, watchdog, leak profile and verdicts. It counts, class by
class, the mistakes that are found and the right programs that are blamed, for one
run and for all runs together. checker/pack is a pack, and its README the format.

A pack's programs are run as they are, unconfined: look at a pack before you run it.

Exit codes: 0 no right program was blamed, however many mistakes were missed · 1 some
right program was · 2 the pack cannot be used · 3 the checker or the machine failed`,
		Example: "  checker bench --pack checker/pack\n  checker bench --pack checker/pack --item lost-unlock --runs 1 --explain",
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.bench(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.pack, "pack", "", "the directory of the pack")
	f.StringSliceVar(&o.items, "item", nil, "only this item (may be given again)")
	f.IntVar(&o.runs, "runs", 10, "run each program so often")
	f.Uint64Var(&o.seed, "seed", 1, "the seed of the first run")
	f.BoolVar(&o.json, "json", false, "print JSON and nothing else")
	f.BoolVar(&o.explain, "explain", false, "explain the first failed run of each program, as a learner would read it")
	return cmd
}

func (a *app) bench(ctx context.Context, o benchOptions) error {
	if o.pack == "" || o.runs < 1 {
		return usageError{errors.New("bench needs --pack DIR, and --runs of 1 or more")}
	}
	p, err := pack.Load(o.pack)
	if err != nil {
		return usageError{err}
	}
	if err := onlyItems(p, o.items); err != nil {
		return usageError{err}
	}
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	defer closeAll()
	order := pack.Order{Runs: o.runs, Seed: o.seed}
	done, all := 0, p.Programs()
	progress := a.screen(a.Err)
	order.Done = func(r pack.Run) {
		done++
		progress.Progress(done, all, r.Name())
	}
	runs, err := pack.Bench(ctx, w.Kit, p, order)
	if err != nil {
		return err
	}
	report := pack.NewReport(p, runtime.Version(), order, runs)
	if err := a.writeBench(report, runs, o); err != nil {
		return err
	}
	switch {
	case len(report.Broken) > 0:
		return usageError{fmt.Errorf("%d programs of the pack do not compile", len(report.Broken))}
	case report.Total.FalseEver > 0:
		return errFailed
	case report.Total.Undecided > 0:
		return errBroken
	}
	return nil
}

func (a *app) writeBench(report *pack.Report, runs []pack.Run, o benchOptions) error {
	if o.json {
		return report.WriteJSON(a.Out)
	}
	screen := a.screen(a.Out)
	for _, r := range runs {
		for i, result := range r.Results {
			if o.explain && result.Verdict != verdict.Pass {
				e := explain.Case(pack.Case(result.Case), result)
				e.Again = fmt.Sprintf("checker bench --pack %s --item %s --runs 1 --seed %d --explain", o.pack, r.Item.ID, o.seed+uint64(i))
				screen.Note(r.Name())
				screen.CaseDetail(e)
				break
			}
		}
	}
	return report.WriteText(a.Out)
}

// onlyItems leaves the items that are named, or all where none is.
func onlyItems(p *pack.Pack, names []string) error {
	if len(names) == 0 {
		return nil
	}
	for _, name := range names {
		if !slices.ContainsFunc(p.Items, func(i pack.Item) bool { return i.ID == name }) {
			return fmt.Errorf("the pack has no item %q", name)
		}
	}
	p.Items = slices.DeleteFunc(p.Items, func(i pack.Item) bool { return !slices.Contains(names, i.ID) })
	return nil
}
