package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/cachedir"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/faults"
	"github.com/controllerbook/controllerbook/checker/internal/render"
)

// mutateOptions are the flags of mutate.
type mutateOptions struct {
	sample int
	seed   uint64
	json   bool
}

func newMutate(a *app) *cobra.Command {
	var o mutateOptions
	cmd := &cobra.Command{
		Use:   "mutate [LAB[/NAME]…]",
		Short: "for authors: what do the hidden tests not notice?",
		Long: `mutate changes the solution of each LAB, or of all, and its alternatives, by one small
mistake at a time: a lock that is gone, a defer that is none, a boundary that is off by
one. A mutant dies when a case does not pass. NAME is "solution" or the name of an
alternative. Code that the stub gives is left alone, and what does not compile does
not count.

Those that survive are shown, each with an ID. Either the suite has a hole, or the mutant
is right: then checker/mutants has it, with the reason. An entry there that is killed, or
that no mutant has, is an error. What is on the list has to survive one round of all
cases, what is not five. A mutant with which the suite fails itself, as when it panics in
a line of its own, is shown and counted as a survivor.

What became of a mutant is remembered until it, the suite or the toolchain changes. A run
that is stopped goes on where it was.

Exit codes: 0 every mutant is killed or listed · 1 one is not, or a list is wrong ·
2 bad usage · 3 the checker or the machine failed · 130 interrupted`,
		Example: "  checker mutate 7\n  checker mutate 7/solution\n  checker mutate --sample 10",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.sample < 0 {
				return usageError{fmt.Errorf("--sample is a number of mutants, not %d", o.sample)}
			}
			if !cmd.Flags().Changed("seed") {
				o.seed = rand.Uint64N(1_000_000)
			}
			return a.mutate(cmd.Context(), args, o)
		},
	}
	cmd.Flags().IntVar(&o.sample, "sample", 0, "run only so many mutants of each solution and alternative, picked at random")
	cmd.Flags().Uint64Var(&o.seed, "seed", 0, "pick the sample of an earlier run again")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the counts as JSON; survivors go to standard error")
	return cmd
}

// hunted is a lab whose mutants are looked for.
type hunted struct {
	catalog.Lab
	sources     []*faults.Mutated
	equivalents []faults.Equivalent
	quarries    []*faults.Quarry
}

func (a *app) mutate(ctx context.Context, args []string, o mutateOptions) error {
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	defer closeAll()
	w.Kit.Budget = faults.Budget
	labs, err := huntedLabs(ctx, w.Root, args)
	if err != nil {
		return err
	}
	report := a.screen(a.Out)
	if o.json {
		report = a.screen(a.Err)
	}
	if o.sample > 0 {
		report.Note(fmt.Sprintf("seed %d: --sample %d --seed %d picks the same mutants again", o.seed, o.sample, o.seed))
	}
	ledgers := map[string]*faults.Ledger{}
	var all []*faults.Quarry
	for _, lab := range labs {
		lab.pick(o)
		all = append(all, lab.quarries...)
		if ledgers[lab.Dir], err = openLedger(ctx, w.Root, lab.Lab); err != nil {
			return err
		}
		defer ledgers[lab.Dir].Close()
	}
	if err := faults.Run(ctx, w.Kit, ledgers, all, a.stalk(len(all))); err != nil {
		return err
	}
	return a.tally(report, labs, o)
}

// huntedLabs makes the mutants of what args name, and reads the lists of equivalents.
func huntedLabs(ctx context.Context, root string, args []string) ([]*hunted, error) {
	var labs []*hunted
	if len(args) == 0 {
		for _, lab := range catalog.Labs() {
			args = append(args, lab.Dir)
		}
	}
	for _, arg := range args {
		name, of, narrowed := strings.Cut(arg, "/")
		lab, err := catalog.Find(name)
		if err != nil {
			return nil, err
		}
		names, err := faults.MutatedNames(root, lab)
		if err != nil {
			return nil, err
		}
		h := &hunted{Lab: lab}
		if h.equivalents, err = faults.Equivalents(root, lab); err != nil {
			return nil, err
		}
		for _, e := range h.equivalents {
			if !slices.Contains(names, e.Of) {
				return nil, fmt.Errorf("%s: lab %s has no %q", faults.EquivalentsPath(lab), lab.Dir, e.Of)
			}
		}
		if narrowed {
			if !slices.Contains(names, of) {
				return nil, usageError{fmt.Errorf("lab %s has no %q: %s", lab.Dir, of, strings.Join(names, ", "))}
			}
			names = []string{of}
		}
		if h.sources, err = faults.Mutate(ctx, root, lab, names); err != nil {
			return nil, err
		}
		labs = append(labs, h)
	}
	return labs, nil
}

