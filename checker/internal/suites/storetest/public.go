package storetest

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

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
		Contract: []string{
			"The store sets the resource version, a new UID that no object of any store has had before, the creation time (now) and generation 1, and clears the deletionTimestamp, whatever obj says.",
			"Create stores a new object and returns it as stored.",
			"A time that the store sets may be cut to the second, as Kubernetes writes times.",
			"Everything else is stored as obj has it, the generateName too.",
			"An argument is never modified, not even for a moment, since other goroutines may read it.",
			"A store has no Close: no goroutine of it outlives the call that started it.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			made := stamps(c, pod("default", "web"))
			stamps(c, pod("default", "later"))
			other := start(t, open()).create(pod("default", "web")).ok()
			t.Require(other.UID != made.UID, "The first object of one store and the first of another have the same UID, %q: no object of any store has had it before.", made.UID)
			one, two := start(t, open()), start(t, open())
			first, second := one.create(pod("default", "web")).ok(), two.create(pod("default", "web")).ok()
			t.Require(first.UID != second.UID, "Two stores each created their first object, at the same moment, and both objects have the UID %q: no object of any store has had it before.", first.UID)
			keepsTheEmpty(c)
		},
	},
	{
		Name:   "names-are-per-namespace",
		Points: 4,
		Func:   "Store.Get",
		Look:   []string{"the key under which an object is stored", "Store.Get", "Store.Update"},
		Rule:   "An object is found by namespace and name; the same name may exist in several namespaces, once in each.",
		Why:    "Two teams call their pods web-0, and neither may read or overwrite the other's.",
		Hint: []string{
			"What is the key of your map?",
			"A struct of two strings is a fine map key and cannot be mistaken for another pair.",
		},
		Source: "apiserver pkg/registry/generic/registry/store.go: NamespaceKeyFunc",
		Contract: []string{
			"AlreadyExists if its namespace has an object of that name",
			`Get returns the object, or NotFound. The namespace is "" for objects that are in none.`,
			"Errors, in this order: NotFound if the store has no such object",
			"(An object that the store does not have is NotFound even then.)",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			for _, ns := range []string{"a", "b", ""} {
				p := pod(ns, "web")
				p.Spec.Image = "image-of-" + ns
				c.create(p).ok()
			}
			c.create(pod("b", "web")).refused(kit.ReasonAlreadyExists, "A second object of the same namespace and name")
			c.delete("b", "web").ok()
			for _, ns := range []string{"a", ""} {
				image := c.get(ns, "web").ok().Spec.Image
				t.Require(image == "image-of-"+ns, "Get(%q, \"web\") returned an object with the image %q: that of another namespace.", ns, image)
			}
			c.get("b", "web").refused(kit.ReasonNotFound, "Get of a deleted object")
			c.delete("b", "web").refused(kit.ReasonNotFound, "Delete of an object that is not there")
			c.get("a", "WEB").refused(kit.ReasonNotFound, "Get of a name that differs from a stored one in the case of its letters, and so is another,")
			c.get("a", "").refused(kit.ReasonNotFound, "Get without a name")
			c.delete("a", "").refused(kit.ReasonNotFound, "Delete without a name")
			inNone(c)
			joined(c)
			sameHash(c)
			absent(c, "b", "web")
			ghost := pod("b", "")
			c.update(ghost).refused(kit.ReasonNotFound, "Update of an object without a name, which no stored object is,")
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
		Contract: []string{
			"Invalid if obj has no resource version; Conflict if the version is not that of the stored object, whether older or newer",
			"A version is written as a decimal number above zero that fits into 64 bits, and rises with every write",
			"A call that returns an error has changed nothing",
			"Errors, in this order: NotFound if the store has no such object; Invalid if obj has no resource version; Conflict",
			`A version that is "0", does not fit into 64 bits, or has a character that is no digit is refused with Conflict or Invalid: both will do.`,
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			old := c.create(pod("default", "web")).ok()
			for i := range 25 { // from versions of one digit into those of two
				next := old.DeepCopy()
				next.Annotations["note"] = string(rune('a' + i))
				latest := c.update(next).ok()
				t.Require(number(t, latest.ResourceVersion) > number(t, old.ResourceVersion), "An update took the object's version from %s to %s: versions rise with every write.", old.ResourceVersion, latest.ResourceVersion)

				stale := old.DeepCopy()
				stale.Annotations["note"] = "lost"
				refusedUpdate(c, stale, latest, kit.ReasonConflict, "An update from an old version")
				old = latest
			}
			ahead := old.DeepCopy()
			ahead.Annotations["note"] = "lost"
			ahead.ResourceVersion = c.create(pod("default", "other")).ok().ResourceVersion
			refusedUpdate(c, ahead, old, kit.ReasonConflict, "An update from the store's newest version, which is that of another object,")
			ahead.ResourceVersion = later(t, old.ResourceVersion)
			refusedUpdate(c, ahead, old, kit.ReasonConflict, "An update from a version that the object never had")
			ahead.ResourceVersion = ""
			refusedUpdate(c, ahead, old, kit.ReasonInvalid, "An update without a resource version")
			ahead.UID = "another"
			refusedUpdate(c, ahead, old, kit.ReasonInvalid, "An update without a resource version, and with another UID: the version comes first. It")
			for _, odd := range oddVersions(number(t, old.ResourceVersion)) {
				ahead.UID, ahead.ResourceVersion = old.UID, odd
				write := c.update(ahead)
				if write.err == nil {
					t.Fatalf("The stored object has version %s. An update from %q succeeded, and must be refused with Conflict or Invalid: that is not the version of the object.", old.ResourceVersion, odd)
				}
				t.Require(kit.IsConflict(write.err) || kit.IsInvalid(write.err), "An update from version %q, which no object has, must be refused with Conflict or Invalid, and failed with %s.", odd, conform.Said(write.err))
				same(t, old, c.get("default", "web").ok(), "An update from version %q was refused, and changed the stored object", odd)
			}
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
		Contract: []string{
			`List returns the objects of options.Namespace, or all objects if that is "", those in no namespace included.`,
			"They are sorted by namespace and then by name, as Go compares strings.",
			"the store has no limits and does not validate names",
			"That version is the store's, not that of the newest object in the list.",
			"An empty store is at a version above zero",
			"Other options are ignored.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			empty := c.list("").ok()
			t.Require(len(empty.Items) == 0, "The list of an empty store has %s.", conform.Count(len(empty.Items), "object"))
			zero := number(t, empty.ResourceVersion)
			var last *kit.Pod
			for _, key := range [][2]string{{"b", "x"}, {"a", "z"}, {"ab", "y"}, {"", "w"}, {"a-b", "y"}, {"b", "a"}, {"a", "b"}, {"a", "B"}, {"a", "a-c"}} {
				last = c.create(pod(key[0], key[1])).ok()
			}
			t.Require(number(t, last.ResourceVersion) > zero, "Nine objects were created, and the last has version %s, which is not above that of the empty store, %d.", last.ResourceVersion, zero)
			want := map[string][]string{
				"":  {"w", "a/B", "a/a-c", "a/b", "a/z", "a-b/y", "ab/y", "b/a", "b/x"},
				"a": {"a/B", "a/a-c", "a/b", "a/z"}, "b": {"b/a", "b/x"}, "c": {},
			}
			for ns, keys := range want {
				list := c.list(ns).ok()
				t.Require(slices.Equal(keysOf(list), keys), "The list of namespace %q has %v, and should have %v: the objects of the namespace (all objects for \"\"), sorted by namespace and then by name, as Go compares strings.", ns, keysOf(list), keys)
				t.Require(list.ResourceVersion == last.ResourceVersion, "The list of namespace %q has version %s, and the store has reached %s: a list has the store's version, whatever it shows.", ns, list.ResourceVersion, last.ResourceVersion)
			}
			for _, options := range []kit.ListOptions{
				{ResourceVersion: "1000000", AllowWatchBookmarks: true, TimeoutSeconds: 1},
				{ResourceVersion: "9223372036854775807"},
				{ResourceVersion: "x"},
				{ResourceVersion: "0"},
				{SendInitialEvents: true, TimeoutSeconds: -1},
			} {
				options.Namespace = "b"
				list := c.listWith(options)
				t.Require(list.err == nil, "%s failed: %v. List ignores all options but the namespace.", list.call, list.err)
				t.Require(slices.Equal(keysOf(list.got), want["b"]), "%s has %v, and should have %v: List ignores all options but the namespace.", list.call, keysOf(list.got), want["b"])
				t.Require(list.got.ResourceVersion == last.ResourceVersion, "%s has version %s, and the store is at %s: a list has the store's version, whatever the options say.", list.call, list.got.ResourceVersion, last.ResourceVersion)
			}
			listsMany(c)
		},
	},
	{
		Name:   "finalizers-hold-the-object",
		Points: 5,
		Func:   "Store.Delete",
		Look:   []string{"Store.Delete", "Store.Update"},
		Rule:   "Delete of an object with finalizers only marks it; the update that removes the last finalizer deletes it, in one write.",
		Why:    "The volume must be detached before the pod's record is gone: a finalizer gives the controller the time for it.",
		Hint: []string{
			"Is the object you return from Delete still in the store? It depends on one field.",
			"In Update, after all checks: marked, and no finalizers left? Then this write is a delete.",
		},
		Source: "apiserver pkg/registry/generic/registry/store.go: markAsDeleting, ShouldDeleteDuringUpdate",
		Contract: []string{
			"An object that has finalizers is not deleted but marked: its deletionTimestamp is set to now and its generation rises by one. That is a modification, and the object is returned as stored.",
			"The update that leaves a deleting object with no finalizer deletes it; it is one write, a delete, and returns the object as this update leaves it, with the version of that delete.",
			"Delete deletes the object and returns it as it last was, with the version of the delete and nothing else changed: an object that goes at once gets no deletionTimestamp.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			p := pod("default", "web")
			p.Finalizers = []string{"a.example/one", "b.example/two"}
			made := c.create(p).ok()

			time.Sleep(time.Hour + 23*time.Minute + 37*time.Second + 700*time.Millisecond) // far from what is cut to more than a second
			marked := c.delete("default", "web").ok()
			t.Require(marked.DeletionTimestamp != nil, "Delete of an object with finalizers did not set its deletionTimestamp.")
			markedNow(t, marked)
			t.Require(number(t, marked.ResourceVersion) > number(t, made.ResourceVersion), "A delete marked the object of version %s, which is a write, and its version is %s: that is not above it.", made.ResourceVersion, marked.ResourceVersion)
			same(t, marked, c.get("default", "web").ok(), "Of an object that finalizers hold, Get returned something other than the Delete before it")

			for _, left := range [][]string{{"b.example/two"}, nil} {
				next := marked.DeepCopy()
				next.Finalizers = left
				written := c.update(next).ok()
				t.Require(number(t, written.ResourceVersion) > number(t, marked.ResourceVersion), "An update removed a finalizer from the object of version %s, which is a write, and its version is %s: that is not above it.", marked.ResourceVersion, written.ResourceVersion)
				marked = written
			}
			c.get("default", "web").refused(kit.ReasonNotFound, "Get of an object that was to be deleted, and whose last finalizer is gone,")
			list := c.list("").ok()
			t.Require(list.ResourceVersion == marked.ResourceVersion, "The update that removed the last finalizer returned version %s, and the store is at %s after it: update and delete are one write.", marked.ResourceVersion, list.ResourceVersion)
			goesAtOnce(c)
			heldAllTheSame(c)
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
		Contract: []string{
			"RetryOnConflict calls f until it returns something other than a conflict, and returns that: nil, or the error exactly as f returned it.",
			"kit.IsConflict says what is a conflict.",
		},
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
			t.Require(err == nil, "The function f succeeded at its fourth call, and RetryOnConflict returned an error: %v.", err)
			t.Require(calls == 4, "The function f conflicts three times and then succeeds, and was called %d times; it should be called 4 times.", calls)
			for _, other := range []error{
				kit.NewNotFound("pods", "web"), kit.NewAlreadyExists("pods", "web"), &ownError{},
				kit.NewStatusError(kit.ReasonTooManyRequests, "too many requests"), kit.NewStatusError(kit.ReasonTimeout, "timed out"),
				kit.NewStatusError(kit.ReasonInvalid, "not a conflict, but %v", kit.NewConflict("pods", "web")),
			} {
				endsTheTries(t, s, other)
			}
		},
	},
}

// stamps creates asked, into which a client has written what only the server may set.
func stamps(c client, asked *kit.Pod) *kit.Pod {
	t := c.t
	time.Sleep(time.Hour + 23*time.Minute + 37*time.Second + 700*time.Millisecond)
	forged := time.Now().Add(-time.Hour)
	asked.UID, asked.CreationTimestamp, asked.DeletionTimestamp, asked.Generation = "mine", forged, &forged, 7
	asked.Finalizers, asked.Status.Phase = []string{"a.example/one"}, kit.PodPending
	before := asked.DeepCopy()

	made := c.create(asked).ok()
	same(t, before, asked, "Create changed its argument")
	number(t, made.ResourceVersion)
	t.Assert(len(made.UID) > 0, "The created object has no UID.")
	t.Assert(made.UID != "mine", "Create took over the UID of the caller's object, %q: the store gives a new one.", made.UID)
	t.Assert(justNow(made.CreationTimestamp), "The creation time is %s, and the time of the call %s: it is set to now, and may be cut to the second and no further.", clock(made.CreationTimestamp), clock(time.Now()))
	t.Assert(made.DeletionTimestamp == nil, "Create took over the deletionTimestamp of the caller's object: a new object is being deleted already.")
	t.Assert(made.Generation == 1, "The generation of a new object is %d, and should be 1.", made.Generation)
	want := before.DeepCopy()
	want.Name, want.UID, want.ResourceVersion, want.Generation = made.Name, made.UID, made.ResourceVersion, made.Generation
	want.CreationTimestamp, want.DeletionTimestamp = made.CreationTimestamp, made.DeletionTimestamp
	same(t, want, made, "Create changed more than the server sets")
	same(t, made, c.get(made.Namespace, made.Name).ok(), "Get returned something other than Create did")
	return made
}

// nothing is an empty map or slice, in the place of none.
type nothing struct {
	what string
	make func(p *kit.Pod)
}

var empties = []nothing{
	{"map of labels", func(p *kit.Pod) { p.Labels = map[string]string{} }},
	{"map of annotations", func(p *kit.Pod) { p.Annotations = map[string]string{} }},
	{"slice of finalizers", func(p *kit.Pod) { p.Finalizers = []string{} }},
	{"slice of owners", func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{} }},
}

