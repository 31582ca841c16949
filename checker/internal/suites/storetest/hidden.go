package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(identity, metadata, outcomes, concurrent, retries)

var identity = []conform.Case[Subject]{
	{
		Name:   "versions-rise-store-wide",
		Points: 4,
		Func:   "Store.Create",
		Look:   []string{"the place where a write gets its version"},
		Rule:   "Every write, deletes included, takes a version above all before it, whatever the object; reads and refused writes take none.",
		Why:    "One number says how far a watcher of all pods has come; with a counter per object there is no such number.",
		Hint: []string{
			"How many counters does your store have? Which calls move it?",
			"A delete is a write: a watcher has to see it, at a version of its own.",
		},
		Source: "etcd documentation, revisions: every transaction that writes raises that of the whole store; Kubernetes API concepts, resource versions",
		Contract: []string{
			"Every write takes the next version: a create, an update, and a delete too. The version of the newest write is the version of the store.",
			"A version is written as a decimal number above zero that fits into 64 bits, and rises with every write, whatever the object.",
			"A call that returns an error has changed nothing, has taken no version",
			"There is one counter for the whole store.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			list := c.list("").ok()
			last := number(t, list.ResourceVersion)
			wrote := func(write answer[*kit.Pod]) *kit.Pod {
				p := write.ok()
				n := number(t, p.ResourceVersion)
				if n <= last {
					c.numbersTwice(write.call, n, last)
				}
				last = n
				return p
			}
			still := func(what string) {
				list := c.list("").ok()
				t.Require(number(t, list.ResourceVersion) == last, "After %s the list has version %s, and the store's newest write had %d: a list has the version of the newest write of its store, whatever that write was about.", what, list.ResourceVersion, last)
			}
			a := wrote(c.create(pod("x", "a")))
			b := wrote(c.create(pod("y", "b")))
			still("two creates")
			start(t, open()).create(pod("x", "b")).ok()
			still("a create in another store")
			b.Labels["app"] = "other"
			b = wrote(c.update(b))
			a.Labels["app"] = "other"
			wrote(c.update(a))
			wrote(c.delete("x", "a"))
			still("a delete")
			a = wrote(c.create(pod("x", "a")))
			a.ResourceVersion = b.ResourceVersion
			c.update(a).refused(kit.ReasonConflict, "An update that has the version of another object, and else what is stored already,")
			c.delete("x", "none").refused(kit.ReasonNotFound, "Delete of an object that is not there")
			still("writes that were refused")
		},
	},
	{
		Name:   "recreated-is-another-object",
		Points: 4,
		Func:   "Store.Delete",
		Look:   []string{"Store.Delete", "Store.Update", "Store.Create"},
		Rule:   "An object that was deleted and created again is another one: old versions and UIDs, in an update or as preconditions of a delete, are conflicts.",
		Why:    "A controller that deletes the pod it saw must not delete the pod that has since taken its name: StatefulSets reuse names all day.",
		Hint: []string{
			"Could the new object ever get the version or the UID that the old one had?",
			"Check every precondition that is not empty, under the same lock as the delete.",
		},
		Source: "apimachinery pkg/apis/meta/v1/types.go: Preconditions; apiserver pkg/registry/rest/delete.go: BeforeDelete; kubernetes#69376",
		Contract: []string{
			"a new UID that no object of any store has had before",
			"Conflict if the version is not that of the stored object, whether older or newer, or if obj has a UID and it is not the stored one's",
			"NotFound if the store has no such object; Conflict if a precondition names another UID or another resource version than the stored object has.",
			`A precondition that is no version, such as "0" or "+7", names another one.`,
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			first := c.create(pod("default", "web-0")).ok()
			c.delete("default", "web-0").ok()
			second := c.create(pod("default", "web-0")).ok()
			t.Require(second.UID != first.UID, "Two objects of one name, one after the other, have the same UID, %q: the second is another object.", first.UID)

			late := first.DeepCopy()
			late.Spec.Image = "nginx:2"
			refusedUpdate(c, late, second, kit.ReasonConflict, "An update from a version of the deleted object")
			late.ResourceVersion = second.ResourceVersion
			refusedUpdate(c, late, second, kit.ReasonConflict, "An update with the UID of the deleted object")
			otherCase(c, second)
			newest := c.create(pod("default", "web-9")).ok()
			for _, p := range []struct {
				what string
				when kit.Preconditions
			}{
				{"the UID of the deleted object", kit.Preconditions{UID: first.UID}},
				{"the version of the deleted object", kit.Preconditions{ResourceVersion: first.ResourceVersion}},
				{"the UID of the deleted object and the version of the new one", kit.Preconditions{UID: first.UID, ResourceVersion: second.ResourceVersion}},
				{"the UID of the new object and the version of the deleted one", kit.Preconditions{UID: second.UID, ResourceVersion: first.ResourceVersion}},
				{"the version of another object, the newest of the store,", kit.Preconditions{ResourceVersion: newest.ResourceVersion}},
			} {
				c.deleteIf("default", "web-0", p.when).refused(kit.ReasonConflict, "A delete with "+p.what+" as a precondition")
			}
			for _, odd := range oddVersions(number(t, second.ResourceVersion)) {
				what := fmt.Sprintf("The stored object has version %s. A delete whose precondition is the version %q, which is another,", second.ResourceVersion, odd)
				c.deleteIf("default", "web-0", kit.Preconditions{ResourceVersion: odd}).refused(kit.ReasonConflict, what)
			}
			same(t, second, c.get("default", "web-0").ok(), "Deletes were refused, and changed the object")
			c.deleteIf("default", "web-0", kit.Preconditions{UID: second.UID, ResourceVersion: second.ResourceVersion}).ok()
			deletesNothing(c, second)
			newUIDs(c)
		},
	},
	{
		Name:   "shares-no-memory",
		Points: 5,
		Func:   "Store.Get",
		Look:   []string{"Store.Get", "Store.Update", "New"},
		Rule:   "Nothing a caller does to its arguments or its results changes what the store holds or what another caller has been given.",
		Why:    "A controller that sets a label on a cached pod by accident has changed the stored state without a write: no version, no event, no trace.",
		Hint: []string{
			"Which of your methods return or keep a pointer that a caller has too?",
			"Copying the struct is not enough: maps and slices inside it are shared. Type.DeepCopy, on the way in and on the way out, List included.",
		},
		Source: "client-go tools/cache/shared_informer.go: SharedInformer (objects from a cache must be treated as read-only)",
		Contract: []string{
			"Nothing that the caller does afterwards to an argument, the slice of the journals included, or to a result can be seen in the store or by another caller",
			"Objects are copied on the way in and on the way out, with the Type's DeepCopy: a result is never the argument itself.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			mine := pod("default", "web")
			mine.Finalizers = []string{"a.example/one"}
			made := c.create(mine).ok()
			truth := made.DeepCopy()
			intact := func(touched *kit.Pod, after string) {
				t.Note("the caller writes to %s", after)
				scribble(touched)
				same(t, truth, c.get("default", "web").ok(), "The caller wrote to %s, and the stored object changed with it", after)
				for _, p := range c.list("").ok().Items {
					same(t, truth, p, "The caller wrote to %s, and List returned what it wrote", after)
				}
			}
			intact(mine, "the argument of Create")
			intact(made, "the result of Create")
			intact(c.get("default", "web").ok(), "the result of Get")
			list := c.list("").ok()
			t.Require(len(list.Items) == 1, "The list has %s, and the store has 1.", conform.Count(len(list.Items), "object"))
			intact(list.Items[0], "an item of List")

			mine = truth.DeepCopy()
			mine.Labels["app"] = "other"
			updated := c.update(mine).ok()
			truth = updated.DeepCopy()
			intact(mine, "the argument of Update")
			intact(updated, "the result of Update")
			echoes(c, truth)
			intact(c.update(truth.DeepCopy()).ok(), "the result of an Update that had nothing to write")
			marked := c.delete("default", "web").ok()
			truth = marked.DeepCopy()
			intact(marked, "the result of a Delete that marked the object")
			intact(c.delete("default", "web").ok(), "the result of a Delete of what was marked already")
			echoed := echoes(c, truth)
			truth = echoed.DeepCopy()
			intact(echoed, "the result of an Update of a marked object that had nothing to write")
			mine = truth.DeepCopy()
			mine.Labels["app"] = "of the marked"
			updated = c.update(mine).ok()
			truth = updated.DeepCopy()
			intact(mine, "the argument of an Update of a marked object")
			intact(updated, "the result of an Update of a marked object")
			keepsItsJournals(t, open())
		},
	},
	{
		Name:   "deleting-is-for-good",
		Points: 4,
		Func:   "Store.Update",
		Look:   []string{"Store.Update", "Store.Create", "Store.Delete"},
		Rule:   "Once marked, an object stays marked: no update clears or moves the deletionTimestamp or adds a finalizer, and a second delete changes nothing.",
		Why:    "If a slow client could bring a pod back by writing an old copy of it, the owner of a finalizer could never rely on the deletion.",
		Hint: []string{
			"Whose deletionTimestamp does an update carry into the store: the caller's or the stored one's?",
			"Compare finalizers as sets: a new one is refused with Invalid; another order is not new.",
			"What does Delete find on an object that is already marked? It has nothing to write.",
		},
		Source: "apimachinery pkg/api/validation/objectmeta.go: ValidateNoNewFinalizers; apiserver pkg/registry/rest/update.go: BeforeUpdate",
		Contract: []string{
			"The store keeps the UID, the creation time and the deletionTimestamp as they are, whatever obj says.",
			"Errors, in this order: NotFound if the store has no such object",
			"Invalid if it adds a finalizer to an object that is being deleted.",
			"AlreadyExists if its namespace has an object of that name, one that is being deleted included.",
			"A delete of an object that is already marked and still has finalizers changes nothing and returns the object as it is.",
			"Conflict if a precondition names another UID or another resource version than the stored object has. That goes for an object that is already marked, too.",
			"The update that leaves a deleting object with no finalizer deletes it; it is one write, a delete, and returns the object as this update leaves it",
			"The generation rises by one if the spec has changed",
			"An object that has finalizers is not deleted but marked",
			"While an object is being deleted its finalizers may be removed, and none may be added: none that the stored object does not have.",
			"Update replaces the stored object by obj and returns it as stored.",
			"the store has no limits and does not validate names",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			p := pod("default", "web")
			p.Finalizers = []string{"x.io/b", "x.io/a", "x.io/c"}
			live := c.create(p).ok()
			forged := time.Now()
			live.DeletionTimestamp, live.Annotations["note"] = &forged, "mine"
			live = c.update(live).ok()
			t.Require(live.DeletionTimestamp == nil, "An update whose object has a deletionTimestamp marked the stored one for deletion: the store keeps its own, which is none.")
			marked := c.delete("default", "web").ok()
			time.Sleep(time.Hour)

			unnamed(c)
			deletesAgain(c, live, marked)
			c.create(pod("default", "web")).refused(kit.ReasonAlreadyExists, "Create over an object that is being deleted")
			addsFinalizers(c, marked)

			back := marked.DeepCopy()
			back.DeletionTimestamp = nil
			back.Finalizers = []string{"x.io/c", "x.io/a", "x.io/b"}
			back.Annotations["note"] = "second"
			kept := c.update(back).ok()
			t.Require(kept.DeletionTimestamp != nil, "An update whose object has no deletionTimestamp cleared that of the stored one: a deleting object came back.")
			t.Require(marked.DeletionTimestamp.Equal(*kept.DeletionTimestamp), "An update moved the deletionTimestamp from %s to %s.", clock(*marked.DeletionTimestamp), clock(*kept.DeletionTimestamp))
			t.Require(kept.Annotations["note"] == "second", "An update of a deleting object set an annotation to \"second\", which is allowed, and it is %q.", kept.Annotations["note"])
			sameFinalizers(t, back.Finalizers, kept, "An update put the finalizers of a deleting object in another order, which is allowed")
			moved := marked.DeletionTimestamp.Add(time.Millisecond)
			back.ResourceVersion, back.DeletionTimestamp, back.Annotations["note"] = kept.ResourceVersion, &moved, "third"
			kept = c.update(back).ok()
			t.Require(kept.DeletionTimestamp != nil && marked.DeletionTimestamp.Equal(*kept.DeletionTimestamp), "An update whose object has another deletionTimestamp, 1ms later, moved that of the stored object: the store keeps its own.")
			leaves(c, kept)
			finalizersComeAndGo(c)
			deletesByNoForgery(c)
		},
	},
}

