//go:build ignore

// Mistake: ExpectDeletions of no pods forgets the key: there is nothing to be expected.
// Killed by: expectations-add-up
// Verdict: wrong-answer

package replicaset

func (e *Expectations) ExpectDeletions(key string, pods []string) {
	if len(pods) == 0 {
		e.DeleteExpectations(key)
		return
	}
	e.set(key, 0, pods)
}
