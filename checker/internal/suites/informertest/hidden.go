package informertest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(telling, resyncing, concurrent, leaving, ending, remembering, sharing)

// aMoment is long enough for a reflector to list again after an error.
const aMoment = 3 * time.Second

// telling is the part of the suite about what handlers hear, and when they have heard enough.
var telling = []conform.Case[Subject]{
	{
		Name:   "the-store-decides",
		Points: 4,
		Func:   "SharedInformer.Run",
		Rule:   "Whether a handler hears OnAdd or OnUpdate depends on the Indexer alone. If a list brings a new version, every handler hears of it. A missed deletion comes with the last known state.",
		Why:    "After a cut connection a list brings all changes at once. In client-go, handlers without resync once heard none of them.",
		Hint: []string{
			"A watch was cut, the pod changed, and the next list brings it. Is that an addition? Is it a sync?",
			"Compare the resource versions of the stored object and the new one. Nothing has happened only if they are equal.",
			"The Queue itself finds out which objects a list lacks. Pass the FinalStateUnknown of its delta to OnDelete.",
		},
		Source: "kubernetes#86015, a relist was treated as a sync",
		Contract: []string{
			"The name of a delta does not decide what a handler hears: the Indexer does.",
			"An update that brings another resource version goes to every handler, also if it comes from a list.",
			"the delta's object and its FinalStateUnknown",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a", "b", "c")
			p := newParts(c)
			p.Resync = time.Hour
			i := assemble(t, open(), p)
			x, y := handler(t, "without resync"), handler(t, "with resync")
			i.every(t, x, 0)
			i.add(t, y)
			run := i.run(t)
			defer run.cancel()
			time.Sleep(aMoment)
			x.take()
			y.take()
			c.unseen(func() {
				c.put(t.Actor, "a")
				c.delete(t.Actor, "b")
				c.put(t.Actor, "d")
			})
			c.expire(t.Actor)
			time.Sleep(aMoment)
			for _, h := range []*recorder{x, y} {
				heard := slices.DeleteFunc(h.take(), func(line string) bool { return line == "update c@3→c@3" }) // left open
				h.sameHeard(t, heard, "A watch was cut, and a list brought what had happened meanwhile: a with another resource version (and the generation that it had), no b, and d.",
					"update a@1→a@4", "delete b@2 (final state unknown)", "add d@6")
			}
			c.announce(t.Actor, kit.Added, "a")
			c.announce(t.Actor, kit.Modified, "e")
			time.Sleep(aMoment)
			for _, h := range []*recorder{x, y} {
				h.hearsAnyOrder(t, "What a list brought was heard as it should be. Then came events with the wrong name, ADDED of a, which the Indexer has, and MODIFIED of e, which it does not have.",
					"update a@4→a@7", "add e@8")
			}
			i.holds(t, "A watch was cut, and a list brought what had happened meanwhile; then came events with the wrong name", "a@7", "c@3", "d@6", "e@8")
			run.end()
		},
	},
	{
		Name:   "the-indexer-may-refuse",
		Points: 3,
		Func:   "SharedInformer.Run",
		Rule:   "If the Indexer returns an error, handlers hear of the deltas before and not of that one, and the informer goes on. What handlers hear is made of the Indexer, of the delta's object, and of what the Queue passes with it.",
		Why:    "One object that a custom index cannot take must not end the informer for all others, nor reach a handler that then looks it up in vain.",
		Hint: []string{
			"Which calls of the Indexer return an error, and what do you do with it?",
			"Pop returns the error of the function that it was given. Which error ends your loop, and which does not?",
			"Only kit.ErrFIFOClosed ends the loop.",
		},
		Source: "client-go tools/cache/controller.go: processDeltas, processLoop (an error returns before the handler is called)",
		Contract: []string{
			"If the Indexer returns an error, no handler hears of that delta.",
			"What becomes of the later deltas in the same Pop is left open; the informer goes on with the next Pop.",
			"isInInitialList is the value that the Queue passes",
			"The delta is not a deletion and the Indexer does not have the object: it is added, and handlers hear OnAdd.",
			"GetIndexer returns the Indexer of the Options.",
			"the delta's object and its FinalStateUnknown, also if the Indexer did not have it",
			"The informer calls it once, with Queue as the store.",
			"every OnAdd with isInInitialList true that the handler has to hear has returned",
			"hears everything exactly once",
			"An update that brings another resource version goes to every handler, also if it comes from a list.",
			"The deltas of an object are applied in order, the oldest first.",
			"The delta is not a deletion and the Indexer has the object: the object is updated, and handlers hear OnUpdate",
			"The name of a delta does not decide what a handler hears: the Indexer does.",
			"The delta is not a deletion and the Indexer has the object: the object is updated",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			theIndexerMayRefuse(t, open)
			saysWhatTheQueueSays(t, open())
			initialAgain(t, open())
			versionsAreOpaque(t, open())
			oneGoroutinePops(t, open())
			refusesAnInitialObject(t, open())
			nobodyListens(t, open())
		},
	},
	{
		Name:   "handler-has-synced",
		Points: 5,
		Func:   "SharedInformer.HasSynced",
		Look:   []string{"HasSynced of a registration", "the goroutine that calls the handler"},
		Rule:   "The informer has synced when the first list is in the Indexer. A handler has synced when, in addition, each of its initial OnAdds has returned.",
		Why:    "If only the cache has synced when a controller starts its workers, its handlers have not yet put every key into the queue.",
		Hint: []string{
			"What knows that the whole first list was popped? What knows that the handler has returned?",
			"Count initial OnAdds when you put them into the buffer, and count down when the call has returned.",
			"A count of 0 means nothing as long as the informer itself has not synced. Which of the two do you ask first?",
		},
		Source: "kubernetes#113763; client-go tools/cache/synctrack/synctrack.go: SingleFileTracker",
		Contract: []string{
			"HasSynced reports whether all objects of the first list are in the Indexer",
			"is true once that of the informer is true and every OnAdd with isInInitialList true that the handler has to hear has returned; then it stays true",
			"It may hold a lock of its own while it calls the function given to Pop, and every other method of it may wait for that lock.",
			"OnAdd with isInInitialList true once for each object that is in the Indexer at one moment during the call, and of every change after that moment",
			"The end of Run does not change it.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a", "b", "c")
			listNow := c.holdLists()
			i := assemble(t, open(), partsWithAGhost(c))
			goOn := make(chan struct{})
			slow := handler(t, "slow").doing(func(line string) {
				if !about(line, "ghost") {
					<-goOn
				}
			})
			rs, rq := i.add(t, slow), i.add(t, handler(t, "quick"))
			t.Require(!i.hasSynced(), "Run has not been called, and the informer's HasSynced returned true.")
			t.Require(!i.synced(rs, "slow"), "Run has not been called, and a registration's HasSynced returned true. That of the informer returned false.")
			run := i.run(t)
			defer run.cancel()
			t.Wait()
			rl := i.add(t, handler(t, "late"))
			t.Wait()
			t.Require(!i.hasSynced(), "The first list has not come yet, and the informer's HasSynced returned true.")
			t.Require(!i.synced(rs, "slow"), "The first list has not come yet, and the HasSynced of the registration of \"slow\", which was added before Run, returned true.")
			t.Require(!i.synced(rl, "late"), "The first list has not come yet, and the HasSynced of the registration of \"late\", which was added during Run, returned true. That of \"slow\", which was added before, returned false.")
			listNow()
			t.Wait()
			t.Require(i.hasSynced(), "The first list is in the Indexer, and the informer's HasSynced returned false.")
			t.Require(i.synced(rq, "quick"), "All initial OnAdds of the handler \"quick\", which was added before Run, have returned, and its registration's HasSynced returned false.")
			t.Require(i.synced(rl, "late"), "All initial OnAdds of the handler \"late\", which was added during Run, have returned, and its registration's HasSynced returned false. That of \"quick\", which was added before, returned true.")
			later := i.add(t, handler(t, "later").doing(func(string) { <-goOn }))
			t.Wait()
			for range 3 {
				t.Require(!i.synced(rs, "slow"), "One of the initial OnAdds of the handler \"slow\" has not returned, and its registration's HasSynced returned true.")
				t.Require(!i.synced(later, "later"), "A handler was added during Run, one of its initial OnAdds has not returned, and its registration's HasSynced returned true.")
				goOn <- struct{}{} // each of the two takes one
				goOn <- struct{}{}
				t.Wait()
			}
			t.Require(i.synced(rs, "slow"), "All initial OnAdds of the handler \"slow\" have returned, the last of them a moment ago, and its registration's HasSynced returned false.")
			t.Require(i.synced(later, "later"), "All initial OnAdds of the handler \"later\" have returned, the last of them a moment ago, and its registration's HasSynced returned false.")
			run.end()
			askedWhileTheListComes(t, open())
			initialIsPending(t, open())
			joinsDuringTheFirstList(t, open())
			staysSynced(t, open())
			updatesDoNotCount(t, open())
			deletionsDoNotCount(t, open())
			askedOnTheNextLine(t, open())
			askedAllTheTime(t, open())
			eachSyncsForItself(t, open())
			endsBeforeTheList(t, open())
		},
	},
	{
		Name:   "nothing-is-synced-too",
		Points: 2,
		Func:   "SharedInformer.HasSynced",
		Rule:   "If the first list is empty, the informer and its handlers have synced as soon as the list has come.",
		Why:    "A new cluster has no objects of most types, and its controllers have to start all the same.",
		Hint: []string{
			"What do you pop when the first list brings nothing? When do you find out that you have synced?",
			"Ask the Queue in each call of HasSynced.",
		},
		Source: "client-go tools/cache/fifo.go: FIFO.Replace (an empty Replace has synced)",
		Contract: []string{
			"HasSynced reports whether all objects of the first list are in the Indexer",
			"is true once that of the informer is true and every OnAdd with isInInitialList true that the handler has to hear has returned",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			i := informer(t, open(), newCluster())
			r := i.add(t, handler(t, "x"))
			run := i.run(t)
			defer run.cancel()
			time.Sleep(aMoment)
			t.Require(i.hasSynced(), "The first list has come and is empty, and the informer's HasSynced returned false.")
			t.Require(i.synced(r, "handler"), "The first list has come and is empty, and a registration's HasSynced returned false.")
			late := i.add(t, handler(t, "late"))
			t.Wait()
			t.Require(i.synced(late, "late"), "A handler was added when the Indexer was synced and empty: it has nothing to hear, and its registration's HasSynced returned false.")
			run.end()
		},
	},
	{
		Name:   "panic-skips-one",
		Points: 4,
		Func:   "SharedInformer.AddEventHandler",
		Look:   []string{"the goroutine that calls the handler", "SharedInformer.AddEventHandlerWithResyncPeriod"},
		Rule:   "The informer recovers a handler's panic and passes it to OnPanic, which may call the informer. It skips that call, makes the next one a second later, and other handlers do not notice.",
		Why:    "One object that a controller cannot handle must not stop a program with dozens of others, nor make it spin.",
		Hint: []string{
			"recover works only in a deferred function, and the function that deferred it then returns. Which function should that be?",
			"Inside the loop, call the handler in a function of its own with a deferred recover.",
			"Wait a second after it, but let a removal or the end of Run interrupt you.",
		},
		Source: "client-go tools/cache/shared_informer.go: processorListener.run",
		Contract: []string{
			"The informer recovers the panic and calls OnPanic at once, also if the handler was removed during that call.",
			"It does not repeat the call, and makes the next pending one a second after the panic, and none before",
			"Other handlers do not notice.",
			"OnPanic gets the value of a handler's panic, on the goroutine of that call. It is a part of the call that panicked, which has not returned before OnPanic has.",
			"When the last call has returned, the ShutdownChan of the registration is closed",
			"A handler may call any method of the informer but Run. So may OnPanic.",
			"Handlers do not wait for each other",
			"A handler that panics does not end the program",
			"A call that is under way may take its time: Run waits for it.",
			"It may be nil, and does not panic.",
			"then it stays true",
			"A handler's resync is due when shouldResync is called and its period has passed",
		},
		Check: func(t *conform.T, open func() Subject) {
			onPanicCallsTheInformer(t, open())
			panicsSideBySide(t, open())
			t.Virtual(func(t *conform.T) {
				panicSkipsOne(t, open)
				panicsAtHome(t, open())
				restsWhenNothingIsPending(t, open())
				restsWhenItIsLate(t, open())
				goesOnAfterAPanic(t, open())
				panicsAfterItsRemoval(t, open())
				nobodyPanics(t, open())
			})
		},
	},
	{
		Name:   "handler-calls-the-informer",
		Points: 4,
		Func:   "SharedInformer.AddEventHandler",
		Rule:   "A handler may call the informer: read from it, add a handler, and remove itself.",
		Why:    "Controllers that watch what a CRD defines start and stop their handlers from handlers.",
		Hint: []string{
			"Which locks do you hold while you call a handler? It should be none.",
			"Does RemoveEventHandler wait for the handler that calls it?",
		},
		Source: "kubernetes#26980; client-go tools/cache/shared_informer.go: RemoveEventHandler (removal is asynchronous)",
		Contract: []string{
			"A handler may call any method of the informer but Run.",
			"hears everything exactly once",
			"The handler hears of no later change, and its pending notifications are dropped",
		},
		Check: handlerCallsTheInformer,
	},
}

