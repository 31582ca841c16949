package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var models = []conform.Case[Subject]{
	{
		Name:   "one-after-the-other",
		Points: 5,
		Func:   "Store.Update",
		Look:   conform.Anywhere,
		Rule:   "Whatever goroutines do at once, each object behaves as if the calls had been made one after the other, each at some moment between its call and its return.",
		Why:    "A write that has returned must be seen by every read that begins afterwards, or a controller acts on a state that it has itself already changed.",
		Hint: []string{
			"Can a Get that begins after an Update has returned still see the old object?",
			"Can a call see half of another one: the new version with the old object, an object that is listed and not found?",
		},
		Source: "Herlihy and Wing, Linearizability; etcd documentation, KV API guarantees",
		Contract: []string{
			"Overlapping calls behave as if they had run one after the other.",
			"the comparison and the write are one step",
			"An update that would change nothing (Type.Equal, once the store has put in what it keeps) is not a write: it returns the stored object with its old version.",
			"The store keeps the UID, the creation time and the deletionTimestamp as they are, whatever obj says.",
			"Get returns the object, or NotFound.",
			"All methods may be called from any goroutine",
		},
		Long: true,
		Check: func(t *conform.T, open func() Subject) {
			rewritesAsRead(start(t, open()))
			ownersReadBack(t, open())
			for range 3 {
				goTheirWays(t, start(t, open(), &weighty{}))
			}
			t.Copies(func(t *conform.T) {
				readsBack(start(t, open()))
				touches(t, start(t, open()))
				goTheirWays(t, start(t, open()))
				takesTurns(t, open)
			})
		},
	},
	{
		Name:   "behaves-like-the-model",
		Points: 5,
		Func:   "Store.Update",
		Rule:   "Any sequence of calls returns what a simple model of the contract returns.",
		Why:    "The rules meet: finalizers and no-op writes, preconditions and names used again. Some controller will meet the combination.",
		Hint: []string{
			"The history is the shortest sequence that was found. Follow it by hand: which rule decides?",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"Create stores a new object and returns it as stored.",
			"Update replaces the stored object by obj and returns it as stored.",
			"Delete deletes the object and returns it as it last was, with the version of the delete and nothing else changed",
			"returns the object as this update leaves it, with the version of that delete",
			"Errors, in this order: NotFound if the store has no such object",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			model.Check(t, 120, func(rt *rapid.T, t *conform.T) {
				time.Sleep(patience)
				m := &naive{t: t, pods: map[string]*kit.Pod{}, told: journalOf(t, "journal")}
				m.c = start(t, open(), m.told)
				m.version = number(t, m.c.list("").ok().ResourceVersion)
				for range rapid.IntRange(1, 25).Draw(rt, "calls") {
					m.step(rt)
				}
				m.compare()
			})
		},
	},
}

// patience is how much of the model checker's five seconds one try takes. They are
// seconds of this bubble, whose clock stands still unless somebody sleeps.
const patience = 25 * time.Millisecond

// goTheirWays has clients create, read, update and delete two objects, each as it likes.
func goTheirWays(t *conform.T, c client) {
	const clients = 5
	began := time.Now()
	ops := make([][]porcupine.Operation, clients)
	for i := range clients {
		seed := t.Seed() + uint64(i)
		t.Go(fmt.Sprintf("client %d", i), func(a *conform.Actor) {
			r := rand.New(rand.NewPCG(seed, 0))
			last := map[string]string{} // the versions this client has seen
			for range 14 {
				in := draw(r, last)
				call := time.Since(began).Nanoseconds()
				out := apply(c.as(a), in)
				ops[i] = append(ops[i], porcupine.Operation{ClientId: i, Input: in, Call: call, Output: out, Return: time.Since(began).Nanoseconds()})
				if out.version != "" {
					last[in.name] = out.version
				}
			}
		})
	}
	t.Join()
	explained(t, slices.Concat(ops...))
}

// explained requires that some order of the calls explains what they returned.
func explained(t *conform.T, all []porcupine.Operation) {
	if t.Linearizable(register, all) {
		return
	}
	if said := contradiction(all); said != "" {
		t.Fatalf("There is no order of these calls, one after the other, in which a correct store would have returned what yours did. %s", said)
	}
	t.RequireLinearizable(register, all)
	t.Fatalf("There is no order of these calls, one after the other, in which a correct store would have returned what yours did.")
}

