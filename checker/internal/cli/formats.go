package cli

import (
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/export"
	"github.com/controllerbook/controllerbook/checker/internal/page"
	"github.com/controllerbook/controllerbook/checker/internal/result"
)

// format is one form in which results are exported. The commands of export with their help
// and completion, and the table in docs/result-schema.md, are derived from formats.
type format struct {
	name  string
	short string                               // what it writes, in a line
	long  string                               // help
	to    audience.Audience                    // who reads it; "" lets --for say it
	flags func(*cobra.Command, *exportOptions) // of its own, or nil
	write func(io.Writer, results) error
}

// results is what a format writes: grades, for a reader, with the options of its flags.
type results struct {
	grades  result.Grades
	reader  audience.Reader
	options exportOptions
}

var formats = []format{
	{
		name: "gradescope", short: "Gradescope's results.json, of one student: the score after lateness, the tests before it",
		long: "gradescope writes results.json as a Gradescope autograder has to. Where the grader has\nfailed nothing is written, and the exit code is 3: Gradescope then calls the run failed,\nand nobody gets a zero for it.",
		to:   audience.ForStudent, flags: hiddenFlag, write: writeGradescope,
	},
	{
		name: "classroom50", short: "Classroom 50's result.json, of one student, before lateness",
		long: "classroom50 writes classroom50/result/v1. What it says of the run it takes from the\nvariables that Classroom 50 sets for a grader: CLASSROOM, ASSIGNMENT, SUBMISSION_TAG,\nCOMMIT_URL and RELEASE_URL, and if they are set REVIEW_URL, ASSIGNMENT_TYPE and OWNER.\nLateness is Classroom 50's own business.",
		to:   audience.ForStudent, flags: datetimeFlag, write: writeClassroom50,
	},
	{
		name: "github-classroom", short: "the older GitHub Classroom's step output: one line of base64",
		long:  "github-classroom writes one line for the step output \"result\":\n\n  echo \"result=$(checker export github-classroom result.json)\" >>\"$GITHUB_OUTPUT\"",
		write: ofOneStudent(export.GitHubClassroom),
	},
	{
		name: "exercism", short: "Exercism's results.json, version 3",
		long:  "exercism writes what an Exercism test runner has to.",
		write: ofOneStudent(export.Exercism),
	},
	{
		name: "annotations", short: "GitHub annotations, at the lines that failed; GitHub shows ten of a step",
		long:  "annotations writes workflow commands, which GitHub Actions shows beside the code.",
		write: ofOneStudent(export.Annotations),
	},
	{
		name: "html", short: "one page, of one student",
		long:  "html writes one page that needs no other file.",
		write: ofOneStudent(page.WriteStudent),
	},
	{
		name: "junit", short: "JUnit XML, of any number of students",
		long:  "junit writes one test suite for each student and lab.",
		write: func(w io.Writer, r results) error { return export.WriteJUnit(w, r.reader.Grades(r.grades)) },
	},
	{
		name: "gradebook", short: "CSV, one row for each student",
		long:  "gradebook writes the table that is in gradebook.csv.",
		to:    audience.ForTeacher,
		write: func(w io.Writer, r results) error { return export.WriteGradebook(w, r.records()) },
	},
}

// records gathers the grades by student, as the reader may see them.
func (r results) records() iter.Seq2[audience.Record, error] {
	return func(yield func(audience.Record, error) bool) {
		for all, err := range result.ByStudent(r.grades) {
			if !yield(r.reader.Record(all), err) {
				return
			}
		}
	}
}

// oneStudent is the record of the one student whom the results are about.
func (r results) oneStudent() (audience.Record, error) {
	all, err := result.OneStudent(r.grades)
	if err != nil {
		return audience.Record{}, err
	}
	return r.reader.Record(all), nil
}

// ofOneStudent makes a format of a function that writes the record of one student.
func ofOneStudent(write func(io.Writer, audience.Record) error) func(io.Writer, results) error {
	return func(w io.Writer, r results) error {
		record, err := r.oneStudent()
		if err != nil {
			return err
		}
		return write(w, record)
	}
}

// hiddenUsage describes the flag with which Gradescope's formats say who sees hidden cases.
var hiddenUsage = "when students see the lines of hidden cases: " + strings.Join(export.Visibilities, ", ")

func hiddenFlag(cmd *cobra.Command, o *exportOptions) {
	cmd.Flags().StringVar(&o.hidden, "hidden", "visible", hiddenUsage)
	complete(cmd, "hidden", export.Visibilities...)
}

func writeGradescope(w io.Writer, r results) error {
	if err := checkHidden(r.options.hidden); err != nil {
		return err
	}
	record, err := r.oneStudent()
	if err != nil {
		return err
	}
	return export.Gradescope(w, record, r.options.hidden)
}

// checkHidden returns a usage error for a value of --hidden that Gradescope does not know.
func checkHidden(value string) error {
	if slices.Contains(export.Visibilities, value) {
		return nil
	}
	return usageError{fmt.Errorf("--hidden is one of %s, not %q", strings.Join(export.Visibilities, ", "), value)}
}

func datetimeFlag(cmd *cobra.Command, o *exportOptions) {
	cmd.Flags().StringVar(&o.datetime, "datetime", "", "when it was submitted (2026-03-06T22:59:00Z); default now, which Classroom 50 replaces by the commit's time")
}

func writeClassroom50(w io.Writer, r results) error {
	c, err := classroom(r.options.datetime)
	if err != nil {
		return err
	}
	record, err := r.oneStudent()
	if err != nil {
		return err
	}
	return export.Classroom50(w, record, c)
}

// classroom reads what Classroom 50 says of the run.
func classroom(datetime string) (export.Classroom, error) {
	var missing []string
	need := func(name string) string {
		value := os.Getenv(name)
		if value == "" {
			missing = append(missing, name)
		}
		return value
	}
	c := export.Classroom{
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
