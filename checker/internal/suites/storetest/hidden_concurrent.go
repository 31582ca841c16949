package storetest

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var concurrent = append([]conform.Case[Subject]{
	{
		Name:   "one-winner-per-version",
		Points: 5,
		Func:   "Store.Update",
		Look:   []string{"Store.Update", "Store.Delete"},
		Rule:   "Of any number of writers that start from one version exactly one succeeds; the others get Conflict.",
		Why:    "Leader election is exactly this: every candidate writes the lease, and one write succeeds.",
		Hint: []string{
			"Between your comparison of versions and your write, what can another goroutine do?",
			"Compare and write under one lock, without releasing it in between.",
		},
		Source: "etcd documentation, transactions: compare mod revision, then put; client-go tools/leaderelection/leaderelection.go: LeaderElector.tryAcquireOrRenew",
		Contract: []string{
			"the comparison and the write are one step, so of any number of writers that start from the stored version, and change something, exactly one succeeds",
			"Conflict if the version is not that of the stored object",
			"Conflict if a precondition names another UID or another resource version than the stored object has",
			"Overlapping calls behave as if they had run one after the other.",
		},
		Mode: conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			const writers = 12
			c := start(t, open())
			base := c.create(pod("default", "lease")).ok()
			for round := range 6 {
				won := make([]*kit.Pod, writers)
				for i := range writers {
					t.Go(fmt.Sprintf("writer %d", i), func(a *conform.Actor) {
						mine := base.DeepCopy()
						mine.Annotations["holder"] = fmt.Sprintf("%d-%d", round, i)
						write := c.as(a).update(mine)
						if write.err == nil {
							won[i] = write.got
							return
						}
						t.Assert(kit.IsConflict(write.err), "Writer %d of round %d did not win, and its error is not a Conflict, but: %v.", i, round, write.err)
					})
				}
				t.Join()
				winners := slices.DeleteFunc(won, func(p *kit.Pod) bool { return p == nil })
				t.Require(len(winners) == 1, "%d of %d writers that all started from version %s succeeded; exactly one may.", len(winners), writers, base.ResourceVersion)
				base = c.get("default", "lease").ok()
				same(t, base, winners[0], "A writer succeeded, and what is stored afterwards is not what its Update returned")
			}
			deletesAndUpdates(t, startOf(t, open(), unhurried()))
		},
	},
	{
		Name:   "no-lost-updates",
		Points: 6,
		Func:   "Store.Update",
		Rule:   "Sixty-four writers that read, add one and update, and start over on a conflict, count exactly to the number of their writes.",
		Why:    "Every controller writes statuses like this. After a lost write a pod counts as gone, and is replaced.",
		Hint: []string{
			"Two writers can only both succeed from one version if the store let both pass the comparison before either wrote.",
			"An unlock between reading the stored version and storing the new object is enough.",
		},
		Source: "Programming Kubernetes, ch. 1: optimistic concurrency; client-go util/retry/util.go: RetryOnConflict",
		Contract: []string{
			"the comparison and the write are one step, so of any number of writers that start from the stored version, and change something, exactly one succeeds",
		},
		Check: func(t *conform.T, open func() Subject) {
			count(t, open(), 32, 4)
			t.Copies(func(t *conform.T) { count(t, open(), 6, 6) })
		},
	},
	{
		Name:   "readers-and-writers-meet",
		Points: 5,
		Func:   "Store.List",
		Rule:   "Readers may change the objects they got while writers write and others read: no two callers share memory.",
		Why:    "The race detector sees here what a cluster shows on one node in a thousand: a map that two goroutines write to ends the process.",
		Hint: []string{
			"Which pointer do two callers hold at the same time?",
			"Copy what you store and copy what you return. Under the lock or after it: only if nobody changes a stored object in place.",
		},
		Source: `The Go Memory Model; Go internal/runtime/maps/map.go: "concurrent map writes"`,
		Contract: []string{
			"All methods may be called from any goroutine",
			"Nothing that the caller does afterwards to an argument, the slice of the journals included, or to a result can be seen in the store or by another caller",
			"An argument is never modified, not even for a moment, since other goroutines may read it.",
		},
		Mode: conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			for _, name := range []string{"a", "b"} {
				p := pod("default", name)
				c.create(p).ok()
			}
			for i := range 4 {
				t.Go(fmt.Sprintf("user %d", i), func(a *conform.Actor) {
					c := c.as(a)
					for range 6 {
						read := c.get("default", "a")
						if !t.Assert(read.err == nil, "Get of an object that is there failed: %v.", read.err) {
							return
						}
						read.got.Labels["app"] = a2s(i)
						if write := c.update(read.got); write.err == nil {
							scribble(write.got)
						}
						scribble(read.got)
						list := c.list("")
						t.Assert(list.err == nil, "List failed: %v.", list.err)
						for _, p := range list.got.Items {
							scribble(p)
						}
					}
				})
			}
			t.Join()
			_, scribbled := c.get("default", "a").ok().Annotations["scribbled"]
			t.Require(!scribbled, "A reader wrote the annotation \"scribbled\" into an object that it had got, and updated nothing with it, and now the stored object has it.")
			namesAtOnce(t, open())
			readsArguments(t, open())
		},
	},
	{
		Name:   "lists-and-journal-agree",
		Points: 5,
		Func:   "Store.List",
		Rule:   "A list shows exactly the journal's changes up to its version; with those above it, exactly what the store holds later. Changes come in order.",
		Why:    "List, then watch from the list's version: that is how every informer fills its cache. A change on the wrong side of the line is missed for ever.",
		Hint: []string{
			"Are the objects of a list and its version read at the same moment?",
			"Where do you call the journals, and what keeps two writers from doing so in the wrong order?",
			"One lock for version, map and journals; a list takes it once and reads all it needs.",
		},
		Source: "client-go tools/cache/reflector.go: list (then watch from its version); kubernetes#135462: states that never existed",
		Contract: []string{
			"it shows one moment of the store, with every write up to the list's resource version and none above it",
			"once, in the order of the versions, one call at a time, before the write returns",
		},
		Mode: conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			told := journalOf(t, "journal")
			c := start(t, open(), unhurriedJournal{told})
			lists := make([][]kit.List[*kit.Pod], 2)
			var wrote atomic.Int32
			for i := range 4 {
				t.Go(fmt.Sprintf("writer %d", i), func(a *conform.Actor) { wrote.Add(int32(churn(c.as(a), i, 12))) })
			}
			for i, namespace := range []string{"", "default"} { // which is where all objects are
				t.Go(fmt.Sprintf("reader %d", i), func(a *conform.Actor) {
					for range 12 {
						list := c.as(a).list(namespace)
						if !t.Assert(list.err == nil, "List failed: %v.", list.err) {
							return
						}
						lists[i] = append(lists[i], list.got)
					}
				})
			}
			t.Join()
			t.Require(len(told.notes) == int(wrote.Load()), "%d writes succeeded, and the journal got %s: each write is one.", wrote.Load(), conform.Count(len(told.notes), "change"))
			last := c.list("").ok()
			agree(t, told.notes, append(append(lists[0], lists[1]...), last))
		},
	},
}, models...)

