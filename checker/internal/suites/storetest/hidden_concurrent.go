package storetest

import (
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var concurrent = append([]conform.Case[Subject]{
	{
		Name:   "one-winner-per-version",
		Points: 5,
		Func:   "Store.Update",
		Rule:   "Of any number of writers that start from one version exactly one succeeds; the others get Conflict.",
		Why:    "Leader election is exactly this: every candidate writes the lease, and one write succeeds.",
		Hint: []string{
			"Between your comparison of versions and your write, what can another goroutine do?",
			"Compare and write under one lock, without releasing it in between.",
		},
		Source: "etcd documentation, transactions: compare mod revision, then put; client-go tools/leaderelection/leaderelection.go: LeaderElector.tryAcquireOrRenew",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			const writers = 12
			c := start(t, open())
			got, err := c.create(pod("default", "lease"))
			base := must(t, got, err)
			for round := range 6 {
				won := make([]*kit.Pod, writers)
				for i := range writers {
					t.Go(fmt.Sprintf("writer %d", i), func(a *conform.Actor) {
						mine := base.DeepCopy()
						mine.Annotations["holder"] = fmt.Sprintf("%d-%d", round, i)
						got, err := c.as(a).update(mine)
						if err == nil {
							won[i] = got
							return
						}
						assert.True(t, kit.IsConflict(err), "A writer that lost did not get a Conflict.")
					})
				}
				t.Join()
				got, err := c.get("default", "lease")
				stored := must(t, got, err)
				winners := 0
				for _, w := range won {
					if w == nil {
						continue
					}
					winners++
					same(t, stored, w, "A writer succeeded and what is stored is not what it wrote.")
				}
				require.Equal(t, 1, winners, "Not exactly one of the writers who started from the same version succeeded.")
				base = stored
			}
		},
	},
	{
		Name:   "no-lost-updates",
		Points: 6,
		Func:   "Store.Update",
		Rule:   "Sixty-four writers that read, add one and update, and start over on a conflict, count exactly to the number of their writes.",
		Why:    "Every controller writes statuses like this. After a lost write a pod counts as gone, and is replaced.",
		Hint: []string{
			"Two writers can only both succeed from one version if the store let both pass the comparison before either wrote.",
			"An unlock between reading the stored version and storing the new object is enough.",
		},
		Source: "Programming Kubernetes, ch. 1: optimistic concurrency; client-go util/retry/util.go: RetryOnConflict",
		Check: func(t *conform.T, open func() Subject) {
			count(t, open(), 64, 4)
			t.Copies(func(t *conform.T) { count(t, open(), 6, 6) })
		},
	},
	{
		Name:   "readers-and-writers-meet",
		Points: 5,
		Func:   "Store.List",
		Rule:   "Readers may change the objects they got while writers write and others read: no two callers share memory.",
		Why:    "The race detector sees here what a cluster shows on one node in a thousand: a map that two goroutines write to ends the process.",
		Hint: []string{
			"Which pointer do two callers hold at the same time?",
			"Copy what you store and copy what you return. Under the lock or after it: only if nobody changes a stored object in place.",
		},
		Source: `The Go Memory Model; Go internal/runtime/maps/map.go: "concurrent map writes"`,
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			c := start(t, open())
			for _, name := range []string{"a", "b"} {
				p := pod("default", name)
				got, err := c.create(p)
				must(t, got, err)
			}
			for i := range 4 {
				t.Go(fmt.Sprintf("user %d", i), func(a *conform.Actor) {
					c := c.as(a)
					for range 6 {
						p, err := c.get("default", "a")
						if !assert.NoError(t, err, "Get of an object that is there failed.") {
							return
						}
						p.Labels["app"] = a2s(i)
						if got, err := c.update(p); err == nil {
							scribble(got)
						}
						scribble(p)
						list, err := c.list("")
						if !assert.NoError(t, err, "List failed.") {
							return
						}
						for _, p := range list.Items {
							scribble(p)
						}
					}
				})
			}
			t.Join()
			got, err := c.get("default", "a")
			require.NotContains(t, must(t, got, err).Annotations, "scribbled", "What a reader wrote into its own copy has got into the store.")
		},
	},
	{
		Name:   "lists-and-journal-agree",
		Points: 5,
		Func:   "Store.List",
		Rule:   "A list shows exactly the journal's changes up to its version; with those above it, exactly what the store holds later. Changes come in order.",
		Why:    "List, then watch from the list's version: that is how every informer fills its cache. A change on the wrong side of the line is missed for ever.",
		Hint: []string{
			"Are the objects of a list and its version read at the same moment?",
			"Where do you call the journals, and what keeps two writers from doing so in the wrong order?",
			"One lock for version, map and journals; a list takes it once and reads all it needs.",
		},
		Source: "client-go tools/cache/reflector.go: list (then watch from its version); kubernetes#135462: states that never existed",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			var told journal
			c := start(t, open(), &told)
			lists := make([][]kit.List[*kit.Pod], 2)
			var wrote atomic.Int32
			for i := range 4 {
				t.Go(fmt.Sprintf("writer %d", i), func(a *conform.Actor) { wrote.Add(int32(churn(c.as(a), i, 12))) })
			}
			for i := range lists {
				t.Go(fmt.Sprintf("reader %d", i), func(a *conform.Actor) {
					for range 12 {
						list, err := c.as(a).list("")
						if !assert.NoError(t, err, "List failed.") {
							return
						}
						lists[i] = append(lists[i], list)
					}
				})
			}
			t.Join()
			require.Len(t, told.notes, int(wrote.Load()), "The journal did not get every write once.")
			last, err := c.list("")
			require.NoError(t, err, "List failed.")
			agree(t, told.notes, append(append(lists[0], lists[1]...), last))
		},
	},
}, models...)

