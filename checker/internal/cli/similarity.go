package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/grade"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
	"github.com/controllerbook/controllerbook/checker/internal/similarity"
	"github.com/controllerbook/controllerbook/checker/internal/submission"
)

// similarityOptions are the flags of similarity.
type similarityOptions struct {
	labs   []string
	roster string
	share  int
	top    int
	json   bool
	html   string
}

func newSimilarity(a *app) *cobra.Command {
	var o similarityOptions
	cmd := &cobra.Command{
		Use:   "similarity SUBMISSIONS",
		Short: "for teachers: pairs of submissions that are alike, to look at",
		Long: `similarity reads what a class handed in, as grade does, and lists the pairs of
submissions that share much code: by fingerprints of their tokens, without names,
literals, comments, layout and order, and without the code that everybody was given
or that much of the class has.

Every pair is a lead for a teacher to judge, and none a verdict. --share 35 lists
copies that were well disguised, and hardly an honest pair in the labs measured;
docs/teaching.md has the numbers.`,
		Example: "  checker similarity submissions --lab 7 --html alike.html",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.similarity(cmd.Context(), args[0], o)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.labs, "lab", nil, "only this lab (may be given again)")
	f.StringVar(&o.roster, "roster", "", "a CSV file with the columns id, name, group")
	f.IntVar(&o.share, "share", similarity.Usual, "list pairs of which one shares this many per cent")
	f.IntVar(&o.top, "top", 50, "list at most so many pairs of a lab; 0 is all")
	f.BoolVar(&o.json, "json", false, "print JSON and nothing else")
	f.StringVar(&o.html, "html", "", "write a page with the lines side by side to this file, too")
	return cmd
}

func (a *app) similarity(ctx context.Context, dir string, o similarityOptions) error {
	if o.share < 1 || o.share > 100 {
		return usageError{fmt.Errorf("--share is 1 to 100 per cent, not %d", o.share)}
	}
	root, err := findRoot()
	if err != nil {
		return err
	}
	class, err := a.readClass(ctx, dir, o)
	if err != nil {
		return err
	}
	report := &similarity.Report{Schema: similarity.Schema, Caution: similarity.Caution, Share: o.share}
	for _, lab := range class.labs {
		given, err := givenCode(root, lab)
		if err != nil {
			return err
		}
		submissions := class.byLab[lab.Dir]
		if len(submissions)+class.unread[lab.Dir] == 0 {
			continue
		}
		r := similarity.Compare(given, submissions, similarity.Options{Share: o.share, Top: o.top})
		alike := similarity.NewLab(lab.Dir, lab.Title, r, submissions, class.students)
		alike.Unread = class.unread[lab.Dir]
		report.Labs = append(report.Labs, alike)
	}
	if o.html != "" {
		if err := atomicfile.Write(o.html, report.WriteHTML); err != nil {
			return usageError{err}
		}
	}
	if o.json {
		return report.WriteJSON(a.Out)
	}
	return report.WriteText(a.Out)
}

// submitted is what a class submitted, lab by lab.
type submitted struct {
	labs     []catalog.Lab
	byLab    map[string][]similarity.Submission
	unread   map[string]int
	students map[string]roster.Student
}

func (a *app) readClass(ctx context.Context, dir string, o similarityOptions) (*submitted, error) {
	h := &submitted{labs: catalog.Labs(), byLab: map[string][]similarity.Submission{}, unread: map[string]int{}, students: map[string]roster.Student{}}
	if len(o.labs) > 0 {
		h.labs = nil
		for _, name := range o.labs {
			lab, err := catalog.Find(name)
			if err != nil {
				return nil, err
			}
			h.labs = append(h.labs, lab)
		}
	}
	students, err := readRoster(o.roster)
	if err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "controllerbook-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary directory: %w", err)
	}
	defer os.RemoveAll(temp)
	search := grade.Search(h.labs)
	search.Roster, search.Temp = students, temp
	class, err := submission.Open(dir, search)
	if err != nil {
		return nil, usageError{err}
	}
	defer class.Close()
	for _, p := range class.Problems {
		a.screen(a.Err).Note("! " + p)
	}
	for _, handin := range class.Handins {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		found, err := class.Read(handin)
		if err != nil {
			return nil, err
		}
		h.add(handin, found)
	}
	return h, nil
}

func (h *submitted) add(handin *submission.Handin, found []submission.Found) {
	s := handin.Student
	h.students[s.ID] = s
	for i, f := range found {
		dir := h.labs[i].Dir
		switch {
		case f.Rejection != nil:
			h.unread[dir]++
		case len(f.Files) > 0:
			h.byLab[dir] = append(h.byLab[dir], similarity.Submission{ID: s.ID, Files: f.Files})
		}
	}
}

// givenCode is the code that every student of a lab has: its stub, and the kit.
func givenCode(root string, lab catalog.Lab) (map[string][]byte, error) {
	given := map[string][]byte{}
	for _, f := range lab.Files {
		stub, err := lab.Stub(f)
		if err != nil {
			return nil, err
		}
		given[f] = stub
	}
	kit, err := filepath.Glob(filepath.Join(root, "labs", "kit", "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range kit {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read the kit: %w", err)
		}
		given["kit/"+filepath.Base(name)] = text
	}
	return given, nil
}
