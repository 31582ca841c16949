package page

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/cohort"
	"github.com/controllerbook/controllerbook/checker/internal/result"
)

// newClassPage makes the page of the class. It is for the teacher.
func newClassPage(s *cohort.Stats) classPage {
	c := classPage{
		Title: "Class report", Tiles: tiles(s), Lessons: lessons(s), Scores: histogram(s.Scores),
		Attention: attentions(s),
		Foot:      "Graded by controllerbook's checker with " + strings.Join(s.Toolchains(), "; ") + ".",
	}
	for _, l := range s.Labs() {
		c.Labs = append(c.Labs, newLabRow(l))
		if cases := l.Cases(); len(cases) > 0 {
			c.Cases = append(c.Cases, newCaseTable(l, cases))
			c.Cases[0].Open = true
		}
		c.Columns = append(c.Columns, column{Number: number(l.Dir), Title: l.Title})
	}
	for _, st := range s.Students {
		c.Students = append(c.Students, newStudentRow(st, s.Labs()))
	}
	return c
}

// number is "01" of "01-goroutines".
func number(dir string) string {
	n, _, _ := strings.Cut(dir, "-")
	return n
}

// attentions lists what needs a human, the most pressing first.
func attentions(s *cohort.Stats) []attention {
	var lists []attention
	add := func(a cohort.Attention, title, text string) {
		if a.Count == 0 {
			return
		}
		w := attention{Title: title, Text: text, Count: a.Count}
		for _, f := range a.Items {
			w.Items = append(w.Items, item{Name: displayName(f.Student), Href: FileName(f.Student.ID), Lab: f.Lab, Text: f.Why})
		}
		lists = append(lists, w)
	}
	add(s.NotGraded, "The grader failed", "It costs these students no points, and has to be graded again.")
	add(s.Unreadable, "Not readable", "What was handed in is no submission of these labs. It counts as none of the points.")
	add(s.Unstable, "Unstable", "These cases passed in some runs and failed in others, with the same inputs.")
	return lists
}

func tiles(s *cohort.Stats) []tile {
	most, missing := 0, 0
	for _, st := range s.Students {
		most = max(most, st.Max)
	}
	for _, l := range s.Labs() {
		missing += l.Missing
	}
	median, of := s.Median()
	tiles := []tile{
		{Label: "Students", Value: fmt.Sprint(len(s.Students)), Note: fmt.Sprintf("%d handed in something", of)},
		{Label: "Submissions", Value: fmt.Sprint(s.Submissions), Note: fmt.Sprintf("%d missing", missing)},
		{Label: "Median of points", Value: fmt.Sprint(median), Note: fmt.Sprintf("of %d", most)},
	}
	if s.Undecided > 0 {
		tiles = append(tiles, tile{Label: "Points not decided", Value: fmt.Sprint(s.Undecided), Note: "the grader's fault: grade again"})
	}
	return tiles
}

// maxLessons is how many rules one class hour can take up.
const maxLessons = 5

// lessons are the rules that cost the class most points.
func lessons(s *cohort.Stats) []lesson {
	var lessons []lesson
	for _, m := range s.MostMissed(maxLessons) {
		meta := m.Case.Meta
		l := lesson{
			Lab: number(m.Lab.Dir) + " " + m.Lab.Title, Dir: m.Lab.Dir, Case: meta.Name, Rule: cmp.Or(meta.Rule, meta.Name), Why: meta.Why,
			Missed: m.Case.Missed, Of: m.Case.Of, Percent: m.Case.Percent(), Lost: m.Case.Lost(), Mix: m.Case.HowMissed(),
			Reread: "labs/" + m.Lab.Dir + "/README.md",
		}
		if len(meta.Hint) > 0 {
			l.Question = meta.Hint[0]
		}
		lessons = append(lessons, l)
	}
	return lessons
}

func newLabRow(l *cohort.Lab) labRow {
	r := labRow{
		Number: number(l.Dir), Title: l.Title, Submitted: l.Submissions(), Missing: l.Missing, Rejected: l.Rejected,
		Failed: l.Failed, Late: l.Late, Untouched: l.Untouched, Max: l.Max, Mix: mix{},
	}
	for v, n := range l.Verdicts {
		r.Mix[v.Group()] += n
	}
	r.Median, r.Lowest, r.Highest = l.Points()
	if mid, longest, ran := l.Took(); ran {
		r.Time, r.Longest = inSeconds(mid), inSeconds(longest)
	}
	return r
}

// inSeconds writes every time of a table in the same unit.
func inSeconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

func newCaseTable(l *cohort.Lab, cases []*cohort.Case) caseTable {
	t := caseTable{
		Anchor: "cases-" + l.Dir, Number: number(l.Dir), Title: l.Title, Of: l.Ran, Refused: l.Refused, Untouched: l.Untouched,
	}
	for _, c := range cases {
		t.Rows = append(t.Rows, caseRow{
			Name: c.Meta.Name, Rule: c.Meta.Rule, Public: c.Meta.Public, Points: c.Points,
			Missed: c.Missed, Of: c.Of, Percent: c.Percent(), Mix: c.HowMissed(),
		})
	}
	return t
}

func newStudentRow(st cohort.Student, labs []*cohort.Lab) studentRow {
	r := studentRow{Name: displayName(st.Student), ID: nameLine(st.ID), Group: nameLine(st.Group), Href: FileName(st.ID)}
	for _, l := range labs {
		points, ok := st.Labs[l.Dir]
		if !ok {
			points.Status = result.Missing
		}
		r.Cells = append(r.Cells, newCell(points))
	}
	if st.Submitted {
		r.Total = fmt.Sprint(st.Points)
	}
	if st.Max > 0 {
		r.Percent = 100 * st.Points / st.Max
	}
	return r
}

// noLevel is the level of a cell without points.
const noLevel = 5

func newCell(p cohort.Points) cell {
	switch p.Status {
	case result.Missing:
		return cell{Text: "–", ScreenReader: "missing", Level: noLevel}
	case result.Failed:
		return cell{Text: "!", ScreenReader: "not graded", Level: noLevel}
	}
	c := cell{Text: fmt.Sprint(p.Points)}
	if p.Max > 0 {
		c.Level = min(4, max(0, 4*p.Points/p.Max))
	}
	return c
}
