//go:build ignore

// Mistake: A template that comes back keeps the revision that it had.
// Killed by: a-rollback-reuses-the-old-replicaset
// Verdict: wrong-answer

package controlplane

func (p *plan) nextRevision() int64 {
	highest := int64(0)
	for _, s := range p.old() {
		highest = max(highest, revisionOf(s))
	}
	if p.new != nil {
		if own := revisionOf(p.new); own > 0 {
			return own
		}
	}
	return highest + 1
}
