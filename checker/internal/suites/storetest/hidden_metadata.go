package storetest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

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
		Contract: []string{
			"The generation rises by one if the spec has changed (Type.SameSpec) and stays as it is otherwise, whatever obj says.",
			"its deletionTimestamp is set to now and its generation rises by one",
			"An argument is never modified, not even for a moment, since other goroutines may read it.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			p := pod("default", "web")
			p.Finalizers = []string{"a.example/one"}
			p = c.create(p).ok()
			steps := []struct {
				what   string
				change func(p *kit.Pod)
				want   int64
			}{
				{"a label", func(p *kit.Pod) { p.Labels["app"] = "other" }, 1},
				{"the status", func(p *kit.Pod) { p.Status.Phase = kit.PodRunning }, 1},
				{"the spec", func(p *kit.Pod) { p.Spec.NodeName = "node-1" }, 2},
				{"the status, with a generation of 40 written by the caller", func(p *kit.Pod) { p.Generation, p.Status.Ready = 40, true }, 2},
				{"the spec, with a generation of 1 written by the caller", func(p *kit.Pod) { p.Generation, p.Spec.Tolerations[0] = 1, "gpu" }, 3},
				{"the spec, with a generation of 40 written by the caller", func(p *kit.Pod) { p.Generation, p.Spec.Image = 40, "nginx:40" }, 4},
				{"the spec, and the labels with it", func(p *kit.Pod) { p.Spec.Image, p.Labels["tier"] = "nginx:2", "front" }, 5},
				{"the spec, the labels, the annotations and the status", func(p *kit.Pod) {
					p.Spec.Image, p.Labels, p.Annotations["note"], p.Status.Ready = "nginx:3", nil, "second", false
				}, 6},
			}
			for _, s := range steps {
				before := p.Generation
				s.change(p)
				asked := p.DeepCopy()
				got := c.update(p).ok()
				same(t, asked, p, "Update changed its argument")
				p = got
				t.Require(p.Generation == s.want, "An update changed %s, and the generation went from %d to %d; it should be %d.", s.what, before, p.Generation, s.want)
			}
			marked := c.delete("default", "web").ok()
			t.Require(marked.Generation == 7, "A delete marked the object, and the generation went from 6 to %d; marking raises it by one, to 7.", marked.Generation)
			marked.Generation, marked.Status.Ready = 40, true
			marked = c.update(marked).ok()
			t.Require(marked.Generation == 7, "An update changed the status of a marked object, with a generation of 40 written by the caller, and the generation went from 7 to %d; it should be 7.", marked.Generation)
			marked.Generation, marked.Finalizers, marked.Spec.Image = 40, nil, "nginx:last"
			gone := c.update(marked).ok()
			t.Require(gone.Generation == 8, "The update that removed the last finalizer changed the spec, with a generation of 40 written by the caller, and returned generation %d; it went from 7, so it should be 8.", gone.Generation)
			again := c.create(pod("default", "web")).ok()
			t.Require(again.Generation == 1, "An object was deleted and created again, and its generation is %d: that of a new object is 1.", again.Generation)
			countsNoForgery(c)
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
		Contract: []string{
			"An update that would change nothing (Type.Equal, once the store has put in what it keeps) is not a write: it returns the stored object with its old version.",
			"The store keeps the UID, the creation time and the deletionTimestamp as they are, whatever obj says.",
			"Commit is called once for every change",
			"Conflict if the version is not that of the stored object",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			told := journalOf(t, "journal")
			c := start(t, open(), told)
			made := c.create(pod("default", "web")).ok()
			time.Sleep(time.Minute)
			again := made.DeepCopy()
			again.UID, again.CreationTimestamp, again.Generation = "", time.Time{}, 9 // what the server keeps is no change
			bare := c.update(again)
			t.Require(bare.err == nil, "An update whose object has no UID, no creation time and another generation failed with %s. That is allowed: only a UID that is set is compared, and the store keeps its own of the three.", conform.Said(bare.err))
			same(t, made, bare.ok(), "An update changed nothing but what the store keeps itself, and did not return the object as it was")
			again.UID, again.CreationTimestamp = made.UID, made.CreationTimestamp.Add(-time.Hour)
			same(t, made, c.update(again).ok(), "An update changed nothing but the creation time, which the store keeps itself, and did not return the object as it was")
			list := c.list("").ok()
			t.Require(list.ResourceVersion == made.ResourceVersion, "An update that changes nothing is no write, and it took the store from version %s to %s.", made.ResourceVersion, list.ResourceVersion)
			t.Require(len(told.notes) == 1, "A create changed something and an update nothing, and the journal got %s; it should get 1.", conform.Count(len(told.notes), "change"))
			stale := made.DeepCopy()
			stale.Annotations["note"] = "second"
			stored := c.update(stale).ok()
			refusedUpdate(c, made, stored, kit.ReasonConflict, "An update from an old version, whose content changed nothing once,")
			refusedUpdate(c, stale, stored, kit.ReasonConflict, "An update from an old version, sent a second time, whose content is what is stored already,")
			stored.Finalizers = []string{"x.io/a", "x.io/b"}
			changesLittle(c, c.update(stored).ok())
			stored.Name, stored.ResourceVersion = "held", ""
			c.create(stored).ok()
			marked := c.delete("default", "held").ok()
			same(t, marked, c.update(marked.DeepCopy()).ok(), "An update of a marked object changed nothing, which is no write, and did not return the object as it was")
			changesLittle(c, marked)
			fillsWithNothing(c)
			writesNoForgery(c)
		},
	},
	{
		Name:   "keeps-no-history",
		Points: 3,
		Func:   "Store.Update",
		Look:   []string{"Store.Update", "Store.Delete", "Store.List"},
		Rule:   "The store keeps the objects as they are now: what was replaced or deleted takes no memory.",
		Why:    "An API server sees ten thousand writes a minute for months. Remembering changes, and forgetting them in time, is the watch's part.",
		Hint: []string{
			"Which of your slices and maps only ever grow?",
			"Is there anything left in your maps of an object that was deleted?",
		},
		Source:   "etcd documentation, compaction",
		Alone:    true,
		Contract: []string{"The store keeps the objects as they are now and no history of them.", "A call that returns an error has changed nothing", "It keeps nothing of an object that is gone, from the return of the delete on: no key, no list that shows it, no lock of its own."},
		Check:    checkKeepsNoHistory,
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
		Contract: []string{
			"its name becomes the generateName, cut to 58 characters, followed by five random characters out of a-z and 0-9 (or out of some of these). If that name is taken, the store tries others. A name that is set wins.",
			"Invalid if obj has neither name nor generateName",
			"An argument is never modified, not even for a moment, since other goroutines may read it.",
			"Create stores a new object and returns it as stored.",
			"Everything else is stored as obj has it, the generateName too.",
			"and clears the deletionTimestamp, whatever obj says",
			"Nothing that the caller does afterwards to an argument, the slice of the journals included, or to a result can be seen in the store",
			"the store has no limits and does not validate names",
			"What the methods do not name as an error is none",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			prefixes := []string{"web-", strings.Repeat("a", 57), strings.Repeat("a", 58), strings.Repeat("a", 58) + "-", strings.Repeat("a", 58) + "-twelve-more", "Web_", strings.Repeat("a", 57) + "-cut", strings.Repeat("a", 58) + strings.Repeat("-", 300)}
			shape := regexp.MustCompile(`^[a-z0-9]{5}$`)
			seen, again := map[string]bool{}, 0
			var suffixes []string
			for range 2 {
				c := start(t, open())
				mine := map[string]bool{}
				for i := range 40 {
					p := pod("default", "")
					p.GenerateName = prefixes[i%len(prefixes)]
					made := c.create(p).ok()
					t.Require(p.Name == "", "Create wrote the name that it generated, %s, into its argument.", p.Name)
					t.Require(made.GenerateName == p.GenerateName, "An object was created with generateName %q, and Create returned it with generateName %q: it is stored with its own.", p.GenerateName, made.GenerateName)
					suffix, cut := strings.CutPrefix(made.Name, p.GenerateName[:min(len(p.GenerateName), 58)])
					t.Require(cut && shape.MatchString(suffix), "For generateName %q (%d characters) Create generated the name %q (%d characters): it should be the prefix, cut to 58 characters, and five characters out of a-z and 0-9.",
						p.GenerateName, len(p.GenerateName), made.Name, len(made.Name))
					t.Require(!mine[made.Name], "The name %s was generated although an object has it.", made.Name)
					mine[made.Name] = true
					suffixes = append(suffixes, suffix)
					if seen[made.Name] {
						again++
					}
				}
				p := pod("default", "chosen")
				p.GenerateName = "web-"
				name := c.create(p).ok().Name
				t.Require(name == "chosen", "An object has the name \"chosen\" and a generateName, and Create called it %q: a name that is set wins.", name)
				sameGenerateName(c, p)
				c.create(pod("default", "")).refused(kit.ReasonInvalid, "An object without name and generateName")
				maps.Copy(seen, mine)
				generatedIsLikeNamed(c)
				takesAnyName(c)
			}
			varied(t, suffixes)
			// Two stores may hit on one name by chance, once in forty thousand runs.
			t.Require(again < 2, "Two stores generated 40 names each, and %d are the same: the five characters are not random.", again)
		},
	},
}

