//go:build ignore

// Mistake: Versions are kept by namespace and name, with nothing between the two: the pod of sho/pweb is one of shop/web.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (w *written) raise(key string, m mark) {
	key = strings.Replace(key, "/", "", 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.marks[key]
	w.marks[key] = mark{uid: m.uid, pods: max(was.pods, m.pods), sets: max(was.sets, m.sets)}
}

func (w *written) succeed(rs *kit.ReplicaSet) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if key := rs.Namespace + rs.Name; w.marks[key].uid != rs.UID {
		delete(w.marks, key)
	}
}

func (w *written) forget(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.marks, strings.Replace(key, "/", "", 1))
}

func (w *written) seen(key string) error {
	w.mu.Lock()
	m := w.marks[strings.Replace(key, "/", "", 1)]
	w.mu.Unlock()
	if behind(w.podsAt, m.pods) {
		return fmt.Errorf("%w: pods at version %d", ErrStaleCache, m.pods)
	}
	if behind(w.setsAt, m.sets) {
		return fmt.Errorf("%w: the ReplicaSet at version %d", ErrStaleCache, m.sets)
	}
	return nil
}