var outcomes = []conform.Case[Subject]{
	{
		Name:   "errors-change-nothing",
		Points: 3,
		Func:   "Store.Create",
		Look:   []string{"Store.Create", "Store.Delete", "Store.Update", "Store.List"},
		Rule:   "A call that fails, or whose context is done, leaves objects, version and journals as they were and returns the zero object.",
		Why:    "After an error a client reads again and decides anew; it would decide a second time on half a write that it knows nothing of.",
		Hint: []string{
			"Does your code count, store or announce anything before the last check?",
			"Check ctx.Err() first; the contract says that the method then does nothing.",
		},
		Source: `the contract of this lab; controller-runtime pkg/client/fake/client.go: "NewBadRequest"`,
		Contract: []string{
			"A call that returns an error has changed nothing, has taken no version and has called no journal.",
			"if ctx is done when a method is called, the method does nothing and returns ctx.Err().",
			"With an error, the object or the list that is returned is the zero value.",
			"Errors are *kit.StatusError: NotFound, AlreadyExists, Conflict, Invalid, BadRequest. They are not wrapped.",
			`BadRequest if it has a resource version, "0" included`,
			"Conflict if the version is not that of the stored object, whether older or newer, or if obj has a UID and it is not the stored one's",
			"Conflict if a precondition names another UID or another resource version than the stored object has.",
			"If ctx ends during the call, the method may go on, or give up: then it has changed nothing and returns ctx.Err().",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			told := journalOf(t, "journal")
			c := start(t, open(), told)
			made := c.create(pod("default", "web")).ok()
			more := held(c, "held")
			more.Finalizers = append(more.Finalizers, "b.example/two")
			before := c.list("").ok()

			for _, call := range failures(c, made, more) {
				answer := call.make()
				answer.refused(call.reason, call.what)
				_, status := answer.err.(*kit.StatusError)
				t.Assert(status, "%s failed, as it should, and its error is a %T: errors are *kit.StatusError, and not wrapped.", call.what, answer.err)
				t.Assert(answer.got == nil, "%s failed, as it should, and returned an object with its error: %s. With an error the object is nil.", call.what, show(answer.got))
				now := c.list("").ok().ResourceVersion
				t.Require(now == before.ResourceVersion, "%s failed, as it should, and took the store from version %s to %s: a call that fails takes none.", call.what, before.ResourceVersion, now)
			}

			comesLate(c, made)
			after := c.list("").ok()
			t.Require(after.ResourceVersion == before.ResourceVersion, "Calls with a context that is done took the store from version %s to %s: such a call does nothing.", before.ResourceVersion, after.ResourceVersion)
			t.Same(plainly(before.Items), plainly(after.Items), "Calls that failed changed the objects of the store")
			t.Require(len(told.notes) == 3, "Three writes succeeded and the others failed, and the journal got %s: a call that fails reports none.", conform.Count(len(told.notes), "change"))
			endsMeanwhile(t, open())
			for looks := range int32(4) {
				endsOnALook(t, open(), looks+2)
			}
		},
	},
	{
		Name:   "journals-are-told",
		Points: 4,
		Func:   "New",
		Look:   []string{"Store.Delete", "Store.Update", "New"},
		Rule:   "Each journal gets each change once, before the write returns, with type, object and version; nobody writes to that object afterwards.",
		Why:    "Watches are built on this stream: a change that is missing from it never happens for any controller in the cluster.",
		Hint: []string{
			"List the ways in which an object can leave the store. Two of your methods can do it.",
			"Do you change a stored object in place anywhere? A reader may still use it: change a copy and swap.",
		},
		Source: "etcd documentation, watch; apiserver pkg/storage/etcd3/watcher.go: watchChan",
		Contract: []string{
			"Commit is called once for every change, in the order of the versions, one call at a time, and before the write that made the change returns.",
			"the object as it stands after the change and the change's resource version on it",
			"The object is shared from then on: neither side ever writes to it again.",
			"set for Error, nil otherwise",
			"Every change is committed to each of the journals, as kit.Journal describes it: once, in the order of the versions",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			one, two, three := journalOf(t, "journal 1"), journalOf(t, "journal 2"), journalOf(t, "journal 3")
			c := start(t, open(), one, two, three)
			expect := func(what kit.EventType, n int, p *kit.Pod) {
				for _, j := range []*journal{one, two, three} {
					t.Require(len(j.notes) == n, "%d writes have returned, and %s has got %s: each write is one.", n, j.name, conform.Count(len(j.notes), "change"))
					last := j.notes[n-1]
					t.Require(last.what == what, "The newest change of %s is %s of %s, and that write is %s.", j.name, last.what, kit.Key(p), what)
					t.Require(last.version == p.ResourceVersion, "A write returned version %s, and %s got the change with version %q.", p.ResourceVersion, j.name, last.version)
					t.Require(kit.Key(last.then) == kit.Key(p), "The newest change of %s is of %s, and the write was of %s.", j.name, kit.Key(last.then), kit.Key(p))
					same(t, p, last.then, "A write returned the object as it stands after it, and %s got another", j.name)
					t.Require(last.status == nil, "The newest change of %s has a Status, %v: that is for the event Error.", j.name, last.status)
				}
			}
			p := pod("default", "web")
			p.Finalizers = []string{"a.example/one"}
			p = c.create(p).ok()
			expect(kit.Added, 1, p)
			p.Labels["app"] = "other"
			p = c.update(p).ok()
			expect(kit.Modified, 2, p)
			p = c.delete("default", "web").ok()
			expect(kit.Modified, 3, p)
			p.Finalizers, p.Status.Phase = nil, kit.PodSucceeded
			p.Labels["app"] = "the last"
			last := p
			p = c.update(last).ok()
			expect(kit.Deleted, 4, p)
			made := c.create(pod("default", "web")).ok()
			expect(kit.Added, 5, made)
			gone := c.delete("default", "web").ok()
			expect(kit.Deleted, 6, gone)
			expect(kit.Added, 7, c.create(pod("", "web")).ok())
			t.Note("the callers write to what the last writes returned, and to the argument of the update that deleted")
			for _, theirs := range []*kit.Pod{p, last, made, gone} {
				scribble(theirs)
			}
			for _, n := range slices.Concat(one.notes, two.notes, three.notes) {
				same(t, n.then, n.pod, "The object of a change was written to after %s had got it", n.journal)
			}
			manyJournals(t, open())
		},
	},
}

