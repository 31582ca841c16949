package priorityqueuetest

import (
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
)

// drainIsShutDown ends a queue with ShutDownWithDrain. No key is locked, so nothing is waited for.
func drainIsShutDown(t *conform.T, s Subject) {
	q := start(t, s)
	q.Add("a")
	got := q.parked(t, "worker")
	<-got
	q.Done("a")
	got = q.parked(t, "worker")
	q.AddAfter("waits", time.Hour)
	q.ShutDownWithDrain()
	if !q.ShuttingDown() {
		t.Wait()
		t.Fatalf("ShutDownWithDrain returned, and ShuttingDown was false. When everything was at rest, ShuttingDown was %t.", q.ShuttingDown())
	}
	k, some := <-got
	t.Require(!some, "ShutDownWithDrain made Get hand out %v, whose time had not come.", k)
	q.Add("too late")
	t.Wait()
	for range 2 { // the key that was in the queue may still come
		k, shutdown := q.get()
		t.Require(shutdown || k.Item != "too late", "A key that was added after ShutDownWithDrain was handed out.")
		if shutdown {
			return
		}
	}
	t.Fatalf("The queue held one key when it was shut down by ShutDownWithDrain, and Get has handed out two since.")
}

// shutDownAsItComes shuts queues down at the moment at which the time of a key comes.
func shutDownAsItComes(t *conform.T, s Subject) {
	const rounds = 200
	call := t.Call("New, AddAfter(a, 1ns) and ShutDown, %d times", rounds)
	for range rounds {
		q := s.New(fake.Always[string](0))
		q.AddAfter("a", time.Nanosecond)
		q.ShutDown()
	}
	call.Returned("")
}
