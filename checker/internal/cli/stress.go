package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/stress"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// stressOptions are the flags of stress.
type stressOptions struct {
	all     bool
	subject string
	cases   []string
	times   int
	length  time.Duration
	cpus    []int
	busy    []int
	seed    uint64
	out     string
}

// What stress does without flags.
const (
	stressFor   = time.Minute // of each lab
	stressTimes = 500         // with --all
)

func newStress(a *app) *cobra.Command {
	var o stressOptions
	cmd := &cobra.Command{
		Use:   "stress [LAB…]",
		Short: "is it flaky? every case many times, on few and many processors",
		Long: `stress runs the cases of each LAB again and again, on your code in labs/: with 1, 2, 4
and 8 processors, first on the machine as it is and then with twenty busy processes
beside it, each time with other inputs. Without LAB it takes the lab that run would take.

It goes on for a minute a lab, or as --for and --times say, and ends with a table: how
often each case ran, how often it failed, and what a run costs in processor time. For
each case that failed it prints the command that shows the failure again. The inputs of
a seed are always the same; which goroutine runs when is the machine's, so a
replay may need some runs.

--all is for authors: the solution and the alternatives of each LAB, or of all labs,
500 times each case.

Exit codes: 0 no run failed · 1 some run failed · 2 bad usage · 3 the checker or the
machine failed · 130 interrupted, after the table of what was run until then`,
		Example: "  checker stress 7\n  checker stress 7 --for 5m --case updates-need-the-version\n  checker stress --all --times 40",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.stress(cmd.Context(), args, o, cmd.Flags().Changed("seed"))
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.all, "all", false, "for authors: the solution and every alternative, of all labs if none is named")
	f.StringVar(&o.subject, "subject", "learner", "whose code: learner, solution, or the name of an alternative")
	f.StringSliceVar(&o.cases, "case", nil, "run only this case (may be given again)")
	f.IntVar(&o.times, "times", 0, "runs of each case, in all settings together (500 with --all)")
	f.DurationVar(&o.length, "for", 0, "how long to go on, a lab (1m unless --times or --all is given)")
	f.IntSliceVar(&o.cpus, "cpu", []int{1, 2, 4, 8}, "how many processors a case may use")
	f.IntSliceVar(&o.busy, "busy", []int{0, 20}, "how many busy processes run beside it")
	f.Uint64Var(&o.seed, "seed", 0, "give every run the inputs of this seed")
	f.StringVar(&o.out, "out", "", "also write the counts, and the histories of failures, to this file as JSON")
	return cmd
}

// newBusy is the command that stress keeps the machine busy with.
func newBusy(a *app) *cobra.Command {
	return &cobra.Command{
		Use: busyCommand, Hidden: true, Args: cobra.NoArgs,
		Short: "use a processor until standard input ends",
		Run:   func(*cobra.Command, []string) { stress.Spin(a.In) },
	}
}

const busyCommand = "busy"

// check refuses what makes no sense, and fills in what was not said.
func (o *stressOptions) check(seeded bool) error {
	positive := func(n int) bool { return n > 0 }
	switch {
	case o.all && o.subject != "learner":
		return usageError{errors.New("--all and --subject exclude each other")}
	case catalog.Handout && (o.all || o.subject != "learner"):
		return usageError{errNoSolutions}
	case o.times < 0 || o.length < 0:
		return usageError{errors.New("--times and --for are not negative")}
	case len(o.cpus) == 0 || len(o.busy) == 0, !slices.ContainsFunc(o.cpus, positive):
		return usageError{errors.New("--cpu and --busy need a number each")}
	case slices.Min(o.cpus) < 1 || slices.Min(o.busy) < 0 || slices.Max(o.cpus) > 1024 || slices.Max(o.busy) > 1024:
		return usageError{errors.New("--cpu is between 1 and 1024, --busy between 0 and 1024")}
	}
	if !seeded {
		o.seed = newSeed()
	}
	switch {
	case o.times > 0 || o.length > 0:
	case o.all:
		o.times = stressTimes
	default:
		o.length = stressFor
	}
	return nil
}

// stressed is a program that is put to its cases many times.
type stressed struct {
	subject.Subject
	name  string
	cases []conform.Meta
}

