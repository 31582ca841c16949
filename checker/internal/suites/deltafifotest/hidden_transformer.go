package deltafifotest

import (
	"cmp"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// failures has the transformer fail in calls of every kind.
func failures(t *conform.T, s Subject) {
	failureLeavesNothing(t, s)
	failureBuriesNobody(t, s)
	failureTakesNothing(t, s, mark)
	failureTakesNothing(t, s, markInPlace)
	failureTakesNoDelta(t, s)
	failureIsForgotten(t, s, false)
	failureIsForgotten(t, s, true)
	failureChangesNoCount(t, s)
	seenAfterTombstone(t, s)
	failureIsNoFirstCall(t, s)
	dropsTheYounger(t, s)
	failureWakes(t, s)
}

// panicking is a subject whose transformer panics where it would return an error, and whose callers
// recover and have that error all the same.
func panicking(t *conform.T, s Subject) Subject {
	t.Note("from now on, where the transformer fails, it panics with its error, and the caller recovers it")
	return Subject{New: func(options Options) Queue {
		transformer := options.Transformer
		options.Transformer = func(p *kit.Pod) (*kit.Pod, error) {
			result, err := transformer(p)
			if err != nil {
				panic(err)
			}
			return result, nil
		}
		return recovering{s.New(options)}
	}}
}

// recovering is a queue in the hands of callers who recover what a transformer panics with.
type recovering struct{ Queue }

func (q recovering) Add(p *kit.Pod) error {
	return errorOf(func() error { return q.Queue.Add(p) })
}

func (q recovering) Update(p *kit.Pod) error {
	return errorOf(func() error { return q.Queue.Update(p) })
}

func (q recovering) Delete(p *kit.Pod) error {
	return errorOf(func() error { return q.Queue.Delete(p) })
}

func (q recovering) Replace(list []*kit.Pod, version string) error {
	return errorOf(func() error { return q.Queue.Replace(list, version) })
}

// errorOf makes a call, and returns the transformer's error if it panics with that.
func errorOf(call func() error) error {
	value, err := recovered(call)
	switch value {
	case nil:
		return err
	case errTransform:
		return errTransform
	}
	panic(value)
}

// panics reports whether the transformer of this queue panics where it fails.
func (c client) panics() bool {
	_, ok := c.q.(recovering)
	return ok
}

// failed says how the transformer of this queue fails.
func (c client) failed() string {
	if c.panics() {
		return "panicked"
	}
	return "returned an error"
}

// fourKnown is a queue that knows a, b, c and d. It gets a list of a, b and c, in which the
// transformer fails for b. How much of the list is queued then is left open.
func fourKnown(t *conform.T, s Subject) client {
	c := startWith(t, s, Options{KnownObjects: holding(pod("a", 1), pod("b", 1), pod("c", 1), pod("d", 1)), Transformer: mark})
	err := c.replace(pod("a", 2), pod("b", 666), pod("c", 2))
	t.Require(err != nil, "The transformer failed for one of 3 objects, and Replace returned no error.")
	return c
}

// failureBuriesNobody looks at what a list has queued whose transformer failed in the middle.
func failureBuriesNobody(t *conform.T, s Subject) {
	c := fourKnown(t, s)
	c.close()
	queued := strings.Join(c.rest(t), " ")
	t.Require(!strings.Contains(queued, "Tombstone"), "a, b, c and d are known, Replace was called with a, b and c, and the transformer %s for b. Queued after it: %s. If the transformer fails, Replace queues no tombstone.", c.failed(), queued)
}

// failureTakesNothing looks at what was pending before a list whose transformer fails for the last object.
func failureTakesNothing(t *conform.T, s Subject, transformer func(p *kit.Pod) (*kit.Pod, error)) {
	c := startWith(t, s, Options{Transformer: transformer})
	must(t, c.add(pod("a", 1)))
	must(t, c.add(pod("b", 1)))
	all := append([]*kit.Pod{pod("a", 2), pod("new", 2), pod("c", 666)}, behind()...)
	was := slices.Clone(all)
	t.Require(c.replace(all[:3]...) != nil, "The transformer failed for one of 3 objects, and Replace returned no error.")
	t.Require(slices.Equal(all, was), "Replace was called with the first 3 objects of a longer array, and the transformer %s for the third. The array holds other objects since, or in another order: Replace never writes to list or to the rest of the array behind it, not even if it fails.", c.failed())
	c.close()
	left := c.rest(t)
	kept := len(left) >= 2 && strings.HasPrefix(left[0], "[Added a@1+") && left[1] == "[Added b@1+]"
	t.Require(kept, "Added a@1+ and Added b@1+ were pending, Replace was called with a, new and c, and the transformer %s for c. Popped after it: %s. First come Added a@1+, with or without a Replaced delta behind it, and then Added b@1+: deltas that are pending stay.", c.failed(), cmp.Or(strings.Join(left, " "), "nothing"))
	t.Require(!slices.Contains(left, "[]"), "Replace was called with a, new and c, and the transformer %s for c. Popped after it: %s. [] is a Pop that called process without deltas: a key is pending from its first delta on.", c.failed(), strings.Join(left, " "))
}

// markInPlace is a transformer that returns the object it was given, with a + at its version.
func markInPlace(p *kit.Pod) (*kit.Pod, error) {
	if err := refuse(p); err != nil {
		return nil, err
	}
	p.ResourceVersion += "+"
	return p, nil
}

// onceForEach counts the calls of the transformer for an object that is the known one itself and, in
// the second round, pending as well.
func onceForEach(t *conform.T, s Subject) {
	for what, name := range []string{"Add", "Update", "Delete", "Replace"} {
		for _, result := range []error{nil, errTransform} {
			p, calls := pod("a", 1), 0
			c := startWith(t, s, Options{KnownObjects: holding(p), Transformer: func(p *kit.Pod) (*kit.Pod, error) {
				calls++
				return p, result
			}})
			for range 2 {
				calls = 0
				err := []func(*kit.Pod) error{c.add, c.update, c.delete, func(p *kit.Pod) error { return c.replace(p) }}[what](p)
				t.Require((err != nil) == (result != nil), "The transformer returned the error %v, and %s returned %s.", result, name, conform.Said(err))
				t.Require(calls == 1, "%s was called with one object, which is the very one that is known, and the transformer, which returns the error %v, was called %d times for it. It is called once for each object, and if it fails, not again.", name, result, calls)
			}
		}
	}
}

// twiceForTwice counts the calls of the transformer for an object that stands twice in a list.
func twiceForTwice(t *conform.T, s Subject) {
	calls := 0
	c := startWith(t, s, Options{Transformer: func(p *kit.Pod) (*kit.Pod, error) {
		calls++
		copied := *p // so that the order of the calls, which is left open, cannot be seen
		copied.ResourceVersion += "+"
		return &copied, nil
	}})
	p := pod("a", 1)
	t.Note("the two objects of the list are the very same one")
	must(t, c.replace(p, p))
	t.Require(calls == 2, "Replace was called with a list in which the very same object stands twice, and the transformer was called %d times. It is called once for each element of list, so twice for that object.", calls)
	c.judgeNext(t, "the transformer returns a copy with a + at its version", "Replaced a@1+", "Replaced a@1+")
	c.end(t)
}

// resultIsQueued has a transformer that leaves nothing of its objects but their keys.
func resultIsQueued(t *conform.T, s Subject) {
	c := startWith(t, s, Options{Transformer: func(p *kit.Pod) (*kit.Pod, error) { return unversioned(p.Name), nil }})
	must(t, c.add(another("a", 1)))
	must(t, c.update(another("a", 2)))
	must(t, c.replace(another("a", 3)))
	must(t, c.delete(another("a", 4)))
	c.judgeNext(t, "the transformer returns an object that has a namespace and a name and nothing else, and what it returns is queued", "Added a@", "Updated a@", "Replaced a@", "Deleted a@")
	c.end(t)
}

// panicIsFailure has the transformer panic, and requires that the call panics with the same value, has
// queued nothing and has left the queue as it was.
func panicIsFailure(t *conform.T, s Subject) {
	for what, name := range []string{"Add", "Update", "Delete", "Replace"} {
		for _, value := range ownPanics() {
			c := startWith(t, s, Options{Transformer: func(p *kit.Pod) (*kit.Pod, error) {
				if refuse(p) != nil {
					panic(value)
				}
				return p, nil
			}})
			must(t, c.add(pod("a", 1)))
			p, err := recovered(func() error {
				return []func(*kit.Pod) error{c.add, c.update, c.delete, func(p *kit.Pod) error { return c.replace(p) }}[what](pod("a", 666))
			})
			t.Require(p != nil, "The transformer panicked with %s, and %s returned %s: the panic goes on to the caller.", saidOf(value), name, conform.Said(err))
			t.Require(p == value, "The transformer panicked with %s, and %s with %s: the panic goes on to the caller with its own value.", saidOf(value), name, saidOf(p))
			t.Note("the transformer has panicked, and the queue can be used as before")
			must(t, c.update(pod("a", 2)))
			c.close()
			c.expect(t, "Added a@1", "Updated a@2")
			c.end(t)
		}
	}
}

// failureTakesNoDelta looks at what was pending for b, which the list has queued perhaps, and for a, for which
// the transformer fails then. Each had one delta or two, the newest of any kind.
func failureTakesNoDelta(t *conform.T, s Subject) {
	for _, kind := range kinds {
		for _, updated := range []bool{false, true} {
			if updated && kind.delta == "Sync" {
				continue // a pending key gets none
			}
			c := startWith(t, s, Options{KnownObjects: holding(pod("a", 1), pod("b", 1)), Transformer: mark})
			newest := map[string]string{"Sync": "1", "Tombstone": "1"}
			var pending []string // for each of the two, with % for its name
			if updated {
				must(t, c.update(pod("a", 2)))
				must(t, c.update(pod("b", 2)))
				newest["Tombstone"] = "2+"
				pending = append(pending, "Updated %@2+")
			}
			must(t, kind.queue(c, pod("a", 3), pod("b", 3)))
			pending = append(pending, kind.delta+" %@"+cmp.Or(newest[kind.delta], "3+"))
			t.Require(c.replace(pod("b", 4), pod("a", 666)) != nil, "The transformer failed for one of 2 objects, and Replace returned no error.")
			c.close()
			judgeKept(t, c, strings.Join(pending, ", "))
		}
	}
}

// judgeKept requires that a has what was pending, and b the same, and behind it what the list has queued or nothing.
func judgeKept(t *conform.T, c client, pending string) {
	ofA, ofB := strings.ReplaceAll(pending, "%", "a"), strings.ReplaceAll(pending, "%", "b")
	c.due = ": due were [" + ofA + "] for a, and [" + ofB + "] for b, with or without a Replaced delta behind it"
	got := take(t, c, 2)
	a, b := strings.Join(got["a"], ", "), strings.Join(got["b"], ", ")
	t.Require(a == ofA, "[%s] was pending, and Replace was called with b and a, and the transformer %s for a. Popped for a were then [%s]: deltas that are pending stay, and of a nothing was queued.", ofA, c.failed(), a)
	t.Require(b == ofB || b == ofB+", Replaced b@4+", "[%s] was pending, and Replace was called with b and a, and the transformer %s for a. Popped for b were then [%s]: deltas that are pending stay, with or without Replaced b@4+ behind them.", ofB, c.failed(), b)
	c.end(t)
}

// failureIsForgotten has another list come after such a list. The queue may have synced before.
func failureIsForgotten(t *conform.T, s Subject, synced bool) {
	c := startWith(t, s, Options{KnownObjects: holding(pod("a", 1), pod("b", 1), pod("c", 1), pod("d", 1)), Transformer: mark})
	keys := "a, b, c and d are known."
	missing := []string{"a", "c", "d"}
	if synced {
		keys = "a, b, c and d are known, and a and e are pending."
		missing = append(missing, "e")
		must(t, c.add(pod("e", 1)))
		must(t, c.update(pod("a", 1)))
	}
	t.Require(c.replace(pod("a", 2), pod("e", 2), pod("b", 666), pod("c", 2)) != nil, "The transformer failed for one of 4 objects, and Replace returned no error.")
	must(t, c.replace(pod("b", 3)))
	c.close()
	queued := strings.Join(c.rest(t), " ")
	for _, key := range missing {
		t.Require(strings.Contains(queued, "Tombstone "+key+"@"), "%s The transformer failed for b when Replace was called with a, e, b and c; then Replace was called with b alone. Queued: %s. No tombstone for %s, which is pending or known and not in the list.", keys, queued, key)
	}
	t.Require(!strings.Contains(queued, "Tombstone b@"), "a, b, c and d are known, and Replace was called with b. Queued: %s. A tombstone is for a key that is not in the list, and b is.", queued)
}

// failureChangesNoCount has the transformer fail while the first list is pending.
func failureChangesNoCount(t *conform.T, s Subject) {
	c := startWith(t, s, Options{Transformer: mark})
	must(t, c.replace(pod("a", 1)))
	names := []string{"Add", "Update", "Delete", "Replace"}
	for i, call := range []func(p *kit.Pod) error{c.add, c.update, c.delete, func(p *kit.Pod) error { return c.replace(p) }} {
		err := call(pod("a", 666))
		t.Require(err != nil, "The transformer failed, and %s returned no error.", names[i])
		t.Require(!c.hasSynced(), "The first Replace left 1 key pending, which has not been popped. HasSynced is true after a call of %s whose transformer %s: that was not the first call.", names[i], c.failed())
	}
	c.due = ": due was [Replaced a@1+]"
	deltas, initial := c.take(t, nil)
	c.judge(t, render(deltas), []string{"Replaced a@1+"}, whyOf(render(deltas), []string{"Replaced a@1+"}))
	t.Require(initial, "The first Replace left 1 key pending. Then the transformer %s in calls of Add, Update, Delete and Replace, which changes nothing in that. HasSynced was false when Pop took the key, and process got isInInitialList false: it is the opposite.", c.failed())
	t.Require(c.hasSynced(), "The first Replace left 1 key pending, which has been popped since, and HasSynced is false.")
	c.end(t)
}

// seenAfterTombstone has deletions be seen of two keys that have a tombstone. For one of them the
// transformer fails.
func seenAfterTombstone(t *conform.T, s Subject) {
	c := startWith(t, s, Options{Transformer: mark})
	must(t, c.add(pod("a", 1)))
	must(t, c.add(pod("b", 1)))
	must(t, c.replace())
	refused(t, "Delete", c.delete(pod("a", 666)))
	must(t, c.delete(pod("b", 3)))
	c.close()
	a, _ := c.take(t, nil)
	c.judge(t, render(a), []string{"Added a@1+", "Tombstone a@1+"}, "a had a tombstone, and the transformer failed for the deletion that was seen then, so that queued nothing, and what was pending stays")
	b, _ := c.take(t, nil)
	c.judge(t, render(b), []string{"Added b@1+", "Deleted b@3+"}, "b had a tombstone, and then a deletion was seen, whose object is what the transformer returned: "+marks)
	c.end(t)
}

// failureIsNoFirstCall has the transformer fail in the first list, for its only object or for the
// second of three. The call that comes after it is the first one.
func failureIsNoFirstCall(t *conform.T, s Subject) {
	for _, fails := range []func(c client) error{
		func(c client) error { return c.replace(pod("a", 1), pod("b", 666), pod("c", 1)) },
		func(c client) error { return c.replace(pod("a", 666)) },
	} {
		failed := func() client {
			c := startWith(t, s, Options{Transformer: mark})
			t.Require(fails(c) != nil, "The transformer failed, and Replace returned no error.")
			t.Require(!c.hasSynced(), "Only Replace was called, and its transformer %s. HasSynced is true: such a Replace does not count as the first call.", c.failed())
			return c
		}
		c := failed()
		must(t, c.replace(pod("a", 2), pod("c", 2)))
		for popped := range 2 {
			t.Require(!c.hasSynced(), "The transformer %s when Replace was called first, which does not count. Then Replace was called with a and c, and 2 keys were pending when it returned. %d of them have been popped, and HasSynced is true.", c.failed(), popped)
			_, initial := c.take(t, nil)
			t.Require(initial, "The transformer %s when Replace was called first, which does not count. Then Replace was called with a and c, and 2 keys were pending when it returned; keys popped since: %d. HasSynced was false when Pop took the next one, and process got isInInitialList false: it is the opposite.", c.failed(), popped)
		}
		t.Require(c.hasSynced(), "The transformer %s when Replace was called first, which does not count. Then Replace was called with a and c, and 2 keys were pending when it returned. Both have been popped, and HasSynced is false.", c.failed())
		c.end(t)

		c = failed()
		must(t, c.add(pod("d", 3)))
		t.Require(c.hasSynced(), "The transformer %s when Replace was called, which does not count. Then Add was called, which is the first call and makes HasSynced true, and HasSynced is false.", c.failed())

		c = failed()
		c.close()
		popped := strings.Join(c.rest(t), " ")
		t.Require(!c.hasSynced(), "Only Replace was called, and its transformer %s, and Close, and then everything was popped, which was: %s. HasSynced is true: neither of the two calls counts as the first call.", c.failed(), cmp.Or(popped, "nothing"))
	}
}

// dropsTheYounger has deletions be seen of a key whose deletion is pending. The queue keeps the older
// one, and the transformer is called all the same.
func dropsTheYounger(t *conform.T, s Subject) {
	c := startWith(t, s, Options{KnownObjects: holding(pod("a", 1)), Transformer: mark})
	must(t, c.delete(pod("a", 2)))
	younger := pod("a", 3)
	must(t, c.delete(younger))
	t.Require(younger.ResourceVersion == "3!", "Deleted a@2 is pending, and Delete was called for a@3. The version of that object is %s after the call, and the transformer would have left 3!: Delete calls it once if the key is pending or known, even if an older deletion is kept.", younger.ResourceVersion)
	refused(t, "Delete", c.delete(pod("a", 666)))
	c.takes(t, nil, "Deleted a@2+")
	must(t, c.delete(pod("a", 4))) // popped, and known still: a deletion like the first
	c.close()
	c.takes(t, nil, "Deleted a@4+")
	c.end(t)
}

// failureWakes has a Pop wait for a list in which the transformer fails. How much of that list is
// queued is left open, but a key that is queued must not lie there while a Pop sleeps.
func failureWakes(t *conform.T, s Subject) {
	c := startWith(t, s, Options{Transformer: mark})
	first := park(t, c, 1)
	t.Require(c.replace(pod("a", 1), pod("b", 666)) != nil, "The transformer failed for one of 2 objects, and Replace returned no error.")
	t.Wait()
	slept := len(first) == 0
	second := park(t, c, 1)
	got := len(second) == 1
	c.close()
	t.Join()
	t.Require(!slept || !got, "A Pop waited, and Replace was called with a and with b, for which the transformer %s. A later Pop got a key that was pending, while the Pop that had waited slept on: every key that becomes pending lets one waiting Pop continue.", c.failed())
}

// listIsTheCallers looks at a list and the array behind it after the call of Replace, and may use it for
// something else.
func listIsTheCallers(t *conform.T, s Subject, used bool) {
	c := startWith(t, s, Options{KnownObjects: holding(pod("missing", 1)), Transformer: mark})
	all := append([]*kit.Pod{pod("a", 1), pod("b", 1), pod("a", 2), pod("a", 3)}, behind()...)
	list, was := all[:4], slices.Clone(all)
	must(t, c.replace(list...))
	t.Require(slices.Equal(list, was[:4]), "The slice with which Replace was called held four objects, and holds others after the call: Replace never writes to it.")
	t.Require(slices.Equal(all, was), "The slice with which Replace was called is the first part of an array, and that array holds other objects after its end since the call: Replace never writes to the rest of the array behind it.")
	meanwhile := ""
	if used {
		meanwhile = " The caller has put 4 other objects into the slice list meanwhile: Replace does not read it after returning."
		for i := range list {
			list[i] = pod(string(rune('v'+i)), 9)
		}
	}
	c.close()
	c.takes(t, nil, "Replaced a@1+", "Replaced a@2+", "Replaced a@3+")
	c.takes(t, nil, "Replaced b@1+")
	c.takes(t, nil, "Tombstone missing@1")
	t.Require(c.hasSynced(), "The first Replace got a list in which a stands three times and b once, and left 3 keys pending: a, b and the tombstone of missing. Close was called, which changes nothing in that, all three have been popped, and HasSynced is false.%s", meanwhile)
	c.end(t)
}

// pendingInList looks at a list after a call of Replace with keys that were pending.
func pendingInList(t *conform.T, s Subject) {
	c := start(t, s, nil)
	must(t, c.add(pod("b", 1)))
	list := []*kit.Pod{pod("a", 2), pod("b", 2)}
	was := slices.Clone(list)
	must(t, c.replace(list...))
	t.Require(slices.Equal(list, was), "b was pending when Replace was called with a slice that held a and b, and the slice holds other objects after the call: Replace never writes to it.")
	c.expect(t, "Added b@1", "Replaced b@2")
	c.expect(t, "Replaced a@2")
	c.end(t)
}
