package triggerstest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var errBroken = errors.New("the cloud API is down")

// endless is how many Scales may fail until the next is let succeed: a Work that tries
// again at once would never return.
const endless = 500

// cluster is the suite's own world. It is used by one goroutine at a time: by the
// scenario's, through the Work of the strategy under test.
type cluster struct {
	t      *conform.T
	apps   map[string]State
	broken map[string]bool   // apps whose Scale fails
	calls  []string          // "Keys", "Get a", "Scale a 2", oldest first
	failed int               // how many of the calls were a Scale that failed
	silent bool              // calls do not stand in the history: there are too many
	within func(call string) // called in the midst of each call, once it has been served
}

func newCluster(t *conform.T, apps map[string]State) *cluster {
	return &cluster{t: t, apps: maps.Clone(apps), broken: map[string]bool{}}
}

func (c *cluster) Keys() []string {
	keys := slices.Collect(maps.Keys(c.apps))
	c.served("Keys", slices.Sorted(slices.Values(keys)))
	return keys
}

func (c *cluster) Get(key string) State {
	s := c.apps[key]
	c.served("Get "+key, s)
	return s
}

func (c *cluster) Scale(key string, n int) error {
	var err error
	if c.broken[key] && c.failed < endless {
		c.failed++
		err = errBroken
	} else {
		c.add(key, 0, n)
	}
	c.served(fmt.Sprintf("Scale %s %d", key, n), err)
	return err
}

// served notes a call, and its answer.
func (c *cluster) served(call string, answer any) {
	c.calls = append(c.calls, call)
	if !c.silent {
		c.t.Note("the cluster is asked: %s → %v", call, answer)
	}
	if c.within != nil {
		c.within(call)
	}
}

// add is what others do to the cluster. It returns the states before and after.
func (c *cluster) add(key string, desired, running int) (before, after State) {
	before = c.apps[key]
	after = State{before.Desired + desired, before.Running + running}
	c.apps[key] = after
	return before, after
}

// asked returns the calls since it was last called, in an order of their own:
// in which order apps are looked at is the strategy's affair.
func (c *cluster) asked() []string { return keysFirst(c.askedInOrder()) }

// keysFirst is calls in an order of their own, one in which a Work may make them.
func keysFirst(calls []string) []string {
	return slices.SortedFunc(slices.Values(calls), func(a, b string) int {
		switch {
		case a == b:
			return 0
		case a == "Keys":
			return -1
		case b == "Keys":
			return 1
		}
		return strings.Compare(a, b)
	})
}

func (c *cluster) askedInOrder() []string {
	calls := c.calls
	c.calls, c.failed = nil, 0
	return calls
}

// wasAsked requires that the calls since the last look were these, in whatever order.
func (c *cluster) wasAsked(t *conform.T, want []string, sentence string, args ...any) {
	compare(t, keysFirst(want), c.asked(), sentence, args)
}

// wasAskedInOrder requires that the calls since the last look were these, in that order.
func (c *cluster) wasAskedInOrder(t *conform.T, want []string, sentence string, args ...any) {
	compare(t, want, c.askedInOrder(), sentence, args)
}

// worked calls Work and requires that it made these calls, in whatever order. If it did not,
// Work is called once more before the case fails: what comes a Work later is not lost.
func (c *cluster) worked(t *conform.T, v recorded, want []string, sentence string, args ...any) {
	v.work()
	got, due := c.asked(), keysFirst(want)
	if slices.Equal(got, due) {
		return
	}
	t.Breaks("the cluster was asked [%s], and not [%s]", tally(got), tally(due))
	v.work()
	then := fmt.Sprintf(" In one more Work after that it was asked [%s].", tally(c.asked()))
	t.Fatalf("%s", fmt.Sprintf(sentence, args...)+fmt.Sprintf(" The cluster was asked [%s] where [%s] was due.", tally(got), tally(due))+then)
}

func compare(t *conform.T, want, got []string, sentence string, args []any) {
	if !slices.Equal(want, got) {
		t.Fatalf(sentence+" The cluster was asked [%s] where [%s] was due.", append(args, tally(got), tally(want))...)
	}
}

// tally is calls as a sentence has them, the same one in a row with how often it came.
func tally(calls []string) string {
	var texts []string
	for i := 0; i < len(calls); {
		n := 1
		for i+n < len(calls) && calls[i+n] == calls[i] {
			n++
		}
		text := calls[i]
		if n > 1 {
			text += fmt.Sprintf(" ×%d", n)
		}
		texts = append(texts, text)
		i += n
	}
	return strings.Join(texts, ", ")
}

// wrong counts the apps that miss pods, or with a sign of -1 those with too many.
func (c *cluster) wrong(sign int) int {
	n := 0
	for _, s := range c.apps {
		if s.missing()*sign > 0 {
			n++
		}
	}
	return n
}

// drift is the sum of what is missing or too much.
func (c *cluster) drift() int { return drift(c.apps) }
