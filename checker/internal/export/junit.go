package export

import (
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// A suite is one student's lab, a test is one case. A failure's type is the verdict. What
// is the grader's fault is an error, and what was not submitted is skipped.
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

// WriteJUnit writes grades as JUnit XML.
func WriteJUnit(w io.Writer, grades iter.Seq2[audience.Grade, error]) error {
	j, err := NewJUnit(w)
	if err != nil {
		return err
	}
	for g, err := range grades {
		if err != nil {
			return err
		}
		if err := j.Add(g); err != nil {
			return err
		}
	}
	return j.End()
}

// JUnit writes JUnit XML grade by grade, and keeps none of them.
type JUnit struct{ w io.Writer }

// NewJUnit writes the beginning of the file.
func NewJUnit(w io.Writer) (*JUnit, error) {
	_, err := io.WriteString(w, xml.Header+"<testsuites name=\"controllerbook\">\n")
	return &JUnit{w}, err
}

// Add writes the suite of a grade.
func (j *JUnit) Add(g audience.Grade) error {
	e := xml.NewEncoder(j.w)
	e.Indent("  ", "  ")
	if err := e.Encode(newJUnitSuite(g)); err != nil {
		return err
	}
	_, err := io.WriteString(j.w, "\n")
	return err
}

// End writes the end of the file.
func (j *JUnit) End() error {
	_, err := io.WriteString(j.w, "</testsuites>\n")
	return err
}

func newJUnitSuite(g audience.Grade) junitSuite {
	s := junitSuite{
		Name: printable.Line(g.Student.ID, 200) + "/" + g.Lab, Time: seconds(g.Took),
		Properties: []junitProperty{
			{"status", printable.Line(string(g.Status), 200)}, {"points", fmt.Sprint(g.Points)}, {"max", fmt.Sprint(g.Max)},
			{"toolchain", printable.Line(g.Toolchain.Go+" "+g.Toolchain.OS+"/"+g.Toolchain.Arch, 200)},
		},
	}
	if g.Isolation != "" {
		s.Properties = append(s.Properties, junitProperty{"isolation", printable.Line(g.Isolation, 200)})
	}
	for i, c := range g.Cases {
		s.addCase(g, i, junitCase{Class: g.Lab, Name: printable.Line(c.Meta.Name, 200), Time: seconds(c.Took)})
	}
	if g.Status != result.Graded {
		s.addStatus(g)
	}
	return s
}

// problem says what is wrong with a case, in words.
func problem(g audience.Grade, i int) *junitProblem {
	e := g.Cases[i].Explain()
	return &junitProblem{Type: string(g.Cases[i].Verdict), Message: e.Title + ": " + printable.Line(e.What, 400), Text: caseWords(g, i)}
}

// addCase adds the test of a grade's case.
func (s *junitSuite) addCase(g audience.Grade, i int, c junitCase) {
	s.Tests++
	switch g.Cases[i].Verdict {
	case verdict.Pass:
	case verdict.CheckerError:
		s.Errors++
		c.Error = problem(g, i)
	default:
		s.Failures++
		c.Failure = problem(g, i)
	}
	s.Cases = append(s.Cases, c)
}

// addStatus adds the one test that says why there are no others.
func (s *junitSuite) addStatus(g audience.Grade) {
	c := junitCase{Class: g.Lab, Name: "submission", Time: seconds(0)}
	p := &junitProblem{Type: string(g.Status), Message: printable.Line(g.Standing, 400)}
	s.Tests++
	switch g.Status {
	case result.Missing:
		s.Skipped++
		c.Skipped = &junitProblem{Message: p.Message}
	case result.Failed:
		s.Errors++
		c.Error = p
	default:
		s.Failures++
		c.Failure = p
	}
	s.Cases = append(s.Cases, c)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