// manyJournals gives a store more journals than it may have counted on.
func manyJournals(t *conform.T, s Subject) {
	const journals = 20
	all := make([]kit.Journal[*kit.Pod], journals)
	quiet := make([]*journal, journals) // a hundred changes would fill the history
	for i := range all {
		quiet[i] = &journal{name: fmt.Sprintf("journal %d of %d", i+1, journals), a: &conform.Actor{}}
		all[i] = quiet[i]
	}
	c := start(t, s, all...)
	var want []string
	wrote := func(what kit.EventType, p *kit.Pod) {
		want = append(want, fmt.Sprintf("%s @%s", what, p.ResourceVersion))
		for _, j := range quiet {
			got := []string{}
			for _, n := range j.notes {
				got = append(got, fmt.Sprintf("%s @%s", n.what, n.version))
			}
			t.Require(slices.Equal(got, want), "A store with %d journals made the changes %v, and %s has got %v: every change is committed to each of the journals.", journals, want, j.name, got)
		}
	}
	p := pod("default", "web")
	p.Finalizers = []string{"a.example/one"}
	p = c.create(p).ok()
	wrote(kit.Added, p)
	p.Labels["app"] = "other"
	wrote(kit.Modified, c.update(p).ok())
	p = c.delete("default", "web").ok()
	wrote(kit.Modified, p)
	p.Finalizers = nil
	wrote(kit.Deleted, c.update(p).ok())
	wrote(kit.Added, c.create(pod("default", "web")).ok())
	wrote(kit.Deleted, c.delete("default", "web").ok())
}

