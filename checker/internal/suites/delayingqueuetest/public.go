package delayingqueuetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var public = []conform.Case[Subject]{
	{
		Name:   "adds-when-ready",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "An item is added when its delay has passed: not before, and not later.",
		Why:    "RequeueAfter is how a controller handles what no event reports: a certificate that expires, a lease that was not renewed.",
		Hint: []string{
			"Which goroutine wakes up when the delay has passed? What does it do until then?",
			"A goroutine that New starts, with a select on a timer and on a channel from AddAfter.",
			"Set the timer to exactly the moment, and compare with !readyAt.After(now): at the moment itself the item is ready.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: waitingLoop (no test of upstream fails if it adds late)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, u := start(t, open())
			v.addAfter("a", 3*time.Second)
			v.addAfter("b", 3*time.Second+time.Nanosecond)
			time.Sleep(3*time.Second - time.Nanosecond)
			t.Wait()
			require.Empty(t, u.soFar(), "An item was added before its delay had passed.")
			time.Sleep(time.Second)
			t.Wait()
			require.Equal(t, []addition{{"a", 3 * time.Second}, {"b", 3*time.Second + 1}}, u.soFar(),
				"Each item must be added once, at the moment at which its delay has passed.")
			v.shutDown()
		},
	},
	{
		Name:   "no-delay-adds-at-once",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "With a duration of zero or less the item has been added when AddAfter returns.",
		Why:    "A worker that calls AddAfter(key, 0) and then Done relies on the key being dirty by then; otherwise another may see it neither queued nor held.",
		Hint: []string{
			"Is there anything to wait for? If not, why go through another goroutine?",
			"if duration <= 0 { d.Add(item); return }",
		},
		Source: "client-go util/workqueue/delaying_queue.go: AddAfter (immediately add things with no delay; no test of upstream fails without it)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, _ := start(t, open())
			for i := range 100 {
				v.addAfter("a", -time.Duration(i)*time.Second)
				require.Equal(t, 1, v.len(), "AddAfter with no delay has returned, and the item is not in the queue yet.")
				v.get()
				v.done("a")
			}
			v.shutDown()
		},
	},
	{
		Name:   "the-rest-is-the-queues",
		Points: 4,
		Func:   "New",
		Rule:   "Add, Len, Get, Done and ShuttingDown are those of the queue that New was given.",
		Why:    "The layers of a work queue are stacked: rate limiting on delaying on a plain or a priority queue. Each adds one thing and leaves the rest alone.",
		Hint: []string{
			"How do you forward five methods without writing them?",
			"Embed the interface: its methods are promoted. Nothing that waits is in the queue, so nothing that waits counts in Len.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: delayingType (embeds TypedInterface)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, u := start(t, open())
			v.addAfter("later", time.Hour)
			t.Wait()
			require.Zero(t, v.len(), "Len counts an item that waits for its moment.")
			v.add("a")
			require.Equal(t, 1, u.Len(), "Add has returned, and the item is not in the queue that New was given.")
			require.Equal(t, 1, v.len(), "Len is not how many items the queue that New was given holds.")
			item, shutdown := v.get()
			require.Equal(t, "a", item, "Get did not return the item of the queue that New was given.")
			require.False(t, shutdown, "Get said shutdown although nobody had shut the queue down.")
			v.add("a")
			v.done("a")
			require.Equal(t, 1, u.Len(), "Done did not reach the queue that New was given.")
			time.Sleep(2 * time.Hour)
			require.Equal(t, 2, v.len(), "The moment of an item has come, and it is not in the queue that New was given.")
			require.False(t, v.shuttingDown(), "ShuttingDown is true before ShutDown was called.")
			v.shutDown()
			require.True(t, v.shuttingDown(), "ShuttingDown is false after ShutDown was called.")
			require.True(t, u.ShuttingDown(), "ShutDown did not reach the queue that New was given.")
		},
	},
	{
		Name:   "earliest-wins",
		Points: 5,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "An item waits once: of several moments for it the earliest counts, and the others are dropped.",
		Why:    "A reconciler that asks for a look in an hour, and then for one in five seconds, wants the look in five seconds; and not one more look for each time it asked.",
		Hint: []string{
			"How do you find the entry of an item that is already waiting?",
			"A map from item to entry, beside the heap. An earlier moment replaces the entry's; a later one is dropped.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: insert; client-go util/workqueue/delaying_queue_test.go: TestDeduping",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, u := start(t, open())
			v.addAfter("sooner", 8*time.Second)
			v.addAfter("later", 2*time.Second)
			t.Wait()
			v.addAfter("sooner", 3*time.Second)
			v.addAfter("later", 9*time.Second)
			time.Sleep(time.Second)
			v.addAfter("sooner", 4*time.Second) // that is at 5 s
			time.Sleep(time.Minute)
			t.Wait()
			require.Equal(t, []addition{{"later", 2 * time.Second}, {"sooner", 3 * time.Second}}, u.soFar(),
				"Each item must be added once, at the earliest of the moments that were asked for.")
			v.shutDown()
		},
	},
	{
		Name:   "again-after-firing",
		Points: 4,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "An item that was added when its moment came can be delayed again.",
		Why:    "A reconciler that looks at its object every thirty seconds asks for the next look at the end of each one.",
		Hint: []string{
			"What is left of an item in your map after it has been added?",
			"Delete it from the map when you pop it from the heap.",
		},
		Source: "client-go util/workqueue/delaying_queue.go: waitingLoop (delete(waitingEntryByData, …))",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			v, u := start(t, open())
			var want []addition
			for i := range 4 {
				v.addAfter("a", 30*time.Second)
				time.Sleep(time.Minute)
				want = append(want, addition{"a", time.Duration(i)*time.Minute + 30*time.Second})
			}
			require.Equal(t, want, u.soFar(), "An item that was delayed again after it had been added must be added again.")
			v.shutDown()
		},
	},
}