// partsWithAGhost has a Queue whose first deltas are of an object that there never was. A handler hears
// that it is gone, which is no addition.
func partsWithAGhost(lw kit.ListerWatcher[*kit.Pod]) *Parts {
	p := newParts(lw)
	p.Resync = time.Hour
	p.queue.inject(inferred("ghost", 1))
	return p
}

func theIndexerMayRefuse(t *conform.T, open func() Subject) {
	c := newCluster("a")
	p := newParts(c)
	i := assemble(t, open(), p)
	x := handler(t, "x")
	i.add(t, x)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	x.hears(t, "The first list brought a@1.", "add a@1 initial")
	for _, step := range []struct {
		name    string
		delete  bool
		refused bool
		hears   []string
	}{
		{"b", false, true, nil}, // b@2
		{"b", false, false, []string{"add b@3"}},
		{"a", false, true, nil}, // a@4
		{"a", false, false, []string{"update a@1→a@5"}},
		{"a", true, true, nil}, // a@6
		{"a", false, false, []string{"update a@5→a@7"}},
		{"a", true, false, []string{"delete a@8"}},
	} {
		p.cache.refuse.Store(step.refused) // one write: who tries another way hears no error
		if step.delete {
			c.delete(t.Actor, step.name)
		} else {
			c.put(t.Actor, step.name)
		}
		t.Wait()
		x.hears(t, fmt.Sprintf("The Indexer returns an error for one write each of b@2, a@4 and the deletion a@6, and no handler hears of these. It takes everything else. Now came %s.", map[bool]string{true: "the deletion of ", false: ""}[step.delete]+step.name), step.hears...)
	}
	p.queue.inject(inferred("ghost", 8))
	t.Note("in the Queue: a deletion of ghost@8, which the Indexer does not have")
	t.Wait()
	x.hears(t, "The Queue had the deletion of ghost@8, an object that the Indexer did not have: handlers hear of it with the object of the delta.", "delete ghost@8 (final state unknown)")
	p.queue.inject(delta(kit.DeltaSync, "b", 9))
	t.Note("in the Queue: Sync b@9")
	t.Wait()
	x.hears(t, "The Queue had a delta with the name Sync, and the Indexer had another version of that object: it is an update like any other.", "update b@3→b@9")
	i.holds(t, "The Indexer has refused three writes and taken the others", "b@9")
	refusesTenInARow(t, p, x)
	run.end()
}

