package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/report"
)

// exportOptions are the flags of export's formats.
type exportOptions struct {
	output   string
	student  string
	audience string
	hidden   string
	datetime string
}

// format is one thing that results can be turned into.
type format struct {
	name, short, long string
	flags             func(*cobra.Command, *exportOptions)
	write             func(io.Writer, report.Grades, exportOptions) error
}

var formats = []format{
	{"gradescope", "Gradescope's results.json, of one student",
		"gradescope writes results.json as a Gradescope autograder has to. Where the grader has\nfailed nothing is written, and the exit code is 3: Gradescope then calls the run failed,\nand nobody gets a zero for it.",
		hiddenFlag, writeGradescope},
	{"classroom50", "Classroom 50's result.json, of one student",
		"classroom50 writes classroom50/result/v1. What it says of the run it takes from the\nvariables that Classroom 50 sets for a grader: CLASSROOM, ASSIGNMENT, SUBMISSION_TAG,\nCOMMIT_URL and RELEASE_URL, and if they are set REVIEW_URL, ASSIGNMENT_TYPE and OWNER.",
		datetimeFlag, writeClassroom50},
	{"github-classroom", "the older GitHub Classroom's step output, base64",
		"github-classroom writes one line for the step output \"result\":\n\n  echo \"result=$(checker export github-classroom result.json)\" >>\"$GITHUB_OUTPUT\"",
		audienceFlag, oneStudent(report.WriteGitHubClassroom)},
	{"exercism", "Exercism's results.json, version 3",
		"exercism writes what an Exercism test runner has to.", audienceFlag, oneStudent(report.WriteExercism)},
	{"annotations", "GitHub annotations, at the lines that failed",
		"annotations writes workflow commands, which GitHub Actions shows beside the code.", audienceFlag, oneStudent(report.WriteAnnotations)},
	{"html", "one page, of one student", "html writes one page that needs no other file.", audienceFlag, oneStudent(report.WritePage)},
	{"junit", "JUnit XML, of any number of students", "junit writes one test suite for each student and lab.", audienceFlag, writeJUnit},
	{"gradebook", "CSV, one row for each student", "gradebook writes the table that is in gradebook.csv.", nil,
		func(w io.Writer, grades report.Grades, _ exportOptions) error {
			return report.WriteGradebook(w, grades)
		}},
}

func newExport(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "export FORMAT RESULTS…",
		Short: "for teachers: results in the formats of Gradescope, GitHub and others",
		Long: `export turns results into what other programs read. RESULTS are files of
checker run --json, files of checker grade, or the directory it has written.

What is written for students (--for student, which is the default) leaves out what
hidden cases put to their code.`,
		Example: "  checker run 1 --json >result.json; checker export annotations result.json\n" +
			"  checker export gradescope results --student s100 -o results.json\n" +
			"  checker export gradescope-autograder autograder.zip --lab 1",
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return usageError{fmt.Errorf("there is no format %q; checker export --help lists them", args[0])}
		},
	}
	for _, f := range formats {
		cmd.AddCommand(a.newFormat(f))
	}
	cmd.AddCommand(newAutograder(a))
	return cmd
}

func (a *app) newFormat(f format) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use: f.name + " RESULTS…", Short: f.short, Long: f.long, Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.export(f, args, o) },
	}
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "write to this file instead of the standard output")
	cmd.Flags().StringVar(&o.student, "student", "", "only the results of the student with this ID")
	if f.flags != nil {
		f.flags(cmd, &o)
	}
	return cmd
}

func audienceFlag(cmd *cobra.Command, o *exportOptions) {
	cmd.Flags().StringVar(&o.audience, "for", string(report.ForStudent), "who reads it: student, learner (nothing of their own is left out) or teacher")
}

// visibilities are Gradescope's.
var visibilities = []string{"visible", "after_due_date", "after_published", "hidden"}

func errHidden(got string) error {
	return fmt.Errorf("--hidden is one of %s, not %q", strings.Join(visibilities, ", "), got)
}

func hiddenFlag(cmd *cobra.Command, o *exportOptions) {
	cmd.Flags().StringVar(&o.hidden, "hidden", "visible", "when students see the lines of hidden cases: "+strings.Join(visibilities, ", "))
}

