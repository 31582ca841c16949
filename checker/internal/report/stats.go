package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/report/page"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// stats is what a class's page is made of. It grows with the number of students only
// by a few words each.
type stats struct {
	labs                         map[string]*labStats
	students                     []studentStats
	broken, unreadable, unstable page.Watch
	scores                       page.Histogram
	toolchain                    map[string]bool // each toolchain and isolation that was used
	handed                       int             // submissions
	undecided                    int
}

// studentStats is one row of the table of students.
type studentStats struct {
	Student
	tally
	cells map[string]page.Cell
}

// labStats is one lab.
type labStats struct {
	dir, title                      string
	max                             int
	missing, rejected, failed, late int
	refused, untouched, ran         int
	points                          []int
	took                            []time.Duration
	mix                             page.Mix
	cases                           []*caseStats // in the lab's order
}

// caseStats is one case, among those whose code ran.
type caseStats struct {
	name     string
	points   int
	of       int // for how many it was decided
	missed   int
	verdicts map[verdict.Verdict]int // of those who missed it
}

func newStats() *stats {
	return &stats{labs: map[string]*labStats{}, toolchain: map[string]bool{}}
}

func (s *stats) add(r *record) {
	sum := r.tally()
	row := studentStats{Student: r.Student, tally: sum, cells: map[string]page.Cell{}}
	for i := range r.grades {
		g := &r.grades[i]
		row.cells[g.Lab] = g.cellView()
		s.lab(g).add(g)
		s.attend(r, g)
		if g.Status != Missing {
			s.handed++
			s.toolchain[strings.TrimSpace(fmt.Sprintf("%s %s %s %s", g.Toolchain.Go, g.Toolchain.OS, g.Toolchain.Arch, g.Isolation))] = true
		}
	}
	s.students = append(s.students, row)
	s.undecided += sum.Undecided
	if sum.Handed {
		s.scores.Add(sum.Points, sum.Max)
	}
}

// cellView is the grade in the table of students.
func (g *Grade) cellView() page.Cell {
	switch g.Status {
	case Missing:
		return page.Cell{Text: "–", Spell: "missing", Level: 5}
	case Failed:
		return page.Cell{Text: "!", Spell: "not graded", Level: 5}
	}
	c := page.Cell{Text: fmt.Sprint(g.Points)}
	if g.Max > 0 {
		c.Level = min(4, max(0, 4*g.Points/g.Max))
	}
	return c
}

func (s *stats) lab(g *Grade) *labStats {
	l, ok := s.labs[g.Lab]
	if !ok {
		l = &labStats{dir: g.Lab, title: g.Title, mix: page.Mix{}}
		s.labs[g.Lab] = l
	}
	return l
}

func (l *labStats) add(g *Grade) {
	l.max = max(l.max, g.Max)
	if g.Late != nil {
		l.late++
	}
	switch g.Status {
	case Missing:
		l.missing++
		return
	case Failed:
		l.failed++
		return
	case Rejected:
		l.rejected++
		l.points = append(l.points, g.Points)
		return
	}
	l.points = append(l.points, g.Points)
	l.took = append(l.took, took(g.Cases))
	for _, c := range g.Cases {
		l.mix[group(c.Verdict)]++
	}
	switch {
	case all(g, verdict.Verdict.Refused):
		l.refused++
	case all(g, func(v verdict.Verdict) bool { return v.Group() == verdict.NotBegun }):
		l.untouched++
	default:
		l.ran++
		l.count(g)
	}
}

// all reports whether every case of a grade ended in such a way.
func all(g *Grade, such func(verdict.Verdict) bool) bool {
	for _, c := range g.Cases {
		if !such(c.Verdict) {
			return false
		}
	}
	return len(g.Cases) > 0
}

// count adds the cases of a submission that ran.
func (l *labStats) count(g *Grade) {
	for _, r := range g.Cases {
		i := slices.IndexFunc(l.cases, func(c *caseStats) bool { return c.name == r.Case })
		if i < 0 {
			i = len(l.cases)
			l.cases = append(l.cases, &caseStats{name: r.Case, points: r.Max, verdicts: map[verdict.Verdict]int{}})
		}
		c := l.cases[i]
		switch r.Verdict {
		case verdict.CheckerError:
			continue
		case verdict.Pass:
		default:
			c.missed++
			c.verdicts[r.Verdict]++
		}
		c.of++
	}
}

// lost is what a class lost by one case.
func (c *caseStats) lost() int { return c.missed * c.points }

func (c *caseStats) percent() int {
	if c.of == 0 {
		return 0
	}
	return (200*c.missed + c.of) / (2 * c.of)
}

// mix says how a case was missed: "12 data race, 3 deadlock".
func (c *caseStats) mix() string {
	var ways []verdict.Verdict
	for _, v := range verdict.All {
		if c.verdicts[v] > 0 {
			ways = append(ways, v)
		}
	}
	slices.SortStableFunc(ways, func(a, b verdict.Verdict) int { return c.verdicts[b] - c.verdicts[a] })
	var parts []string
	for _, v := range ways {
		parts = append(parts, fmt.Sprintf("%d %s", c.verdicts[v], v.Title()))
	}
	return strings.Join(parts, ", ")
}

// byMissed are the cases of a lab, the most missed first.
func (l *labStats) byMissed() []*caseStats {
	sorted := slices.Clone(l.cases)
	slices.SortStableFunc(sorted, func(a, b *caseStats) int {
		// missed/of, compared without fractions
		return cmp.Or(cmp.Compare(b.missed*max(a.of, 1), a.missed*max(b.of, 1)), cmp.Compare(b.points, a.points))
	})
	return sorted
}

// median of what was sorted before; the lower of the two in the middle.
func median[T any](sorted []T) T {
	var zero T
	if len(sorted) == 0 {
		return zero
	}
	return sorted[(len(sorted)-1)/2]
}

// maxAttention bounds each list of what a human should look at.
const maxAttention = 100

// attend lists what a human should look at in a grade, and why.
func (s *stats) attend(r *record, g *Grade) {
	undecided, unstable := []string{}, []string{}
	for _, c := range g.Cases {
		switch c.Verdict {
		case verdict.CheckerError:
			undecided = append(undecided, c.Case)
		case verdict.Unstable:
			unstable = append(unstable, fmt.Sprintf("%s (%d of %d runs passed)", c.Case, c.Passed, c.Runs))
		}
	}
	note := func(list *page.Watch, text string) {
		if text == "" {
			return
		}
		if list.Count++; list.Count <= maxAttention {
			list.Items = append(list.Items, page.Item{Name: called(r.Student), Href: fileName(r.ID) + ".html", Lab: g.Lab, Text: text})
		}
	}
	switch g.Status {
	case Failed:
		note(&s.broken, g.Problem)
	case Rejected:
		note(&s.unreadable, g.Problem)
	}
	note(&s.broken, strings.Join(undecided, ", "))
	note(&s.unstable, strings.Join(unstable, ", "))
}

// called is a student's name, or what stands for it.
func called(s Student) string { return shown(cmp.Or(s.Name, s.ID)) }

// shown is a name as pages show it: on one line, and no longer than names are.
func shown(name string) string { return printable.Line(name, 80) }
