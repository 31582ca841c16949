//go:build ignore

// Mistake: A pod that is written is all that is remembered of a ReplicaSet: its status is written after that anyway.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (w *written) pod(rs *kit.ReplicaSet, pod *kit.Pod) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := kit.Key(rs)
	w.marks[key] = mark{uid: rs.UID, pods: max(w.marks[key].pods, number(pod.ResourceVersion))}
}