// refusesTenInARow has an Indexer that takes b@20 after ten writes that it does not take, each of a Pop of its own.
func refusesTenInARow(t *conform.T, p *Parts, x *recorder) {
	for n := range 10 {
		p.cache.refuse.Store(true)
		p.queue.inject(delta(kit.DeltaUpdated, "b", n+10))
		t.Wait()
	}
	p.cache.refuse.Store(false)
	p.queue.inject(delta(kit.DeltaUpdated, "b", 20))
	t.Wait()
	x.hears(t, "The Indexer refused ten updates in a row, b@10 to b@19, each in a Pop of its own, and took the next one, b@20. The informer goes on with the next Pop, however many have failed.", "update b@9→b@20")
}

// saysWhatTheQueueSays queues deltas that no reflector makes of what a server says.
func saysWhatTheQueueSays(t *conform.T, s Subject) {
	p := newParts(newCluster())
	i := assemble(t, s, p)
	t.Require(i.i.GetIndexer() == p.Indexer(), "GetIndexer did not return the Indexer of the Options, but a %T.", i.i.GetIndexer())
	x := handler(t, "x")
	i.add(t, x)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	p.queue.inject(delta(kit.DeltaDeleted, "ghost", 1))
	t.Wait()
	x.hears(t, "The Queue had the deletion of ghost@1, which the Indexer did not have, and whose FinalStateUnknown is false.", "delete ghost@1")
	p.queue.inject(delta(kit.DeltaSync, "b", 2))
	t.Wait()
	x.hears(t, "The Queue had a delta with the name Sync, and the Indexer did not have that object: it is added, and every handler hears of it.", "add b@2")
	p.cache.bad = "c@4"
	t.Note("the Indexer refuses c@4")
	p.queue.inject(delta(kit.DeltaAdded, "c", 2), delta(kit.DeltaUpdated, "c", 3), delta(kit.DeltaUpdated, "c", 4))
	t.Wait()
	x.hears(t, "The Queue passed three deltas of one object, c@2, c@3 and c@4, and the Indexer has taken two and refused the last: handlers hear of the two, once.", "add c@2", "update c@2→c@3")
	i.holds(t, "The Indexer has taken b@2 and c@3 and refused c@4", "b@2", "c@3")
	p.queue.inject(inferred("b", 1))
	t.Wait()
	x.hears(t, "The Queue had the deletion of b@1, whose FinalStateUnknown is true, and the Indexer had b@2: it is deleted, and handlers hear of it with the object of the delta.",
		"delete b@1 (final state unknown)")
	i.holds(t, "The Indexer had b@2 and c@3, and the Queue the deletion of b@1: b is deleted, whichever version of it the delta has", "c@3")
	unknown := inferred("c", 5)
	p.queue.inject(unknown, delta(kit.DeltaAdded, "c", 6), delta(kit.DeltaDeleted, "c", 7), delta(kit.DeltaAdded, "c", 8), unknown)
	t.Wait()
	x.hears(t, "One Pop brought three deletions of c and two additions between them. FinalStateUnknown is true for the first deletion and the last, and false for that between them: each comes with its own.",
		"delete c@5 (final state unknown)", "add c@6", "delete c@7", "add c@8", "delete c@5 (final state unknown)")
	for _, what := range []kit.DeltaType{kit.DeltaAdded, kit.DeltaDeleted, kit.DeltaAdded} {
		p.queue.inject(delta(what, "d", 3))
		t.Wait()
	}
	x.hears(t, "The Queue had d@3, its deletion, and d@3 once more, which the Indexer did not have: it is added, whatever version it had before.", "add d@3", "delete d@3", "add d@3")
	run.end()
	t.Require(p.stranger == "", "Reflect was called with a %s as the store. It is called with the Queue of the Options, itself.", p.stranger)
}