// fillsWithNothing makes updates that put an empty map or slice in the place of none.
func fillsWithNothing(c client) {
	p := kit.Pods.New()
	p.Namespace, p.Name = "default", "bare"
	p = c.create(p).ok()
	for _, empty := range empties {
		next := p.DeepCopy()
		empty.make(next)
		got := c.update(next).ok()
		c.t.Require(got.ResourceVersion != p.ResourceVersion, "An update put an empty %s in the place of none, which is a change by Type.Equal, and returned the old version, %s.", empty.what, p.ResourceVersion)
		next.ResourceVersion = got.ResourceVersion
		c.t.Require(kit.Pods.Equal(next, got), "An update put an empty %s in the place of none, which is a change by Type.Equal, and returned an object that has another one, or none.", empty.what)
		p = got
	}
}

// changesLittle makes updates that change something by Type.Equal, though not much.
func changesLittle(c client, p *kit.Pod) {
	state := "a marked"
	if p.DeletionTimestamp == nil {
		state = "a live"
	}
	for _, change := range []struct {
		what string
		make func(p *kit.Pod)
	}{
		{"changed the status alone", func(p *kit.Pod) { p.Status.Phase = kit.PodFailed }},
		{"changed a label alone", func(p *kit.Pod) { p.Labels["app"] = "little" }},
		{"changed an annotation alone", func(p *kit.Pod) { p.Annotations["note"] = "little" }},
		{"changed the generateName alone", func(p *kit.Pod) { p.GenerateName = "little-" }},
		{"added an owner and nothing else", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{{Kind: "ReplicaSet", Name: "web"}} }},
		{"changed the spec alone", func(p *kit.Pod) { p.Spec.NodeName = "little" }},
		{"named a finalizer twice", func(p *kit.Pod) { p.Finalizers = slices.Insert(p.Finalizers, 0, p.Finalizers[0]) }},
		{"changed the order of the finalizers", func(p *kit.Pod) { slices.Reverse(p.Finalizers) }},
		{"removed the labels", func(p *kit.Pod) { p.Labels = nil }},
		{"put an empty map of labels in the place of none", func(p *kit.Pod) { p.Labels = map[string]string{} }},
		{"removed the annotations", func(p *kit.Pod) { p.Annotations = nil }},
		{"changed the status, with no labels and annotations there", func(p *kit.Pod) { p.Status.Ready = true }},
	} {
		next := p.DeepCopy()
		change.make(next)
		got := c.update(next).ok()
		c.t.Require(got.ResourceVersion != p.ResourceVersion, "An update of %s object %s, which is a change by Type.Equal, and returned the old version, %s.", state, change.what, p.ResourceVersion)
		next.ResourceVersion, next.Generation = got.ResourceVersion, got.Generation
		same(c.t, next, got, "An update of %s object %s, and returned another object than it was given", state, change.what)
		same(c.t, got, c.get(p.Namespace, p.Name).ok(), "An update of %s object %s, and Get returned something other than the update", state, change.what)
		p = got
	}
}

