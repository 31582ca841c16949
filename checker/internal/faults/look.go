package faults

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/exportdata"
	"github.com/controllerbook/controllerbook/checker/internal/seeded"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// looked proves that the cases of a lab send nobody to the wrong place: a learner who has made the
// mistake of a fault, and reads that the answer is wrong, is sent to a function that leads
// to it, or to none. The other verdicts have a place of their own.
func looked(ctx context.Context, root string, lab catalog.Lab, mistakes []seeded.Fault) error {
	solution, err := subject.Solution(root, lab)
	if err != nil {
		return err
	}
	stub, err := subject.Stub(root, lab)
	if err != nil {
		return err
	}
	imports, err := exportdata.Importer(ctx, root, "./"+lab.SolutionPath())
	if err != nil {
		return err
	}
	graph, err := seeded.NewGraph(solution.Files, stub.Files, imports)
	if err != nil {
		return err
	}
	var wrong []error
	for _, c := range lab.Cases {
		for _, place := range c.Look {
			if !strings.Contains(place, " ") && !graph.Has(place) {
				wrong = append(wrong, fmt.Errorf("case %s looks at %s, and the stub has no such function", c.Name, place))
			}
		}
	}
	for _, f := range mistakes {
		c, err := lab.Case(f.KilledBy)
		if err != nil {
			return err
		}
		places := c.Places()
		if f.Verdict == verdict.WrongAnswer && len(places) > 0 && !graph.Leads(places, f) {
			wrong = append(wrong, fmt.Errorf("case %s looks at %q, and the mistake of fault %s is in %s",
				c.Name, places, f.Name, strings.Join(graph.Places(f), ", ")))
		}
	}
	return errors.Join(wrong...)
}