// deletesAndUpdates has goroutines update an object and others delete it, all from one version.
func deletesAndUpdates(t *conform.T, c client) {
	const each = 3
	for round := range 8 {
		base := deletable(c, "contended-"+a2s(round), round%2 == 1) // a delete of every other one only marks
		var updated, deleted atomic.Int32
		for i := range each {
			t.Go(fmt.Sprintf("updater %d", i), func(a *conform.Actor) {
				mine := base.DeepCopy()
				mine.Annotations["holder"] = a2s(i)
				if c.as(a).update(mine).err == nil {
					updated.Add(1)
				}
			})
			t.Go(fmt.Sprintf("deleter %d", i), func(a *conform.Actor) {
				if c.as(a).deleteIf("default", base.Name, kit.Preconditions{ResourceVersion: base.ResourceVersion}).err == nil {
					deleted.Add(1)
				}
			})
		}
		t.Join()
		t.Require(updated.Load()+deleted.Load() == 1, "Updates from version %s of an object met deletes whose precondition is that version, and %s and %s succeeded: whichever comes first, none of the others finds that version.",
			base.ResourceVersion, conform.Count(int(updated.Load()), "update"), conform.Count(int(deleted.Load()), "delete"))
	}
}

// count lets writers add one to a number in an annotation, each the given number of times.
func count(t *conform.T, s Subject, writers, times int) {
	c := start(t, s)
	p := pod("default", "counter")
	p.Annotations["n"] = "0"
	c.create(p).ok()
	won := make([]map[string]string, writers) // from which versions each wrote, and to which
	for i := range writers {
		won[i] = map[string]string{}
		t.Go(fmt.Sprintf("writer %d", i), func(a *conform.Actor) {
			for range times {
				err := increment(c.as(a), won[i])
				if !t.Assert(err == nil, "A call failed otherwise than by a conflict: %v.", err) {
					return
				}
			}
		})
	}
	t.Join()
	n := c.get("default", "counter").ok().Annotations["n"]
	t.Require(n == a2s(writers*times), "Updates were lost: %d of them succeeded, each adding one to a number that was 0, and the number is %s.%s", writers*times, n, twice(won))
}

