package triggerstest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	subject "github.com/controllerbook/controllerbook/solutions/18-triggers"
)

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject {
		return Subject{
			Edge:        func(c Cluster) Strategy { return toSuite{subject.NewEdge(toSubject{c})} },
			Level:       func(c Cluster) Strategy { return toSuite{subject.NewLevel(toSubject{c})} },
			LevelResync: func(c Cluster, n int) Strategy { return toSuite{subject.NewLevelResync(toSubject{c}, n)} },
			Simulate:    simulateSubject,
			ErrDown:     subject.ErrDown,
		}
	})
}

// toSubject is a cluster of the suite as the subject sees it, and fromSubject the other way round.
type (
	toSubject   struct{ Cluster }
	fromSubject struct{ subject.Cluster }
)

func (c toSubject) Get(key string) subject.State { return subject.State(c.Cluster.Get(key)) }
func (c fromSubject) Get(key string) State       { return State(c.Cluster.Get(key)) }

// toSuite is a strategy of the subject as the suite sees it, and ofSuite the other way round.
type (
	toSuite struct{ subject.Strategy }
	ofSuite struct{ Strategy }
)

func (s toSuite) Notify(e Event) {
	s.Strategy.Notify(subject.Event{Key: e.Key, Old: subject.State(e.Old), New: subject.State(e.New)})
}

func (s ofSuite) Notify(e subject.Event) {
	s.Strategy.Notify(Event{Key: e.Key, Old: State(e.Old), New: State(e.New)})
}

// simulateSubject hands the plan over, and looks whether it comes back as it was.
func simulateSubject(plan Plan, open func(c Cluster) Strategy) Report {
	p := subject.Plan{Steps: plan.Steps, Start: map[string]subject.State{}, Down: plan.Down}
	for key, s := range plan.Start {
		p.Start[key] = subject.State(s)
	}
	for _, c := range plan.Changes {
		p.Changes = append(p.Changes, subject.Change(c))
	}
	r := subject.Simulate(p, func(c subject.Cluster) subject.Strategy { return ofSuite{open(fromSubject{c})} })
	clear(plan.Start)
	for key, s := range p.Start {
		plan.Start[key] = State(s)
	}
	for i, c := range p.Changes {
		plan.Changes[i] = Change(c)
	}
	return Report{r.Drift, r.Lag, r.Settled, r.Delivered, r.Lists, r.Reads, r.Writes, r.Converged()}
}
