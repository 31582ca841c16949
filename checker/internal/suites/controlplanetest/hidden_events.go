package controlplanetest

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hiddenEvents = []conform.Case[Subject]{
	{
		Name:   "similar-events-are-combined",
		Points: 2,
		Func:   "Recorder.Run",
		Rule:   "From the tenth different message on, the recorder counts similar events in one that stands for all. After a pause of more than ten minutes it writes each by itself again.",
		Why:    "Messages with a name or a number in them are all different, and counting equal ones does not help against them.",
		Hint: []string{
			"Which part of an event may differ for it to be similar?",
			"Keep a set of the messages of each group, and drop it when the last one was long ago.",
		},
		Source: "client-go tools/record/events_cache.go: EventAggregator",
		Contract: []string{
			"When the SimilarEvents-th different message of similar events arrives, and no two of those in a row were more than SimilarInterval apart, it and every one after it, whatever its message, is written into one event that stands for all of them: created, and then counted, like the same event, with the newest message behind CombinedPrefix. A pause of more than SimilarInterval begins anew.",
			"Events that differ in nothing but the message are similar.",
		},
		Mode:  conform.Virtual,
		Check: checkCombined,
	},
	{
		Name:   "spam-is-cut-off",
		Points: 2,
		Func:   "Recorder.Run",
		Rule:   "About one object the recorder writes 25 events at once, and one more for each five minutes that have passed. Other objects are not affected.",
		Why:    "One pod in trouble must not use up the capacity of the API server.",
		Hint: []string{
			"To whom does a bucket belong: to the component, to the object?",
			"Lab 12 has a token bucket. Here one that only says yes or no is enough.",
		},
		Source: "client-go tools/record/events_cache.go: EventSourceObjectSpamFilter",
		Contract: []string{
			"A component may say SpamBurst things about an object, and one more each SpamRefill, in a token bucket. Events beyond that are not written.",
			"Events about the same object (by kind, namespace, name and UID)",
		},
		Mode:  conform.Virtual,
		Check: checkSpam,
	},
	{
		Name:   "a-recorder-never-blocks",
		Points: 3,
		Func:   "Recorder.Eventf",
		Look:   []string{"Recorder.Eventf", "Recorder.Run"},
		Rule:   "Eventf returns at once, whatever the API server does and whether or not Run is called. Events that do not fit into the buffer are lost. A conflict or a short failure loses nothing, and a swept event is created anew.",
		Why:    "Events are for people. A controller that waits for its own log stops when the log does.",
		Hint: []string{
			"Who writes to the API server: the goroutine that calls Eventf, or that of Run?",
			"When do you format the message from its arguments?",
		},
		Source: "client-go tools/record/event.go: maxQueuedEvents; apimachinery pkg/watch/mux.go: DropIfChannelFull",
		Contract: []string{
			"It never blocks, not for the API server and not for Run: an event without room in the buffer is lost. The event happened at the time of the call.",
			`"default" where that has none, and its name begins with the object's name and a dot.`,
			"If an event to be counted is gone (it was swept), it is created anew with count 1. After a Conflict the recorder tries again with the current object. After another failure it tries again for a few seconds",
			"It returns nil, soon, and leaves no goroutine",
		},
		Mode:  conform.Virtual,
		Check: checkNeverBlocks,
	},
	{
		Name:   "old-events-are-swept",
		Points: 2,
		Func:   "SweepEvents",
		Rule:   "SweepEvents deletes the events whose lastTimestamp is ttl ago or longer, and no others. It spares one that is counted up meanwhile, and goes on after an error.",
		Why:    "Without this, most of etcd would be events. An hour after the last time nobody reads them.",
		Hint: []string{
			"Which of the timestamps counts?",
			"Delete takes preconditions.",
		},
		Source:   `kubernetes pkg/controlplane/apiserver/options/options.go: "event-ttl"; Programming Kubernetes, ch. 1`,
		Contract: []string{"SweepEvents deletes the events whose lastTimestamp is ttl ago or longer, once. It spares one that is counted up meanwhile. It goes on after an error, and returns the first."},
		Mode:     conform.Virtual,
		Check:    checkSwept,
	},
}

