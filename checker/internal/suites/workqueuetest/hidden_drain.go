package workqueuetest

import (
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var draining = []conform.Case[Subject]{
	{
		Name:   "drain-waits-for-workers",
		Points: 6,
		Func:   "Queue.ShutDownWithDrain",
		Rule:   "ShutDownWithDrain accepts nothing new, lets Get hand out what is queued, and blocks for as long as any item is being processed.",
		Why:    "The caller of a drain goes on to close what the workers use: clients, leases, log files.",
		Hint: []string{
			"Are your two shutdowns the same in all but the waiting? What does the second wait for, and which Done wakes it?",
			"Wait in a loop, as Get does: the first Done is not the last.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.ShutDownWithDrain (no test of upstream fails if it returns after the first Done)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			for _, item := range []string{"a", "b", "c"} {
				v.add(item)
			}
			v.expect(t, "a")
			v.expect(t, "b")
			drained := drain(t, v.queue)
			require.True(t, v.shuttingDown(), "ShuttingDown is false while ShutDownWithDrain is under way.")
			v.add("late")
			v.add("a")
			require.Equal(t, 1, v.len(), "While the queue drains it must hold what it held before: no Add counts, and nothing is dropped.")
			v.expect(t, "c")
			for _, item := range []string{"c", "a"} {
				v.done(item)
				t.Wait()
				require.False(t, probe.Closed(drained), "ShutDownWithDrain returned while an item was being processed.")
			}
			item, shutdown := v.get()
			require.True(t, shutdown, "The queue is shut down and nothing is queued, and Get returned %q instead of saying so.", item)
			v.done("b")
			t.Wait()
			require.True(t, probe.Closed(drained), "Nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned.")
		},
	},
	{
		Name:   "drain-requeues-the-dirty",
		Points: 5,
		Func:   "Queue.Done",
		Rule:   "An item that became dirty before the shutdown is queued again by its Done, although the queue is shutting down.",
		Why:    "The change was accepted: the worker began before it, so its result is about a state that is already old.",
		Hint: []string{
			"Does Done check the shutdown flag? Should it?",
		},
		Source: "client-go util/workqueue/queue_test.go: TestQueueDrainageUsingShutDownWithDrainWithDirtyItem",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			v.add("a")
			v.expect(t, "a")
			v.add("a")
			drained := drain(t, v.queue)
			require.False(t, probe.Closed(drained), "ShutDownWithDrain returned while an item was being processed.")
			item, shutdown := v.get() // by another worker: it does not wait for this one
			require.True(t, shutdown, "The queue is shut down and nothing is queued, and Get returned %q instead of saying so.", item)
			v.done("a")
			require.Equal(t, 1, v.len(), "An item was dirty when the queue was shut down, and its Done did not queue it again.")
			v.expect(t, "a") // whether the drain has returned meanwhile is left open
			v.done("a")
			require.Zero(t, v.len(), "Done queued an item that nobody had added since Get handed it out.")
			t.Wait()
			require.True(t, probe.Closed(drained), "Nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned.")
		},
	},
	{
		Name:   "shutdown-aborts-a-drain",
		Points: 5,
		Func:   "Queue.ShutDown",
		Rule:   "ShutDown makes every ShutDownWithDrain that is under way return, whatever is still being processed.",
		Why:    "The first SIGTERM drains. The second, or the end of the grace period, means: stop waiting for the worker that hangs.",
		Hint: []string{
			"What besides the last Done must end the wait? How does the waiting goroutine see it?",
			"A flag that ShutDownWithDrain sets and ShutDown clears; the loop around Wait checks it, and ShutDown has to wake that loop.",
		},
		Source: "client-go util/workqueue/queue_test.go: TestForceQueueShutdownUsingShutDown",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v := voice{open(), t.Actor}
			v.add("hangs")
			v.add("b")
			v.expect(t, "hangs")
			first, second := drain(t, v.queue), drain(t, v.queue)
			require.False(t, probe.Closed(first), "ShutDownWithDrain returned while an item was being processed.")
			require.False(t, probe.Closed(second), "A second ShutDownWithDrain returned while an item was being processed.")
			v.shutDown()
			t.Wait()
			require.True(t, probe.Closed(first) && probe.Closed(second), "ShutDown was called and ShutDownWithDrain goes on waiting.")
			require.True(t, v.shuttingDown(), "ShuttingDown is false after ShutDown was called.")
			v.expect(t, "b")
			v.done("b")
			v.done("hangs")
		},
	},
	{
		Name:   "drain-misses-no-done",
		Points: 5,
		Func:   "Queue.ShutDownWithDrain",
		Rule:   "A Done at the very moment at which ShutDownWithDrain begins to wait is not missed.",
		Why:    "client-go once checked and waited in two critical sections. A ShutDown that came in between went unnoticed, and the drain hung; a Done can get lost in the same gap.",
		Hint: []string{
			"Between your check of the processing set and your Wait, is the lock ever free?",
			"Wait releases the lock and goes to sleep in one step. Check, and Wait, under one Lock; do not put the check into a method that locks by itself.",
		},
		Source: "kubernetes#119554; Go sync/cond.go: Cond.Wait",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			for range 200 {
				v := voice{open(), t.Actor}
				v.add("a")
				v.expect(t, "a")
				t.Go("worker", func(a *conform.Actor) { voice{v.queue, a}.done("a") })
				v.drain()
				t.Join()
			}
		},
	},
}

// drain calls ShutDownWithDrain on a goroutine of its own and returns, when it
// waits or has returned, a channel that is closed by its return.
func drain(t *conform.T, q Subject) <-chan struct{} {
	returned := make(chan struct{})
	t.Go("drainer", func(a *conform.Actor) {
		voice{q, a}.drain()
		close(returned)
	})
	t.Wait()
	return returned
}