// input and output of one call, as far as the register model knows them.
type input struct {
	op, name, version string
}

type output struct {
	version string // of the object returned
	reason  kit.Reason
}

func (i input) String() string {
	if i.op == "update" {
		return fmt.Sprintf("Update(default/%s@%s)", i.name, i.version)
	}
	return fmt.Sprintf("%s(default/%s)", strings.ToUpper(i.op[:1])+i.op[1:], i.name)
}

func (o output) String() string {
	if o.reason != "" {
		return string(o.reason)
	}
	return "version " + o.version
}

func draw(r *rand.Rand, seen map[string]string) input {
	name := string(rune('a' + r.IntN(2)))
	in := input{name: name, version: seen[name]}
	switch n := r.IntN(10); {
	case in.version == "" && n < 5:
		in.op = "create"
	case n < 4:
		in.op = "get"
	case n < 8 && in.version != "":
		in.op = "update"
	case n == 8:
		in.op = "delete"
	default:
		in.op = "create"
	}
	return in
}

func apply(c client, in input) output {
	var a answer[*kit.Pod]
	switch in.op {
	case "create":
		a = c.create(pod("default", in.name))
	case "get":
		a = c.get("default", in.name)
	case "delete":
		a = c.delete("default", in.name)
	case "update":
		p := pod("default", in.name)
		p.ResourceVersion = in.version
		p.Annotations["from"] = in.version // never what is stored already
		a = c.update(p)
	}
	if a.err != nil {
		return output{reason: kit.ReasonFor(a.err)}
	}
	return output{version: a.got.ResourceVersion}
}

// register is a single object, "" while there is none: its state is its version.
var register = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byName := map[string][]porcupine.Operation{}
		for _, op := range history {
			name := op.Input.(input).name
			byName[name] = append(byName[name], op)
		}
		var parts [][]porcupine.Operation
		for _, part := range byName {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return "" },
	Step: func(state, in, out any) (bool, any) {
		s, i := state.(string), in.(input)
		if o, returned := out.(output); returned {
			return returns(s, i, o)
		}
		return true, begins(s, i)
	},
}

// some is the state of an object that a call wrote which has not returned its version yet.
const some = "?"

// returns reports whether a call may return o, and what the state is then.
func returns(s string, i input, o output) (bool, string) {
	switch {
	case i.op == "create" && s != "":
		return o.reason == kit.ReasonAlreadyExists, s
	case i.op == "create":
		return o.reason == "", o.version
	case s == "":
		return o.reason == kit.ReasonNotFound, s
	case i.op == "get" && s == some:
		return o.reason == "", o.version
	case i.op == "get":
		return o.version == s, s
	case i.op == "delete":
		return o.reason == "", ""
	case s == some && o.reason == kit.ReasonConflict:
		return true, s
	case s != some && i.version != s:
		return o.reason == kit.ReasonConflict, s
	}
	return o.reason == "", o.version
}

// begins is the state after a call of which it is not known yet what it returns.
func begins(s string, i input) string {
	switch {
	case i.op == "create" && s == "", i.op == "update" && s == i.version:
		return some
	case i.op == "delete":
		return ""
	}
	return s
}

// contradiction names two calls that no order has both, if there are such, as a sentence:
// no order is often a matter of two.
func contradiction(ops []porcupine.Operation) string {
	live := map[string]int{} // creates less deletes
	for _, op := range ops {
		in, out := op.Input.(input), op.Output.(output)
		switch {
		case out.reason != "":
		case in.op == "create":
			live[in.name]++
		case in.op == "delete":
			live[in.name]--
		}
	}
	for name, n := range live {
		if n > 1 {
			return fmt.Sprintf("Of default/%s, %d more calls of Create succeeded than of Delete: two were made while no object was there, and the second should have got AlreadyExists.", name, n)
		}
	}
	for _, a := range ops {
		for _, b := range ops {
			first, then := a.Input.(input), b.Input.(input)
			old, young := a.Output.(output), b.Output.(output)
			if first.name != then.name || old.version == "" || young.version == "" || a.Call == b.Call && a.ClientId == b.ClientId {
				continue
			}
			switch {
			case first.op == "update" && then.op == "update" && first.version == then.version:
				return fmt.Sprintf("Client %d and client %d each updated default/%s from version %s, and both succeeded, with versions %s and %s.",
					a.ClientId, b.ClientId, first.name, first.version, old.version, young.version)
			case first.op != "get" && then.op != "get" && old.version == young.version:
				return fmt.Sprintf("Client %d's %v and client %d's %v both returned version %s, and each write has a version of its own: one of them returned what another call wrote.",
					a.ClientId, first, b.ClientId, then, old.version)
			case first.op != "get" && then.op == "get" && a.Return < b.Call && older(young.version, old.version):
				return fmt.Sprintf("Client %d had written version %s of default/%s when client %d began a Get of it, which returned version %s.",
					a.ClientId, old.version, first.name, b.ClientId, young.version)
			}
		}
	}
	return ""
}

