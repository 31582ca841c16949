package export

import (
	"fmt"
	"io"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/result"
)

// Visibilities says when students may see a test at Gradescope, in Gradescope's words.
var Visibilities = []string{"visible", "after_due_date", "after_published", "hidden"}

type gradescope struct {
	Score  int              `json:"score"`
	Time   float64          `json:"execution_time"`
	Output string           `json:"output,omitempty"`
	Format string           `json:"output_format"`
	See    string           `json:"visibility"`
	Stdout string           `json:"stdout_visibility"`
	Tests  []gradescopeTest `json:"tests"`
	Extra  map[string]any   `json:"extra_data,omitempty"`
}

type gradescopeTest struct {
	Score  int      `json:"score"`
	Max    int      `json:"max_score"`
	Status string   `json:"status"`
	Name   string   `json:"name"`
	Number string   `json:"number"`
	Output string   `json:"output,omitempty"`
	Format string   `json:"output_format"`
	Tags   []string `json:"tags,omitempty"`
	See    string   `json:"visibility"`
}

// Gradescope writes Gradescope's results.json. hidden is one of Visibilities, for hidden
// cases. The error is ErrUndecided if any points are: the run then counts there as failed,
// and can be run again.
func Gradescope(w io.Writer, r audience.Record, hidden string) error {
	if err := decided(r); err != nil {
		return err
	}
	out := gradescope{
		Score: r.Total().Points, Format: "text", See: "visible", Stdout: "hidden",
		Tests: []gradescopeTest{}, Extra: map[string]any{"schema": result.GradeSchema},
	}
	number := map[string]int{}
	for _, g := range r.Grades {
		out.Time += max(g.Took, g.CasesTook).Seconds()
		out.Output += headline(g)
	}
	for _, t := range tests(r) {
		number[t.lab]++
		one := t.gradescope(number[t.lab])
		if !t.public {
			one.See = hidden
		}
		out.Tests = append(out.Tests, one)
	}
	return encode(w, out)
}

func (t test) gradescope(n int) gradescopeTest {
	one := gradescopeTest{
		Score: t.score, Max: t.max, Status: "failed", Name: t.lab + "/" + t.name,
		Number: fmt.Sprintf("%.2s.%d", t.lab, n), Format: "text", See: "visible",
	}
	if t.verdict != "" {
		one.Tags = []string{string(t.verdict)}
	}
	if t.passed {
		one.Status = "passed"
		return one
	}
	one.Output = t.text
	return one
}

// headline says how a lab as a whole ended, in plain text.
func headline(g audience.Grade) string {
	text := fmt.Sprintf("%s: %d of %d points\n", g.Lab, g.Points, g.Max)
	if g.Late != nil {
		text += fmt.Sprintf("Handed in after the deadline: %d %% were taken off %d points.\n", g.Late.Percent, g.Late.Earned)
	}
	if g.Standing != "" {
		text += g.Standing + "\n"
	}
	if g.Refused != nil {
		text += words(*g.Refused)
	}
	return text
}
