package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/classdir"
	"github.com/controllerbook/controllerbook/checker/internal/grade"
	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/submission"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// caseTime bounds a case of a class from start to end. It is a thousand times what an
// honest one takes; code that only sleeps must not delay the others for longer.
const caseTime = time.Minute

// gradeOptions are the flags of grade.
type gradeOptions struct {
	out       string
	roster    string
	labs      []string
	students  []string
	only      []string
	deadlines []string
	shard     string
	sandbox   string
	jobs      int
	stability int
	isolate   bool
	seed      uint64
	regrade   bool
}

func newGrade(a *app) *cobra.Command {
	var o gradeOptions
	cmd := &cobra.Command{
		Use:   "grade SUBMISSIONS --out DIR",
		Short: "for teachers: grade a class, in a sandbox, and go on where it was stopped",
		Long: `grade puts every submission to the hidden tests and writes one result file for
each student and lab below DIR, and from these a gradebook and pages.

SUBMISSIONS is a folder with a folder or an archive (zip, tar, tar.gz) for each
student, or an LMS's export in one zip; names as Moodle, Canvas and GitHub Classroom
write them are understood. --roster is a CSV file with the columns id, name, group
and submitted, or as these three export it.

Stopped at any moment and started again it goes on where it was. A result stands as
long as the submission, the checker, the toolchain and the options are the same.

--deadline LAB=TIME,percent=10,cap=50,grace=15m,cutoff=TIME takes 10 percent for each
day that has begun after TIME, 50 at most, and all after the cutoff; without LAB= it is
for every other lab. It may be given again, or be a file with one such line each.

Exit codes: 0 everything was decided, whatever the grades · 3 some result is missing
through the grader's own fault · 130 interrupted, nothing lost.`,
		Example: "  checker grade export.zip --out results --lab 1 --roster class.csv\n  checker grade submissions --out shard-2 --shard 2/7\n  checker grade submissions --out results --only unstable",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.grade(cmd.Context(), args[0], o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.out, "out", "", "the directory for results (needed)")
	f.StringVar(&o.roster, "roster", "", "CSV file with the class's IDs, names and groups")
	f.StringSliceVar(&o.labs, "lab", nil, "grade only this lab (may be given again)")
	f.StringSliceVar(&o.students, "student", nil, "grade only the student with this ID (may be given again)")
	f.StringSliceVar(&o.only, "only", nil, "grade again only what has this status or verdict, such as failed or unstable")
	f.StringArrayVar(&o.deadlines, "deadline", nil, "when a lab was due and what lateness costs, or a file of such lines")
	f.StringVar(&o.shard, "shard", "1/1", "grade only the Kth of N parts of the class: K/N")
	f.StringVar(&o.sandbox, "sandbox", "auto", "how submissions are confined: "+strings.Join(sandbox.Modes(), ", "))
	f.IntVarP(&o.jobs, "jobs", "j", runtime.GOMAXPROCS(0)+1, "submissions at once; one more than processors unless told, for some wait for the disk")
	f.IntVar(&o.stability, "stability", 1, "run each case so often; passing k of n is unstable")
	f.BoolVar(&o.isolate, "isolate", false, "run each case in a process of its own, passes too")
	f.Uint64Var(&o.seed, "seed", 1, "the class's seed: the same for all, and for each shard")
	f.BoolVar(&o.regrade, "regrade", false, "grade again what has been graded")
	return cmd
}

func (a *app) grade(ctx context.Context, dir string, o gradeOptions) error {
	options, err := o.parse()
	if err != nil {
		return err
	}
	students, err := readRoster(o.roster)
	if err != nil {
		return err
	}
	isolation, err := sandbox.Choose(ctx, o.sandbox)
	if errors.Is(err, sandbox.ErrNoIsolation) {
		a.screen(a.Err).Problem(err.Error()+".", "Grade on a Linux machine with user namespaces or Landlock. --sandbox=none grades all the same, with limits only: then a submission can do whatever you can.")
		return errBroken
	}
	if err != nil {
		return err
	}
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	defer closeAll()
	w.Isolation, w.Budget.Wall = isolation, caseTime
	options.Isolation, options.Confined = string(isolation.Mode), isolation.Confined()
	search := grade.SearchWithParts(options.Labs)
	search.Roster, search.Temp = students, w.Temp
	class, err := submission.Open(dir, search)
	if err != nil {
		return usageError{err}
	}
	defer class.Close()
	a.screen(a.Out).Note("sandbox: " + isolation.String())
	return a.gradeClass(ctx, w, class, options)
}

// parse turns flags into options.
func (o gradeOptions) parse() (grade.Options, error) {
	options := grade.Options{
		Out: o.out, Students: o.students, Only: o.only, Jobs: o.jobs,
		Stability: o.stability, Isolate: o.isolate, Seed: o.seed, Regrade: o.regrade, Labs: catalog.Labs(),
	}
	if o.out == "" {
		return options, usageError{errors.New("--out is needed: the directory for results")}
	}
	if o.jobs < 1 {
		return options, usageError{fmt.Errorf("-j is how many submissions are graded at once, and %d is none", o.jobs)}
	}
	if len(o.labs) > 0 {
		options.Labs = nil
		for _, name := range o.labs {
			lab, err := catalog.Find(name)
			if err != nil {
				return options, err
			}
			options.Labs = append(options.Labs, lab)
		}
	}
	for _, word := range o.only {
		if !verdict.Verdict(word).Valid() && !slices.Contains(result.Statuses, result.Status(word)) {
			return options, usageError{fmt.Errorf("--only is a status (%s) or a verdict (%s), not %q", join(result.Statuses), join(verdict.All), word)}
		}
	}
	var err error
	if options.Shard, err = grade.ParseShard(o.shard); err != nil {
		return options, usageError{err}
	}
	if options.Deadlines, err = grade.ParseDeadlines(o.deadlines); err != nil {
		return options, usageError{err}
	}
	return options, nil
}

func join[S ~string](words []S) string {
	var all []string
	for _, w := range words {
		all = append(all, string(w))
	}
	return strings.Join(all, ", ")
}

func readRoster(name string) (*roster.Roster, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usageError{err}
	}
	defer f.Close()
	r, err := roster.Read(f)
	if err != nil {
		return nil, usageError{err}
	}
	return r, nil
}

