package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/report/page"
)

// view is the page of the class. It is for the teacher.
func (s *stats) view() page.Class {
	c := page.Class{
		Title: "Class report", Tiles: s.tiles(), Teach: s.teach(), Scores: s.scores,
		Watch: s.watch(),
		Foot:  "Graded by controllerbook's checker with " + strings.Join(slices.Sorted(maps.Keys(s.toolchain)), "; ") + ".",
	}
	for _, l := range s.sorted() {
		c.Labs = append(c.Labs, l.row())
		if len(l.cases) > 0 {
			c.Cases = append(c.Cases, l.table())
			c.Cases[0].Open = true
		}
		c.Heads = append(c.Heads, page.Head{Number: l.number(), Title: l.title})
	}
	for _, st := range s.students {
		c.Students = append(c.Students, s.row(st))
	}
	return c
}

// watch is what a human has to look at, the most pressing first.
func (s *stats) watch() []page.Watch {
	s.broken.Title, s.broken.Text = "The grader failed", "It costs these students no points, and has to be graded again."
	s.unreadable.Title, s.unreadable.Text = "Not readable", "What was handed in is no submission of these labs. It counts as none of the points."
	s.unstable.Title, s.unstable.Text = "Unstable", "These cases passed in some runs and failed in others, with the same inputs."
	return slices.DeleteFunc([]page.Watch{s.broken, s.unreadable, s.unstable}, func(w page.Watch) bool { return w.Count == 0 })
}

// sorted are the labs in the order of the book.
func (s *stats) sorted() []*labStats {
	var labs []*labStats
	for _, dir := range slices.Sorted(maps.Keys(s.labs)) {
		labs = append(labs, s.labs[dir])
	}
	return labs
}

func (l *labStats) number() string {
	n, _, _ := strings.Cut(l.dir, "-")
	return n
}

func (s *stats) tiles() []page.Tile {
	var points []int
	most, missing := 0, 0
	for _, st := range s.students {
		most = max(most, st.Max)
		if st.Handed {
			points = append(points, st.Points)
		}
	}
	for _, l := range s.labs {
		missing += l.missing
	}
	slices.Sort(points)
	tiles := []page.Tile{
		{Label: "Students", Value: fmt.Sprint(len(s.students)), Note: fmt.Sprintf("%d handed in something", len(points))},
		{Label: "Submissions", Value: fmt.Sprint(s.handed), Note: fmt.Sprintf("%d missing", missing)},
		{Label: "Median of points", Value: fmt.Sprint(median(points)), Note: fmt.Sprintf("of %d", most)},
	}
	if s.undecided > 0 {
		tiles = append(tiles, page.Tile{Label: "Points not decided", Value: fmt.Sprint(s.undecided), Note: "the grader's fault: grade again"})
	}
	return tiles
}

// maxTeach is how many rules one lesson can take up.
const maxTeach = 5

// teach is the rules that cost most points.
func (s *stats) teach() []page.Lesson {
	type missed struct {
		*labStats
		*caseStats
	}
	var all []missed
	for _, l := range s.sorted() {
		for _, c := range l.cases {
			if c.missed > 0 {
				all = append(all, missed{l, c})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b missed) int { return b.lost() - a.lost() })
	var lessons []page.Lesson
	for _, m := range all[:min(len(all), maxTeach)] {
		meta, _ := book()[m.dir].Case(m.name) // the zero Meta where the catalog no longer has it
		lesson := page.Lesson{
			Lab: m.number() + " " + m.title, Dir: m.dir, Case: m.name, Rule: cmp.Or(meta.Rule, m.name), Why: meta.Why,
			Missed: m.missed, Of: m.of, Percent: m.percent(), Lost: m.lost(), Mix: m.caseStats.mix(),
			Reread: "labs/" + m.dir + "/README.md",
		}
		if len(meta.Hint) > 0 {
			lesson.Nudge = meta.Hint[0]
		}
		lessons = append(lessons, lesson)
	}
	return lessons
}

func (l *labStats) row() page.LabRow {
	slices.Sort(l.points)
	slices.Sort(l.took)
	r := page.LabRow{
		Number: l.number(), Title: l.title, Handed: len(l.points) + l.failed, Missing: l.missing, Rejected: l.rejected,
		Failed: l.failed, Late: l.late, Untouched: l.untouched, Max: l.max, Mix: l.mix, Median: median(l.points),
	}
	if n := len(l.points); n > 0 {
		r.Lowest, r.Highest = l.points[0], l.points[n-1]
	}
	if n := len(l.took); n > 0 {
		r.Time, r.Longest = inSeconds(median(l.took)), inSeconds(l.took[n-1])
	}
	return r
}

// inSeconds is a time as a table of times needs it.
func inSeconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

func (l *labStats) table() page.CaseTable {
	t := page.CaseTable{
		Anchor: "cases-" + l.dir, Number: l.number(), Title: l.title, Of: l.ran, Refused: l.refused, Untouched: l.untouched,
	}
	for _, c := range l.byMissed() {
		meta, _ := book()[l.dir].Case(c.name)
		t.Rows = append(t.Rows, page.CaseRow{
			Name: c.name, Rule: meta.Rule, Public: meta.Public, Points: c.points,
			Missed: c.missed, Of: c.of, Percent: c.percent(), Mix: c.mix(),
		})
	}
	return t
}

func (s *stats) row(st studentStats) page.StudentRow {
	r := page.StudentRow{Name: called(st.Student), ID: shown(st.ID), Group: shown(st.Group), Href: fileName(st.ID) + ".html"}
	for _, l := range s.sorted() {
		cell, ok := st.cells[l.dir]
		if !ok {
			cell = page.Cell{Text: "–", Spell: "missing", Level: 5}
		}
		r.Cells = append(r.Cells, cell)
	}
	if st.Handed {
		r.Total = fmt.Sprint(st.Points)
	}
	if st.Max > 0 {
		r.Percent = 100 * st.Points / st.Max
	}
	return r
}
