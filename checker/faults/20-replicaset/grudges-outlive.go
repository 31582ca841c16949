//go:build ignore

// Mistake: The writes for a ReplicaSet are never forgotten and delay the next one of its name.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (w *written) forget(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = key
}

func (w *written) succeed(*kit.ReplicaSet) {}
