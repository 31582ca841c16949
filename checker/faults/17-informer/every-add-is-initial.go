//go:build ignore

// Mistake: Every OnAdd that is pending is waited for, so a handler that has synced is out of sync at the next addition.
// Killed by: handler-has-synced
// Verdict: wrong-answer

package informer

func (n notification[T]) initial() bool { return n.kind == onAdd }
