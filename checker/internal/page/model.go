package page

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// studentPage is the page of one student.
type studentPage struct {
	Name, ID, Group string
	Back            string // where the class's page is; empty where the reader has none
	Note            string // what this page leaves out, for whom
	Points, Max     int
	Undecided       int
	Labs            []labSection
	Foot            string
}

// Identity returns the ID, if the name is another, and the group.
func (s studentPage) Identity() string { return identity(s.Name, s.ID, s.Group) }

func identity(name, id, group string) string {
	if id == name {
		id = ""
	}
	if id != "" && group != "" {
		id += " · "
	}
	return id + group
}

// labSection is one lab of a student.
type labSection struct {
	Anchor      string // "lab-01-goroutines"
	Number      string // "01"
	Title, Dir  string
	Standing    string // why there are no cases, if there are none
	Ours        bool   // … and it is the grader's fault
	Nothing     bool   // … or nothing was submitted
	Points, Max int
	Undecided   int
	Late        string
	Took        string
	Refusal     string  // why no case was run: in a word or two
	Refused     *detail // … and in full
	Mix         mix
	Cases       []caseSection
}

// Failing reports whether any case has details.
func (l labSection) Failing() bool {
	return slices.ContainsFunc(l.Cases, func(c caseSection) bool { return c.Detail != nil })
}

// opened reports whether the details of some case are shown at once.
func (l labSection) opened() bool {
	return slices.ContainsFunc(l.Cases, func(c caseSection) bool { return c.Open })
}

// caseSection is one case of a lab.
type caseSection struct {
	Anchor      string
	Name, Rule  string
	Verdict     string // in words
	Group       verdict.Group
	Points, Max int
	Public      bool
	Took        string
	Open        bool    // shown at once
	Detail      *detail // nil where it passed
}

// detail explains one failure.
type detail struct {
	What     string
	Places   []place
	More     int
	Facts    []fact
	History  []event
	Output   string
	Withheld string
	Rule     string
	Why      string
	Lesson   string
	Next     string
	NextAt   string
	Again    string
	Hints    []string
	Drawing  *drawing // on the page of one run
}

// place is a line of the student's code.
type place struct {
	Label, At, Func string
	Notes           []string
}

// fact is a named value.
type fact struct{ Name, Text string }

// event is one line of a case's history.
type event struct {
	At, Who, What, Back string
	Broke, Open         bool
	Gap                 bool // What says how many are left out
}

// classPage is the page of a class.
type classPage struct {
	Title     string
	Tiles     []tile
	Lessons   []lesson
	Scores    histogram
	Labs      []labRow
	Cases     []caseTable
	Attention []attention
	Columns   []column
	Students  []studentRow
	Foot      string
}

// tile is one number that matters.
type tile struct{ Label, Value, Note string }

// lesson is one rule that many of the class missed.
type lesson struct {
	Lab, Dir, Case   string
	Rule, Why        string
	Missed, Of       int
	Percent          int
	Lost             int // points, all students together
	Mix              string
	Reread, Question string
}

// labRow is one lab, for the whole class.
type labRow struct {
	Number, Title                        string
	Submitted, Missing, Rejected, Failed int
	Late, Untouched                      int
	Median, Lowest, Highest, Max         int
	Time, Longest                        string
	Mix                                  mix
}

// caseTable is the cases of one lab, the most missed first.
type caseTable struct {
	Anchor, Number, Title string
	Of                    int // students whose code ran
	Refused, Untouched    int // whose did not
	Open                  bool
	Rows                  []caseRow
}

// caseRow is one case, for the whole class.
type caseRow struct {
	Name, Rule string
	Public     bool
	Points     int
	Missed, Of int
	Percent    int
	Mix        string
}

// attention is a list of submissions that need attention.
type attention struct {
	Title, Text string
	Count       int // Items are the first of them
	Items       []item
}

// More is how many are not listed.
func (w attention) More() int { return w.Count - len(w.Items) }

// item is one submission that needs attention.
type item struct{ Name, Href, Lab, Text string }

// column is the heading of one column in the table of students.
type column struct{ Number, Title string }

// studentRow is one row of the table of students.
type studentRow struct {
	Name, ID, Group, Href string
	Cells                 []cell
	Total                 string
	Percent               int
}

// Identity returns the ID, if the name is another, and the group.
func (s studentRow) Identity() string { return identity(s.Name, s.ID, s.Group) }

// cell is one grade in the table of students.
type cell struct {
	Text         string
	ScreenReader string // what a text that is only a sign means
	Level        int    // 0 to 4: how much of the points, 5 for none given
}