// checkKeepsNoHistory writes 15 MB and more and looks at what is left of them.
func checkKeepsNoHistory(t *conform.T, open func() Subject) {
	const writes, size, limit = 500, 15 << 10, 3 << 20
	c := start(t, open())
	last := c.create(pod("default", "web")).ok()
	before := probe.Heap()
	quiet := c.as(&conform.Actor{}) // thousands of calls would fill the history
	call := t.Call("Update and Create and Delete with %d bytes, %d times", size, writes)
	for i := range writes {
		last.Annotations["load"] = strings.Repeat("x", size) + a2s(i)
		last = quiet.update(last).ok()
		other := pod("default", "other-"+a2s(i))
		other.Annotations["load"] = strings.Repeat("y", size)
		quiet.create(other).ok()
		quiet.delete("default", other.Name).ok()
	}
	call.Returned("")
	held := probe.Growth(before, limit)
	t.Require(held < int64(limit), "%d MiB were written in %d updates, creates and deletes, and %d KiB more than before are in use, where %d KiB may be: the store keeps what was replaced or deleted.", 2*writes*size>>20, 3*writes, held>>10, limit>>10)
	same(t, last, c.get("default", "web").ok(), "Get returned something other than the last Update did")
	forgetsTheLast(t, quiet)
	forgetsNames(t, c, quiet)
	forgetsLives(t, c, quiet)
	forgetsStates(t, c, quiet)
	forgetsRefusals(t, c)
}