// delta is of a pod, and inferred a deletion that nobody has seen.
func delta(typ kit.DeltaType, name string, version int) kit.Delta[*kit.Pod] {
	return kit.Delta[*kit.Pod]{Type: typ, Object: pod(name, version)}
}

func inferred(name string, version int) kit.Delta[*kit.Pod] {
	d := delta(kit.DeltaDeleted, name, version)
	d.FinalStateUnknown = true
	return d
}

// initialAgain has one Pop bring an object of the first list, its deletion and another of that
// name, the next one an object that was in two lists, and the last one a deletion of that and another of its
// name. The Queue passes isInInitialList for all of them.
func initialAgain(t *conform.T, s Subject) {
	c := newCluster()
	defer c.holdLists()()
	p := newParts(c)
	i := assemble(t, s, p)
	x := handler(t, "x")
	r := i.add(t, x)
	_ = p.queue.Replace([]*kit.Pod{pod("a", 1), pod("b", 1)}, "1")
	_ = p.queue.Delete(pod("a", 2))
	_ = p.queue.Add(pod("a", 3))
	p.queue.inject(delta(kit.DeltaReplaced, "b", 4))
	p.queue.initial++
	t.Note("in the Queue, of the first list: Replaced a@1, Deleted a@2, Added a@3; Replaced b@1, Replaced b@4")
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	x.hears(t, "The Queue passed Replaced a@1, Deleted a@2 and Added a@3 with isInInitialList true. OnAdd is called with the value that the Queue passes. Then it passed Replaced b@1 and Replaced b@4, also with true: the second is an update.",
		"add a@1 initial", "delete a@2", "add a@3 initial", "add b@1 initial", "update b@1→b@4")
	p.queue.inject(delta(kit.DeltaDeleted, "b", 5), delta(kit.DeltaAdded, "b", 6))
	t.Wait()
	x.hears(t, "The Indexer had b@4, and the Queue passed Deleted b@5 and Added b@6 with isInInitialList true. OnAdd is called with the value that the Queue passes.", "delete b@5", "add b@6 initial")
	t.Require(!i.hasSynced() || i.synced(r, "x"), "The Queue passed everything of the first list with isInInitialList true, an update among it, every OnAdd and OnUpdate has returned, and the informer's HasSynced returned true. That of the registration returned false: it depends on the OnAdds alone.")
	run.end()
}