// twice names two writers that both succeeded from one version, if there are such, as a sentence.
func twice(won []map[string]string) string {
	first := map[string]int{}
	for i, wrote := range won {
		for from, to := range wrote {
			if j, ok := first[from]; ok {
				return fmt.Sprintf(" For one, writer %d and writer %d both updated from version %s, and both succeeded, with versions %s and %s.", j, i, from, won[j][from], to)
			}
			first[from] = i
		}
	}
	return ""
}

// increment adds one, with its own loop, and notes which version became which: this case is
// not about RetryOnConflict.
func increment(c client, won map[string]string) error {
	for {
		read := c.get("default", "counter")
		if read.err != nil {
			return read.err
		}
		n, err := strconv.Atoi(read.got.Annotations["n"])
		if err != nil {
			return err
		}
		read.got.Annotations["n"] = a2s(n + 1)
		from := read.got.ResourceVersion
		switch write := c.update(read.got); {
		case write.err == nil && write.got != nil:
			won[from] = write.got.ResourceVersion
			return nil
		case !kit.IsConflict(write.err):
			return write.err
		}
	}
}

// churn creates, updates and deletes a few objects and returns how many of its
// writes succeeded.
func churn(c client, seed, times int) (wrote int) {
	for i := range times {
		p := pod("default", string(rune('a'+(seed+i)%3)))
		if p.Name == "c" {
			p.Finalizers = []string{"a.example/one"}
		}
		var write answer[*kit.Pod]
		switch read := c.get("default", p.Name); {
		case read.err != nil:
			write = c.create(p)
		case read.got.DeletionTimestamp != nil:
			read.got.Finalizers = nil
			write = c.update(read.got)
		case i%2 == 1 && p.Name == "c": // of what is marked already, a delete without a precondition is no write
			write = c.deleteIf("default", "c", kit.Preconditions{ResourceVersion: read.got.ResourceVersion})
		case i%4 == 3:
			write = c.delete("default", p.Name)
		default:
			read.got.Annotations["note"] = fmt.Sprintf("%d-%d", seed, i)
			write = c.update(read.got)
		}
		if write.err == nil {
			wrote++
		}
	}
	return wrote
}