// echoes has an Update return what is stored, and requires that this is not the caller's own object.
func echoes(c client, stored *kit.Pod) *kit.Pod {
	mine := stored.DeepCopy()
	got := c.update(mine).ok()
	c.t.Require(got != mine, "An Update had nothing to write, and returned its argument itself: objects are copied on the way out, and a result is never the argument.")
	return got
}

// comesLate makes calls with a context that is done, of which some would fail and some would
// have nothing to write without it.
func comesLate(c client, made *kit.Pod) {
	t := c.t
	done, cancel := context.WithTimeoutCause(t.Context(), 0, errors.New("the cause"))
	defer cancel()
	c.ctx = done
	read, changed, stale := made.DeepCopy(), made.DeepCopy(), made.DeepCopy()
	read.Name = "other"
	changed.Labels["app"] = "other"
	stale.ResourceVersion = later(t, made.ResourceVersion)
	for _, call := range []answer[*kit.Pod]{
		c.create(pod("default", "new")), c.create(pod("default", "web")), c.create(pod("default", "")), c.create(read),
		c.get("default", "web"), c.get("default", "none"),
		c.update(changed), c.update(made.DeepCopy()), c.update(stale), c.update(pod("default", "none")),
		c.delete("default", "web"), c.delete("default", "none"), c.delete("default", "held"),
		c.deleteIf("default", "web", kit.Preconditions{UID: "another"}),
	} {
		t.Require(call.err == context.DeadlineExceeded, "%s was called with a context that is done, and did not return its error, %q, but %q.", call.call, context.DeadlineExceeded, fmt.Sprint(call.err))
		t.Assert(call.got == nil, "%s failed, as it should, and returned an object with its error: %s. With an error the object is nil.", call.call, show(call.got))
	}
	list := c.list("")
	t.Require(list.err == context.DeadlineExceeded, "List was called with a context that is done, and did not return its error, %q, but %q.", context.DeadlineExceeded, fmt.Sprint(list.err))
	t.Assert(list.got.ResourceVersion == "" && list.got.Items == nil,
		"List failed, and its list is not the zero value: it has %s and version %q.", conform.Count(len(list.got.Items), "object"), list.got.ResourceVersion)
}