// keepsTheEmpty creates objects with an empty map or slice: by Type.Equal it is something else than none.
func keepsTheEmpty(c client) {
	for i, empty := range empties {
		asked := kit.Pods.New()
		asked.Namespace, asked.Name = "default", "empty-"+strconv.Itoa(i)
		empty.make(asked)
		made := c.create(asked).ok()
		want := asked.DeepCopy()
		want.UID, want.CreationTimestamp, want.ResourceVersion, want.Generation = made.UID, made.CreationTimestamp, made.ResourceVersion, made.Generation
		c.t.Require(kit.Pods.Equal(want, made), "An object was created with an empty %s, and Create returned it with another one, or none, which Type.Equal tells apart. Everything that the store does not set is stored as obj has it.", empty.what)
		c.t.Require(kit.Pods.Equal(made, c.get("default", asked.Name).ok()), "An object was created with an empty %s, and Get returned it with another one, or none, which Type.Equal tells apart. Everything that the store does not set is stored as obj has it.", empty.what)
	}
}

// absent updates an object that is not there, whatever version and UID the caller names.
func absent(c client, namespace, name string) {
	for _, version := range append([]string{"", "1"}, oddVersions(1)...) {
		for _, uid := range []string{"", "another"} {
			ghost := pod(namespace, name)
			ghost.ResourceVersion, ghost.UID = version, uid
			c.update(ghost).refused(kit.ReasonNotFound, fmt.Sprintf("An update of an object that is not there, with the version %q and the UID %q,", version, uid))
		}
	}
}