func checkCombined(t *conform.T, open func() Subject) {
	s := open()
	l := newLog(t, s, 0)
	defer l.run()()
	want := map[string]int{}
	for i := range 9 {
		l.say("web", kit.EventNormal, "Created", fmt.Sprint("pod ", i))
		want[fmt.Sprint("web Normal Created pod ", i, " 1")] = 1
	}
	require.Equal(t, want, l.said(), "Nine similar events were not written as nine.")
	combined := "web Normal Created (combined from similar events): "
	time.Sleep(10*time.Minute - soon) // ten minutes in all, and no more
	l.say("web", kit.EventNormal, "Created", "pod 9")
	want[combined+"pod 9 1"] = 1
	require.Equal(t, want, l.said(), "The tenth different message did not begin an event that stands for all.")
	delete(want, combined+"pod 9 1")
	time.Sleep(9 * time.Minute)
	l.say("web", kit.EventNormal, "Created", "pod 10")
	l.say("web", kit.EventNormal, "Created", "pod 3")
	last := time.Now()
	want[combined+"pod 3 3"] = 1
	require.Equal(t, want, l.said(), "Similar events, one of them with a message that was there before, were not counted in the one that stands for all.")
	l.say("web", kit.EventNormal, "Deleted", "pod 3")
	l.say("db", kit.EventNormal, "Created", "pod 3")
	want["web Normal Deleted pod 3 1"], want["db Normal Created pod 3 1"] = 1, 1
	require.Equal(t, want, l.said(), "An event with another reason, or about another object, was taken for a similar one.")
	time.Sleep(time.Until(last.Add(10*time.Minute + 1)))
	l.say("web", kit.EventNormal, "Created", "pod 99")
	want["web Normal Created pod 99 1"] = 1
	require.Equal(t, want, l.said(), "After a pause of more than ten minutes an event was still combined with the earlier ones.")
}

func checkSpam(t *conform.T, open func() Subject) {
	s := open()
	l := newLog(t, s, 0)
	defer l.run()()
	begun := time.Now()
	for range 100 {
		l.say("web", kit.EventWarning, "BackOff", "restarting")
	}
	require.Equal(t, map[string]int{"web Warning BackOff restarting 25": 1}, l.said(), "Of a hundred events at once about one object not 25 were written.")
	l.say("db", kit.EventWarning, "BackOff", "restarting")
	require.Equal(t, 1, l.said()["db Warning BackOff restarting 1"], "Too many events about one object kept those about another from being written.")
	writes := l.writes()
	l.sayOf(kit.ObjectReference{Kind: "Pod", Namespace: "ns", Name: "web", UID: "another"}, kit.EventWarning, "BackOff", "restarting")
	require.Equal(t, writes+1, l.writes(), "Too many events about one object kept those about a new object of its name from being written.")
	writes++
	time.Sleep(time.Until(begun.Add(5*time.Minute - time.Second)))
	l.say("web", kit.EventWarning, "BackOff", "restarting")
	require.Equal(t, writes, l.writes(), "Before five minutes had passed another event was written about the object.")
	time.Sleep(2 * time.Second)
	for range 3 {
		l.say("web", kit.EventWarning, "BackOff", "restarting")
	}
	require.Equal(t, writes+1, l.writes(), "After five minutes not exactly one more event was written about the object.")
	time.Sleep(10 * time.Hour)
	for range 100 {
		l.say("web", kit.EventWarning, "BackOff", "restarting")
	}
	require.Equal(t, writes+26, l.writes(), "After a long time of silence not 25 events were written at once about the object.")
}

func checkNeverBlocks(t *conform.T, open func() Subject) {
	s := open()
	l := newLog(t, s, 3)
	// Nobody runs it.
	text := []byte("first")
	t.Do(func() {
		l.r.Eventf(kit.ObjectReference{Kind: "Node", Name: "n1", UID: "n1"}, kit.EventNormal, "Reason", "%s", text)
	}, "Eventf(…, \"%%s\", bytes)")
	copy(text, "XXXXX")
	for i := range 100 {
		l.say(fmt.Sprint("pod-", i), kit.EventNormal, "Reason", "text")
	}
	said := time.Now()
	time.Sleep(time.Minute)
	stop := l.run()
	defer stop()
	l.settle()
	require.LessOrEqual(t, len(l.events.All()), 4, "With a buffer of 3 more than 4 events were kept, though nobody wrote them.")
	found := false
	for _, e := range l.events.All() {
		found = found || e.Message == "first"
		require.NotEqual(t, "XXXXX", e.Message, "The message was made after Eventf had returned: its arguments had changed by then.")
		require.Equal(t, said, e.FirstTimestamp, "The event did not happen when Eventf was called.")
		if e.InvolvedObject.Kind == "Node" {
			require.Equal(t, "default", e.Namespace, "An event about an object without a namespace is not in the namespace default.")
			require.True(t, strings.HasPrefix(e.Name, "n1."), "The name of an event does not begin with that of what it is about.")
		}
	}
	require.True(t, found, "The first event of a full buffer was lost, and not the last.")
	checkRefusals(t, l)
	before := time.Now()
	stop()
	require.Less(t, time.Since(before), time.Second, "Run did not end soon after its ctx: it went on trying.")
	l.say("web", kit.EventNormal, "Reason", "late")
}