// agree replays the journal up to each list's version and compares.
func agree(t *conform.T, notes []note, lists []kit.List[*kit.Pod]) {
	last := uint64(0)
	for _, n := range notes {
		t.Require(number(t, n.version) > last, "The journal got %s %s after a change of version %d: changes come in the order of their versions.", n.what, conform.Show(n.then), last)
		last = number(t, n.version)
	}
	for _, list := range lists {
		until := number(t, list.ResourceVersion)
		got, want, shows := map[string]string{}, map[string]string{}, ""
		for _, p := range list.Items {
			got[kit.Key(p)] = p.ResourceVersion
		}
		for now, n := range replayed(notes) {
			if number(t, n.version) <= until {
				want = maps.Clone(now)
			}
			if maps.Equal(now, got) {
				shows = fmt.Sprintf(" It shows what the store held at version %s: version and objects are of two moments.", n.version)
			}
		}
		t.Same(want, got, "A list of version %s does not show exactly the journal's changes up to that version.%s In the list the version of each object, by key", list.ResourceVersion, shows)
	}
}

// replayed are the versions of all objects after each change, by key, with the change.
func replayed(notes []note) iter.Seq2[map[string]string, note] {
	return func(yield func(map[string]string, note) bool) {
		now := map[string]string{}
		for _, n := range notes {
			now[kit.Key(n.then)] = n.version
			if n.what == kit.Deleted {
				delete(now, kit.Key(n.then))
			}
			if !yield(now, n) {
				return
			}
		}
	}
}

func a2s(n int) string { return strconv.Itoa(n) }

// readsBack writes an object again and again and reads it after each write, with no other call at
// the same time.
func readsBack(c client) {
	p := c.create(pod("default", "alone")).ok()
	for i := range 6 {
		p.Annotations["note"] = a2s(i)
		p = c.update(p).ok()
		got := c.get("default", "alone").ok()
		if got.ResourceVersion == p.ResourceVersion {
			continue
		}
		c.readsOld(p, got)
	}
}

// touches has goroutines write back what they have just read, unchanged, while others change it.
func touches(t *conform.T, c client) {
	const rounds = 60
	c.create(pod("default", "touched")).ok()
	quiet := c.as(&conform.Actor{})
	call := t.Call("Get and Update of one object, by two goroutines that change it and two that do not, %d times each", rounds)
	for i := range 4 {
		t.Go(fmt.Sprintf("toucher %d", i), func(*conform.Actor) {
			for round := range rounds {
				read := quiet.get("default", "touched")
				if !t.Assert(read.err == nil && read.got != nil, "Get of an object that is there failed: %v.", read.err) {
					return
				}
				from := read.got.ResourceVersion
				if i%2 == 0 {
					read.got.Annotations["note"] = fmt.Sprintf("%d-%d", i, round)
					quiet.update(read.got)
					continue
				}
				if write := quiet.update(read.got); write.err == nil && write.got != nil &&
					!t.Assert(write.got.ResourceVersion == from, "An update from version %s changed nothing and was accepted, so that was the stored version, and it returned the object with version %s, of a write that came after it.", from, write.got.ResourceVersion) {
					return
				}
			}
		})
	}
	t.Join()
	call.Returned("")
}

// readsOld says more of a Get that, alone, did not return what was written: whether List sees
// the write, whether Get does later, and whether a write and then a rest make a difference.
func (c client) readsOld(written, got *kit.Pod) {
	listed := "no object"
	if list := c.list("").ok(); len(list.Items) > 0 {
		listed = "version " + list.Items[0].ResourceVersion
	}
	read := []string{got.ResourceVersion}
	for range 4 {
		read = append(read, c.get("default", "alone").ok().ResourceVersion)
	}
	next := written.DeepCopy()
	next.Annotations["note"] = "then a rest"
	next = c.update(next).ok()
	time.Sleep(20 * time.Millisecond) // what comes late has come by now
	c.t.Note("rests for 20ms")
	rested := c.get("default", "alone").ok()
	c.t.Fatalf("Update returned version %s, and five calls of Get after it, one by one, with nothing else going on, returned versions %s. List, called after the first of them, had %s. After a further Update, to version %s, and 20ms without a call, Get returned version %s.",
		written.ResourceVersion, strings.Join(read, ", "), listed, next.ResourceVersion, rested.ResourceVersion)
}