// pick chooses the mutants to run: all, or a sample of each source's.
func (h *hunted) pick(o mutateOptions) {
	for _, m := range h.sources {
		mutants := m.All
		if o.sample > 0 {
			mutants = nil
			r := rand.New(rand.NewPCG(o.seed, uint64(len(m.All))))
			for _, i := range r.Perm(len(m.All))[:min(o.sample, len(m.All))] {
				mutants = append(mutants, m.All[i])
			}
		}
		for _, mutant := range mutants {
			listed := faults.Listed(h.equivalents, m, mutant)
			h.quarries = append(h.quarries, &faults.Quarry{Of: m, Mutant: mutant, Equivalent: listed})
		}
	}
}

// openLedger opens the ledger of a lab in the user's cache.
func openLedger(ctx context.Context, root string, lab catalog.Lab) (*faults.Ledger, error) {
	dir, err := cachedir.Of("mutants")
	if err != nil {
		return nil, fmt.Errorf("find a directory for what is known of mutants: %w", err)
	}
	return faults.OpenLedger(ctx, dir, root, lab)
}

// stalk shows how far a run is, how many have survived so far, and what is left by the pace
// of those that were not known before.
func (a *app) stalk(total int) func(*faults.Quarry) {
	screen := a.screen(a.Err)
	pace, surviving := newPace(total), 0
	return func(q *faults.Quarry) {
		if !q.Fate.Killed() && !q.Fate.Refused {
			surviving++
		}
		label := fmt.Sprintf("%s %s, %d survive", q.Of.Lab.Dir, q.Of.Name, surviving)
		if left := pace.step(q.Known()); left != "" {
			label += ", " + left
		}
		screen.Progress(pace.done, pace.total, label)
	}
}

// counted is what became of the mutants of one source.
type counted struct {
	Lab         string `json:"lab"`
	Of          string `json:"of"`      // "solution", or the name of the alternative
	Mutants     int    `json:"mutants"` // that were run: the sum of the next three
	Killed      int    `json:"killed"`
	Equivalent  int    `json:"equivalent"`
	Survived    int    `json:"survived"`
	NotCompiled int    `json:"notCompiled"`
}

// tally shows what survived and what is wrong with the lists, and counts.
func (a *app) tally(screen *render.Screen, labs []*hunted, o mutateOptions) error {
	var rows []counted
	right := true
	for _, lab := range labs {
		for _, m := range lab.sources {
			row := lab.count(screen, m)
			if o.sample > 0 {
				row.NotCompiled = 0 // they are no part of the sample
			}
			rows = append(rows, row)
			right = right && row.Survived == 0
		}
		problems := append(faults.Outdated(lab.Lab, lab.equivalents, lab.sources), lab.killedEquivalents()...)
		for _, p := range problems {
			screen.Bad(p)
		}
		right = right && len(problems) == 0
	}
	for _, r := range rows {
		line := fmt.Sprintf("%s %s: %d mutants, %d killed, %d equivalent, %d survive, %d more do not compile",
			r.Lab, r.Of, r.Mutants, r.Killed, r.Equivalent, r.Survived, r.NotCompiled)
		if r.Survived == 0 {
			screen.Good(line)
		} else {
			screen.Bad(line)
		}
	}
	if o.json {
		e := json.NewEncoder(a.Out)
		e.SetIndent("", "  ")
		if err := e.Encode(rows); err != nil {
			return err
		}
	}
	if !right {
		return errFailed
	}
	return nil
}

// count counts what became of a source's mutants, and shows those that survived.
func (h *hunted) count(screen *render.Screen, m *faults.Mutated) counted {
	row := counted{Lab: h.Dir, Of: m.Name, NotCompiled: m.NotCompiled}
	for _, q := range h.quarries {
		switch {
		case q.Of != m:
			continue
		case q.Fate.Refused:
			row.NotCompiled++
			continue
		case q.Fate.Killed():
			row.Killed++
		case q.Equivalent:
			row.Equivalent++
		default:
			row.Survived++
			said := "a mutant survives"
			if q.Fate.Broken != "" {
				said = "a mutant makes the suite fail itself: " + q.Fate.Broken
			}
			screen.Bad(fmt.Sprintf("%s/%s:%d: %s", m.Path, q.File, q.Line, said))
			screen.Raw(fmt.Sprintf("%s %s %s\n%s", q.ID, q.Func, q.Operator, m.Diff(q.Mutant)))
		}
		row.Mutants++
	}
	return row
}

// killedEquivalents says which equivalents a case kills: they, or the case, are wrong.
func (h *hunted) killedEquivalents() []string {
	var problems []string
	for _, q := range h.quarries {
		if q.Equivalent && q.Fate.Killed() {
			problems = append(problems, fmt.Sprintf("%s: %s of %s is killed by %s (%s): it is not equivalent, or the case asks too much",
				faults.EquivalentsPath(h.Lab), q.ID, q.Of.Name, q.Fate.Case, q.Fate.Verdict))
		}
	}
	return problems
}