func datetimeFlag(cmd *cobra.Command, o *exportOptions) {
	cmd.Flags().StringVar(&o.datetime, "datetime", "", "when it was submitted (2026-03-06T22:59:00Z); default now, which Classroom 50 replaces by the commit's time")
}

// export reads, and writes the whole of the output or nothing.
func (a *app) export(f format, paths []string, o exportOptions) error {
	if o.audience != "" {
		if _, err := report.ParseAudience(o.audience); err != nil {
			return usageError{err}
		}
	}
	var sources []report.Grades
	for _, p := range paths {
		sources = append(sources, report.Load(p))
	}
	grades := report.Only(report.Join(sources...), o.student)
	write := func(w io.Writer) error { return f.write(w, grades, o) }
	var err error
	if o.output != "" {
		err = report.WriteFile(o.output, write)
	} else {
		err = whole(a.Out, write)
	}
	switch {
	case errors.Is(err, report.ErrManyStudents):
		return usageError{fmt.Errorf("%w; --student ID picks one", err)}
	case errors.Is(err, report.ErrNoResults), errors.Is(err, report.ErrNoResult), errors.Is(err, report.ErrPart), errors.Is(err, os.ErrNotExist):
		return usageError{err}
	case errors.Is(err, report.ErrUndecided):
		a.screen(a.Err).Problem(err.Error()+".", "Nothing was written: this format cannot say that points are not decided, and a zero would be wrong.")
		return errBroken
	}
	return err
}

// whole writes only what was written without an error: half a result is worse than none.
func whole(out io.Writer, write func(io.Writer) error) error {
	var text strings.Builder
	if err := write(&text); err != nil {
		return err
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// oneStudent makes a format of what takes one student's grades and an audience.
func oneStudent(write func(io.Writer, []report.Grade, report.Audience) error) func(io.Writer, report.Grades, exportOptions) error {
	return func(w io.Writer, grades report.Grades, o exportOptions) error {
		all, err := report.OneStudent(grades)
		if err != nil {
			return err
		}
		return write(w, all, report.Audience(o.audience))
	}
}

func writeJUnit(w io.Writer, grades report.Grades, o exportOptions) error {
	return report.WriteJUnit(w, grades, report.Audience(o.audience))
}

func writeGradescope(w io.Writer, grades report.Grades, o exportOptions) error {
	if !slices.Contains(visibilities, o.hidden) {
		return usageError{errHidden(o.hidden)}
	}
	all, err := report.OneStudent(grades)
	if err != nil {
		return err
	}
	return report.WriteGradescope(w, all, report.Gradescope{Hidden: o.hidden})
}

func writeClassroom50(w io.Writer, grades report.Grades, o exportOptions) error {
	c, err := classroom(o.datetime)
	if err != nil {
		return err
	}
	all, err := report.OneStudent(grades)
	if err != nil {
		return err
	}
	return report.WriteClassroom50(w, all, c)
}

// classroom reads what Classroom 50 says of the run.
func classroom(datetime string) (report.Classroom, error) {
	var missing []string
	need := func(name string) string {
		value := os.Getenv(name)
		if value == "" {
			missing = append(missing, name)
		}
		return value
	}
	c := report.Classroom{
		Name: need("CLASSROOM"), Assignment: need("ASSIGNMENT"), Submission: need("SUBMISSION_TAG"),
		Commit: need("COMMIT_URL"), Release: need("RELEASE_URL"),
		Review: os.Getenv("REVIEW_URL"), AssignmentType: os.Getenv("ASSIGNMENT_TYPE"), Owner: os.Getenv("OWNER"),
		Datetime: time.Now(),
	}
	if len(missing) > 0 {
		return c, usageError{fmt.Errorf("not set: %s. Classroom 50 sets these variables for a grader", strings.Join(missing, ", "))}
	}
	if datetime == "" {
		return c, nil
	}
	t, err := time.Parse(time.RFC3339, datetime)
	if err != nil {
		return c, usageError{fmt.Errorf("--datetime: %w", err)}
	}
	c.Datetime = t
	return c, nil
}
