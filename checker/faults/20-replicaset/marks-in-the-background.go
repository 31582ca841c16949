//go:build ignore

// Mistake: What was written is remembered by a goroutine of its own, so that no request waits for a lock.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (w *written) set(rs *kit.ReplicaSet) {
	go w.raise(kit.Key(rs), mark{uid: rs.UID, sets: number(rs.ResourceVersion)})
}
