package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(identity, metadata, outcomes, concurrent, retries)

var identity = []conform.Case[Subject]{
	{
		Name:   "versions-rise-store-wide",
		Points: 4,
		Func:   "Store.Create",
		Rule:   "Every write, deletes included, takes a version above all before it, whatever the object; reads and refused writes take none.",
		Why:    "One number says how far a watcher of all pods has come; with a counter per object there is no such number.",
		Hint: []string{
			"How many counters does your store have? Which calls move it?",
			"A delete is a write: a watcher has to see it, at a version of its own.",
		},
		Source: "etcd documentation, revisions: every transaction that writes raises that of the whole store; Kubernetes API concepts, resource versions",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			list, err := c.list("")
			require.NoError(t, err, "List failed.")
			last := number(t, list.ResourceVersion)
			wrote := func(p *kit.Pod, err error) *kit.Pod {
				n := number(t, must(t, p, err).ResourceVersion)
				require.Greater(t, n, last, "A write took a version that is not above that of the write before it, on whatever object that was.")
				last = n
				return p
			}
			still := func(what string) {
				list, err := c.list("")
				require.NoError(t, err, "List failed.")
				require.Equal(t, last, number(t, list.ResourceVersion), "The store's version is not that of its newest write after %s.", what)
			}
			a := wrote(c.create(pod("x", "a")))
			b := wrote(c.create(pod("y", "b")))
			still("two creates")
			b.Labels["app"] = "other"
			b = wrote(c.update(b))
			a.Labels["app"] = "other"
			wrote(c.update(a))
			wrote(c.delete("x", "a"))
			still("a delete")
			a = wrote(c.create(pod("x", "a")))
			a.ResourceVersion = b.ResourceVersion
			_, err = c.update(a)
			require.True(t, kit.IsConflict(err), "An update with the version of another object was not refused with Conflict.")
			_, err = c.delete("x", "none")
			require.True(t, kit.IsNotFound(err), "Delete of an object that is not there did not return NotFound.")
			still("writes that were refused")
		},
	},
	{
		Name:   "recreated-is-another-object",
		Points: 4,
		Func:   "Store.Delete",
		Rule:   "An object that was deleted and created again is another one: old versions and UIDs, in an update or as preconditions of a delete, are conflicts.",
		Why:    "A controller that deletes the pod it saw must not delete the pod that has since taken its name: StatefulSets reuse names all day.",
		Hint: []string{
			"Could the new object ever get the version or the UID that the old one had?",
			"Check every precondition that is not empty, under the same lock as the delete.",
		},
		Source: "apimachinery pkg/apis/meta/v1/types.go: Preconditions; apiserver pkg/registry/rest/delete.go: BeforeDelete; kubernetes#69376",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			got, err := c.create(pod("default", "web-0"))
			first := must(t, got, err)
			_, err = c.delete("default", "web-0")
			require.NoError(t, err, "Delete failed.")
			got, err = c.create(pod("default", "web-0"))
			second := must(t, got, err)
			require.NotEqual(t, first.UID, second.UID, "Two objects of one name, one after the other, have the same UID.")

			late := first.DeepCopy()
			late.Spec.Image = "nginx:2"
			refused(t, c, late, second, kit.IsConflict, "An update from a version of the deleted object was not refused with Conflict.")
			late.ResourceVersion = second.ResourceVersion
			refused(t, c, late, second, kit.IsConflict, "An update with the UID of the deleted object was not refused with Conflict.")
			for _, p := range []kit.Preconditions{
				{UID: first.UID}, {ResourceVersion: first.ResourceVersion},
				{UID: first.UID, ResourceVersion: second.ResourceVersion}, {UID: second.UID, ResourceVersion: first.ResourceVersion},
			} {
				none, err := c.deleteIf("default", "web-0", p)
				require.Nil(t, none, "A delete that was refused returned an object.")
				require.True(t, kit.IsConflict(err), "A delete whose precondition does not hold was not refused with Conflict.")
			}
			got, err = c.get("default", "web-0")
			same(t, second, must(t, got, err), "A delete that was refused changed the object.")
			_, err = c.deleteIf("default", "web-0", kit.Preconditions{UID: second.UID, ResourceVersion: second.ResourceVersion})
			require.NoError(t, err, "A delete whose preconditions hold failed.")
		},
	},
	{
		Name:   "shares-no-memory",
		Points: 5,
		Func:   "Store.Get",
		Rule:   "Nothing a caller does to its arguments or its results changes what the store holds or what another caller has been given.",
		Why:    "A controller that sets a label on a cached pod by accident has changed the stored state without a write: no version, no event, no trace.",
		Hint: []string{
			"Which of your methods return or keep a pointer that a caller has too?",
			"Copying the struct is not enough: maps and slices inside it are shared. Type.DeepCopy, on the way in and on the way out, List included.",
		},
		Source: "client-go tools/cache/shared_informer.go: SharedInformer (objects from a cache must be treated as read-only)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			mine := pod("default", "web")
			mine.Finalizers = []string{"a.example/one"}
			got, err := c.create(mine)
			truth := must(t, got, err).DeepCopy()
			intact := func(touched *kit.Pod, after string) {
				scribble(touched)
				got, err := c.get("default", "web")
				same(t, truth, must(t, got, err), "The stored object changed when %s was written to.", after)
			}
			intact(mine, "the argument of Create")
			intact(got, "the result of Create")
			got, err = c.get("default", "web")
			intact(must(t, got, err), "the result of Get")
			list, err := c.list("")
			require.NoError(t, err, "List failed.")
			require.Len(t, list.Items, 1, "The list does not hold the one object there is.")
			intact(list.Items[0], "an item of List")

			mine = truth.DeepCopy()
			mine.Labels["app"] = "other"
			got, err = c.update(mine)
			truth = must(t, got, err).DeepCopy()
			intact(mine, "the argument of Update")
			intact(got, "the result of Update")
			mine = truth.DeepCopy()
			got, err = c.update(mine)
			must(t, got, err)
			intact(got, "the result of an Update that had nothing to write")
			got, err = c.delete("default", "web")
			truth = must(t, got, err).DeepCopy()
			intact(got, "the result of a Delete that marked the object")
			got, err = c.delete("default", "web")
			must(t, got, err)
			intact(got, "the result of a Delete of what was marked already")
		},
	},
	{
		Name:   "deleting-is-for-good",
		Points: 4,
		Func:   "Store.Update",
		Rule:   "Once marked, an object stays marked: no update clears or moves the deletionTimestamp or adds a finalizer, and a second delete changes nothing.",
		Why:    "If a slow client could bring a pod back by writing an old copy of it, the owner of a finalizer could never rely on the deletion.",
		Hint: []string{
			"Whose deletionTimestamp does an update carry into the store: the caller's or the stored one's?",
			"Compare finalizers as sets: a new one is refused with Invalid; another order is not new.",
			"What does Delete find on an object that is already marked? It has nothing to write.",
		},
		Source: "apimachinery pkg/api/validation/objectmeta.go: ValidateNoNewFinalizers; apiserver pkg/registry/rest/update.go: BeforeUpdate",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			p := pod("default", "web")
			p.Finalizers = []string{"a.example/one", "b.example/two"}
			got, err := c.create(p)
			live := must(t, got, err)
			forged := time.Now()
			live.DeletionTimestamp, live.Annotations["note"] = &forged, "mine"
			got, err = c.update(live)
			require.Nil(t, must(t, got, err).DeletionTimestamp, "An update marked an object for deletion: that is for Delete to do.")
			got, err = c.delete("default", "web")
			marked := must(t, got, err)
			time.Sleep(time.Hour)

			got, err = c.delete("default", "web")
			same(t, marked, must(t, got, err), "The second delete of a marked object changed it.")
			none, err := c.create(pod("default", "web"))
			require.Nil(t, none, "A call that failed returned an object.")
			require.True(t, kit.IsAlreadyExists(err), "Create over an object that is being deleted was not refused with AlreadyExists.")
			more := marked.DeepCopy()
			more.Finalizers = append(more.Finalizers, "c.example/three")
			refused(t, c, more, marked, kit.IsInvalid, "An update that adds a finalizer to a deleting object was not refused with Invalid.")
			more.UID = "another"
			refused(t, c, more, marked, kit.IsConflict, "An update that is wrong in two ways was not refused for what the contract checks first.")

			back := marked.DeepCopy()
			back.DeletionTimestamp = nil
			back.Finalizers = []string{"b.example/two", "a.example/one"}
			back.Annotations["note"] = "second"
			got, err = c.update(back)
			kept := must(t, got, err)
			require.NotNil(t, kept.DeletionTimestamp, "An update without deletionTimestamp brought a deleting object back.")
			require.True(t, marked.DeletionTimestamp.Equal(*kept.DeletionTimestamp), "An update without deletionTimestamp brought a deleting object back.")
			require.Equal(t, "second", kept.Annotations["note"], "An allowed update of a deleting object was not carried out.")
		},
	},
}