// inNone asks without a namespace for an object that is in one.
func inNone(c client) {
	alone := c.create(pod("default", "alone")).ok()
	c.get("", "alone").refused(kit.ReasonNotFound, "Get without a namespace of an object that is in one")
	c.delete("", "alone").refused(kit.ReasonNotFound, "Delete without a namespace of an object that is in one")
	moved := alone.DeepCopy()
	moved.Namespace = ""
	c.update(moved).refused(kit.ReasonNotFound, "Update without a namespace of an object that is in one")
	same(c.t, alone, c.get("default", "alone").ok(), "Calls without a namespace changed an object of the namespace \"default\"")
}

// joined creates pairs of objects whose namespaces and names make the same text, one after the other.
func joined(c client) {
	for _, between := range []string{"", "-", ".", "_", ":", " "} {
		first, second := [2]string{"x", "y" + between + "z"}, [2]string{"x" + between + "y", "z"}
		c.create(pod(first[0], first[1])).ok()
		other := c.create(pod(second[0], second[1]))
		c.t.Require(other.err == nil, "An object %q of the namespace %q was created, and after it Create of an object %q of the namespace %q failed with %s. These are two objects: the key has to keep namespace and name apart.",
			first[1], first[0], second[1], second[0], conform.Said(other.err))
		for _, key := range [][2]string{first, second} {
			got := c.get(key[0], key[1]).ok()
			c.t.Require(got.Namespace == key[0] && got.Name == key[1], "Get(%q, %q) returned the object %q of the namespace %q: the key has to keep namespace and name apart.", key[0], key[1], got.Name, got.Namespace)
			c.delete(key[0], key[1]).ok()
		}
	}
}

