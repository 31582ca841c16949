package storetest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "create-stamps-the-object",
		Points: 4,
		Func:   "Store.Create",
		Rule:   "Create sets version, UID, creation time and generation 1 itself, leaves its argument alone, and Get returns what Create returned.",
		Why:    "Controllers trust this metadata: a client that could set a UID could pass its pod off as another's.",
		Hint: []string{
			"Which fields belong to the server? Does your copy get them, or the caller's object?",
			"Copy first, stamp the copy: Type.SetCreated, Type.SetDeleting, SetGeneration, SetResourceVersion.",
		},
		Source: "apiserver pkg/registry/rest/meta.go: FillObjectMetaSystemFields, WipeObjectMetaSystemFields",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			time.Sleep(90 * time.Second)
			asked := pod("default", "web")
			forged := time.Now().Add(-time.Hour)
			asked.UID, asked.CreationTimestamp, asked.DeletionTimestamp, asked.Generation = "mine", forged, &forged, 7
			before := asked.DeepCopy()

			got, err := c.create(asked)
			made := must(t, got, err)
			same(t, before, asked, "Create changed its argument.")
			number(t, made.ResourceVersion)
			assert.NotEmpty(t, made.UID, "The created object has no UID.")
			assert.NotEqual(t, "mine", made.UID, "Create took over a UID from the caller.")
			assert.WithinDuration(t, time.Now(), made.CreationTimestamp, time.Second, "The creation time is not the time of the call.")
			assert.Nil(t, made.DeletionTimestamp, "A new object is being deleted already.")
			assert.EqualValues(t, 1, made.Generation, "The generation of a new object is not 1.")
			assert.Equal(t, asked.Spec, made.Spec, "Create changed the spec.")
			assert.Equal(t, asked.Labels, made.Labels, "Create changed the labels.")

			got, err = c.get("default", "web")
			same(t, made, must(t, got, err), "Get returned something other than Create did.")
		},
	},
	{
		Name:   "names-are-per-namespace",
		Points: 4,
		Func:   "Store.Get",
		Rule:   "An object is found by namespace and name; the same name may exist in several namespaces, once in each.",
		Why:    "Two teams call their pods web-0, and neither may read or overwrite the other's.",
		Hint: []string{
			"What is the key of your map?",
			"A struct of two strings is a fine map key and cannot be mistaken for another pair.",
		},
		Source: "apiserver pkg/registry/generic/registry/store.go: NamespaceKeyFunc",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			for _, ns := range []string{"a", "b", ""} {
				p := pod(ns, "web")
				p.Spec.Image = "image-of-" + ns
				got, err := c.create(p)
				must(t, got, err)
			}
			_, err := c.create(pod("b", "web"))
			require.True(t, kit.IsAlreadyExists(err), "A second object of the same namespace and name was not refused with AlreadyExists.")
			_, err = c.delete("b", "web")
			require.NoError(t, err, "Delete of an object that is there failed.")
			for _, ns := range []string{"a", ""} {
				got, err := c.get(ns, "web")
				require.Equal(t, "image-of-"+ns, must(t, got, err).Spec.Image, "Get returned the object of another namespace.")
			}
			_, err = c.get("b", "web")
			require.True(t, kit.IsNotFound(err), "Get of a deleted object did not return NotFound.")
			_, err = c.delete("b", "web")
			require.True(t, kit.IsNotFound(err), "Delete of an object that is not there did not return NotFound.")
			ghost := pod("b", "web")
			for _, version := range []string{"1", ""} {
				ghost.ResourceVersion = version
				_, err = c.update(ghost)
				require.True(t, kit.IsNotFound(err), "Update of an object that is not there did not return NotFound.")
			}
		},
	},
	{
		Name:   "stale-write-conflicts",
		Points: 5,
		Func:   "Store.Update",
		Rule:   "An update whose version is not exactly the stored one is a Conflict and changes nothing; one without a version is Invalid.",
		Why:    "Two controllers write a label and an annotation within one second: the later writer must find out, not win.",
		Hint: []string{
			"What must be true of obj's version, and what do you know about the order of two versions?",
			"Equal or not equal is the only question. As strings, \"10\" is less than \"9\".",
			"A client without a version has read nothing: do not treat it as one that has read the latest.",
		},
		Source: "apiserver pkg/registry/generic/registry/store.go: Update, OptimisticLockErrorMsg; apiserver pkg/registry/rest/update.go: RESTUpdateStrategy (AllowUnconditionalUpdate is false for custom resources)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			got, err := c.create(pod("default", "web"))
			old := must(t, got, err)
			for i := range 25 { // from versions of one digit into those of two
				next := old.DeepCopy()
				next.Annotations["note"] = string(rune('a' + i))
				got, err := c.update(next)
				latest := must(t, got, err)
				require.Greater(t, number(t, latest.ResourceVersion), number(t, old.ResourceVersion), "An update did not raise the object's version.")

				stale := old.DeepCopy()
				stale.Annotations["note"] = "lost"
				refused(t, c, stale, latest, kit.IsConflict, "An update from an old version was not refused with Conflict.")
				old = latest
			}
			ahead := old.DeepCopy()
			ahead.Annotations["note"] = "lost"
			ahead.ResourceVersion += "0"
			refused(t, c, ahead, old, kit.IsConflict, "An update from a version that the object never had was not refused with Conflict.")
			ahead.ResourceVersion = ""
			refused(t, c, ahead, old, kit.IsInvalid, "An update without a resource version was not refused with Invalid.")
		},
	},
	{
		Name:   "list-is-sorted",
		Points: 4,
		Func:   "Store.List",
		Rule:   "List returns the objects of the namespace asked for, or of all, sorted by namespace and name, with the version of the store.",
		Why:    "A watch begins where the list ended; a list that carries the version of its newest object makes a quiet namespace fall out of the window.",
		Hint: []string{
			"Which version should the list of an empty namespace have?",
			"The order of a map is random. Collect, then sort by namespace, then by name.",
		},
		Source: "apiserver pkg/storage/etcd3/store.go: GetList (keys in order, the revision of the range)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			empty, err := c.list("")
			require.NoError(t, err, "List failed.")
			require.Empty(t, empty.Items, "The list of an empty store is not empty.")
			zero := number(t, empty.ResourceVersion)
			var last *kit.Pod
			for _, key := range [][2]string{{"b", "x"}, {"a", "z"}, {"ab", "y"}, {"a-b", "y"}, {"b", "a"}, {"a", "b"}, {"a", "a-c"}} {
				got, err := c.create(pod(key[0], key[1]))
				last = must(t, got, err)
			}
			require.Greater(t, number(t, last.ResourceVersion), zero, "A write did not raise the version above that of the empty store.")
			want := map[string][]string{
				"":  {"a/a-c", "a/b", "a/z", "a-b/y", "ab/y", "b/a", "b/x"},
				"b": {"b/a", "b/x"}, "c": {},
			}
			for ns, keys := range want {
				list, err := c.list(ns)
				require.NoError(t, err, "List failed.")
				require.Equal(t, keys, keysOf(list), "List returned other objects than the namespace has, or in another order.")
				require.Equal(t, last.ResourceVersion, list.ResourceVersion, "The list does not carry the version of the store.")
			}
		},
	},
	{
		Name:   "finalizers-hold-the-object",
		Points: 5,
		Func:   "Store.Delete",
		Rule:   "Delete of an object with finalizers only marks it; the update that removes the last finalizer deletes it, in one write.",
		Why:    "The volume must be detached before the pod's record is gone: a finalizer gives the controller the time for it.",
		Hint: []string{
			"Is the object you return from Delete still in the store? It depends on one field.",
			"In Update, after all checks: marked, and no finalizers left? Then this write is a delete.",
		},
		Source: "apiserver pkg/registry/generic/registry/store.go: markAsDeleting, ShouldDeleteDuringUpdate",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			p := pod("default", "web")
			p.Finalizers = []string{"a.example/one", "b.example/two"}
			got, err := c.create(p)
			made := must(t, got, err)

			time.Sleep(time.Minute)
			got, err = c.delete("default", "web")
			marked := must(t, got, err)
			require.NotNil(t, marked.DeletionTimestamp, "Delete of an object with finalizers did not set its deletionTimestamp.")
			assert.WithinDuration(t, time.Now(), *marked.DeletionTimestamp, time.Second, "The deletionTimestamp is not the time of the delete.")
			require.Greater(t, number(t, marked.ResourceVersion), number(t, made.ResourceVersion), "Marking an object is a write, and took no version.")
			got, err = c.get("default", "web")
			same(t, marked, must(t, got, err), "Get returned something other than Delete did, of an object that finalizers hold.")

			for _, left := range [][]string{{"b.example/two"}, nil} {
				next := marked.DeepCopy()
				next.Finalizers = left
				got, err = c.update(next)
				written := must(t, got, err)
				require.Greater(t, number(t, written.ResourceVersion), number(t, marked.ResourceVersion), "Removing a finalizer is a write, and took no version.")
				marked = written
			}
			_, err = c.get("default", "web")
			require.True(t, kit.IsNotFound(err), "The last finalizer is gone and the object that was to be deleted is still there.")
			list, err := c.list("")
			require.NoError(t, err, "List failed.")
			require.Equal(t, marked.ResourceVersion, list.ResourceVersion, "The update that deletes does not return the version of that one write.")
		},
	},
	{
		Name:   "retry-only-conflicts",
		Points: 4,
		Func:   "RetryOnConflict",
		Rule:   "RetryOnConflict calls f again after a conflict and only then; what f returns last is returned unchanged.",
		Why:    "A conflict says: look again. NotFound and Forbidden say that another try will not help.",
		Hint: []string{
			"Which errors are worth another try? kit.IsConflict knows, wrapped ones too.",
			"Return f's error itself: the caller compares it.",
		},
		Source: "client-go util/retry/util.go: RetryOnConflict",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			calls := 0
			err := retry(t, s, t.Context(), s.DefaultRetry, func() error {
				if calls++; calls < 4 {
					return kit.NewConflict("pods", "web")
				}
				return nil
			})
			require.NoError(t, err, "f succeeded at its fourth call, and RetryOnConflict returned an error.")
			require.Equal(t, 4, calls, "RetryOnConflict did not call f until it succeeded, and not once more.")
			for _, other := range []error{kit.NewNotFound("pods", "web"), kit.NewAlreadyExists("pods", "web"), &ownError{}} {
				calls = 0
				err := retry(t, s, t.Context(), s.DefaultRetry, func() error { calls++; return other })
				require.Equal(t, 1, calls, "RetryOnConflict tried again after an error that is no conflict.")
				require.True(t, err == other, "RetryOnConflict did not return f's error as it was.")
			}
		},
	},
}

// refused requires that an update fails with its error and leaves everything as it is.
func refused(t *conform.T, c client, next, stored *kit.Pod, is func(error) bool, message string) {
	before := next.DeepCopy()
	none, err := c.update(next)
	require.True(t, is(err), message)
	require.Nil(t, none, "An update that was refused returned an object.")
	same(t, before, next, "An update that was refused changed its argument.")
	got, err := c.get(stored.Namespace, stored.Name)
	same(t, stored, must(t, got, err), "An update that was refused changed the stored object.")
}

func keysOf(list kit.List[*kit.Pod]) []string {
	keys := make([]string, len(list.Items))
	for i, p := range list.Items {
		keys[i] = kit.Key(p)
	}
	return keys
}

// ownError is an error with an identity of its own.
type ownError struct{}

func (*ownError) Error() string { return "f's own error" }
