//go:build ignore

// Mistake: Undo takes the ReplicaSets of every deployment that had this name for this one's.
// Killed by: a-rollback-reuses-the-old-replicaset
// Verdict: wrong-answer

package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

func earlier(sets []*kit.ReplicaSet, d *kit.Deployment, revision int64) *kit.ReplicaSet {
	current := revisionOf(d)
	var best *kit.ReplicaSet
	for _, rs := range sets {
		owner, n := rs.ControllerOf(), revisionOf(rs)
		if owner == nil || owner.Name != d.Name || n == 0 {
			continue
		}
		if revision > 0 && n == revision {
			return rs
		}
		if revision == 0 && n < current && (best == nil || n > revisionOf(best)) {
			best = rs
		}
	}
	return best
}
