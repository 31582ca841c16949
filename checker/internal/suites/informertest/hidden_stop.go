package informertest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// ending is the part of the suite about how an informer ends.
var ending = []conform.Case[Subject]{
	{
		Name:   "run-joins-everything",
		Points: 4,
		Func:   "SharedInformer.Run",
		Rule:   "Run returns when every call that was under way has returned, also of a removed handler; after that no handler is called and nothing is left running.",
		Why:    "A main function closes its clients after Run. A handler that still works then works with closed ones.",
		Hint: []string{
			"How many goroutines have you started? Which of them does Run wait for?",
			"A sync.WaitGroup for the handlers' goroutines, and Wait as the last thing in Run.",
			"A handler that was removed is in no list any more. Its goroutine still has to be waited for.",
		},
		Source: "kubernetes#45454, Run did not wait for the listeners",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				c := newCluster("a", "b", "c")
				i := informer(t, open(), c)
				busy, removed := make(chan struct{}), make(chan struct{})
				x := handler(t, "busy").doing(func(string) { <-busy })
				y := handler(t, "removed").doing(func(string) { <-removed })
				i.add(t, x)
				r := i.add(t, y)
				run := i.run(t)
				defer run.cancel()
				t.Wait()
				require.NoError(t, i.remove(r, "removed"), "A handler could not be removed during Run.")
				require.False(t, i.isStopped(), "The informer says that it has stopped, and the ctx of Run is not done.")
				run.cancel()
				time.Sleep(time.Minute)
				require.False(t, over(run.done), "Run returned while two handlers were being called.")
				close(busy)
				time.Sleep(time.Minute)
				require.False(t, over(run.done), "Run returned while a handler that had been removed was still being called.")
				close(removed)
				time.Sleep(time.Minute)
				require.True(t, over(run.done), "The ctx of Run was cancelled and every call has returned, and Run has not.")
				require.True(t, i.isStopped(), "Run has returned, and the informer says that it has not stopped.")
				x.take()
				y.take()
				c.put(t.Actor, "a")
				time.Sleep(time.Minute)
				x.hears(t, "A handler was called after Run had returned.")
				y.hears(t, "A handler was called after Run had returned.")
			})
		},
	},
	{
		Name:   "stops-in-order",
		Points: 4,
		Func:   "SharedInformer.Run",
		Rule:   "Run waits for Reflect, and the handlers are stopped after Reflect has returned and nobody pops any more.",
		Why:    "A notification to a handler whose channel was closed is a panic, at the end of one shutdown in a thousand.",
		Hint: []string{
			"ctx is done, and Reflect is just putting one last event into the Queue. Who takes it out, and whom is it told?",
			"Wait for Reflect, close the Queue, wait for the goroutine that pops, and stop the handlers then.",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedIndexInformer.RunWithContext (the processor stops strictly after the controller)",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				p := newParts(newCluster("a"))
				p.linger = time.Second
				i := assemble(t, open(), p)
				i.add(t, handler(t, "handler x"))
				i.add(t, handler(t, "handler y"))
				run := i.run(t)
				defer run.cancel()
				t.Wait()
				run.cancel()
				time.Sleep(time.Second / 2)
				require.False(t, over(run.done), "Run returned before Reflect.")
				time.Sleep(time.Second)
				require.True(t, over(run.done), "The ctx of Run was cancelled and Reflect has returned, and Run has not.")
			})
		},
	},
	{
		Name:   "runs-once",
		Points: 3,
		Func:   "SharedInformer.Run",
		Rule:   "A second Run does nothing and returns at once, during the first as well as after it.",
		Why:    "Two controllers that share an informer both think that it is theirs to start.",
		Hint: []string{
			"A flag under a lock: looked at and set in one step.",
			"The flag says that Run was called, not that it is running.",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedIndexInformer.RunWithContext",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				c := newCluster("a")
				i := informer(t, open(), c)
				x := handler(t, "handler")
				i.add(t, x)
				run := i.run(t)
				defer run.cancel()
				t.Wait()
				second := i.run(t)
				defer second.cancel()
				time.Sleep(aMoment)
				require.True(t, over(second.done), "A second Run did not return at once.")
				c.put(t.Actor, "a")
				time.Sleep(aMoment)
				x.hears(t, "After a second Run, a handler did not hear of everything exactly once.", "add a@1 initial", "update a@1→a@2")
				require.Equal(t, 1, c.listed(), "A second Run listed the cluster again.")
				run.end()
				third := i.run(t)
				defer third.cancel()
				time.Sleep(aMoment)
				require.True(t, over(third.done), "A Run of an informer that had stopped did not return at once.")
				require.Equal(t, 1, c.listed(), "A Run of an informer that had stopped listed the cluster again.")
				x.hears(t, "A Run of an informer that had stopped called a handler.")
			})
		},
	},
	{
		Name:   "add-after-stop",
		Points: 3,
		Func:   "SharedInformer.AddEventHandler",
		Rule:   "A handler that is added after Run has returned is refused with ErrStopped and never called.",
		Why:    "It would wait for ever for an informer that does not follow anything any more, and nobody would know.",
		Hint: []string{
			"Who would call the handler now?",
			"A flag that Run sets under the lock when it ends, and that AddEventHandler looks at under the same lock.",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedIndexInformer.AddEventHandlerWithOptions",
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				s := open()
				i := informer(t, s, newCluster("a"))
				require.False(t, i.isStopped(), "An informer that was never run says that it has stopped.")
				run := i.run(t)
				defer run.cancel()
				t.Wait()
				run.end()
				x := handler(t, "handler")
				_, err := i.try(x)
				require.Error(t, err, "A handler was accepted by an informer that has stopped.")
				require.True(t, s.ErrStopped == nil || err == s.ErrStopped, "A handler was refused because the informer has stopped, and the error was not ErrStopped.")
				time.Sleep(aMoment)
				x.hears(t, "A handler was refused and called all the same.")
			})
		},
	},
}