// gradeClass grades, writes what is derived, and says how it went.
func (a *app) gradeClass(ctx context.Context, w *workshop, class *submission.Class, o grade.Options) error {
	screen := a.screen(a.Out)
	o.Progress = follow(screen)
	summary, err := grade.Run(ctx, w.Kit, class, o)
	if err != nil {
		screen.GradingStopped()
	}
	for _, p := range summary.Problems {
		screen.Note("! " + p)
	}
	var unknown *grade.UnknownStudentError
	switch {
	case errors.As(err, &unknown):
		return usageError{err}
	case ctx.Err() != nil:
		screen.Note("Stopped. Nothing is lost: the same command goes on from here.")
		return ctx.Err()
	case err != nil:
		return err
	}
	if err := classdir.Write(o.Out, result.ReadDir(o.Out), book()); err != nil {
		return err
	}
	screen.Good(fmt.Sprintf("%d results in %s, %d of them new: %s", summary.Pairs, o.Out, summary.Graded, counts(summary.Words)))
	if summary.Failed > 0 {
		screen.Problem(fmt.Sprintf("%d results could not be decided through the grader's own fault.", summary.Failed),
			"The logs are in "+o.Out+"/logs. They count as nobody's zero; the same command tries them again.")
		return errBroken
	}
	return nil
}

// follow shows each event as it comes, with what is left by the pace so far.
func follow(screen *render.Screen) func(grade.Event) {
	began, fresh := time.Now(), 0
	words := map[string]int{}
	return func(e grade.Event) {
		words[e.Word]++
		if !e.Earlier {
			fresh++
		}
		g := render.Grading{
			Done: e.Done, Total: e.Total, Student: e.Student, Lab: e.Lab, Word: e.Word,
			Points: e.Points, Max: e.Max, Earlier: e.Earlier, Counts: counts(words),
		}
		if fresh > 0 {
			g.Left = time.Since(began) / time.Duration(fresh) * time.Duration(e.Total-e.Done)
		}
		screen.Grading(g)
	}
}

// counts is "12 pass, 3 data-race", most first.
func counts(words map[string]int) string {
	var names []string
	for w := range words {
		names = append(names, w)
	}
	slices.SortFunc(names, func(a, b string) int {
		if words[a] != words[b] {
			return words[b] - words[a]
		}
		return strings.Compare(a, b)
	})
	for i, n := range names {
		names[i] = fmt.Sprintf("%d %s", words[n], n)
	}
	return strings.Join(names, ", ")
}