// older compares two versions that the store has given out.
func older(a, b string) bool { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) < 0 }

// naive is the contract in its simplest form, for one caller: it keeps the pods
// as the store should have them, and its own record of every one ever returned.
type naive struct {
	t       *conform.T
	c       client
	told    *journal
	version uint64
	pods    map[string]*kit.Pod
	old     []*kit.Pod // what was once stored, to be written back late
	wrote   int
}

// step makes one call, with an object made from the stored one or an old one.
func (m *naive) step(rt *rapid.T) {
	name := rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "name")
	switch rapid.IntRange(0, 6).Draw(rt, "call") {
	case 0, 1:
		p := pod("default", name)
		p.GenerateName, p.Status.Phase = "web-", kit.PodRunning
		if rapid.Bool().Draw(rt, "finalizer") {
			p.Finalizers = []string{"x.example/one"}
		}
		m.create(p)
	case 2:
		var when kit.Preconditions
		if len(m.old) > 0 && rapid.Bool().Draw(rt, "precondition") {
			when.UID = rapid.SampledFrom(m.old).Draw(rt, "old").UID
		}
		m.delete(name, when)
	default:
		if len(m.old) == 0 {
			return
		}
		p := rapid.SampledFrom(m.old).Draw(rt, "old").DeepCopy()
		if now := m.pods[p.Name]; now != nil && rapid.IntRange(0, 3).Draw(rt, "fresh") > 0 {
			p = now.DeepCopy()
		}
		m.update(p, m.change(rt, p))
	}
}

// change does one thing to p and reports what kind of a change that is.
func (m *naive) change(rt *rapid.T, p *kit.Pod) string {
	kind := rapid.SampledFrom([]string{"", "meta", "bare", "status", "spec", "finalizers", "forge", "forged spec"}).Draw(rt, "change")
	forged := rapid.SampledFrom([]int64{0, 40}).Draw(rt, "generation")
	switch kind {
	case "status":
		p.Status.Ready = !p.Status.Ready
	case "meta":
		p.Annotations = map[string]string{"note": p.Annotations["note"] + "+"}
	case "bare":
		p.Labels, p.Annotations, p.GenerateName, p.Status = nil, nil, "", kit.PodStatus{}
	case "spec":
		p.Spec.Image += "+"
	case "finalizers":
		p.Finalizers = rapid.SampledFrom([][]string{nil, {}, {"x.example/one"}, {"y.example/two"}}).Draw(rt, "finalizers")
	case "forge":
		p.Generation, p.DeletionTimestamp = forged, nil
	case "forged spec":
		now := time.Now()
		p.Generation, p.DeletionTimestamp = forged, &now
		p.Spec.Image += "+"
		return "spec"
	}
	return kind
}

func (m *naive) create(p *kit.Pod) {
	create := m.c.create(p)
	if m.pods[p.Name] != nil {
		create.refused(kit.ReasonAlreadyExists, "Create of a name that is taken")
		return
	}
	m.stored(kit.Added, create.ok(), "it creates the object")
	m.t.Require(create.got.Generation == 1, "The generation of a new object is %d; the model's is 1.", create.got.Generation)
}