// count lets writers add one to a number in an annotation, each the given number of times.
func count(t *conform.T, s Subject, writers, times int) {
	c := start(t, s)
	p := pod("default", "counter")
	p.Annotations["n"] = "0"
	got, err := c.create(p)
	must(t, got, err)
	for i := range writers {
		t.Go(fmt.Sprintf("writer %d", i), func(a *conform.Actor) {
			for range times {
				if !assert.NoError(t, increment(c.as(a)), "A call failed otherwise than by a conflict.") {
					return
				}
			}
		})
	}
	t.Join()
	got, err = c.get("default", "counter")
	require.Equal(t, a2s(writers*times), must(t, got, err).Annotations["n"], "Updates were lost: the number is not that of the writes that succeeded.")
}

// increment adds one, with its own loop: this case is not about RetryOnConflict.
func increment(c client) error {
	for {
		p, err := c.get("default", "counter")
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(p.Annotations["n"])
		if err != nil {
			return err
		}
		p.Annotations["n"] = a2s(n + 1)
		if _, err = c.update(p); !kit.IsConflict(err) {
			return err
		}
	}
}

// churn creates, updates and deletes a few objects and returns how many of its
// writes succeeded.
func churn(c client, seed, times int) (wrote int) {
	for i := range times {
		name := string(rune('a' + (seed+i)%3))
		var err error
		switch p, missing := c.get("default", name); {
		case missing != nil:
			_, err = c.create(pod("default", name))
		case i%4 == 3:
			_, err = c.delete("default", name)
		default:
			p.Annotations["note"] = fmt.Sprintf("%d-%d", seed, i)
			_, err = c.update(p)
		}
		if err == nil {
			wrote++
		}
	}
	return wrote
}

// agree replays the journal up to each list's version and compares.
func agree(t *conform.T, notes []note, lists []kit.List[*kit.Pod]) {
	last := uint64(0)
	for _, n := range notes {
		require.Greater(t, number(t, n.version), last, "The journal did not get the changes in the order of their versions.")
		last = number(t, n.version)
	}
	for _, list := range lists {
		until := number(t, list.ResourceVersion)
		want := map[string]string{}
		for _, n := range notes {
			if number(t, n.version) > until {
				break
			}
			want[kit.Key(n.then)] = n.version
			if n.what == kit.Deleted {
				delete(want, kit.Key(n.then))
			}
		}
		got := map[string]string{}
		for _, p := range list.Items {
			got[kit.Key(p)] = p.ResourceVersion
		}
		require.Equal(t, want, got, "The list at version %s does not show the changes up to that version, and only those.", list.ResourceVersion)
	}
}

func a2s(n int) string { return strconv.Itoa(n) }
