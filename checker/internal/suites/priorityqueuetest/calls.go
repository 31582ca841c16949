package priorityqueuetest

import (
	"fmt"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// key is what Get hands out.
type key struct {
	Item     string
	Priority int
}

// add and its like call the subject and write the call into the history.
func add(a *conform.Actor, q Queue, items ...string) { addWith(a, q, AddOpts{}, items...) }

func addAt(a *conform.Actor, q Queue, priority int, items ...string) {
	addWith(a, q, AddOpts{Priority: &priority}, items...)
}

func addAfter(a *conform.Actor, q Queue, after time.Duration, items ...string) {
	addWith(a, q, AddOpts{After: after}, items...)
}

func addWith(a *conform.Actor, q Queue, o AddOpts, items ...string) {
	call := a.Call("AddWithOpts(%v, %s)", o, strings.Join(items, ", "))
	q.AddWithOpts(o, items...)
	call.Returned("")
}

// String shows only what is set.
func (o AddOpts) String() string {
	var set []string
	if o.After != 0 {
		set = append(set, fmt.Sprintf("After: %v", o.After))
	}
	if o.RateLimited {
		set = append(set, "RateLimited")
	}
	if o.Priority != nil {
		set = append(set, fmt.Sprintf("Priority: %d", *o.Priority))
	}
	return "{" + strings.Join(set, ", ") + "}"
}

func getWith(a *conform.Actor, q Queue) (key, bool) {
	call := a.Call("GetWithPriority()")
	item, priority, shutdown := q.GetWithPriority()
	call.Returned("%q, %d, %v", item, priority, shutdown)
	return key{item, priority}, shutdown
}

// get takes a key that must be there.
func get(t *conform.T, q Queue) key {
	k, shutdown := getWith(t.Actor, q)
	require.False(t, shutdown, "Get says that the queue was shut down, and it was not.")
	return k
}

func done(a *conform.Actor, q Queue, item string) {
	call := a.Call("Done(%q)", item)
	q.Done(item)
	call.Returned("")
}

func length(a *conform.Actor, q Queue) int {
	call := a.Call("Len()")
	n := q.Len()
	call.Returned("%d", n)
	return n
}

func requeues(t *conform.T, q Queue, item string) int {
	call := t.Call("NumRequeues(%q)", item)
	n := q.NumRequeues(item)
	call.Returned("%d", n)
	return n
}

func forget(t *conform.T, q Queue, item string) {
	call := t.Call("Forget(%q)", item)
	q.Forget(item)
	call.Returned("")
}

func shutDown(a *conform.Actor, q Queue) {
	call := a.Call("ShutDown()")
	q.ShutDown()
	call.Returned("")
}

// drained takes n keys and returns them in the order in which they came, each
// done before the next.
func drained(t *conform.T, q Queue, n int) []key {
	var got []key
	for range n {
		k := get(t, q)
		done(t.Actor, q, k.Item)
		got = append(got, k)
	}
	return got
}

// parked starts a goroutine that calls Get and returns where its key will come.
// When parked returns the goroutine is blocked, or has its key.
func parked(t *conform.T, q Queue, who string) <-chan key {
	got := make(chan key, 1)
	t.Go(who, func(a *conform.Actor) {
		if k, shutdown := getWith(a, q); !shutdown {
			got <- k
		}
		close(got)
	})
	t.Wait()
	return got
}

// pass lets virtual time pass and the subject come to rest.
func pass(t *conform.T, d time.Duration) {
	time.Sleep(d)
	t.Note("%v later", d)
	t.Wait()
}

// at makes keys of one priority.
func at(priority int, items ...string) []key {
	keys := make([]key, len(items))
	for i, item := range items {
		keys[i] = key{item, priority}
	}
	return keys
}
