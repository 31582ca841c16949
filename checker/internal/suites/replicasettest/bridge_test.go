package replicasettest

import (
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	subject "github.com/controllerbook/controllerbook/solutions/20-replicaset"
)

func TestCases(t *testing.T) {
	conform.Run(t, Cases(), func() Subject {
		return Subject{
			New: func(o Options) Reconciler {
				return subject.New(subject.Options{
					ReplicaSets: o.ReplicaSets, Pods: o.Pods,
					ReplicaSetCache: o.ReplicaSetCache, PodCache: o.PodCache,
					Burst: o.Burst, Recorder: o.Recorder,
					ReplicaSetCacheVersion: o.ReplicaSetCacheVersion, PodCacheVersion: o.PodCacheVersion,
				})
			},
			NewExpectations: func() Expectations { return subject.NewExpectations() },
			SlowStartBatch:  subject.SlowStartBatch,
			PodsToDelete:    subject.PodsToDelete,
			ErrStaleCache:   subject.ErrStaleCache,
		}
	})
}