// failing is a call that must be refused.
type failing struct {
	make   func() answer[*kit.Pod]
	reason kit.Reason
	what   string
}

// failures are calls that must be refused, of a store that has made, and one object that is being
// deleted, to which more has a finalizer added.
func failures(c client, made, more *kit.Pod) []failing {
	create := func(version, name, generateName, what string) failing {
		p := pod("default", name)
		p.ResourceVersion, p.GenerateName = version, generateName
		return failing{func() answer[*kit.Pod] { return c.create(p) }, kit.ReasonBadRequest, "Create of an object with " + what}
	}
	update := func(version, uid string, reason kit.Reason, what string) failing {
		p := made.DeepCopy()
		p.ResourceVersion, p.UID = version, uid
		return failing{func() answer[*kit.Pod] { return c.update(p) }, reason, "Update " + what}
	}
	remove := func(name string, when kit.Preconditions, reason kit.Reason, what string) failing {
		return failing{func() answer[*kit.Pod] { return c.deleteIf("default", name, when) }, reason, "Delete of " + what}
	}
	newer := later(c.t, made.ResourceVersion)
	return []failing{
		create(made.ResourceVersion, "other", "", "a resource version"),
		create(made.ResourceVersion, "", "other-", "a resource version and a generateName"),
		create("0", "other", "", "the resource version \"0\""),
		create("x", "other", "", "a resource version that is no number"),
		{func() answer[*kit.Pod] { return c.create(pod("default", "web")) }, kit.ReasonAlreadyExists, "Create of a second object of the same name"},
		{func() answer[*kit.Pod] { return c.create(pod("default", "")) }, kit.ReasonInvalid, "Create of an object without name and generateName"},
		{func() answer[*kit.Pod] { return c.get("default", "none") }, kit.ReasonNotFound, "Get of an object that is not there"},
		{func() answer[*kit.Pod] { return c.update(pod("default", "none")) }, kit.ReasonNotFound, "Update of an object that is not there"},
		update(newer, made.UID, kit.ReasonConflict, "from another version"),
		update("", made.UID, kit.ReasonInvalid, "without a resource version"),
		update(made.ResourceVersion, "another", kit.ReasonConflict, "with another UID"),
		{func() answer[*kit.Pod] { return c.update(more) }, kit.ReasonInvalid, "Update that adds a finalizer to a deleting object"},
		remove("none", kit.Preconditions{}, kit.ReasonNotFound, "an object that is not there"),
		remove("web", kit.Preconditions{UID: "another"}, kit.ReasonConflict, "another object"),
		remove("web", kit.Preconditions{ResourceVersion: newer}, kit.ReasonConflict, "another version of an object"),
		remove("held", kit.Preconditions{UID: "another"}, kit.ReasonConflict, "another object than the one that is being deleted"),
	}
}