// refusesAnInitialObject has an Indexer that does not take the last object of the first list.
func refusesAnInitialObject(t *conform.T, s Subject) {
	p := newParts(newCluster("a", "b"))
	p.cache.bad = "b@2"
	i := assemble(t, s, p)
	x := handler(t, "x")
	r := i.add(t, x)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	x.hears(t, "The first list brought a@1 and b@2, and the Indexer has refused b@2.", "add a@1 initial")
	t.Require(!i.hasSynced() || i.synced(r, "x"), "The first list brought a@1 and b@2, the Indexer has refused b@2, of which no handler hears, the OnAdd of a@1 has returned, and the informer's HasSynced returned true. That of the registration returned false.")
	run.end()
}

// nobodyListens has an informer without handlers.
func nobodyListens(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	i := assemble(t, s, p)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	for _, d := range []kit.Delta[*kit.Pod]{{Type: kit.DeltaSync, Object: pod("a", 2)}, {Type: kit.DeltaSync, Object: pod("b", 3)}, {Type: kit.DeltaAdded, Object: pod("c", 4)}} {
		p.queue.inject(d)
	}
	t.Wait()
	i.holds(t, "The informer has no handlers, and the first list brought a@1. Then the Queue passed Sync a@2, Sync b@3 and Added c@4: each is stored, whatever it is called", "a@2", "b@3", "c@4")
	for n, what := range []kit.DeltaType{kit.DeltaReplaced, kit.DeltaUpdated, kit.DeltaAdded, kit.DeltaSync} {
		stored, _ := p.cache.GetByKey(key("a"))
		p.queue.inject(kit.Delta[*kit.Pod]{Type: what, Object: marked(stored)})
		t.Wait()
		stored, _ = p.cache.GetByKey(key("a"))
		t.Require(mark(stored) == n+1, "The Queue passed %s a@2, a copy of what the Indexer has, and the Indexer has the old object: it is updated, also if the resource version is the same.", what)
	}
	run.end()
}

