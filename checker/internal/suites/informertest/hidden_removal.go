package informertest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// leaving is the part of the suite about handlers that are removed.
var leaving = []conform.Case[Subject]{
	{
		Name:   "remove-stuck-handler",
		Points: 4,
		Func:   "SharedInformer.RemoveEventHandler",
		Rule:   "RemoveEventHandler does not wait for a call that is under way, and drops what is pending. The ShutdownChan is closed when the last call has returned.",
		Why:    "The goroutine that removes a handler may hold a lock that the handler waits for. And code that releases what the handler uses has to know when it may.",
		Hint: []string{
			"Which goroutine knows that the last call has returned? Let it close the ShutdownChan when it ends.",
			"The goroutine has a thousand pending notifications. When does it find out that it should stop?",
			"Check before each call whether a channel is closed that says so.",
		},
		Source: "kubernetes#139755, nobody could await a removed handler; client-go tools/cache/shared_informer.go: ShutDownEventHandler",
		Contract: []string{
			"It does not wait for the handler. A call that is under way goes on, and one more may begin.",
			"When the last call has returned, the ShutdownChan of the registration is closed",
			"its pending notifications are dropped",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 100
			c := newCluster("a")
			i := informer(t, open(), c)
			release := make(chan struct{})
			stuck := handler(t, "stuck").doing(func(string) { <-release })
			other := handler(t, "other")
			r := i.add(t, stuck)
			i.add(t, other)
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			for range n {
				c.apply("a")
			}
			t.Wait()
			release <- struct{}{} // now it is stuck in its second call, with all others before it
			t.Wait()
			for range n {
				c.apply("a")
			}
			t.Wait()
			require.NoError(t, i.remove(r, "stuck"), "A handler could not be removed during Run.")
			t.Wait()
			require.False(t, probe.Closed(r.ShutdownChan()), "The ShutdownChan of a removed handler is closed, and a call of it has not returned.")
			c.put(t.Actor, "b")
			close(release)
			time.Sleep(time.Minute)
			require.True(t, probe.Closed(r.ShutdownChan()), "A handler was removed and its last call has returned, and its ShutdownChan is not closed.")
			require.LessOrEqual(t, len(stuck.take()), 3, "When a handler was removed, more than one of the calls that were pending was made.")
			heard := other.take()
			require.NotEmpty(t, heard, "A handler heard of nothing.")
			require.Equal(t, "add b@202", heard[len(heard)-1], "A handler did not hear of what happened after another was removed.")
			run.end()
		},
	},
	{
		Name:   "remove-in-the-pause",
		Points: 2,
		Func:   "SharedInformer.RemoveEventHandler",
		Look:   []string{"SharedInformer.RemoveEventHandler", "the pause after a panic of a handler"},
		Rule:   "During the second after a panic the handler can be removed, and Run can end, without waiting for the rest of that second.",
		Why:    "A process that must end has a grace period, and handlers that sleep use it up.",
		Hint: []string{
			"Nothing can interrupt time.Sleep. What waits for a time and for something else as well?",
		},
		Source: "the contract of this lab: nothing is left of a removed handler when its last call has returned",
		Contract: []string{
			"If the handler is removed in that second, or Run ends, nothing waits for the rest of it.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a", "b")
			i := informer(t, open(), c)
			x := handler(t, "handler x").doing(func(string) { panic("always") })
			y := handler(t, "handler y").doing(func(string) { panic("always") })
			r := i.add(t, x)
			i.add(t, y)
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			require.NoError(t, i.remove(r, "x"), "A handler could not be removed.")
			time.Sleep(time.Second / 4)
			require.True(t, probe.Closed(r.ShutdownChan()), "A handler was removed in the second after its panic, and its ShutdownChan is not closed: no call is under way.")
			ended := t.Elapsed()
			run.end()
			require.Less(t, t.Elapsed()-ended, time.Second/4, "Run waited for a handler that is left alone after a panic.")
		},
	},
}