// ender is a journal that ends a context with each change.
type ender struct{ end func() }

func (e *ender) Commit(kit.Event[*kit.Pod]) { e.end() }

// endsMeanwhile makes writes whose contexts end when the journal is called: by then they have
// changed something, and must not say that they failed.
func endsMeanwhile(t *conform.T, s Subject) {
	e := &ender{end: func() {}}
	c := start(t, s, e)
	base := c.create(pod("default", "web")).ok()
	base.Labels["app"] = "other"
	for _, write := range []struct {
		what string
		make func(c client) answer[*kit.Pod]
	}{
		{"Create", func(c client) answer[*kit.Pod] { return c.create(pod("default", "new")) }},
		{"Update", func(c client) answer[*kit.Pod] { return c.update(base) }},
		{"Delete", func(c client) answer[*kit.Pod] { return c.delete("default", "web") }},
	} {
		late := c
		ctx, cancel := t.Named("journal").WithCancel(t.Context(), "the context of "+write.what)
		late.ctx, e.end = ctx, cancel
		got := write.make(late)
		cancel()
		t.Require(got.err == nil, "The context of %s ended while the journal was given its change, and %s returned %s: a call that returns an error has changed nothing, and this one has.", got.call, write.what, conform.Said(got.err))
	}
}

// fickle is a context that ends when somebody asks whether it has, at the given look.
type fickle struct {
	context.Context
	end  func()
	left atomic.Int32
}

func (f *fickle) Err() error {
	if f.left.Add(-1) == 0 {
		f.end()
	}
	return f.Context.Err()
}

// endsOnALook makes calls whose contexts end when the method looks at them for the second time
// or later: it may go on or stop, but not half.
func endsOnALook(t *conform.T, s Subject, look int32) {
	c := start(t, s)
	base := c.create(pod("default", "web")).ok()
	c.create(pod("default", "other")).ok()
	base.Labels["app"] = "other"
	late := func() client {
		ctx, end := t.WithCancel(t.Context(), "ctx")
		f := &fickle{Context: ctx, end: end}
		f.left.Store(look)
		late := c
		late.ctx = f
		return late
	}
	for _, call := range []func() answer[*kit.Pod]{
		func() answer[*kit.Pod] { return late().create(pod("default", "new")) },
		func() answer[*kit.Pod] { return late().get("default", "web") },
		func() answer[*kit.Pod] { return late().update(base) },
		func() answer[*kit.Pod] { return late().delete("default", "web") },
	} {
		before := c.list("").ok().ResourceVersion
		got := call()
		if got.err == nil {
			got.ok()
			continue
		}
		t.Require(got.err == context.Canceled && got.got == nil, "The context of %s ended during the call, and it returned %s and %s: it has to return an object, or nothing and the context's error.", got.call, show(got.got), conform.Said(got.err))
		now := c.list("").ok().ResourceVersion
		t.Require(now == before, "The context of %s ended during the call, which returned the context's error and took the store from version %s to %s: a call that fails takes none.", got.call, before, now)
	}
	want := c.list("").ok()
	list := late().list("")
	if list.err == nil {
		t.Require(slices.Equal(keysOf(want), keysOf(list.got)), "The context of %s ended during the call, and it returned no error and %v, where the store has %v.", list.call, keysOf(list.got), keysOf(want))
		return
	}
	t.Require(list.err == context.Canceled && list.got.Items == nil && list.got.ResourceVersion == "", "The context of %s ended during the call, and it returned %s, version %q and %s: with an error the list is the zero value, and the error is the context's.", list.call, conform.Count(len(list.got.Items), "object"), list.got.ResourceVersion, conform.Said(list.err))
}

