package priorityqueuetest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var modelCases = []conform.Case[Subject]{
	{
		Name:   "queue-against-a-model",
		Long:   true,
		Points: 5,
		Func:   "PriorityQueue.AddWithOpts",
		Rule:   "Whatever is added, taken and done, in any order and at any time, the queue answers like one written in the plainest way.",
		Why:    "Priorities, delays and locks meet in more ways than examples can list. Most bugs that this queue once had were in the meeting of two of them.",
		Hint: []string{
			"This is the shortest failing history that was found. Say for each line which keys wait, which are ready and which are locked.",
		},
		Source: "the contract of this lab, by way of pgregory.net/rapid",
		Contract: []string{
			"A key that is in the queue already stays there once, with the higher of both priorities and the earlier of both times",
			"Get hands out the ready key with the highest priority; of keys with the same priority, the one that has been ready with that priority for longest",
			"A locked key that is added starts afresh: with this time and this priority, whatever its priority was when it was handed out",
			"Any value of T may be a key, its zero value too, if it can be compared and equals itself",
			"shutdown is true when the caller should stop",
			"The caller must not change either, and the queue does not",
			"The limiter is asked once for every item that is added rate limited, in their order, whether the key is in the queue or not",
			"Forget tells the rate limiter to forget item, after ShutDown too. No other method does that.",
			"Its place in the order counts from when it became ready, not from Done",
			"Done with a key that is not locked does nothing",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkModel(t, open)
			keysOfAnyType(t, open().NewAny(fake.Always[any](0)))
			zeroAlone(t, open())
		},
	},
}

// step is the grain of the model's clock. Every delay is a whole number of steps
// and a little more, and no two littles are the same: so no two keys become ready
// at one instant, whose order the contract leaves open.
const step = 10 * time.Millisecond

// plain is the queue written in the plainest way: a list of what is queued and a
// set of what is locked.
type plain struct {
	queued map[string]*queued
	locked map[string]bool
	place  int
	now    time.Duration
}

// queued is what the model knows of a key.
type queued struct {
	priority int
	ready    bool
	readyAt  time.Duration
	place    int
	loose    bool          // its place within its priority is left open
	since    time.Duration // from when on it is ready with its priority
	by       string        // what made it ready then, or will, in words
}

// String says since when it is ready, and why, or until when it waits.
func (k *queued) String() string {
	if !k.ready {
		return fmt.Sprintf("waits until %v (%s)", k.readyAt, k.by)
	}
	return fmt.Sprintf("has been ready since %v (%s)", k.since, k.by)
}

func (p *plain) last() int { p.place++; return p.place }

func (p *plain) add(item string, priority int, delay time.Duration, by string) {
	k, at := p.queued[item], p.now+delay
	switch {
	case k == nil:
		p.queued[item] = &queued{priority: priority, ready: delay <= 0, readyAt: at, place: p.last(), since: p.now, by: by}
		return
	case !k.ready && delay <= 0:
		k.priority, k.ready, k.loose, k.since, k.by = max(k.priority, priority), true, true, p.now, by
		return
	case !k.ready && at < k.readyAt:
		k.readyAt, k.by = at, by
	}
	if priority > k.priority {
		k.priority, k.place, k.loose = priority, p.last(), false // while it waits its place means nothing
		if k.ready {
			k.since, k.by = p.now, "its priority rose then"
		}
	}
}

// pass makes ready what is due, in the order of its times.
func (p *plain) pass(d time.Duration) {
	p.now += d
	var due []*queued
	for _, k := range p.queued {
		if !k.ready && k.readyAt <= p.now {
			due = append(due, k)
		}
	}
	slices.SortFunc(due, func(a, b *queued) int { return int(a.readyAt - b.readyAt) })
	for _, k := range due {
		k.ready, k.place, k.since = true, p.last(), k.readyAt
	}
}

func (p *plain) len() (n int) {
	for _, k := range p.queued {
		if k.ready {
			n++
		}
	}
	return n
}

// String says what the model knows of each key.
func (p *plain) String() string {
	var all []string
	for _, item := range slices.Sorted(maps.Keys(p.queued)) {
		k := p.queued[item]
		text := fmt.Sprintf("%v %v", key{item, k.priority}, k)
		if p.locked[item] {
			text += " and is locked"
		}
		all = append(all, text)
	}
	return cmp.Or(strings.Join(all, "; "), "no key is queued")
}