// versionsAreOpaque has objects whose resource versions are no numbers, or too large for a machine's.
func versionsAreOpaque(t *conform.T, s Subject) {
	p := newParts(newCluster())
	i := assemble(t, s, p)
	x := handler(t, "x")
	i.add(t, x)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	for _, version := range []string{"first", "second", "99999999999999999998", "99999999999999999999", "9", "7", "007"} {
		a := pod("a", 1)
		a.ResourceVersion = version
		p.queue.inject(kit.Delta[*kit.Pod]{Type: kit.DeltaUpdated, Object: a})
		t.Wait()
	}
	x.hears(t, "The Queue passed an object with seven resource versions, one after the other: whatever they look like, each differs from the one before, and so handlers hear of each.",
		"add a@first", "update a@first→a@second", "update a@second→a@99999999999999999998", "update a@99999999999999999998→a@99999999999999999999",
		"update a@99999999999999999999→a@9", "update a@9→a@7", "update a@7→a@007")
	run.end()
}

// oneGoroutinePops has a Pop that takes a while, without a lock, before it passes on what it has taken
// off the queue.
func oneGoroutinePops(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	i := assemble(t, s, p)
	x := handler(t, "x")
	i.add(t, x)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	p.queue.ponder(time.Second)
	for v := range 2 {
		p.queue.inject(kit.Delta[*kit.Pod]{Type: kit.DeltaUpdated, Object: pod("a", v+2)})
		t.Wait()
	}
	time.Sleep(aMoment)
	x.hears(t, "A Pop had a@2, and took a second before it called the function that it was given. Meanwhile a@3 came into the Queue. The deltas of an object are applied in order.",
		"add a@1 initial", "update a@1→a@2", "update a@2→a@3")
	run.end()
}

