//go:build ignore

// Mistake: Reading a string is taken for one step.
// Killed by: publishes-what-is-stored
// Verdict: data-race

package reflector

func (r *Reflector[T]) LastSyncResourceVersion() string {
	return r.version
}
