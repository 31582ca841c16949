//go:build ignore

// Mistake: A pause is for all that a rollback does, and so the number waits, too.
// Killed by: a-rollback-reuses-the-old-replicaset
// Verdict: wrong-answer

package controlplane

func (p *plan) nextRevision() int64 {
	highest := int64(0)
	for _, s := range p.old() {
		highest = max(highest, revisionOf(s))
	}
	if p.new != nil {
		if own := revisionOf(p.new); own > highest || p.paused {
			return own
		}
	}
	return highest + 1
}