// askedWhileTheListComes lets the whole first list come at the moment when a
// registration asks the Queue whether it has synced.
func askedWhileTheListComes(t *conform.T, s Subject) {
	c := newCluster("a", "b")
	listNow := sync.OnceFunc(c.holdLists())
	p := newParts(c)
	inCall, release := make(chan struct{}, 10), make(chan struct{})
	var armed atomic.Bool
	p.queue.asked = func() {
		if armed.CompareAndSwap(true, false) {
			listNow()
			<-inCall
		}
	}
	i := assemble(t, s, p)
	r := i.add(t, handler(t, "slow").doing(func(string) {
		inCall <- struct{}{}
		<-release
	}))
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	armed.Store(true)
	synced := i.synced(r, "slow")
	armed.Store(false)
	t.Require(!synced, "While a registration's HasSynced was under way the first list came, and the handler is in its first initial OnAdd. HasSynced returned true.")
	listNow()
	t.Wait()
	close(release)
	t.Wait()
	t.Require(i.synced(r, "slow"), "All initial OnAdds of a handler have returned, and its registration's HasSynced returned false.")
	run.end()
}

func panicSkipsOne(t *conform.T, open func() Subject) {
	c := newCluster("a")
	p := newParts(c)
	told := make(chan any, 10)
	p.OnPanic = func(value any) {
		defer p.a.Callback("OnPanic(%v)", value).Returned("")
		told <- value
	}
	i := assemble(t, open(), p)
	want := []string{"add a@1 initial", "update a@1→a@2", "update a@2→a@3", "delete a@4", "add b@5", "add c@6", "add d@7"}
	panics := []string{want[1], want[3], want[4], want[5]}
	clumsy := handler(t, "clumsy").doing(func(line string) {
		if line == panics[0] {
			time.Sleep(time.Second / 2)
		}
		if slices.Contains(panics, line) {
			panic("cannot digest " + line)
		}
	})
	steady := handler(t, "steady")
	i.add(t, clumsy)
	i.add(t, steady)
	run := i.run(t)
	defer run.cancel()
	time.Sleep(aMoment)
	began := t.Elapsed()
	c.put(t.Actor, "a")
	c.put(t.Actor, "a")
	c.delete(t.Actor, "a")
	for _, name := range []string{"b", "c", "d"} {
		c.put(t.Actor, name)
	}
	t.Wait()
	steady.hears(t, "Another handler panicked, and this one does not notice.", want...)
	time.Sleep(time.Second/2 + 10*time.Millisecond)
	toldAtOnce(t, len(told))
	time.Sleep(10 * time.Second)
	clumsy.restsAfterPanics(t, began, want)
	t.Require(len(told) == len(panics), "A handler panicked four times, and OnPanic was called %s.", conform.Count(len(told), "time"))
	for _, line := range panics {
		value := <-told
		t.Require(value == "cannot digest "+line, "A handler panicked in %q with the value %q, and OnPanic was called with %q.", line, "cannot digest "+line, value)
	}
	run.end()
}

