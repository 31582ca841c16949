package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/export"
	"github.com/controllerbook/controllerbook/checker/internal/result"
)

// exportOptions are the flags of export's formats.
type exportOptions struct {
	output   string
	student  string
	audience string
	hidden   string
	datetime string
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
	o := exportOptions{audience: string(f.to)}
	cmd := &cobra.Command{
		Use: f.name + " RESULTS…", Short: f.short, Long: f.long, Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.export(f, args, o) },
	}
	cmd.Flags().StringVarP(&o.output, "output", "o", "", "write to this file instead of the standard output")
	cmd.Flags().StringVar(&o.student, "student", "", "only the results of the student with this ID")
	if f.to == "" {
		cmd.Flags().StringVar(&o.audience, "for", string(audience.ForStudent), "who reads it: student, learner (nothing of their own is left out) or teacher")
		complete(cmd, "for", audience.All...)
	}
	if f.flags != nil {
		f.flags(cmd, &o)
	}
	return cmd
}

// complete lets a shell complete a flag by its values.
func complete[S ~string](cmd *cobra.Command, flag string, values ...S) {
	var words []cobra.Completion
	for _, v := range values {
		words = append(words, string(v))
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // our own mistake: there is no such flag
	}
}

// book is what the catalog says of the labs.
func book() audience.Book {
	b := audience.Book{}
	for _, l := range catalog.Labs() {
		b[l.Dir] = l.Lab
	}
	return b
}

// export reads, and writes the whole of the output or nothing.
func (a *app) export(f format, paths []string, o exportOptions) error {
	to, err := audience.Parse(o.audience)
	if err != nil {
		return usageError{err}
	}
	reader := audience.Reader{To: to, Book: book()}
	var sources []result.Grades
	for _, p := range paths {
		sources = append(sources, result.Load(p, reader.Book.CaseCount))
	}
	all := results{result.Only(result.Join(sources...), o.student), reader, o}
	write := func(w io.Writer) error { return f.write(w, all) }
	if o.output != "" {
		err = atomicfile.Write(o.output, write)
	} else {
		err = whole(a.Out, write)
	}
	return a.exported(err)
}

// exported makes an exit code, and words on the screen, of what went wrong with an export.
func (a *app) exported(err error) error {
	switch {
	case errors.Is(err, result.ErrManyStudents):
		return usageError{fmt.Errorf("%w; --student ID picks one", err)}
	case errors.Is(err, result.ErrNoResults), errors.Is(err, result.ErrNoResult), errors.Is(err, result.ErrPart), errors.Is(err, os.ErrNotExist):
		return usageError{err}
	case errors.Is(err, export.ErrUndecided):
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
