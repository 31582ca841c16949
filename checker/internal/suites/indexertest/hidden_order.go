package indexertest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/anishathalye/porcupine"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// order is the part of the suite about calls that overlap, and what they return together.
var order = []conform.Case[Subject]{
	{
		Name:   "one-after-the-other",
		Long:   true,
		Points: 5,
		Func:   "Indexer.Update",
		Look:   conform.Anywhere,
		Rule:   "Calls that overlap return what the same calls could have returned one after the other, whichever methods they are.",
		Why:    "A controller finds a pod by its node and then reads the pod by its key. If the second answer is older than the first, it acts on a state that it has seen replaced.",
		Hint: []string{
			"Which of your methods takes the lock twice? What can another goroutine do in between?",
			"A write decides what moves in an index by what is stored. Does it still hold the lock under which it looked, when it writes?",
			"An update that moves nothing in any index is a write, too. May it put the object in place while a reader goes through all objects?",
			"Two maps under two locks, or two critical sections in one method, are two steps, even if each of them is exact.",
		},
		Source: "Herlihy and Wing, Linearizability; client-go tools/cache/thread_safe_store.go: threadSafeMap (one critical section for each method)",
		Contract: []string{
			"Every method may be called from any goroutine, and is one step for all others, at some moment between its call and its return: nobody ever sees half of a write",
			"At every moment each index holds exactly the stored objects, each under the values of the object as it is stored now.",
			"When it returns, they contain the objects that are stored already.",
		},
		Check: func(t *conform.T, open func() Subject) {
			writesInARow(t, open())
			for _, second := range []string{"Replace", "Update", "Add", "Delete"} {
				indexMeanwhile(t, open(), second)
			}
			for _, first := range []string{"Add", "Update"} {
				for _, second := range []string{"Add", "Update", "Delete", "Replace"} {
					oneObjectMeanwhile(t, open(), first, second)
				}
			}
			t.Copies(func(t *conform.T) {
				for range 3 {
					t.RequireLinearizable(oneByOne, record(t, open()))
					signsComeTogether(t, open())
				}
			})
		},
	},
}

// Objects, nodes and indices of the recorded calls. The new ones come by one AddIndexers.
var (
	podNames   = []string{"a", "b"}
	nodeNames  = []string{"node-1", "node-2"}
	newIndices = []string{"new-1", "new-2"}
)

// record has goroutines write to and read from an indexer at once, and returns all that they
// called. Its clock is a counter: it orders the goroutines and hides races, which
// everybody-at-once is there to find.
func record(t *conform.T, s Subject) []porcupine.Operation {
	c := start(t, s, map[string]IndexFunc{byNode: slowly(nodeOf)})
	var clock, version atomic.Int64
	seed := t.Rand().Uint64()
	scripts := []script{{drawWrite, 10}, {drawWrite, 10}, {drawRead, 10}, {drawRead, 10}, {adds, 1}}
	tapes := make([][]porcupine.Operation, len(scripts))
	for id, s := range scripts {
		t.Go(fmt.Sprintf("client %d", id), func(a *conform.Actor) {
			rng := rand.New(rand.NewPCG(seed, uint64(id)))
			for range s.calls {
				r := s.draw(rng)
				r.version = int(version.Add(1))
				began := clock.Add(1)
				out := r.call(c.as(a))
				tapes[id] = append(tapes[id], porcupine.Operation{ClientId: id, Input: r, Call: began, Output: out, Return: clock.Add(1)})
			}
		})
	}
	t.Join()
	return slices.Concat(tapes...)
}

// script is what one goroutine calls.
type script struct {
	draw  func(rng *rand.Rand) request
	calls int
}

// request is a call. What it returns is a string, as show and its like have it.
type request struct {
	method  string
	pod     int // of podNames
	node    int // of nodeNames, or -1 for none
	index   string
	version int
}

func drawWrite(rng *rand.Rand) request {
	methods := []string{"Update", "Update", "Update", "Add", "Delete", "Replace"}
	return request{method: methods[rng.IntN(len(methods))], pod: rng.IntN(2), node: rng.IntN(3) - 1}
}

func drawRead(rng *rand.Rand) request {
	methods := []string{"GetByKey", "List", "ByIndex", "ByIndex", "IndexKeys", "ListIndexFuncValues"}
	r := request{method: methods[rng.IntN(len(methods))], pod: rng.IntN(2), node: rng.IntN(2), index: byNode}
	if rng.IntN(3) == 0 {
		r.index = newIndices[rng.IntN(2)]
	}
	return r
}

func adds(*rand.Rand) request { return request{method: "AddIndexers"} }

// object is the pod that a write is about.
func (r request) object(name int) *kit.Pod {
	node := ""
	if r.node >= 0 {
		node = nodeNames[r.node]
	}
	return pod(podNames[name], r.version, node)
}

// String is a call as messages have it.
func (r request) String() string {
	switch r.method {
	case "Update", "Add":
		return fmt.Sprintf("%s(%s)", r.method, show(r.object(r.pod)))
	case "Replace":
		return fmt.Sprintf("Replace(%v)", []string{show(r.object(0)), show(r.object(1))})
	case "Delete", "GetByKey":
		return fmt.Sprintf("%s(default/%s)", r.method, podNames[r.pod])
	case "ByIndex", "IndexKeys":
		return fmt.Sprintf("%s(%q, %q)", r.method, r.index, nodeNames[r.node])
	case "ListIndexFuncValues":
		return fmt.Sprintf("ListIndexFuncValues(%q)", r.index)
	case "AddIndexers":
		return fmt.Sprintf("AddIndexers(%v)", newIndices)
	}
	return r.method + "()"
}