// sameHash creates pairs of objects whose names, alone or behind the namespace, have one hash of 32
// bits in hash/fnv. With so few bits there are such pairs for each hash.
func sameHash(c client) {
	for _, pair := range [][3]string{
		{"", "db-jxdle", "web-yqfnk"}, {"", "queue-wtldo", "cache-wukcq"}, {"default", "cache-kdsjy", "log-zlawe"}, // FNV-1a of name, /name, default/name
		{"", "cache-trnbv", "mail-jwnce"}, {"", "proxy-vwoig", "api-qseif"}, {"default", "proxy-peprc", "db-jgavf"}, // FNV-1
	} {
		c.create(pod(pair[0], pair[1])).ok()
		second := c.create(pod(pair[0], pair[2]))
		c.t.Require(second.err == nil, "In the namespace %q, %q was created, and after it Create of %q failed with %s. These are two names, and all that they share is a hash of 32 bits (hash/fnv): a hash is no key.",
			pair[0], pair[1], pair[2], conform.Said(second.err))
		for _, name := range pair[1:] {
			got := c.get(pair[0], name).ok()
			c.t.Require(got.Name == name, "Get(%q, %q) returned the object %q. All that the two names share is a hash of 32 bits (hash/fnv): a hash is no key.", pair[0], name, got.Name)
		}
	}
}

