package replicaset

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	suite "github.com/controllerbook/controllerbook/checker/internal/suites/replicasettest"
	subject "github.com/controllerbook/controllerbook/solutions/20-replicaset"
)

// Cases are the suite's, on the subject.
func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject {
		return suite.Subject{
			New: func(o suite.Options) suite.Reconciler {
				return subject.New(subject.Options{
					ReplicaSets: o.ReplicaSets, Pods: o.Pods,
					ReplicaSetCache: o.ReplicaSetCache, PodCache: o.PodCache,
					Burst: o.Burst, Recorder: o.Recorder,
					ReplicaSetCacheVersion: o.ReplicaSetCacheVersion, PodCacheVersion: o.PodCacheVersion,
				})
			},
			NewExpectations: func() suite.Expectations { return subject.NewExpectations() },
			SlowStartBatch:  subject.SlowStartBatch,
			PodsToDelete:    subject.PodsToDelete,
			ErrStaleCache:   subject.ErrStaleCache,
		}
	})
}