// next are the keys that Get may hand out now: those of the highest priority whose
// place is open, and the first of those whose place is not.
func (p *plain) next() map[key]bool {
	var best []string
	for item, k := range p.queued {
		if !k.ready || p.locked[item] {
			continue
		}
		if len(best) > 0 && k.priority > p.queued[best[0]].priority {
			best = nil
		}
		if len(best) == 0 || k.priority == p.queued[best[0]].priority {
			best = append(best, item)
		}
	}
	may, first, placed := map[key]bool{}, "", false
	for _, item := range best {
		k := p.queued[item]
		if k.loose {
			may[key{item, k.priority}] = true
		} else if !placed || k.place < p.queued[first].place {
			first, placed = item, true
		}
	}
	if placed {
		may[key{first, p.queued[first].priority}] = true
	}
	return may
}

func (p *plain) take(k key) {
	delete(p.queued, k.Item)
	p.locked[k.Item] = true
}

// run is the model beside the subject.
type run struct {
	*plain
	q       client
	limiter *fake.Limiter[string]
	fails   map[string]int // what the limiter of the subject counts, counted again
	whens   *questions
	asked   int // how often the limiter was asked
	grain   int // how many delays were drawn

	latest string // what was done to a key last, in words
	lent   []lent
}

// questions are the items that the limiter was asked about.
type questions struct {
	mu    sync.Mutex
	items []string
}

func (w *questions) add(item string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.items = append(w.items, item)
}

// take returns those that have come since the last take.
func (w *questions) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	items := w.items
	w.items = nil
	return items
}

// lent is what a call of AddWithOpts got of its caller, and what it was then.
type lent struct {
	items, were []string
	priority    *int
	was         int
}

// wait is what the limiter says to the asked-th question of all, about an item
// that failed so often before. Its littles are even; those of delays are odd.
func wait(before, asked int) time.Duration {
	return time.Duration(before)*2*step + time.Duration(2*asked)*time.Microsecond
}

func newRun(t *conform.T, s Subject) *run {
	asked := 0
	whens := new(questions)
	l := fake.NewLimiter(func(item string, before int) time.Duration {
		asked++
		whens.add(item)
		return wait(before, asked)
	})
	return &run{
		limiter: l,
		whens:   whens,
		plain:   &plain{queued: map[string]*queued{}, locked: map[string]bool{}},
		q:       limited(t, s, l),
		fails:   map[string]int{},
	}
}

func checkModel(t *conform.T, open func() Subject) {
	model.Check(t, 250, func(rt *rapid.T, t *conform.T) {
		r := newRun(t, open())
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"add", "add", "add", "get", "get", "done", "pass"}).Draw(rt, "step") {
			case "add":
				r.addSome(rt, t)
			case "get":
				if len(r.next()) > 0 {
					r.get(t)
				}
			case "done":
				r.done(t, rapid.SampledFrom([]string{"", "b", "c", "d", "e"}).Draw(rt, "key"))
			case "pass":
				r.letPass(t, time.Duration(rapid.IntRange(1, 6).Draw(rt, "time"))*step)
			}
			r.requireNothingForgotten(t)
			r.q.Holds(t, r.len(), r.latest+r.String())
		}
		r.finish(t)
	})
}

func (r *run) addSome(rt *rapid.T, t *conform.T) {
	items := rapid.SliceOfN(rapid.SampledFrom([]string{"", "b", "c", "d", "e"}), 1, 3).Draw(rt, "keys")
	o := kit.AddOpts{RateLimited: rapid.IntRange(0, 3).Draw(rt, "limited") == 3}
	if rapid.Bool().Draw(rt, "delayed") {
		items = items[:1] // two with one delay would become ready together
		r.grain++
		o.After = time.Duration(rapid.IntRange(0, 5).Draw(rt, "delay"))*step + time.Duration(2*r.grain+1)*time.Microsecond
	}
	priority := rapid.IntRange(-2, 2).Draw(rt, "priority")
	if priority != 0 {
		o.Priority = new(priority)
	}
	r.lent = append(r.lent, lent{items, slices.Clone(items), o.Priority, priority})
	r.call(o, items)
	r.latest = fmt.Sprintf("%q was added, and now ", items)
	t.Wait()
	were := r.lent[len(r.lent)-1].were
	r.requireAsked(t, o, were)
	for _, item := range were {
		delay, by := r.delay(o, item)
		r.add(item, priority, delay, by)
	}
}