func (a *app) stress(ctx context.Context, args []string, o stressOptions, seeded bool) error {
	if err := o.check(seeded); err != nil {
		return err
	}
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	defer closeAll()
	w.Kit.Planned = o.all
	subjects, err := o.subjects(w, args)
	if err != nil {
		return err
	}
	report := stress.NewReport(stress.Settings(o.cpus, o.busy))
	order := stress.Order{
		Times: o.times, For: o.length, Settings: report.Settings, Seed: o.seed, Fixed: seeded,
		Load: func(n int) (func(), error) { return stress.Busy(n, busyCommand) },
	}
	began := time.Now()
	meter := &meter{screen: a.screen(a.Err), began: began, times: o.times, length: o.length, subjects: subjects}
	for i, s := range subjects {
		if err = a.stressOne(ctx, w, s, order, meter.at(i), report); err != nil {
			break
		}
	}
	report.Took, report.Complete = time.Since(began), err == nil
	if err != nil && ctx.Err() == nil {
		return err
	}
	return cmp.Or(ctx.Err(), a.stressReport(report, subjects, o))
}

// subjects are the programs that are meant.
func (o stressOptions) subjects(w *workshop, args []string) ([]stressed, error) {
	labs := catalog.Labs()
	if len(args) > 0 || !o.all {
		var err error
		if labs, err = choose(w.Root, w.state, args); err != nil {
			return nil, err
		}
	}
	var all []stressed
	for _, lab := range labs {
		cases, err := selected(lab, o.cases)
		if err != nil {
			return nil, err
		}
		names := []string{o.subject}
		if o.all {
			alternatives, err := subject.Alternatives(w.Root, lab)
			if err != nil {
				return nil, err
			}
			names = append([]string{"solution"}, alternatives...)
		}
		for _, name := range names {
			s, err := whose(w.Root, lab, name)
			if err != nil {
				return nil, err
			}
			all = append(all, stressed{s, name, cases})
		}
	}
	return all, nil
}

// whose reads the code of the learner, the solution or an alternative.
func whose(root string, lab catalog.Lab, name string) (subject.Subject, error) {
	switch name {
	case "learner":
		return subject.Learner(root, lab)
	case "solution":
		return subject.Solution(root, lab)
	}
	names, err := subject.Alternatives(root, lab)
	if err != nil {
		return subject.Subject{}, err
	}
	if !slices.Contains(names, name) {
		return subject.Subject{}, usageError{fmt.Errorf("lab %s has no alternative %q: it has %s", lab.Dir, name, strings.Join(names, ", "))}
	}
	return subject.Alternative(root, lab, name)
}

// stressOne builds one program and runs its cases, and adds what came of it to the report.
func (a *app) stressOne(ctx context.Context, w *workshop, s stressed, order stress.Order, done func(), report *stress.Report) error {
	binary, refused, err := judge.Build(ctx, w.Kit, judge.Order{Subject: s.Subject, Cases: s.cases})
	if err != nil {
		return err
	}
	if binary == nil {
		showDetails(a.screen(a.Err), s.Subject, refused, s.cases, runOptions{})
		return errFailed
	}
	defer binary.Remove()
	order.Cases, order.Done = s.cases, func(stress.Count) { done() }
	counts, err := stress.Run(ctx, binary, order)
	report.Subjects = append(report.Subjects, stress.Subject{Lab: s.Lab.Dir, Name: s.name, Cases: counts})
	if s.name == "learner" {
		noteEnds(ctx, w.Kit, s, counts)
	}
	return err
}

// stressReport shows the table, and writes the JSON where it is wanted. It is the
// command's answer.
func (a *app) stressReport(report *stress.Report, subjects []stressed, o stressOptions) error {
	runs, failures := report.Runs()
	a.stressTables(report, subjects, o)
	screen := a.screen(a.Out)
	took := report.Took.Round(time.Second)
	if failures == 0 {
		screen.Good(fmt.Sprintf("%d runs in %s, and none failed", runs, took))
	} else {
		screen.Bad(fmt.Sprintf("%d of %d runs in %s failed", failures, runs, took))
	}
	if o.out != "" {
		if err := report.Write(o.out); err != nil {
			return err
		}
	}
	if failures > 0 {
		return errFailed
	}
	return nil
}

