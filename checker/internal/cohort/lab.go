package cohort

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Lab is the numbers of one lab.
type Lab struct {
	Dir, Title string
	Max        int
	Missing    int
	Rejected   int
	Failed     int // the grader's fault
	Late       int
	Refused    int // were not compiled
	Untouched  int // were not begun
	Ran        int
	Verdicts   map[verdict.Verdict]int // of all cases
	points     []int
	took       []time.Duration
	cases      []*Case // in the lab's order
}

// Case is the numbers of one case, among the submissions whose code ran.
type Case struct {
	Meta     conform.Meta
	Points   int
	Of       int // for how many it was decided
	Missed   int
	verdicts map[verdict.Verdict]int // of those who missed it
}

func (l *Lab) add(g audience.Grade) {
	l.Max = max(l.Max, g.Max)
	if g.Late != nil {
		l.Late++
	}
	switch g.Status {
	case result.Missing:
		l.Missing++
		return
	case result.Failed:
		l.Failed++
		return
	case result.Rejected:
		l.Rejected++
		l.points = append(l.points, g.Points)
		return
	}
	l.points = append(l.points, g.Points)
	l.took = append(l.took, g.CasesTook)
	for _, c := range g.Cases {
		l.Verdicts[c.Verdict]++
	}
	switch {
	case all(g, verdict.Verdict.Refused):
		l.Refused++
	case all(g, func(v verdict.Verdict) bool { return v.Group() == verdict.NotBegun }):
		l.Untouched++
	default:
		l.Ran++
		l.count(g)
	}
}

// all reports whether every case of a grade has such a verdict.
func all(g audience.Grade, such func(verdict.Verdict) bool) bool {
	for _, c := range g.Cases {
		if !such(c.Verdict) {
			return false
		}
	}
	return len(g.Cases) > 0
}

// count adds the cases of a submission that ran.
func (l *Lab) count(g audience.Grade) {
	for _, r := range g.Cases {
		i := slices.IndexFunc(l.cases, func(c *Case) bool { return c.Meta.Name == r.Meta.Name })
		if i < 0 {
			i = len(l.cases)
			l.cases = append(l.cases, &Case{Meta: r.Meta, Points: r.Max, verdicts: map[verdict.Verdict]int{}})
		}
		c := l.cases[i]
		switch r.Verdict {
		case verdict.CheckerError:
			continue
		case verdict.Pass:
		default:
			c.Missed++
			c.verdicts[r.Verdict]++
		}
		c.Of++
	}
}

// Submissions is how many submissions were made, those on which the grader failed too.
func (l *Lab) Submissions() int { return len(l.points) + l.Failed }

// Points returns the median, the lowest and the highest points of the submissions that were
// decided, or zeros.
func (l *Lab) Points() (mid, lowest, highest int) { return spread(l.points) }

// Took returns how long the cases of a submission ran: the median and the longest, and
// whether any ran.
func (l *Lab) Took() (mid, longest time.Duration, ran bool) {
	mid, _, longest = spread(l.took)
	return mid, longest, len(l.took) > 0
}

func spread[T int | time.Duration](values []T) (mid, lowest, highest T) {
	if len(values) == 0 {
		return 0, 0, 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return median(sorted), sorted[0], sorted[len(sorted)-1]
}

// Cases returns the cases, the most missed first.
func (l *Lab) Cases() []*Case {
	sorted := slices.Clone(l.cases)
	slices.SortStableFunc(sorted, func(a, b *Case) int {
		// missed/of, compared without fractions
		return cmp.Or(cmp.Compare(b.Missed*max(a.Of, 1), a.Missed*max(b.Of, 1)), cmp.Compare(b.Points, a.Points))
	})
	return sorted
}

// Lost is how many points the case cost the class.
func (c *Case) Lost() int { return c.Missed * c.Points }

// Percent is how many per cent missed the case, rounded.
func (c *Case) Percent() int {
	if c.Of == 0 {
		return 0
	}
	return (200*c.Missed + c.Of) / (2 * c.Of)
}

// HowMissed says how the case was missed, most first: "12 data race, 3 deadlock".
func (c *Case) HowMissed() string {
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
