package report

import (
	"fmt"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// Audience is who will read what is written. What they may see is decided while it is
// written, so that no file holds more than its reader may know.
type Audience string

// The audiences.
const (
	ForTeacher Audience = "teacher" // everything
	ForLearner Audience = "learner" // everything about their own code: it ran on their own machine, or the deadline is over
	ForStudent Audience = "student" // before the deadline: of a hidden case no input, no history, no output
)

// ParseAudience finds an audience by its name.
func ParseAudience(name string) (Audience, error) {
	switch a := Audience(name); a {
	case ForTeacher, ForLearner, ForStudent:
		return a, nil
	}
	return "", fmt.Errorf("the audience is teacher, learner or student, not %q", name)
}

// explain puts a result into the words that the audience may read.
func (a Audience) explain(c conform.Meta, r outcome.Result) explain.Explanation {
	if a == ForStudent && !c.Public {
		return explain.Withheld(c, r)
	}
	return explain.Case(c, r)
}

// took is how long a case ran, as far as the audience may know: time can carry an input
// out of a hidden case like any output.
func (a Audience) took(c conform.Meta, r outcome.Result) time.Duration {
	if a == ForStudent && !c.Public {
		return 0
	}
	return r.Took
}

// refusal explains why a lab's cases were not run, if so.
func (g *Grade) refusal() (explain.Explanation, bool) {
	switch {
	case len(g.Violations) > 0:
		return explain.Forbidden("", g.forGate()), true
	case g.Compiler != "":
		return explain.Compile(g.Compiler), true
	}
	return explain.Explanation{}, false
}

// book is the catalog by directory: a class asks for each lab thousands of times.
var book = sync.OnceValue(func() map[string]catalog.Lab {
	labs := map[string]catalog.Lab{}
	for _, l := range catalog.Labs() {
		labs[l.Dir] = l
	}
	return labs
})

// metas finds what the catalog says of a grade's cases. A case that it no longer has
// keeps its name and points.
func (g *Grade) metas() []conform.Meta {
	lab := book()[g.Lab] // the zero Lab has no cases
	metas := make([]conform.Meta, len(g.Cases))
	for i, r := range g.Cases {
		meta, err := lab.Case(r.Case)
		if err != nil {
			meta = conform.Meta{Name: r.Case, Points: r.Max}
		}
		metas[i] = meta
	}
	return metas
}
