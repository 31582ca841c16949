package triggers

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/triggerstest"
	subject "github.com/controllerbook/controllerbook/solutions/18-triggers"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			Edge:        func(c suite.Cluster) suite.Strategy { return toSuite{subject.NewEdge(toSubject{c})} },
			Level:       func(c suite.Cluster) suite.Strategy { return toSuite{subject.NewLevel(toSubject{c})} },
			LevelResync: func(c suite.Cluster, n int) suite.Strategy { return toSuite{subject.NewLevelResync(toSubject{c}, n)} },
			Simulate:    simulateSubject,
			ErrDown:     subject.ErrDown,
		}
	})
}

// toSubject is a cluster of the suite as the subject sees it, and fromSubject the other way round.
type (
	toSubject   struct{ suite.Cluster }
	fromSubject struct{ subject.Cluster }
)

func (c toSubject) Get(key string) subject.State { return subject.State(c.Cluster.Get(key)) }
func (c fromSubject) Get(key string) suite.State { return suite.State(c.Cluster.Get(key)) }

// toSuite is a strategy of the subject as the suite sees it, and ofSuite the other way round. Before each
// call of ofSuite the plan is shown to the suite as it is then.
type (
	toSuite struct{ subject.Strategy }
	ofSuite struct {
		suite.Strategy
		show func()
	}
)

func (s toSuite) Notify(e suite.Event) {
	s.Strategy.Notify(subject.Event{Key: e.Key, Old: subject.State(e.Old), New: subject.State(e.New)})
}

func (s ofSuite) Work() {
	s.show()
	s.Strategy.Work()
}

func (s ofSuite) Notify(e subject.Event) {
	s.show()
	s.Strategy.Notify(suite.Event{Key: e.Key, Old: suite.State(e.Old), New: suite.State(e.New)})
}

// simulateSubject hands the plan over, and shows what becomes of it.
func simulateSubject(plan suite.Plan, open func(c suite.Cluster) suite.Strategy) suite.Report {
	p := subject.Plan{Steps: plan.Steps, Down: plan.Down}
	if plan.Start != nil {
		p.Start = map[string]subject.State{}
	}
	for key, s := range plan.Start {
		p.Start[key] = subject.State(s)
	}
	changes := plan.Changes[:cap(plan.Changes)] // what is behind the plan's, too: Simulate must not write there
	for _, c := range changes {
		p.Changes = append(p.Changes, subject.Change(c))
	}
	theirs := p.Changes
	p.Changes = p.Changes[:len(plan.Changes)]
	show := func() {
		clear(plan.Start)
		for key, s := range p.Start {
			plan.Start[key] = suite.State(s)
		}
		for i, c := range theirs {
			changes[i] = suite.Change(c)
		}
	}
	r := subject.Simulate(p, func(c subject.Cluster) subject.Strategy {
		show()
		return ofSuite{open(fromSubject{c}), show}
	})
	show()
	return suite.Report{
		Drift: r.Drift, Lag: r.Lag, Settled: r.Settled, Delivered: r.Delivered,
		Lists: r.Lists, Reads: r.Reads, Writes: r.Writes, Converged: r.Converged(),
	}
}