// requireAsked looks at what the limiter was asked by the latest add.
func (r *run) requireAsked(t *conform.T, o kit.AddOpts, items []string) {
	asked := r.whens.take()
	if !o.RateLimited {
		t.Require(len(asked) == 0, "The items %q were added, and not rate limited, and the limiter was asked about %q.", items, asked)
		return
	}
	t.Require(slices.Equal(asked, items), "The items %q were added rate limited, and the limiter was asked about %q. It is asked once for every item, in their order.", items, asked)
}

// requireNothingForgotten looks at what the limiter was made to forget: the model never calls Forget.
func (r *run) requireNothingForgotten(t *conform.T) {
	forgotten := r.limiter.Forgotten()
	t.Require(len(forgotten) == 0, "The limiter's Forget was called for the items %q, and nobody has called the queue's Forget. No other method does that.", forgotten)
}

// call adds items by the shortest call that says the same. Several items are one call.
func (r *run) call(o kit.AddOpts, items []string) {
	plain := o == kit.AddOpts{After: o.After, RateLimited: o.RateLimited}
	switch {
	case len(items) > 1 || !plain || o.RateLimited && o.After != 0:
		r.q.AddWithOpts(o, items...)
	case o.RateLimited:
		r.q.AddRateLimited(items[0])
	case o.After != 0:
		r.q.AddAfter(items[0], o.After)
	default:
		r.q.Add(items[0])
	}
}

// delay is how long item has to wait, and what says so.
func (r *run) delay(o kit.AddOpts, item string) (delay time.Duration, by string) {
	if !o.RateLimited {
		if o.After <= 0 {
			return o.After, "added without delay"
		}
		return o.After, fmt.Sprintf("After was %v", o.After)
	}
	r.asked++
	limited := wait(r.fails[item], r.asked)
	r.fails[item]++
	if o.After > 0 && o.After < limited {
		return o.After, fmt.Sprintf("After was %v, and its limiter said %v", o.After, limited)
	}
	return limited, fmt.Sprintf("its limiter said %v", limited)
}

func (r *run) get(t *conform.T) {
	may := r.next()
	k := r.q.take(t)
	var next []string
	for _, item := range slices.Sorted(maps.Keys(r.queued)) {
		if other := (key{item, r.queued[item].priority}); may[other] {
			next = append(next, other.String())
		}
	}
	r.latest = fmt.Sprintf("%q was handed out, and now ", k.Item)
	t.Require(may[k], "Get handed out %v, and should have handed out %s: %v. %s", k, strings.Join(next, ", or "), r, r.placeOf(k))
	r.take(k)
}

// placeOf says how places count, if k has the priority of the keys that go before it.
func (r *run) placeOf(k key) string {
	if other := r.queued[k.Item]; other == nil || other.priority != k.Priority || !other.ready || r.locked[k.Item] {
		return ""
	}
	for best := range r.next() {
		if best.Priority != k.Priority {
			return ""
		}
	}
	return "Of keys with the same priority, the one that has been ready with that priority for longest goes first. Its place in the order counts from when it became ready, not from Done."
}

func (r *run) done(t *conform.T, item string) {
	r.q.Done(item)
	r.latest = fmt.Sprintf("%q is done, and now ", item)
	if !r.locked[item] {
		r.latest = fmt.Sprintf("Done(%q) was called, which does nothing because that key is not locked, and now ", item)
	}
	delete(r.locked, item)
	t.Wait()
}

func (r *run) letPass(t *conform.T, d time.Duration) {
	pass(t, d)
	r.pass(d)
	r.latest = fmt.Sprintf("%v have passed, and now ", d)
}

// requireUnchanged looks at what the queue was lent.
func (r *run) requireUnchanged(t *conform.T) {
	for _, l := range r.lent {
		t.Require(slices.Equal(l.items, l.were), "AddWithOpts was called with a slice of the keys %q, and the caller finds %q in it now: the queue does not change it.", l.were, l.items)
		t.Require(l.priority == nil || *l.priority == l.was, "AddWithOpts was called with a pointer to the priority %d, and the caller finds another one there now: the queue does not change it.", l.was)
	}
}

