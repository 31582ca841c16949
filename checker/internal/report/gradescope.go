package report

import (
	"fmt"
	"io"
	"time"
)

// Gradescope says how much of a result students see there.
type Gradescope struct {
	Hidden string // visibility of hidden cases: visible, hidden, after_due_date or after_published
}

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

// WriteGradescope writes Gradescope's results.json. A result with anything undecided is
// refused: the run then counts there as failed, and can be run again.
func WriteGradescope(w io.Writer, grades []Grade, o Gradescope) error {
	if err := decided(grades); err != nil {
		return err
	}
	out := gradescope{
		Score: sum(grades, func(g *Grade) int { return g.Points }), Format: "text", See: "visible", Stdout: "hidden",
		Tests: []gradescopeTest{}, Extra: map[string]any{"schema": GradeSchema},
	}
	number := map[string]int{}
	for i := range grades {
		g := &grades[i]
		out.Time += max(time.Duration(g.TookNS), took(g.Cases)).Seconds()
		out.Output += g.headline()
	}
	for _, t := range tests(grades, ForStudent) {
		number[t.lab]++
		out.Tests = append(out.Tests, o.test(t, number[t.lab]))
	}
	return encode(w, out)
}

func (o Gradescope) test(t test, n int) gradescopeTest {
	one := gradescopeTest{
		Score: t.score, Max: t.max, Status: "failed", Name: t.lab + "/" + t.name,
		Number: fmt.Sprintf("%.2s.%d", t.lab, n), Format: "text", See: "visible",
	}
	if t.verdict != "" {
		one.Tags = []string{string(t.verdict)}
	}
	if !t.public && o.Hidden != "" {
		one.See = o.Hidden
	}
	if t.passed {
		one.Status = "passed"
		return one
	}
	one.Output = t.text
	return one
}

// headline is what there is to say of a lab as a whole, in plain text.
func (g *Grade) headline() string {
	text := fmt.Sprintf("%s: %d of %d points\n", g.Lab, g.Points, g.Max)
	if g.Late != nil {
		text += fmt.Sprintf("Handed in after the deadline: %d %% were taken off %d points.\n", g.Late.Percent, g.Late.Earned)
	}
	if s := g.standing(ForStudent); s != "" {
		text += s + "\n"
	}
	if e, refused := g.refusal(); refused {
		text += words(e)
	}
	return text
}