// otherCase names an object by its UID in capitals, or in small letters.
func otherCase(c client, stored *kit.Pod) {
	for _, uid := range []string{strings.ToUpper(stored.UID), strings.ToLower(stored.UID)} {
		if uid == stored.UID {
			continue
		}
		p := stored.DeepCopy()
		p.UID = uid
		refusedUpdate(c, p, stored, kit.ReasonConflict, "An update with a UID that differs from the stored one in the case of its letters, and so is another,")
		c.deleteIf(stored.Namespace, stored.Name, kit.Preconditions{UID: uid}).refused(kit.ReasonConflict, "A delete whose precondition is a UID that differs from the stored one in the case of its letters, and so is another,")
	}
}

// deletesNothing deletes an object that is gone, whatever the precondition names.
func deletesNothing(c client, gone *kit.Pod) {
	for _, version := range append([]string{"", gone.ResourceVersion}, oddVersions(number(c.t, gone.ResourceVersion))...) {
		for _, uid := range []string{"", gone.UID} {
			what := fmt.Sprintf("A delete of an object that is not there, with the version %q and the UID %q as preconditions,", version, uid)
			c.deleteIf(gone.Namespace, gone.Name, kit.Preconditions{UID: uid, ResourceVersion: version}).refused(kit.ReasonNotFound, what)
		}
	}
}

// newUIDs creates an object again and again, and deletes it each time.
func newUIDs(c client) {
	const objects = 1500
	quiet := c.as(&conform.Actor{})
	call := c.t.Call("Create and Delete of default/web-1, %d times", objects)
	had := map[string]int{}
	for i := range objects {
		uid := quiet.create(pod("default", "web-1")).ok().UID
		before, again := had[uid]
		c.t.Require(!again, "An object was created and deleted again and again, and number %d got the UID of number %d, %q: no object of any store has had it before.", i+1, before+1, uid)
		had[uid] = i
		quiet.delete("default", "web-1").ok()
	}
	call.Returned("")
}

// held is an object that is being deleted, and that a finalizer holds.
func held(c client, name string) *kit.Pod {
	p := pod("default", name)
	p.Finalizers = []string{"a.example/one"}
	c.create(p).ok()
	return c.delete("default", name).ok()
}

// deletesAgain deletes an object that is marked already, and was live before.
func deletesAgain(c client, live, marked *kit.Pod) {
	same(c.t, marked, c.delete("default", "web").ok(), "The second delete of an object that is marked already changed it")
	holds := kit.Preconditions{UID: marked.UID, ResourceVersion: marked.ResourceVersion}
	same(c.t, marked, c.deleteIf("default", "web", holds).ok(), "A delete of an object that is marked already, with preconditions that hold, changed it")
	for _, refused := range []struct {
		what string
		when kit.Preconditions
	}{
		{"the version that the object had before it was marked", kit.Preconditions{ResourceVersion: live.ResourceVersion}},
		{"its UID and the version that it had before it was marked", kit.Preconditions{UID: marked.UID, ResourceVersion: live.ResourceVersion}},
		{"a version that the object never had", kit.Preconditions{ResourceVersion: later(c.t, marked.ResourceVersion)}},
		{"the UID of another object", kit.Preconditions{UID: "another"}},
		{"the UID of another object and its version", kit.Preconditions{UID: "another", ResourceVersion: marked.ResourceVersion}},
	} {
		c.deleteIf("default", "web", refused.when).refused(kit.ReasonConflict, "A delete of an object that is marked already, with "+refused.what+" as a precondition,")
	}
	same(c.t, marked, c.get("default", "web").ok(), "Deletes of an object that is marked already were refused, and changed it")
}

// addsFinalizers tries to add a finalizer to a deleting object, in several ways.
func addsFinalizers(c client, marked *kit.Pod) {
	other := marked.DeepCopy()
	other.UID = "another"
	refusedUpdate(c, other, marked, kit.ReasonConflict, "An update of a deleting object that has another UID, and changes nothing else,")
	other.Labels, other.Annotations = nil, nil
	refusedUpdate(c, other, marked, kit.ReasonConflict, "An update of a deleting object that has another UID, and removes labels and annotations,")
	more := marked.DeepCopy()
	more.Finalizers = append(more.Finalizers, "x.io/d")
	refusedUpdate(c, more, marked, kit.ReasonInvalid, "An update that adds a finalizer to a deleting object")
	more.DeletionTimestamp = nil
	refusedUpdate(c, more, marked, kit.ReasonInvalid, "An update that adds a finalizer to a deleting object, and whose own object has no deletionTimestamp,")
	more.UID = "another"
	refusedUpdate(c, more, marked, kit.ReasonConflict, "An update of a deleting object that has another UID and adds a finalizer: the UID comes first. It")
	addsNearNames(c, marked)
	addsNothing(c, marked)
	swapped := marked.DeepCopy()
	swapped.Finalizers[1] = "x.io/d"
	refusedUpdate(c, swapped, marked, kit.ReasonInvalid, "An update that removes one finalizer of a deleting object and adds another")
}