// checkRefusals is about an API server that does not take everything. In the end it takes
// nothing, and an event waits.
func checkRefusals(t *conform.T, l *log) {
	var writes atomic.Int64
	l.events.Intercept(fake.Before(func(q *fake.Request) error {
		switch {
		case q.Verb == fake.Get || q.Verb == fake.List || writes.Add(1)%2 == 0:
			return nil
		case q.Verb == fake.Update:
			return kit.NewConflict("events", q.Key)
		}
		return errors.New("the API server is tired")
	}))
	for range 3 {
		l.say("web", kit.EventNormal, "Reason", "again")
		time.Sleep(10 * time.Second)
	}
	require.Equal(t, 1, l.said()["web Normal Reason again 3"], "Every other request was refused, and an event was lost or counted wrong.")
	l.events.Intercept()
	for _, e := range l.events.All() {
		l.events.Remove(kit.Key(e))
	}
	l.say("web", kit.EventNormal, "Reason", "again")
	require.Equal(t, map[string]int{"web Normal Reason again 1": 1}, l.said(), "An event that was swept was not created anew, with count 1.")
	l.events.Intercept(fake.Refuse(errors.New("the API server is gone")))
	l.say("web", kit.EventNormal, "Reason", "gone")
	time.Sleep(time.Second / 2)
	t.Wait()
}

func checkSwept(t *conform.T, open func() Subject) {
	s := open()
	events := agedEvents(t)
	refusal := errors.New("the API server is tired")
	events.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Delete && q.Key == "ns/tough" {
			return refusal
		}
		return nil
	}), fake.After(func(q *fake.Request) {
		if q.Verb == fake.List {
			events.Change("ns/counted", func(e *kit.CoreEvent) { e.Count, e.LastTimestamp = 2, time.Now() })
		}
	}))
	sweep := func() error {
		return conform.Do(t.Actor, func() error { return s.SweepEvents(t.Context(), events, time.Hour) }, "SweepEvents(1h)")
	}
	require.ErrorIs(t, sweep(), refusal, "An event could not be deleted, and SweepEvents did not say so.")
	want := map[string]bool{"almost": true, "tough": true, "counted": true}
	require.Equal(t, want, namesOf(events), "Of events that last happened 90, 60 and almost 60 minutes ago, one that cannot be deleted and one that has just happened again, the wrong ones are left.")
	events.Intercept()
	delete(want, "tough")
	require.NoError(t, sweep(), "SweepEvents failed though the API server refused nothing.")
	require.Equal(t, want, namesOf(events), "A second sweep did not make up for what the first could not delete.")
	time.Sleep(time.Hour)
	require.NoError(t, sweep(), "SweepEvents failed though the API server refused nothing.")
	require.Empty(t, maps.Clone(namesOf(events)), "An hour later there are still events.")
}

// agedEvents are events that happened for the first and for the last time at different times.
func agedEvents(t *conform.T) *fake.Resource[*kit.CoreEvent] {
	events := fake.Serve(fake.NewServer(t), kit.CoreEvents)
	put := func(name string, first, last time.Duration) {
		e := kit.CoreEvents.New()
		e.Namespace, e.Name, e.Count = "ns", name, 1
		e.FirstTimestamp, e.LastTimestamp = time.Now().Add(-first), time.Now().Add(-last)
		events.Put(e)
	}
	put("old", 2*time.Hour, 90*time.Minute)
	put("just", time.Hour, time.Hour)
	put("almost", 5*time.Hour, time.Hour-1)
	put("tough", 3*time.Hour, 3*time.Hour)
	put("counted", 3*time.Hour, 2*time.Hour)
	return events
}

// namesOf are the names of the events that the server has.
func namesOf(events *fake.Resource[*kit.CoreEvent]) map[string]bool {
	names := map[string]bool{}
	for _, e := range events.All() {
		names[e.Name] = true
	}
	return names
}
