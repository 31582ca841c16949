package page

import (
	"io"
	"reflect"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Sources are a reader's files, by their paths from the root of the workbook.
type Sources map[string][]byte

// Run is one run of a lab, for whose code it is.
type Run struct {
	Title string
	Grade audience.Grade
	Code  Sources
}

// labPage is the page of a run.
type labPage struct {
	Title string
	Lab   labSection
	Foot  string
}

// drawing is what is drawn of one case.
type drawing struct {
	Timeline *timelinePicture
	Race     *racePicture
	Waits    []waitRow
	More     int  // groups of goroutines that are left out
	Blocked  bool // nobody is left who could end a wait
	Code     []excerpt
}

// maxDrawn is how many events of a history are drawn.
const maxDrawn = 80

// WriteLab writes the page of a run: the cases in words and pictures, beside the lines of
// the code that they are about. A case that passed is drawn if it has a history.
func WriteLab(w io.Writer, r Run) error {
	p := newLabPage(r)
	clean(reflect.ValueOf(&p))
	return templates.ExecuteTemplate(w, "lab.html", p)
}

func newLabPage(r Run) labPage {
	p := labPage{Title: r.Title, Lab: newLabSection(r.Grade), Foot: foot(r.Grade)}
	for i, c := range r.Grade.Cases {
		s := &p.Lab.Cases[i]
		d := newDrawing(c, r.Code)
		switch {
		case s.Detail != nil:
			s.Detail.Drawing = d
			if len(d.Waits) > 0 { // they say the same and more
				s.Detail.Places, s.Detail.More = nil, d.More
			}
		case c.Verdict == verdict.Pass && d.Timeline != nil:
			s.Detail = newDetail(c.Explain(), conform.Meta{}) // without the hints
			s.Detail.Drawing = d
			s.Open = !p.Lab.opened()
		}
	}
	return p
}

func newDrawing(c audience.Case, code Sources) *drawing {
	d := &drawing{Timeline: newTimeline(c.Chart(maxDrawn)), Blocked: c.Verdict == verdict.Deadlock}
	d.Waits, d.More = newWaits(c.Waits())
	if c.Verdict == verdict.Pass {
		return d
	}
	e := c.Explain()
	if c.Verdict == verdict.DataRace {
		d.Race = newRace(e.Places)
	}
	d.Code = code.excerpts(e)
	return d
}
