//go:build ignore

// Mistake: A ReplicaSet that is being deleted is no longer one of the deployment.
// Killed by: a-rollback-reuses-the-old-replicaset
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func controlledBy(sets []*kit.ReplicaSet, d *kit.Deployment, exists bool) (own, others []*kit.ReplicaSet) {
	for _, rs := range sets {
		if exists && rs.ControllerOf().UID == d.UID {
			if rs.DeletionTimestamp != nil {
				continue
			}
			own = append(own, rs)
		} else {
			others = append(others, rs)
		}
	}
	return own, others
}
