package storetest

import (
	"encoding/json"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// takesTurns has calls meet of which two at a time matter, on stores that take their time.
func takesTurns(t *conform.T, open func() Subject) {
	c := startOf(t, open(), unhurried())
	updatesMeetDeletes(t, c)
	deletesMeet(t, c)
	updatesFollowMarks(t, open())
}

// deletable is a stored object that a finalizer holds, or none.
func deletable(c client, name string, held bool) *kit.Pod {
	p := pod("default", name)
	if held {
		p.Finalizers = []string{"a.example/one"}
	}
	return c.create(p).ok()
}

// updatesMeetDeletes has an Update and a Delete of one object meet, with a finalizer and without.
func updatesMeetDeletes(t *conform.T, c client) {
	for round := range 8 {
		held := round%2 == 1
		base := deletable(c, "met-"+a2s(round), held)
		var update, remove answer[*kit.Pod]
		t.Go("updater", func(a *conform.Actor) {
			mine := base.DeepCopy()
			mine.Labels["app"] = "updated"
			update = c.as(a).update(mine)
		})
		t.Go("deleter", func(a *conform.Actor) { remove = c.as(a).delete("default", base.Name) })
		t.Join()
		gone := remove.ok()
		if update.err != nil {
			continue // the delete came first
		}
		t.Require(gone.Labels["app"] == "updated", "An Update from version %s set a label and succeeded, so it came before the Delete at the same time, which returned the object with version %s and without that label: the update is lost.", base.ResourceVersion, gone.ResourceVersion)
		if held {
			stored := c.get("default", base.Name).ok()
			t.Require(stored.Labels["app"] == "updated", "An Update from version %s set a label and succeeded, so it came before the Delete at the same time, which marked the object. Now it is stored without that label: the update is lost.", base.ResourceVersion)
		}
	}
}

// deletesMeet has Deletes of one object that a finalizer holds meet: one of them marks it.
func deletesMeet(t *conform.T, c client) {
	const deleters = 3
	for round := range 8 {
		base := deletable(c, "marked-"+a2s(round), true)
		got := make([]answer[*kit.Pod], deleters)
		for i := range deleters {
			t.Go(fmt.Sprintf("deleter %d", i), func(a *conform.Actor) { got[i] = c.as(a).delete("default", base.Name) })
		}
		t.Join()
		stored := c.get("default", base.Name).ok()
		t.Require(stored.Generation == 2, "%d calls of Delete at the same time took the generation of an object that a finalizer holds from 1 to %d; it should be 2. One of them marks the object, and for the others it is marked already.", deleters, stored.Generation)
		for _, a := range got {
			same(t, stored, a.ok(), "%d calls of Delete met, one of which marked the object, and one returned it otherwise than it is stored", deleters)
		}
	}
}

// updatesFollowMarks has an Update follow a mark before the Delete that set it has returned.
func updatesFollowMarks(t *conform.T, s Subject) {
	var marks stalled
	c := startOf(t, s, marks.typ())
	quiet := c.as(&conform.Actor{})
	for round := range 4 {
		base := deletable(c, "followed-"+a2s(round), true)
		var remove answer[*kit.Pod]
		marks.over.Store(false)
		t.Go("deleter", func(a *conform.Actor) {
			marks.who.Store(probe.Goroutine())
			remove = c.as(a).delete("default", base.Name)
		})
		t.Go("follower", func(a *conform.Actor) {
			defer marks.over.Store(true)
			for range 400 {
				read := quiet.get("default", base.Name)
				if read.err == nil && read.got != nil && read.got.DeletionTimestamp != nil {
					read.got.Labels["app"] = "after the mark"
					c.as(a).update(read.got)
					return
				}
				othersFirst()
			}
		})
		t.Join()
		marked := remove.ok()
		t.Require(marked.Labels["app"] != "after the mark", "A Delete marked an object of version %s, and returned it with version %s and a label that an Update set after the mark: Delete returns the object as its own write stored it.", base.ResourceVersion, marked.ResourceVersion)
	}
}

// stalled makes a Type whose functions keep one goroutine until something else is over, though
// not for long: it may hold the lock that the others wait for.
type stalled struct {
	who  atomic.Value // the number of that goroutine, a string
	over atomic.Bool
}

func (s *stalled) typ() kit.Type[*kit.Pod] {
	typ := kit.Pods
	typ.DeepCopy = func(p *kit.Pod) *kit.Pod { s.wait(); return kit.Pods.DeepCopy(p) }
	typ.Deleting = func(p *kit.Pod) *time.Time { s.wait(); return kit.Pods.Deleting(p) }
	return typ
}

func (s *stalled) wait() {
	for n := 0; n < 100 && !s.over.Load() && probe.Goroutine() == s.who.Load(); n++ {
		runtime.Gosched()
	}
}

// weighty is a journal that works for about a millisecond: writers that wait as long are
// served by sync.Mutex in another way than the first who comes.
type weighty struct{ bytes int }

func (w *weighty) Commit(e kit.Event[*kit.Pod]) {
	for range weight {
		text, _ := json.Marshal(e.Object)
		w.bytes += len(text)
	}
}

const weight = 100

// ownersReadBack has goroutines each write an object of their own, and read it after each write.
func ownersReadBack(t *conform.T, s Subject) {
	const owners, writes = 8, 8
	c := start(t, s, &weighty{})
	quiet := c.as(&conform.Actor{})
	call := t.Call("Create, and Update, Get and List %d times, by each of %d goroutines that have an object of their own", writes, owners)
	for i := range owners {
		t.Go(fmt.Sprintf("owner %d", i), func(*conform.Actor) {
			mine := quiet.create(pod("own-"+a2s(i), "web"))
			for round := range writes {
				othersFirst()
				if !t.Assert(mine.err == nil && mine.got != nil, "%s failed, and has no reason to: %s.", mine.call, conform.Said(mine.err)) || !seen(t, quiet, mine.got) {
					return
				}
				mine.got.Labels["round"] = a2s(round)
				mine = quiet.update(mine.got)
			}
		})
	}
	t.Join()
	call.Returned("")
}

// seen reports whether Get and List return an object as the Update of its only writer left it.
func seen(t *conform.T, c client, written *kit.Pod) bool {
	got := c.get(written.Namespace, written.Name)
	read := got.err == nil && got.got != nil && got.got.ResourceVersion == written.ResourceVersion
	list := c.list(written.Namespace)
	listed := list.err == nil && len(list.got.Items) == 1 && list.got.Items[0].ResourceVersion == written.ResourceVersion
	return t.Assert(read, "A write returned version %s of %s, which nobody else writes to, and a Get that began afterwards returned %s%s: every later read sees a write that has returned.", written.ResourceVersion, kit.Key(written), show(got.got), failed(got.err)) &&
		t.Assert(listed, "A write returned version %s of %s, which nobody else writes to, and a List that began afterwards has %v of its namespace: every later read sees a write that has returned.", written.ResourceVersion, kit.Key(written), conform.Show(list.got.Items))
}