const noIndex = "an error"

// call makes the call and returns its answer in words.
func (r request) call(c client) string {
	orError := func(answer any, err error) string {
		if err != nil {
			return noIndex
		}
		return fmt.Sprint(answer)
	}
	switch r.method {
	case "Update":
		return orError("nil", c.update(r.object(r.pod)))
	case "Add":
		return orError("nil", c.add(r.object(r.pod)))
	case "Delete":
		return orError("nil", c.delete(r.object(r.pod)))
	case "Replace":
		return orError("nil", c.replace(r.object(0), r.object(1)))
	case "AddIndexers":
		f := slowly(nodeOf)
		return orError("nil", c.addIndexers(map[string]IndexFunc{newIndices[0]: f, newIndices[1]: f}))
	case "GetByKey":
		p, _ := c.getByKey("default/" + podNames[r.pod])
		return show(p)
	case "ByIndex":
		found, err := c.byIndex(r.index, nodeNames[r.node])
		return orError(showAll(found), err)
	case "IndexKeys":
		keys, err := c.indexKeys(r.index, nodeNames[r.node])
		return orError(sorted(keys), err)
	case "ListIndexFuncValues":
		return fmt.Sprint(sorted(c.values(r.index)))
	}
	return fmt.Sprint(showAll(c.list()))
}

// cache is the contract for two objects: what is stored of each, as show has it, and its node.
type cache struct {
	shown [2]string // "" while it is not stored
	node  [2]string
	added bool // newIndices exist
}

// oneByOne is the indexer whose calls are made one after the other.
var oneByOne = porcupine.Model{
	Init: func() any { return cache{} },
	Step: func(s, in, out any) (bool, any) {
		state, answer := s.(cache).after(in.(request))
		_, open := out.(conform.Unknown)
		return open || out == answer, state
	},
}

// after is the state after a call, and what the call returns.
func (s cache) after(r request) (cache, string) {
	switch r.method {
	case "Update", "Add":
		return s.with(r, r.pod), "nil"
	case "Replace":
		return s.with(r, 0).with(r, 1), "nil"
	case "Delete":
		s.shown[r.pod], s.node[r.pod] = "", ""
		return s, "nil"
	case "AddIndexers":
		s.added = true
		return s, "nil"
	case "GetByKey":
		if s.shown[r.pod] == "" {
			return s, show(nil)
		}
		return s, s.shown[r.pod]
	}
	return s, s.found(r)
}

func (s cache) with(r request, name int) cache {
	p := r.object(name)
	s.shown[name], s.node[name] = show(p), p.Spec.NodeName
	return s
}

// found is what a call returns that looks for several objects.
func (s cache) found(r request) string {
	if r.method != "List" && r.index != byNode && !s.added {
		if r.method == "ListIndexFuncValues" {
			return fmt.Sprint([]string{})
		}
		return noIndex
	}
	var objects, keys, values []string
	for name, shown := range s.shown {
		if shown == "" {
			continue
		}
		if s.node[name] != "" {
			values = append(values, s.node[name])
		}
		if r.method == "List" || s.node[name] == nodeNames[r.node] {
			objects, keys = append(objects, shown), append(keys, "default/"+podNames[name])
		}
	}
	switch r.method {
	case "IndexKeys":
		return fmt.Sprint(sorted(keys))
	case "ListIndexFuncValues":
		return fmt.Sprint(slices.Compact(sorted(values)))
	}
	return fmt.Sprint(sorted(objects))
}

// manyAtOnce is how many objects a long list has.
const manyAtOnce = 1200

// longListsAreOneStep replaces a long list by another while somebody lists: what is written in parts of some
// hundreds is seen half written. A reader that never rests would have the only processor most of the
// time, so this one lists when a Replace begins, and once for each hundred objects that it asks about.
func longListsAreOneStep(t *conform.T, s Subject) {
	asked, ended := make(chan struct{}, 32), make(chan struct{})
	ask := func() {
		select {
		case asked <- struct{}{}:
		default:
		}
	}
	var calls atomic.Int64
	c := start(t, s, map[string]IndexFunc{byNode: func(p *kit.Pod) ([]string, error) {
		if calls.Add(1)%100 == 0 {
			ask()
		}
		return nodeOf(p)
	}})
	lists := [2][]*kit.Pod{generation(manyAtOnce, 1), generation(manyAtOnce, 2)}
	must(t, c.x.Replace(lists[0], "1"))
	t.Go("relist", func(a *conform.Actor) {
		defer close(ended)
		for i := range 6 {
			for range 4 {
				ask()
			}
			list := lists[(i+1)%2]
			call := a.Call("Replace(%d pods of version %s)", manyAtOnce, list[0].ResourceVersion)
			_ = c.x.Replace(list, "1")
			call.Returned("")
		}
	})
	t.Go("lister", func(*conform.Actor) {
		for {
			select {
			case <-ended:
				return
			case <-asked:
			}
			if !oneGeneration(t, manyAtOnce, c.x.List()) {
				return
			}
		}
	})
	t.Join()
}