// forgetsTheLast has a large object replaced by a small one, or deleted, and looks at once whether
// that one object is still there.
func forgetsTheLast(t *conform.T, quiet client) {
	const size, limit = 4 << 20, 1 << 20
	before := probe.Heap()
	gone := func(what string, end func(p *kit.Pod)) {
		call := t.Call("Create of an object of %d MiB, and %s", size>>20, what)
		p := pod("default", "large")
		p.Annotations["load"], p.Finalizers = strings.Repeat("z", size), []string{"a.example/one"}
		p = quiet.create(p).ok()
		p.Annotations = nil
		end(p)
		call.Returned("")
		held := probe.Growth(before, limit)
		t.Require(held < int64(limit), "One object of %d MiB was created, and is gone, by %s. %d KiB more than before are in use, where %d KiB may be: the store keeps this one object, the last that was replaced or deleted.", size>>20, what, held>>10, limit>>10)
	}
	gone("an Update that puts a small one in its place", func(p *kit.Pod) {
		p.Finalizers = nil
		quiet.update(p).ok()
	})
	quiet.delete("default", "large").ok()
	gone("a Delete", func(p *kit.Pod) {
		p.Finalizers, p.Annotations = nil, map[string]string{"load": strings.Repeat("z", size)}
		quiet.update(p).ok()
		quiet.delete("default", "large").ok()
	})
	gone("the Update of a marked object that removes its last finalizer", func(*kit.Pod) {
		p := quiet.delete("default", "large").ok()
		p.Finalizers = nil
		quiet.update(p).ok()
	})
}

// refusal is a call that must fail.
type refusal struct {
	what string
	make func(c client, text string)
}

// refusals are calls that must fail, of an object that is there all the time.
func refusals(there *kit.Pod) []refusal {
	return []refusal{
		{"Create of an object whose name is taken", func(c client, _ string) {
			c.create(pod(there.Namespace, there.Name)).refused(kit.ReasonAlreadyExists, "A second object of the same name")
		}},
		{"Create of an object with a resource version, in a namespace of its own,", func(c client, text string) {
			read := pod(text, "")
			read.GenerateName, read.ResourceVersion = "web-", "1"
			c.create(read).refused(kit.ReasonBadRequest, "Create of an object with a resource version")
		}},
		{"Update with the UID of another object", func(c client, text string) {
			other := there.DeepCopy()
			other.UID = text
			c.update(other).refused(kit.ReasonConflict, "An update with the UID of another object")
		}},
		{"Delete with the UID of another object as a precondition", func(c client, text string) {
			when := kit.Preconditions{UID: text}
			c.deleteIf(there.Namespace, there.Name, when).refused(kit.ReasonConflict, "A delete with the UID of another object as a precondition")
		}},
	}
}

// forgetsRefusals makes each of the refusals many times.
func forgetsRefusals(t *conform.T, c client) {
	const rounds, limit = 900, 48 << 10
	long := strings.Repeat("r", 200)
	there := c.create(pod("default", "there")).ok()
	for _, refusal := range refusals(there) {
		before := probe.Heap()
		call := t.Call("%s, %d times", refusal.what, rounds)
		func() { // at its end, what this actor has noted is garbage
			quiet := c.as(&conform.Actor{})
			for i := range rounds {
				refusal.make(quiet, long+a2s(i))
			}
		}()
		call.Returned("")
		held := probe.Growth(before, limit)
		t.Require(held < int64(limit), "%s was refused %d times, and %d KiB more than before are in use, where %d KiB may be: a call that returns an error has changed nothing, and the store keeps something of each.", refusal.what, rounds, held>>10, limit>>10)
	}
}

