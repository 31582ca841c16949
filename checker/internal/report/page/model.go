package page

import "slices"

// Student is the page of one student.
type Student struct {
	Name, ID, Group string
	Back            string // where the class's page is; empty where the reader has none
	Note            string // what this page leaves out, for whom
	Points, Max     int
	Undecided       int
	Labs            []Lab
	Foot            string
}

// Who is what there is to say of a student beside the name.
func (s Student) Who() string { return who(s.Name, s.ID, s.Group) }

func who(name, id, group string) string {
	if id == name {
		id = ""
	}
	if id != "" && group != "" {
		id += " · "
	}
	return id + group
}

// Lab is one lab of a student.
type Lab struct {
	Anchor      string // "lab-01-goroutines"
	Number      string // "01"
	Title, Dir  string
	Standing    string // why there are no cases, if there are none
	Ours        bool   // … and it is the grader's fault
	Nothing     bool   // … or nothing was handed in
	Points, Max int
	Undecided   int
	Late        string
	Took        string
	Refusal     string  // why no case was run: in a word or two
	Refused     *Detail // … and in full
	Mix         Mix
	Cases       []Case
}

// Failing reports whether there is anything to tell about the cases.
func (l Lab) Failing() bool {
	return slices.ContainsFunc(l.Cases, func(c Case) bool { return c.Detail != nil })
}

// Case is one case of a lab.
type Case struct {
	Anchor      string
	Name, Rule  string
	Verdict     string // in words
	Group       Group
	Points, Max int
	Public      bool
	Took        string
	Open        bool    // shown at once
	Detail      *Detail // nil where it passed
}

// Detail is all there is to say about one failure.
type Detail struct {
	What     string
	Places   []Place
	More     int
	Facts    []Fact
	History  []Event
	Earlier  int
	Output   string
	Withheld string
	Rule     string
	Why      string
	Lesson   string
	Next     string
	NextAt   string
	Again    string
	Hints    []string
}

// Place is a line of the student's code.
type Place struct {
	Label, At, Func string
	Notes           []string
}

// Fact is a named value.
type Fact struct{ Name, Text string }

// Event is one line of a case's history.
type Event struct {
	At, Who, What, Back string
	Broke, Open         bool
}

// Class is the page of a class.
type Class struct {
	Title    string
	Tiles    []Tile
	Teach    []Lesson
	Scores   Histogram
	Labs     []LabRow
	Cases    []CaseTable
	Watch    []Watch
	Heads    []Head
	Students []StudentRow
	Foot     string
}

// Tile is one number that matters.
type Tile struct{ Label, Value, Note string }

// Lesson is one rule that the class did not get.
type Lesson struct {
	Lab, Dir, Case string
	Rule, Why      string
	Missed, Of     int
	Percent        int
	Lost           int // points, all students together
	Mix            string
	Reread, Nudge  string
}

// LabRow is one lab, for the whole class.
type LabRow struct {
	Number, Title                     string
	Handed, Missing, Rejected, Failed int
	Late, Untouched                   int
	Median, Lowest, Highest, Max      int
	Time, Longest                     string
	Mix                               Mix
}

// CaseTable is the cases of one lab, the most missed first.
type CaseTable struct {
	Anchor, Number, Title string
	Of                    int // students whose code ran
	Refused, Untouched    int // whose did not
	Open                  bool
	Rows                  []CaseRow
}

// CaseRow is one case, for the whole class.
type CaseRow struct {
	Name, Rule string
	Public     bool
	Points     int
	Missed, Of int
	Percent    int
	Mix        string
}

// Watch is a list of what a human has to look at.
type Watch struct {
	Title, Text string
	Count       int // Items are the first of them
	Items       []Item
}

// More is how many are not listed.
func (w Watch) More() int { return w.Count - len(w.Items) }

// Item is one submission in such a list.
type Item struct{ Name, Href, Lab, Text string }

// Head is the head of one column of the table of students.
type Head struct{ Number, Title string }

// StudentRow is one row of it.
type StudentRow struct {
	Name, ID, Group, Href string
	Cells                 []Cell
	Total                 string
	Percent               int
}

// Who is what there is to say of a student beside the name.
func (s StudentRow) Who() string { return who(s.Name, s.ID, s.Group) }

// Cell is one grade.
type Cell struct {
	Text  string
	Spell string // what an empty or short text means, for those who hear it
	Level int    // 0 to 4: how much of the points, 5 for none given
}