// explained is the command that says why cases of a program fail.
func (s stressed) explained() string {
	switch s.name {
	case "learner":
		return "checker run " + s.Lab.Dir
	case "solution":
		return "checker run " + s.Lab.Dir + " --subject solution"
	}
	return "checker verify " + s.Lab.Dir
}

// tableRows is how many cases a table may have. Of more, those that failed are shown.
const tableRows = 60

func (a *app) stressTables(report *stress.Report, subjects []stressed, o stressOptions) {
	screen := a.screen(a.Out)
	rows := slices.Collect(report.Rows())
	failed, first := report.Failed()
	title := "every case"
	if len(rows) > tableRows {
		rows, title = failed, "cases that failed"
	}
	one := len(subjects) == 1
	if len(rows) > 0 {
		screen.Stress(title, tableOf(rows, one))
	}
	if dear := report.Dearest(10); len(dear) > 0 && len(rows) != len(dear) {
		screen.Stress("the dearest", tableOf(dear, one))
	}
	never := map[string][]string{}
	for i, row := range failed {
		if row.Failures == row.Runs && len(o.cases) == 0 {
			never[row.Lab+" "+row.Subject] = append(never[row.Lab+" "+row.Subject], row.Case)
			continue
		}
		what := fmt.Sprintf("%s %s: %d of %d runs failed, the first with %s", row.Lab, row.Case, row.Failures, row.Runs, first[i].Verdict)
		screen.StressFailure(what, first[i].Message, replay(row))
	}
	for _, s := range subjects {
		if cases := never[s.Lab.Dir+" "+s.name]; len(cases) > 0 {
			screen.StressFailure(fmt.Sprintf("%s: %d cases never passed, which is not flaky: %s", s.Lab.Dir, len(cases), strings.Join(cases, ", ")),
				"", s.explained())
		}
	}
	if len(o.cases) > 0 && len(failed) > 0 {
		c, err := subjects[0].Lab.Case(failed[0].Case)
		if err == nil {
			e := explain.Case(c, first[0])
			e.Quote(subjects[0].Line)
			screen.CaseDetail(e)
		}
	}
}

func tableOf(rows []stress.Row, one bool) []render.Stressed {
	var table []render.Stressed
	for _, r := range rows {
		t := render.Stressed{Case: r.Case, Runs: r.Runs, Failures: r.Failures, Cost: r.Cost(), Longest: r.Longest}
		if !one {
			t.Subject = r.Lab[:2] + " " + r.Subject
		}
		table = append(table, t)
	}
	return table
}

// replay is the command that gives a case the inputs and the setting of its first failure.
func replay(row stress.Row) string {
	first := row.Kept[0]
	words := []string{"checker stress", row.Lab, "--case", row.Case}
	if row.Subject != "learner" {
		words = append(words, "--subject", row.Subject)
	}
	words = append(words, "--seed", strconv.FormatUint(first.Result.Seed, 10),
		"--cpu", strconv.Itoa(first.CPU), "--busy", strconv.Itoa(first.Busy), "--times", "20")
	return strings.Join(words, " ")
}

// meter shows how far stress is.
type meter struct {
	screen   *render.Screen
	began    time.Time
	times    int
	length   time.Duration
	subjects []stressed
}

// at is what to call after each run of subject i.
func (m *meter) at(i int) func() {
	begun := time.Now()
	before, total := 0, 0
	for j, s := range m.subjects {
		total += len(s.cases)
		if j < i {
			before += len(s.cases)
		}
	}
	s, runs := m.subjects[i], 0
	label := s.Lab.Dir + " " + s.name
	return func() {
		runs++
		// Where there is an end, time says how far it is, and where there is not, runs do.
		part := 0.0
		if m.times > 0 {
			part = float64(runs) / float64(m.times*len(s.cases))
		}
		if m.length > 0 {
			part = max(part, float64(time.Since(begun))/float64(m.length))
		}
		done := (float64(before) + min(part, 1)*float64(len(s.cases))) / float64(max(total, 1))
		const steps = 100
		text := label
		if done > 0 && done < 1 {
			left := time.Duration(float64(time.Since(m.began)) * (1 - done) / done)
			text = "about " + left.Round(time.Second).String() + " left: " + label
		}
		m.screen.Progress(int(done*steps), steps, text)
	}
}
