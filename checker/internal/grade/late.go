package grade

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// Policy says what lateness costs in one lab.
type Policy struct {
	Deadline time.Time
	Grace    time.Duration // so much later still costs nothing
	Percent  int           // of the points, for each day that has begun since the deadline
	Cap      int           // percent that are taken off at most
	Cutoff   time.Time     // from then on nothing counts; zero is never
}

// Late returns what a submission of that moment costs, or nil if it was in time. If marked,
// the LMS says that it was late: then at least one day has begun, whatever the moment.
func (p Policy) Late(submitted time.Time, marked bool, earned int) *result.Late {
	after := submitted.Sub(p.Deadline)
	if submitted.IsZero() {
		submitted, after = p.Deadline, 0
	}
	if after <= p.Grace && !marked {
		return nil
	}
	days := max(int((after+24*time.Hour-1)/(24*time.Hour)), 1)
	percent := min(days*p.Percent, p.Cap)
	if !p.Cutoff.IsZero() && submitted.After(p.Cutoff) {
		percent = 100
	}
	return &result.Late{Submitted: submitted.UTC(), Deadline: p.Deadline.UTC(), Earned: earned, Percent: percent}
}

// left is what remains of the points, rounded to the nearest.
func left(l *result.Late) int { return (l.Earned*(100-l.Percent) + 50) / 100 }

// Deadlines are the policies of labs, and one for all others.
type Deadlines struct {
	byLab map[string]Policy
	all   *Policy
}

// For is the policy of a lab, if it has a deadline.
func (d Deadlines) For(lab string) (Policy, bool) {
	if p, ok := d.byLab[lab]; ok {
		return p, true
	}
	if d.all != nil {
		return *d.all, true
	}
	return Policy{}, false
}

// ParseDeadlines reads what --deadline was given: each is a policy, or the name of a
// file with one on each line.
func ParseDeadlines(args []string) (Deadlines, error) {
	d := Deadlines{byLab: map[string]Policy{}}
	for _, a := range args {
		lines := []string{a}
		if text, err := os.ReadFile(a); err == nil {
			lines = strings.Split(string(text), "\n")
		}
		for _, l := range lines {
			if l = strings.TrimSpace(l); l == "" || strings.HasPrefix(l, "#") {
				continue
			}
			if err := d.add(l); err != nil {
				return d, fmt.Errorf("--deadline %q: %w", l, err)
			}
		}
	}
	return d, nil
}

// add reads "LAB=TIME,percent=10,cap=50,grace=15m,cutoff=TIME". Without LAB it is for
// every lab that has none of its own.
func (d *Deadlines) add(text string) error {
	parts := strings.Split(text, ",")
	lab, when, ok := strings.Cut(parts[0], "=")
	if !ok {
		lab, when = "", parts[0]
	}
	p := Policy{Percent: 0, Cap: 100}
	var err error
	if p.Deadline, err = roster.ParseTime(strings.TrimSpace(when)); err != nil {
		return err
	}
	for _, option := range parts[1:] {
		if err := p.set(strings.TrimSpace(option)); err != nil {
			return err
		}
	}
	if lab = strings.TrimSpace(lab); lab == "" || lab == "all" {
		d.all = &p
		return nil
	}
	l, err := catalog.Find(lab)
	if err != nil {
		return err
	}
	d.byLab[l.Dir] = p
	return nil
}

func (p *Policy) set(option string) (err error) {
	name, value, _ := strings.Cut(option, "=")
	switch name {
	case "percent":
		p.Percent, err = percent(value)
	case "cap":
		p.Cap, err = percent(value)
	case "grace":
		p.Grace, err = time.ParseDuration(value)
	case "cutoff":
		p.Cutoff, err = roster.ParseTime(value)
	default:
		err = fmt.Errorf("%q is none of percent=N, cap=N, grace=15m, cutoff=TIME", option)
	}
	return err
}

func percent(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSuffix(s, "%"))
	if err != nil || n < 0 || n > 100 {
		return 0, fmt.Errorf("%q is no percentage from 0 to 100", s)
	}
	return n, nil
}