func (m *naive) delete(name string, when kit.Preconditions) {
	now := m.pods[name]
	call := m.c.deleteIf("default", name, when)
	switch {
	case now == nil:
		call.refused(kit.ReasonNotFound, "Delete of an object that is not there")
	case when.UID != "" && when.UID != now.UID:
		call.refused(kit.ReasonConflict, "A delete whose precondition does not hold")
	case len(now.Finalizers) == 0:
		m.stored(kit.Deleted, call.ok(), "it deletes an object without finalizers")
	case now.DeletionTimestamp != nil:
		same(m.t, now, call.ok(), "The model returns an object that is marked already as it is, and Delete returned another")
	default:
		m.stored(kit.Modified, call.ok(), "it only marks an object that has finalizers")
		m.t.Require(call.got.DeletionTimestamp != nil, "Delete of an object with finalizers returned it without a deletionTimestamp; the model marks it.")
		m.t.Require(call.got.Generation == now.Generation+1, "Marking an object took its generation from %d to %d; the model raises it by one.", now.Generation, call.got.Generation)
	}
}

func (m *naive) update(p *kit.Pod, change string) {
	now := m.pods[p.Name]
	call := m.c.update(p)
	switch {
	case now == nil:
		call.refused(kit.ReasonNotFound, "Update of an object that is not there")
		return
	case p.ResourceVersion != now.ResourceVersion:
		call.refused(kit.ReasonConflict, "An update from an old version")
		return
	case now.DeletionTimestamp != nil && grown(now.Finalizers, p.Finalizers):
		call.refused(kit.ReasonInvalid, "An update that adds a finalizer to a deleting object")
		return
	}
	got := call.ok()
	want := p.DeepCopy()
	want.UID, want.CreationTimestamp, want.DeletionTimestamp = now.UID, now.CreationTimestamp, now.DeletionTimestamp
	if want.Generation = now.Generation; change == "spec" {
		want.Generation++
	}
	if kit.Pods.Equal(now, want) {
		same(m.t, now, got, "The update changes nothing, so the model returns the stored object as it is, and Update returned another")
		return
	}
	want.ResourceVersion = got.ResourceVersion
	same(m.t, want, got, "The update changed %s. The model returns it with UID, times and (unless the spec changed) generation as stored, and Update returned another", cmp.Or(change, "what an older state had"))
	if now.DeletionTimestamp != nil && len(p.Finalizers) == 0 {
		m.stored(kit.Deleted, got, "the object was marked for deletion, and this update leaves it no finalizer")
		return
	}
	if now.DeletionTimestamp == nil {
		m.stored(kit.Modified, got, "the object was not marked for deletion, whatever the update's own object says")
		return
	}
	m.stored(kit.Modified, got, "the object was marked for deletion, and this update leaves it a finalizer")
}

// grown reports whether next has a finalizer that old has not; neither has two.
func grown(old, next []string) bool {
	return len(next) > 0 && (len(old) == 0 || old[0] != next[0])
}

// stored records every write that the model expects, and why it is of that kind.
func (m *naive) stored(what kit.EventType, p *kit.Pod, because string) {
	n := number(m.t, p.ResourceVersion)
	m.t.Require(n != m.version, "By the model a call of %s was a write (%s), and it returned version %d, which the store had before: it was taken for no change, or did not count.", kit.Key(p), because, n)
	m.t.Require(n > m.version, "A write took version %d, and the one before it had %d: each is above the last.", n, m.version)
	m.version = n
	m.wrote++
	m.t.Require(len(m.told.notes) == m.wrote, "By the model there were %d writes, the last of them %s of %s (%s), and the journal got %s.", m.wrote, what, kit.Key(p), because, conform.Count(len(m.told.notes), "change"))
	told := m.told.notes[m.wrote-1].what
	m.t.Require(told == what, "The journal got %s for a write of %s that is %s in the model: %s.", told, kit.Key(p), what, because)
	delete(m.pods, p.Name)
	if what != kit.Deleted {
		m.pods[p.Name] = p.DeepCopy()
		m.old = append(m.old, p.DeepCopy())
	}
}

func (m *naive) compare() {
	list := m.c.list("default").ok()
	m.t.Require(number(m.t, list.ResourceVersion) == m.version, "At the end the list has version %s, and the newest write by the model %d: a call that writes nothing takes no version.", list.ResourceVersion, m.version)
	m.t.Same(slices.Sorted(maps.Keys(m.pods)), names(list.Items), "At the end the store holds other objects than the model. The names")
	for _, p := range list.Items {
		same(m.t, m.pods[p.Name], p, "At the end %s is another in the store than in the model", kit.Key(p))
	}
}

func names(pods []*kit.Pod) []string {
	var names []string
	for _, p := range pods {
		names = append(names, p.Name)
	}
	return names
}
