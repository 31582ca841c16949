package storetest

import (
	"regexp"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var metadata = []conform.Case[Subject]{
	{
		Name:   "generation-follows-the-spec",
		Points: 4,
		Func:   "Store.Update",
		Rule:   "The generation rises by one when the spec changes or the object is marked for deletion, and at no other time, whatever the caller wrote into it.",
		Why:    "status.observedGeneration is how a controller says that it has seen your change; a generation that moves with every status write says nothing.",
		Hint: []string{
			"What distinguishes a change of the spec from a change of the status? Type.SameSpec.",
			"Start from the stored generation, never from the caller's.",
		},
		Source: "apiserver pkg/registry/rest/update.go: BeforeUpdate; apiserver pkg/registry/generic/registry/store.go: markAsDeleting",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			p := pod("default", "web")
			p.Finalizers = []string{"a.example/one"}
			got, err := c.create(p)
			p = must(t, got, err)
			steps := []struct {
				change func(p *kit.Pod)
				want   int64
			}{
				{func(p *kit.Pod) { p.Labels["app"] = "other" }, 1},
				{func(p *kit.Pod) { p.Status.Phase = kit.PodRunning }, 1},
				{func(p *kit.Pod) { p.Spec.NodeName = "node-1" }, 2},
				{func(p *kit.Pod) { p.Generation, p.Status.Ready = 40, true }, 2},
				{func(p *kit.Pod) { p.Generation, p.Spec.Tolerations[0] = 1, "gpu" }, 3},
			}
			for _, s := range steps {
				s.change(p)
				got, err = c.update(p)
				p = must(t, got, err)
				require.Equal(t, s.want, p.Generation, "The generation does not count the changes of the spec.")
			}
			got, err = c.delete("default", "web")
			require.EqualValues(t, 4, must(t, got, err).Generation, "Marking for deletion did not raise the generation by one.")
		},
	},
	{
		Name:   "nothing-changed-nothing-written",
		Points: 4,
		Func:   "Store.Update",
		Rule:   "An update that would change nothing is not a write: it keeps the version, and no journal gets a change.",
		Why:    "Two controllers that each write what is already there would otherwise wake each other for ever.",
		Hint: []string{
			"After you have put in what the server keeps, is there any difference left? Type.Equal.",
			"The comparison comes after the check for a conflict, and before anything counts.",
		},
		Source: "apiserver pkg/storage/etcd3/store.go: GuaranteedUpdate (no write if the data is the same)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			var told journal
			c := start(t, open(), &told)
			got, err := c.create(pod("default", "web"))
			made := must(t, got, err)
			time.Sleep(time.Minute)
			again := made.DeepCopy()
			again.UID, again.CreationTimestamp, again.Generation = "", time.Time{}, 9 // what the server keeps is no change
			got, err = c.update(again)
			same(t, made, must(t, got, err), "An update that changes nothing did not return the object as it was.")
			list, err := c.list("")
			require.NoError(t, err, "List failed.")
			require.Equal(t, made.ResourceVersion, list.ResourceVersion, "An update that changes nothing took a version.")
			require.Len(t, told.notes, 1, "A journal got a change for an update that changed nothing.")
			stale := made.DeepCopy()
			stale.Annotations["note"] = "second"
			got, err = c.update(stale)
			refused(t, c, made, must(t, got, err), kit.IsConflict, "A stale update was let through because it changed nothing once.")
		},
	},
	{
		Name:   "keeps-no-history",
		Points: 3,
		Func:   "Store.Update",
		Rule:   "The store keeps the objects as they are now: what was replaced or deleted takes no memory.",
		Why:    "An API server sees ten thousand writes a minute for months. Remembering changes, and forgetting them in time, is the watch's part.",
		Hint: []string{
			"Which of your slices and maps only ever grow?",
			"Is there anything left in your maps of an object that was deleted?",
		},
		Source: "etcd documentation, compaction",
		Check:  checkKeepsNoHistory,
	},
	{
		Name:   "generated-names",
		Points: 3,
		Func:   "Store.Create",
		Rule:   "An object with generateName and no name gets that prefix and five random characters; a name that is set wins; neither is Invalid.",
		Why:    "A ReplicaSet creates ten pods at once and should not have to invent ten names.",
		Hint: []string{
			"Two stores, or two runs of one, should not come up with the same names: where does your randomness come from?",
			"A name has room for 63 characters; the suffix needs five of them.",
		},
		Source: "apiserver pkg/storage/names/generate.go: SimpleNameGenerator",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			long := strings.Repeat("a", 70)
			shape := regexp.MustCompile(`^(web-|a{58})[a-z0-9]{5}$`)
			seen := map[string]bool{}
			for range 2 {
				c := start(t, open())
				for i := range 40 {
					p := pod("default", "")
					if p.GenerateName = "web-"; i%2 == 1 {
						p.GenerateName = long
					}
					got, err := c.create(p)
					made := must(t, got, err)
					require.Empty(t, p.Name, "Create wrote the generated name into its argument.")
					require.Regexp(t, shape, made.Name, "A generated name is not the prefix, cut to 58 characters, and five of a-z and 0-9.")
					require.False(t, seen[made.Name], "The same name was generated a second time.")
					seen[made.Name] = true
				}
				p := pod("default", "chosen")
				p.GenerateName = "web-"
				got, err := c.create(p)
				require.Equal(t, "chosen", must(t, got, err).Name, "A name was generated for an object that has one.")
				_, err = c.create(pod("default", ""))
				require.True(t, kit.IsInvalid(err), "An object without name and generateName was not refused with Invalid.")
			}
		},
	},
}

// checkKeepsNoHistory writes 60 MB and looks at what is left of them.
func checkKeepsNoHistory(t *conform.T, open func() Subject) {
	const writes, size, limit = 2000, 15 << 10, 6 << 20
	c := start(t, open())
	got, err := c.create(pod("default", "web"))
	last := must(t, got, err)
	before := probe.Heap()
	call := t.Call("Update and Create and Delete with %d bytes, %d times", size, writes)
	for i := range writes {
		last.Annotations["load"] = strings.Repeat("x", size) + a2s(i)
		last, err = c.store.Update(c.ctx, last)
		must(t, last, err)
		other := pod("default", "other-"+a2s(i))
		other.Annotations["load"] = strings.Repeat("y", size)
		got, err := c.store.Create(c.ctx, other)
		must(t, got, err)
		got, err = c.store.Delete(c.ctx, "default", other.Name, kit.DeleteOptions{})
		must(t, got, err)
	}
	call.Returned("")
	held := probe.Heap() - before
	t.Note("%d MB written: %d KiB more in use", 2*writes*size>>20, held>>10)
	require.Less(t, held, int64(limit), "Memory grows with the number of writes: the store keeps what was replaced or deleted.")
	got, err = c.get("default", "web")
	same(t, last, must(t, got, err), "Get returned something other than the last Update did.")
}
