package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// One suite is one student's lab, one test one case. A failure's type is the verdict;
// what is our fault is an error, what was not handed in is skipped.
type (
	junitSuite struct {
		XMLName    xml.Name        `xml:"testsuite"`
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		Time    string        `xml:"time,attr"`
		Failure *junitProblem `xml:"failure,omitempty"`
		Error   *junitProblem `xml:"error,omitempty"`
		Skipped *junitProblem `xml:"skipped,omitempty"`
	}
	junitProblem struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// WriteJUnit writes grades as JUnit XML, one at a time.
func WriteJUnit(w io.Writer, grades Grades, to Audience) error {
	j, err := newJUnit(w, to)
	if err != nil {
		return err
	}
	for g, err := range grades {
		if err != nil {
			return err
		}
		if err := j.add([]Grade{g}); err != nil {
			return err
		}
	}
	return j.end()
}

// junit writes a file suite by suite.
type junit struct {
	w  io.Writer
	to Audience
}

func newJUnit(w io.Writer, to Audience) (*junit, error) {
	_, err := io.WriteString(w, xml.Header+"<testsuites name=\"controllerbook\">\n")
	return &junit{w, to}, err
}

func (j *junit) add(grades []Grade) error {
	for i := range grades {
		e := xml.NewEncoder(j.w)
		e.Indent("  ", "  ")
		if err := e.Encode(grades[i].junit(j.to)); err != nil {
			return err
		}
		if _, err := io.WriteString(j.w, "\n"); err != nil {
			return err
		}
	}
	return nil
}

func (j *junit) end() error {
	_, err := io.WriteString(j.w, "</testsuites>\n")
	return err
}

func (g *Grade) junit(to Audience) junitSuite {
	s := junitSuite{
		Name: printable.Line(g.Student.ID, 200) + "/" + g.Lab, Time: seconds(time.Duration(g.TookNS)),
		Properties: []junitProperty{
			{"status", printable.Line(string(g.Status), 200)}, {"points", fmt.Sprint(g.Points)}, {"max", fmt.Sprint(g.Max)},
			{"toolchain", printable.Line(g.Toolchain.Go+" "+g.Toolchain.OS+"/"+g.Toolchain.Arch, 200)},
		},
	}
	if g.Isolation != "" {
		s.Properties = append(s.Properties, junitProperty{"isolation", printable.Line(g.Isolation, 200)})
	}
	metas := g.metas()
	for i, r := range g.Cases {
		s.put(r.Verdict, junitCase{Class: g.Lab, Name: printable.Line(r.Case, 200), Time: seconds(to.took(metas[i], r))}, g.problem(to, metas, i))
	}
	if g.Status != Graded {
		s.putStatus(g, to)
	}
	return s
}

// problem says what is wrong with a case, in words.
func (g *Grade) problem(to Audience, metas []conform.Meta, i int) *junitProblem {
	r := g.Cases[i]
	e := to.explain(metas[i], r)
	return &junitProblem{Type: string(r.Verdict), Message: e.Title + ": " + printable.Line(e.What, 400), Text: g.caseWords(to, metas[i], i)}
}

func (s *junitSuite) put(v verdict.Verdict, c junitCase, p *junitProblem) {
	s.Tests++
	switch v {
	case verdict.Pass:
	case verdict.CheckerError:
		s.Errors++
		c.Error = p
	default:
		s.Failures++
		c.Failure = p
	}
	s.Cases = append(s.Cases, c)
}

// putStatus adds the one test that says why there are no others.
func (s *junitSuite) putStatus(g *Grade, to Audience) {
	c := junitCase{Class: g.Lab, Name: "submission", Time: seconds(0)}
	p := &junitProblem{Type: string(g.Status), Message: printable.Line(g.standing(to), 400)}
	s.Tests++
	switch g.Status {
	case Missing:
		s.Skipped++
		c.Skipped = &junitProblem{Message: p.Message}
	case Failed:
		s.Errors++
		c.Error = p
	default:
		s.Failures++
		c.Failure = p
	}
	s.Cases = append(s.Cases, c)
}

// standing says in a sentence what became of a submission that has no cases.
func (g *Grade) standing(to Audience) string {
	switch g.Status {
	case Missing:
		return "Nothing was handed in for this lab."
	case Rejected:
		return "What was handed in could not be read: " + harmless(g.Problem)
	case Failed:
		if to == ForStudent { // a problem of the grader's can quote what hidden cases saw
			return "The grader failed, not your submission. It costs you no points, and has to be graded again."
		}
		return "The grader failed, not the submission. It costs no points and has to be graded again: " + harmless(g.Problem)
	}
	return ""
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// took is the time of all cases together, where the grade does not say.
func took(results []outcome.Result) time.Duration {
	var sum time.Duration
	for _, r := range results {
		sum += r.Took
	}
	return sum
}