// later is a version above one that the store has given out.
func later(t *conform.T, version string) string {
	return strconv.FormatUint(number(t, version)+1000, 10)
}

// oddVersions are texts that a careless reader of numbers takes for the version n, or for any. None
// of them is a number above zero that fits into 64 bits, except for two, which are other numbers.
func oddVersions(n uint64) []string {
	decimal := strconv.FormatUint(n, 10)
	return []string{
		"0", "x", "+" + decimal, "-" + decimal, " " + decimal, decimal + " ", decimal + "\n", decimal + "x", decimal + ".0", decimal + "e0",
		decimal[:1] + "_" + decimal[1:], fmt.Sprintf("%#x", n), fmt.Sprintf("%O", n), fmt.Sprintf("%#b", n), // as Go writes numbers
		digitsFrom(decimal, '٠'), digitsFrom(decimal, '０'), // digits of other scripts
		decimal + "0", strconv.FormatUint(n+1<<32, 10), // the other numbers
		"18446744073709551616", strings.Repeat("9", 40), beyond(n, 64), beyond(n, 128),
	}
}

// digitsFrom is a decimal number in the digits of a script that begin with zero.
func digitsFrom(decimal string, zero rune) string {
	return strings.Map(func(digit rune) rune { return zero + digit - '0' }, decimal)
}

// beyond is n and the given power of two: all that is left of it is n where a sum overflows.
func beyond(n uint64, power uint) string {
	sum := new(big.Int).Lsh(big.NewInt(1), power)
	return sum.Add(sum, new(big.Int).SetUint64(n)).String()
}

// listsMany lists more objects than a client of Kubernetes gets in one page.
func listsMany(c client) {
	const objects = 1200
	quiet := c.as(&conform.Actor{})
	call := c.t.Call("Create of %d objects in the namespace \"many\", the first with 300 KiB of annotations", objects)
	for i := range objects {
		p := pod("many", strconv.Itoa(i))
		if i == 0 {
			p.Annotations["load"] = strings.Repeat("x", 300<<10) // more than Kubernetes takes
		}
		quiet.create(p).ok()
	}
	call.Returned("")
	listed := len(quiet.list("many").ok().Items)
	c.t.Require(listed == objects, "The namespace \"many\" has %d objects, and List returned %d of them: it returns the objects of the namespace.", objects, listed)
}

