//go:build ignore

// Mistake: What was written for a ReplicaSet that is gone is looked for by the beginning of its key, with which
//   others begin, too.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import (
	"maps"
	"strings"
)

func (w *written) forget(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.DeleteFunc(w.marks, func(other string, _ mark) bool { return strings.HasPrefix(other, key) })
}
