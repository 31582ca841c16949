package kernel

import "testing"

type informer struct {
	handler func(key string)
	synced  chan struct{}
}

// run hands the first list to the handler, and is synced then.
func (i *informer) run(keys []string) {
	for _, key := range keys {
		i.handler(key)
	}
	close(i.synced)
}

// The workers wait for the informer to be synced, and the handler waits for a worker.
func Kernel(t testing.TB) {
	queue := make(chan string)
	inf := &informer{synced: make(chan struct{})}
	inf.handler = func(key string) { queue <- key }
	keys := []string{"a", "b", "c"}
	go inf.run(keys)

	<-inf.synced
	for _, want := range keys {
		if got := <-queue; got != want {
			t.Errorf("%s came, and not %s", got, want)
		}
	}
}
