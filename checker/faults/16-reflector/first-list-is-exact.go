//go:build ignore

// Mistake: The first list asks for the newest state, as if reading etcd for every client that starts cost
//   nothing.
// Killed by: list-then-watch
// Verdict: wrong-answer

package reflector

func (r *Reflector[T]) relistVersion() string {
	if r.unavailable {
		return ""
	}
	if last := r.LastSyncResourceVersion(); last != "" {
		return last
	}
	return ""
}
