package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/page"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// reportOptions are the flags of report and of trace.
type reportOptions struct {
	runOptions
	out string
}

func newReport(a *app) *cobra.Command {
	var o reportOptions
	cmd := &cobra.Command{
		Use:   "report [LAB]",
		Short: "grade a lab and write a page of it, with the timeline of each failing case",
		Long: `report grades your code as checker run does and writes one HTML page: each case with its
rule, its verdict and what to do next, and for a failing one a picture of what happened, beside
the lines of your code. The page is one file and needs no network.

Exit codes are those of run.`,
		Example: "  checker report 1\n  checker report 1 --case keeps-order --out keeps-order.html",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.writeReport(cmd.Context(), args, o)
		},
	}
	o.flags(cmd, "LAB.html")
	return cmd
}

// flags declares what report and trace have in common.
func (o *reportOptions) flags(cmd *cobra.Command, file string) {
	f := cmd.Flags()
	f.StringSliceVar(&o.cases, "case", nil, "only this case (may be given again)")
	f.StringVar(&o.subject, "subject", "learner", "whose code: learner or solution")
	f.StringSliceVar(&o.reference, "reference", nil, "in a lab made of your own labs, use the reference in place of these, or of all: 10,14")
	f.Uint64Var(&o.seed, "seed", 0, "replay the inputs of an earlier run")
	f.StringVarP(&o.out, "out", "o", "", "write to this file instead of .controllerbook/"+file)
}

func (a *app) writeReport(ctx context.Context, args []string, o reportOptions) error {
	j, err := a.judged(ctx, args, o, false)
	if err != nil {
		return err
	}
	defer j.close()
	if err := j.write(o, ".html", reportTitle(j.lab)); err != nil {
		return err
	}
	return answer(j.total)
}

// judged is a lab that has been graded for a page.
type judged struct {
	a       *app
	w       *workshop
	close   func()
	lab     catalog.Lab
	subject subject.Subject
	judge.Judgement
	total *result.Run
}

// judged grades one lab and writes a line for each case.
func (a *app) judged(ctx context.Context, args []string, o reportOptions, trace bool) (j *judged, err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := writable(o.out); err != nil {
		return nil, err
	}
	if o.seed == 0 {
		o.seed = newSeed()
	}
	w, closeAll, err := a.open()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			closeAll()
		}
	}()
	labs, err := choose(w.Root, w.state, args)
	if err != nil {
		return nil, err
	}
	j = &judged{a: a, w: w, close: closeAll, lab: labs[0], total: result.NewRun(o.subject, o.seed)}
	w.Trace = trace
	err = j.run(ctx, o, trace)
	return j, err
}

// run grades the lab.
func (j *judged) run(ctx context.Context, o reportOptions, alone bool) (err error) {
	cases, err := selected(j.lab, o.cases)
	if err != nil {
		return err
	}
	if j.subject, err = o.source(j.w.Root, j.lab); err != nil {
		return err
	}
	screen := j.a.screen(j.a.Out)
	screen.LabStart(j.lab)
	r, err := ruleAnew(ctx, memory(ctx, j.w.Kit), j.w.Kit, judge.Order{
		Subject: j.subject, Cases: cases, Seed: o.seed, Isolate: alone, Done: inOrder(cases, screen.CaseLine),
	})
	if err != nil {
		return err
	}
	j.Judgement = r.Judgement
	j.total.Add(j.lab.Lab, j.Results, result.NewRefusal(j.Compiler, j.Refused, j.Violations))
	if o.subject == "learner" && j.w.state != nil {
		j.w.state.Record(j.Results)
		j.a.save(j.w.state)
	}
	return nil
}

// write writes the page, whole or not at all, and says where it is.
func (j *judged) write(o reportOptions, suffix, title string) error {
	file := o.out
	if file == "" {
		file = pageFile(j.w.Root, j.lab, suffix)
	}
	if err := writePage(file, pageOf(j.total, j.subject, title)); err != nil {
		return err
	}
	wd, _ := os.Getwd()
	j.a.screen(j.a.Out).Note("The page is " + short(wd, file) + ": open it in a browser.")
	return nil
}

// pageFile is where a lab's page goes unless another file is named.
func pageFile(root string, lab catalog.Lab, suffix string) string {
	return filepath.Join(filepath.Dir(progress.Path(root)), lab.Dir+suffix)
}

// pageOf is the page about a run of one lab, with the subject's files, those of its parts too.
func pageOf(run *result.Run, s subject.Subject, title string) page.Run {
	l := run.Labs[0]
	code := page.Sources{}
	for _, own := range s.Packages() {
		for name, text := range own.Files {
			code[own.Path+"/"+name] = text
		}
	}
	return page.Run{Title: title, Code: code, Grade: audience.Reader{To: audience.ForLearner, Book: book()}.Grade(result.Grade{
		Lab: l.Lab, Title: l.Title, Status: result.Graded, Points: l.Points, Max: l.Max,
		Seed: run.Seed, Toolchain: run.Toolchain, Cases: l.Cases, Refusal: l.Refusal,
	})}
}

func writePage(file string, p page.Run) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(file, func(out io.Writer) error { return page.WriteLab(out, p) })
}

func reportTitle(lab catalog.Lab) string { return fmt.Sprintf("Report of lab %d", lab.Number) }

// writable refuses, before anything runs, a file that cannot be written.
func writable(file string) error {
	if file == "" {
		return nil
	}
	if info, err := os.Stat(filepath.Dir(file)); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return usageError{fmt.Errorf("--out: there is no directory %s", filepath.Dir(file))}
	}
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() {
		return usageError{fmt.Errorf("--out: %s is not a regular file", file)}
	}
	return nil
}