// unnamed has an object held by a finalizer that is the empty string: it is one all the same.
func unnamed(c client) {
	p := pod("default", "unnamed")
	p.Finalizers = []string{""}
	c.create(p).ok()
	marked := c.delete("default", "unnamed").ok()
	c.t.Require(marked.DeletionTimestamp != nil, "An object has one finalizer, whose name is \"\", and Delete did not mark it: the store does not validate names, and an object that has finalizers is not deleted but marked.")
	marked.Status.Phase = kit.PodRunning
	c.update(marked).ok()
	got := c.get("default", "unnamed")
	c.t.Require(got.err == nil, "An object that is being deleted has one finalizer, whose name is \"\". An update left it that one, and Get failed with %s: only an update that leaves no finalizer deletes the object.", conform.Said(got.err))
}

// finalizersComeAndGo adds finalizers to a live object, in an update that calls it deleting, and
// adds one again that was removed after the mark.
func finalizersComeAndGo(c client) {
	live := c.create(pod("default", "free")).ok()
	forged := time.Now()
	live.DeletionTimestamp, live.Finalizers = &forged, []string{"x.io/a", "x.io/b"}
	got := c.update(live).ok()
	sameFinalizers(c.t, live.Finalizers, got, "An update added finalizers to an object that is not being deleted, with a deletionTimestamp that the store does not take over")
	first := held(c, "first")
	time.Sleep(time.Minute)
	all := c.delete("default", "free").ok()
	same(c.t, first, c.get("default", "first").ok(), "The mark of one object changed another one, which was marked a minute before")
	fewer := all.DeepCopy()
	fewer.Finalizers = []string{"x.io/b"}
	left := c.update(fewer).ok()
	all.ResourceVersion = left.ResourceVersion
	refusedUpdate(c, all, left, kit.ReasonInvalid, "An update that adds again a finalizer which was removed while the object was being deleted")
	left.Finalizers, left.DeletionTimestamp = nil, nil
	c.update(left).ok()
	c.get("default", "free").refused(kit.ReasonNotFound, "Get of an object that was to be deleted, and whose last finalizer was removed by an update that has no deletionTimestamp,")
}

// leaves has a deleting object changed by the update that takes its last finalizers, and an object
// without any deleted. An empty slice holds no finalizer.
func leaves(c client, deleting *kit.Pod) {
	next := deleting.DeepCopy()
	next.Finalizers = []string{}
	next.Spec.Image, next.Status.Phase = "nginx:9", kit.PodSucceeded
	next.Labels["app"] = "the last"
	gone := c.update(next).ok()
	want := next.DeepCopy()
	want.Generation, want.ResourceVersion = deleting.Generation+1, gone.ResourceVersion
	same(c.t, want, gone, "The update that took the last finalizers changed spec, status and labels as well. It returns the object as it leaves it, with a generation that the change of the spec has raised, and returned another")
	c.get("default", "web").refused(kit.ReasonNotFound, "Get of an object that was to be deleted, and to which an update left an empty slice of finalizers,")

	free := pod("default", "web")
	free.Finalizers = []string{}
	c.create(free).ok()
	c.delete("default", "web").ok()
	c.get("default", "web").refused(kit.ReasonNotFound, "Get of an object that was deleted, and whose slice of finalizers was empty,")
}

// scribble writes to every part of p that could be shared.
func scribble(p *kit.Pod) {
	p.ResourceVersion, p.Spec.Image = "1", "scribbled"
	p.Labels["app"] = "scribbled"
	p.Annotations["scribbled"] = "yes"
	p.Spec.NodeSelector["disk"] = "scribbled"
	p.Spec.Tolerations[0] = "scribbled"
	if len(p.Finalizers) > 0 {
		p.Finalizers[0] = "scribbled"
	}
	if p.DeletionTimestamp != nil {
		*p.DeletionTimestamp = time.Time{}
	}
	p.UID = fmt.Sprint("scribbled-", p.UID)
}

// numbersTwice ends a case in which a write has taken a version that is not new. Some more
// writes show what counts: the object, its namespace, or something else.
func (c client) numbersTwice(call string, got, last uint64) {
	c.t.Note("writes on, to see what the versions count")
	after := c.list("").ok()
	first := c.create(pod("x", "more")).ok()
	second := c.create(pod("y", "more")).ok()
	third := c.create(pod("y", "last")).ok()
	list := c.list("").ok()
	c.t.Fatalf("%s returned version %d, and the write before it, or the empty store, had %d. A List after it had version %s. Each write takes a version above all before it, whatever the object, and what it returns has that version. Three more creates, x/more, y/more and y/last, returned the versions %s, %s and %s, and the list has %s.",
		call, got, last, after.ResourceVersion, first.ResourceVersion, second.ResourceVersion, third.ResourceVersion, list.ResourceVersion)
}
