//go:build ignore

// Mistake: New starts a goroutine, and nothing that ShutDown does ever reaches it (controller-runtime#649).
// Killed by: first-in-first-out
// Verdict: goroutine-leak

package workqueue

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: make(set[T]), processing: make(set[T])}
	q.work.L, q.idle.L = &q.mu, &q.mu
	stop := make(chan struct{})
	go func() { <-stop }()
	return q
}
