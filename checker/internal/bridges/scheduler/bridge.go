package scheduler

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/schedulertest"
	"github.com/controllerbook/controllerbook/labs/kit"
	subject "github.com/controllerbook/controllerbook/solutions/21-scheduler"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			New:                    newSubject,
			ErrStarted:             subject.ErrStarted,
			NodeResourcesFit:       toFilter(subject.NodeResourcesFit),
			NodeSelector:           toFilter(subject.NodeSelector),
			TaintToleration:        toFilter(subject.TaintToleration),
			NodeUnschedulable:      toFilter(subject.NodeUnschedulable),
			NodeReady:              toFilter(subject.NodeReady),
			LeastAllocated:         toScore(subject.LeastAllocated),
			PreferUntainted:        toScore(subject.PreferUntainted),
			NumFeasibleNodesToFind: subject.NumFeasibleNodesToFind,
		}
	})
}

func toFilter(f subject.Filter) suite.Filter {
	return func(pod *kit.Pod, node suite.NodeInfo) error { return f(pod, subject.NodeInfo(node)) }
}

func toScore(f func(*kit.Pod, subject.NodeInfo) int64) func(*kit.Pod, suite.NodeInfo) int64 {
	return func(pod *kit.Pod, node suite.NodeInfo) int64 { return f(pod, subject.NodeInfo(node)) }
}

func newSubject(o suite.Options) suite.Scheduler {
	options := subject.Options{Pods: o.Pods, Less: o.Less, Workers: o.Workers, Recorder: o.Recorder}
	if o.Filters != nil { // empty is not nil
		options.Filters = []subject.Filter{}
	}
	for _, f := range o.Filters {
		options.Filters = append(options.Filters, func(pod *kit.Pod, node subject.NodeInfo) error { return f(pod, suite.NodeInfo(node)) })
	}
	for _, s := range o.Scores {
		options.Scores = append(options.Scores, subject.Score{
			Weight: s.Weight,
			Score:  func(pod *kit.Pod, node subject.NodeInfo) int64 { return s.Score(pod, suite.NodeInfo(node)) },
		})
	}
	return scheduler{subject.New(options)}
}

// scheduler is a subject's scheduler as the suite sees it.
type scheduler struct{ *subject.Scheduler }

func (s scheduler) Pending() suite.Pending { return suite.Pending(s.Scheduler.Pending()) }