// endsTheTries has f return an error that is no conflict, at its first call and after a conflict.
func endsTheTries(t *conform.T, s Subject, other error) {
	for conflicts := range 2 {
		calls := 0
		err := retry(t, s, t.Context(), s.DefaultRetry, func() error {
			if calls++; calls <= conflicts {
				return &kit.StatusError{ErrStatus: kit.Status{Reason: kit.ReasonConflict, Message: "without the usual words, and without a code"}}
			}
			return other
		})
		t.Require(calls > conflicts, "Call %d of f returned a conflict, as an error that has the Reason Conflict and no code, and f was not called again: kit.IsConflict says what is a conflict.", calls)
		t.Require(calls == conflicts+1, "Call %d of f returned %q, which is no conflict, and f was called %d times; that call should be the last.", conflicts+1, fmt.Sprint(other), calls)
		t.Require(err == other, "A call of f returned %q, and RetryOnConflict did not return that very error, but %q.", fmt.Sprint(other), fmt.Sprint(err))
	}
}

// goesAtOnce deletes an object that no finalizer holds.
func goesAtOnce(c client) {
	want := c.create(pod("default", "free")).ok()
	gone := c.delete("default", "free").ok()
	c.t.Require(gone.DeletionTimestamp == nil, "Delete of an object without finalizers returned it with a deletionTimestamp: what goes at once gets none.")
	want.ResourceVersion = gone.ResourceVersion
	same(c.t, want, gone, "Delete of an object without finalizers did not return it as it last was, with nothing but the version changed")
}

// heldAllTheSame deletes an object that a finalizer holds, with its UID and its version as preconditions.
func heldAllTheSame(c client) {
	p := pod("default", "sure")
	p.Finalizers = []string{"a.example/one"}
	time.Sleep(1700*time.Millisecond - time.Duration(time.Now().Nanosecond()))
	p = c.create(p).ok()
	time.Sleep(600 * time.Millisecond) // less than a second, and into the next one
	marked := c.deleteIf("default", "sure", kit.Preconditions{UID: p.UID, ResourceVersion: p.ResourceVersion}).ok()
	c.t.Require(marked.DeletionTimestamp != nil, "Delete of an object with a finalizer, whose preconditions hold, did not set its deletionTimestamp.")
	markedNow(c.t, marked)
	same(c.t, marked, c.get("default", "sure").ok(), "Of an object that a finalizer holds, Get returned something other than the Delete before it, whose preconditions held")
}

// refusedUpdate requires that an update fails with its error and leaves everything as it is.
func refusedUpdate(c client, next, stored *kit.Pod, reason kit.Reason, what string) {
	before := next.DeepCopy()
	c.update(next).refused(reason, what)
	same(c.t, before, next, "%s was refused, and changed its argument", what)
	same(c.t, stored, c.get(stored.Namespace, stored.Name).ok(), "%s was refused, and changed the stored object", what)
}

func keysOf(list kit.List[*kit.Pod]) []string {
	keys := make([]string, len(list.Items))
	for i, p := range list.Items {
		keys[i] = kit.Key(p)
	}
	return keys
}

// justNow reports whether a time that the store has set is that of the call, which may be cut to the second.
func justNow(at time.Time) bool {
	return time.Since(at) >= 0 && !at.Before(time.Now().Truncate(time.Second))
}

// markedNow requires that the deletionTimestamp of a marked object is that of the call.
func markedNow(t *conform.T, marked *kit.Pod) {
	t.Assert(justNow(*marked.DeletionTimestamp), "The deletionTimestamp is %s, and the time of the delete %s: it is set to now, and may be cut to the second and no further.", clock(*marked.DeletionTimestamp), clock(time.Now()))
}

// clock is a time of a case, whose clock begins in December 2099.
func clock(at time.Time) string { return at.UTC().Format("15:04:05.999 on 2006-01-02") }

// ownError is an error with an identity of its own.
type ownError struct{}

func (*ownError) Error() string { return "f's own error" }