// toldAtOnce requires that OnPanic was called so often when the handler of panicSkipsOne has panicked once.
func toldAtOnce(t *conform.T, times int) {
	t.Require(times <= 1, "A handler panicked 10ms ago, after half a second in its call, and since then another call of it has panicked, too. The next call is made a second after the panic, and none before.")
	t.Require(times == 1, "A handler panicked 10ms ago, after half a second in its call, and OnPanic was called %s. It is called at once.", conform.Count(times, "time"))
}

// restsAfterPanics requires that the handler of panicSkipsOne was called when it was due.
func (r *recorder) restsAfterPanics(t *conform.T, began time.Duration, want []string) {
	at := r.times()
	r.hears(t, "The handler panicked in \"update a@1→a@2\", after half a second, and in \"delete a@4\", \"add b@5\" and \"add c@6\", at once. No call is repeated, and the next ones follow.", want...)
	for n, after := range []int{0, 1500, 1500, 2500, 3500, 4500} {
		t.OnTime(fmt.Sprintf("The handler heard %q", want[n+1]), at[n+1], began+time.Duration(after)*time.Millisecond, "it is left alone for exactly a second after each panic, and only then, which ended")
	}
}

func handlerCallsTheInformer(t *conform.T, open func() Subject) {
	c := newCluster("a", "b")
	i := informer(t, open(), c)
	own, initial, end := make(chan kit.Registration, 1), make(chan struct{}, 10), make(chan struct{})
	inner := handler(t, "inner").doing(func(line string) {
		initial <- struct{}{}
		if about(line, "d") {
			close(end)
		}
	})
	outer := handler(t, "outer")
	outer.doing(func(line string) {
		me := i.as(outer.a)
		if about(line, "c") {
			_ = me.remove(<-own, "outer")
			return
		}
		me.hasSynced()
		me.isStopped()
		me.stored()
		if about(line, "a") {
			_, _ = me.try(inner)
		}
	})
	own <- i.add(t, outer)
	run := i.run(t)
	defer run.cancel()
	<-initial
	<-initial
	c.put(t.Actor, "c")
	<-initial
	t.Wait()
	c.put(t.Actor, "d")
	<-end
	run.end()
	outer.hearsAnyOrder(t, "A handler called the informer, and removed itself when it heard of c: it hears of everything until then and of nothing afterwards.",
		"add a@1 initial", "add b@2 initial", "add c@3")
	inner.hearsAnyOrder(t, "A handler was added by another one, in a call, and hears of everything exactly once.",
		"add a@1 initial", "add b@2 initial", "add c@3", "add d@4")
}