// finish takes everything that is still to come and shuts the queue down.
func (r *run) finish(t *conform.T) {
	for _, item := range slices.Sorted(maps.Keys(r.locked)) {
		r.done(t, item)
	}
	r.letPass(t, 1000*step)
	for len(r.next()) > 0 {
		r.get(t)
	}
	r.q.Holds(t, 0, "every key was handed out")
	r.q.ShutDown()
	r.requireUnchanged(t)
}

// taken is what Get returned of a queue whose keys are of any type.
type taken struct {
	key      any
	shutdown bool
}

// keysOfAnyType adds keys that are different and look the same when they are printed, while a
// worker holds one more of them.
func keysOfAnyType(t *conform.T, q kit.PriorityQueue[any]) {
	type name struct{ s string }
	q.Add(1)
	q.Get()
	keys := []any{"1", int64(1), nil, "<nil>", "", name{"a"}, &name{"a"}, &name{"a"}}
	call := t.Call("AddWithOpts of %d keys of several types, all different, while a worker holds the key 1: “1”, int64(1), nil, “<nil>”, two pointers to what is equal …", len(keys))
	q.AddWithOpts(kit.AddOpts{}, keys...)
	call.Returned("")
	t.Wait()
	if got := q.Len(); got != len(keys) {
		t.Fatalf("Len is %d, and %d keys were added. Their types are different, or their values are. %s", got, len(keys), missing(t, q, keys))
	}
	came := make(chan taken, len(keys))
	t.Go("worker", func(*conform.Actor) {
		for range keys {
			k, shutdown := q.Get()
			came <- taken{k, shutdown}
		}
	})
	t.Wait()
	for i, k := range keys {
		t.Require(len(came) > 0, "Get handed out %d of %d keys, each of which is another. Workers hold those, and the next one, %#v, does not come.", i, len(keys), k)
		one := <-came
		t.Require(!one.shutdown, "Get says that the queue is shut down, and nobody has shut it down: it should have handed out %#v.", k)
		t.Require(one.key == k, "Get handed out %#v, and should have handed out %#v, which was added before it with the same priority.", one.key, k)
	}
	q.ShutDown()
}

// zeroAlone adds the zero value of an interface, which is nil, and of a string by calls that have no
// other key, in every way.
func zeroAlone(t *conform.T, s Subject) {
	q := s.NewAny(fake.Always[any](0))
	loneKey(t, q, nil)
	q.ShutDown()
	named := s.New(fake.Always[string](0))
	loneKey(t, named, "")
	named.ShutDown()
}

// loneKey has one key go through a queue, by every call that adds.
func loneKey[T comparable](t *conform.T, q kit.PriorityQueue[T], k T) {
	for _, way := range []struct {
		name string
		add  func()
	}{
		{"Add", func() { q.Add(k) }},
		{"AddAfter", func() { q.AddAfter(k, time.Second) }},
		{"AddRateLimited", func() { q.AddRateLimited(k) }},
		{"AddWithOpts", func() { q.AddWithOpts(kit.AddOpts{Priority: new(1)}, k) }},
	} {
		t.Do(way.add, "%s(%#v)", way.name, k)
		pass(t, 2*time.Second)
		t.Require(q.Len() == 1, "The key %#v was added by %s, and no other. 2s later Len is %d, and should be 1: any value of T may be a key, its zero value too.", k, way.name, q.Len())
		got, shutdown := q.Get()
		t.Require(!shutdown && got == k, "The only key is %#v, and Get returned %#v, %t.", k, got, shutdown)
		q.Done(k)
		t.Require(q.Len() == 0, "The key %#v has come and is done, and Len is %d.", k, q.Len())
	}
}

// missing takes all that comes and says which of keys does not.
func missing(t *conform.T, q kit.PriorityQueue[any], keys []any) string {
	seen := late(t, 2*len(keys), func(*conform.Actor) (any, bool) { return q.Get() })
	var none []string
	for _, k := range keys {
		if !slices.Contains(seen, k) {
			none = append(none, fmt.Sprintf("%T(%#v)", k, k))
		}
	}
	if len(none) == 0 {
		return "All of them come."
	}
	return "Not handed out: " + strings.Join(none, ", ") + "."
}