var outcomes = []conform.Case[Subject]{
	{
		Name:   "errors-change-nothing",
		Points: 3,
		Func:   "Store.Create",
		Rule:   "A call that fails, or whose context is done, leaves objects, version and journals as they were and returns the zero object.",
		Why:    "After an error a client reads again and decides anew; it would decide a second time on half a write that it knows nothing of.",
		Hint: []string{
			"Does your code count, store or announce anything before the last check?",
			"Check ctx.Err() first; the contract says that the method then does nothing.",
		},
		Source: `the contract of this lab; controller-runtime pkg/client/fake/client.go: "NewBadRequest"`,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			var told journal
			c := start(t, open(), &told)
			got, err := c.create(pod("default", "web"))
			made := must(t, got, err)
			before, err := c.list("")
			require.NoError(t, err, "List failed.")

			read := made.DeepCopy()
			read.Name = "other"
			got, err = c.create(read)
			require.Equal(t, kit.ReasonBadRequest, kit.ReasonFor(err), "Create of an object with a resource version was not refused with BadRequest.")
			assert.Nil(t, got, "A call that failed returned an object.")
			got, err = c.create(pod("default", "web"))
			require.True(t, kit.IsAlreadyExists(err), "A second object of the same name was not refused with AlreadyExists.")
			assert.Nil(t, got, "A call that failed returned an object.")

			for _, call := range []func() (*kit.Pod, error){
				func() (*kit.Pod, error) { return c.create(pod("default", "")) },
				func() (*kit.Pod, error) { return c.get("default", "none") },
				func() (*kit.Pod, error) { return c.update(pod("default", "none")) },
				func() (*kit.Pod, error) { return c.delete("default", "none") },
			} {
				got, err := call()
				require.Error(t, err, "A call that can't succeed returned no error.")
				assert.Nil(t, got, "A call that failed returned an object.")
			}

			done, cancel := context.WithTimeoutCause(t.Context(), 0, errors.New("the cause"))
			defer cancel()
			late := client{c.a, done, c.store}
			changed := made.DeepCopy()
			changed.Labels["app"] = "other"
			calls := []func() (*kit.Pod, error){
				func() (*kit.Pod, error) { return late.create(pod("default", "new")) },
				func() (*kit.Pod, error) { return late.get("default", "web") },
				func() (*kit.Pod, error) { return late.update(changed) },
				func() (*kit.Pod, error) { return late.delete("default", "web") },
				func() (*kit.Pod, error) {
					list, err := late.list("")
					assert.Zero(t, list, "A List that failed returned a list.")
					return nil, err
				},
			}
			for _, call := range calls {
				got, err := call()
				require.True(t, err == context.DeadlineExceeded, "A call with a context that is done did not return the context's error.")
				assert.Nil(t, got, "A call that failed returned an object.")
			}
			after, err := c.list("")
			require.NoError(t, err, "List failed.")
			require.Equal(t, before.ResourceVersion, after.ResourceVersion, "Calls that failed changed the version of the store.")
			require.Equal(t, texts(before), texts(after), "Calls that failed changed the objects or the version of the store.")
			require.Len(t, told.notes, 1, "A journal got a change for a write that failed.")
		},
	},
	{
		Name:   "journals-are-told",
		Points: 4,
		Func:   "New",
		Rule:   "Each journal gets each change once, before the write returns, with type, object and version; nobody writes to that object afterwards.",
		Why:    "Watches are built on this stream: a change that is missing from it never happens for any controller in the cluster.",
		Hint: []string{
			"List the ways in which an object can leave the store. Two of your methods can do it.",
			"Do you change a stored object in place anywhere? A reader may still use it: change a copy and swap.",
		},
		Source: "etcd documentation, watch; apiserver pkg/storage/etcd3/watcher.go: watchChan",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			var one, two journal
			c := start(t, open(), &one, &two)
			expect := func(what kit.EventType, n int, p *kit.Pod) {
				for _, j := range []*journal{&one, &two} {
					require.Len(t, j.notes, n, "A journal did not get each change once by the time the write returned.")
					last := j.notes[n-1]
					require.Equal(t, what, last.what, "A journal got a change of another type.")
					require.Equal(t, p.ResourceVersion, last.version, "A journal was not given the version of the write.")
					require.Equal(t, kit.Key(p), kit.Key(last.then), "A journal got another object.")
				}
			}
			p := pod("default", "web")
			p.Finalizers = []string{"a.example/one"}
			got, err := c.create(p)
			p = must(t, got, err)
			expect(kit.Added, 1, p)
			p.Labels["app"] = "other"
			got, err = c.update(p)
			p = must(t, got, err)
			expect(kit.Modified, 2, p)
			got, err = c.delete("default", "web")
			p = must(t, got, err)
			expect(kit.Modified, 3, p)
			p.Finalizers = nil
			got, err = c.update(p)
			p = must(t, got, err)
			expect(kit.Deleted, 4, p)
			got, err = c.create(pod("default", "web"))
			expect(kit.Added, 5, must(t, got, err))
			got, err = c.delete("default", "web")
			expect(kit.Deleted, 6, must(t, got, err))
			for _, n := range append(one.notes, two.notes...) {
				same(t, n.then, n.pod, "An object that a journal was given was written to afterwards.")
			}
		},
	},
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