// forgetsStates updates each of many objects once, and deletes them, the newest first.
func forgetsStates(t *conform.T, c, quiet client) {
	const objects, size, limit = 200, 15 << 10, 1 << 20
	load := func(i int) map[string]string { return map[string]string{"load": strings.Repeat("z", size) + a2s(i)} }
	empty := probe.Heap()
	call := t.Call("Create of %d objects with %d bytes each, List, and Update of each, with others", objects, size)
	made := make([]*kit.Pod, objects)
	for i := range made {
		p := pod("default", "many-"+a2s(i))
		p.Annotations = load(i)
		made[i] = quiet.create(p).ok()
		made[i].Annotations = nil
	}
	quiet.list("").ok()
	full := probe.Heap()
	for i, p := range made {
		p.Annotations = load(objects + i)
		quiet.update(p).ok()
		p.Annotations = nil
	}
	call.Returned("")
	held := probe.Growth(full, limit)
	t.Require(held < int64(limit), "%d objects of %d KiB were listed, and then each updated once, and %d KiB more than before the updates are in use, where %d KiB may be: the store keeps what was replaced.", objects, size>>10, held>>10, limit>>10)
	call = t.Call("List, and Delete of these objects, the newest first")
	quiet.list("").ok()
	for i := range made {
		quiet.delete("default", "many-"+a2s(objects-1-i)).ok()
	}
	call.Returned("")
	held = probe.Growth(empty, limit)
	t.Require(held < int64(limit), "%d objects of %d KiB were listed, and then deleted, the newest first, and %d KiB more than before their creation are in use, where %d KiB may be: the store keeps what was deleted.", objects, size>>10, held>>10, limit>>10)
	c.get("default", "web").ok()
}

// forgetsNames creates and deletes many objects with long names, one after the other.
func forgetsNames(t *conform.T, c, quiet client) {
	const objects, limit = 5000, 128 << 10
	long := strings.Repeat("n", 200)
	before := probe.Heap()
	call := t.Call("Create and Delete of an object with a name of its own, the second half in namespaces of their own, %d times", objects)
	for i := range objects {
		namespace, name := "default", long+a2s(i)
		if i >= objects/2 {
			namespace, name = name, "web"
		}
		quiet.create(pod(namespace, name)).ok()
		quiet.delete(namespace, name).ok()
	}
	call.Returned("")
	held := probe.Growth(before, limit)
	t.Require(held < int64(limit), "%d objects were created and deleted, and %d KiB more than before are in use, where %d KiB may be: the store keeps something of each of them, though it holds none.", objects, held>>10, limit>>10)
	c.get("default", "web").ok()
}

// life is what an object of a namespace sees, up to its end.
type life struct {
	what string
	live func(namespace string)
}

// lives are ways for an object to come and go, or not to be there at all.
func lives(c client) []life {
	return []life{
		{"Create with a generateName, and Delete", func(namespace string) {
			p := pod(namespace, "")
			p.GenerateName = "web-"
			c.delete(namespace, c.create(p).ok().Name).ok()
		}},
		{"Create, Get, Update, an Update from the old version, and Delete", func(namespace string) {
			c.create(pod(namespace, "web")).ok()
			p := c.get(namespace, "web").ok()
			p.Labels["app"] = "other"
			c.update(p).ok()
			c.update(p).refused(kit.ReasonConflict, "An update from an old version")
			c.delete(namespace, "web").ok()
		}},
		{"Create with a finalizer, Delete, which marks, and an Update that removes the finalizer", func(namespace string) {
			p := pod(namespace, "web")
			p.Finalizers = []string{"a.example/one"}
			c.create(p).ok()
			p = c.delete(namespace, "web").ok()
			p.Finalizers = nil
			c.update(p).ok()
		}},
		{"List, Get, Update and Delete in a namespace that has no object", func(namespace string) {
			p := pod(namespace, "none")
			p.ResourceVersion = "1"
			c.list(namespace).ok()
			c.get(namespace, "none").refused(kit.ReasonNotFound, "Get of an object that is not there")
			c.update(p).refused(kit.ReasonNotFound, "Update of an object that is not there")
			c.delete(namespace, "none").refused(kit.ReasonNotFound, "Delete of an object that is not there")
		}},
	}
}

// forgetsLives creates and deletes many objects in long namespaces of their own, each in one way.
func forgetsLives(t *conform.T, c, quiet client) {
	const objects, limit = 500, 48 << 10
	long := strings.Repeat("s", 200)
	for _, life := range lives(quiet) {
		before := probe.Heap()
		call := t.Call("%s, in %d namespaces", life.what, objects)
		for i := range objects {
			life.live(long + a2s(i))
		}
		call.Returned("")
		held := probe.Growth(before, limit)
		t.Require(held < int64(limit), "%d namespaces had one object each, or none, and have none now: each saw %s. %d KiB more than before are in use, where %d KiB may be: the store keeps something of what is gone, or never was.", objects, life.what, held>>10, limit>>10)
	}
	c.get("default", "web").ok()
}
