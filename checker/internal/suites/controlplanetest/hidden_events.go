package controlplanetest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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
			"When the SimilarEvents-th different message of similar events arrives, and no pause between any two of the similar events in a row was longer than SimilarInterval, it and every one after it, whatever its message, is written into one event that stands for all of them: created, and then counted, like the same event, with the newest message behind CombinedPrefix. A pause of more than SimilarInterval begins anew.",
			"Events that differ in nothing but the message are similar.",
			"If an event to be counted is gone (it was swept), it is created anew with count 1.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkCombined(t, open)
			checkOtherTypes(t, open())
			repeatsAreNotDifferent(t, open())
			repeatsAreNoPause(t, open())
			combinesAnew(t, open())
		},
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
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			checkSpam(t, open)
			tellsObjectsApart(t, open())
		},
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
			"If an event to be counted is gone (it was swept), it is created anew with count 1. After a Conflict the recorder tries again with the current object; after five in a row it may give up. After another failure it tries again for a few seconds",
			"the first creates an object with count 1, firstTimestamp and lastTimestamp; every later one updates it",
			"After another failure it tries again for a few seconds, and then the event is lost",
			"Events are handled in the order of the calls of Eventf",
			"It returns nil, soon, and leaves no goroutine; events that are not written by then are lost.",
			"how many events may wait to be written",
		},
		Mode:  conform.Virtual,
		Check: checkNeverBlocks,
	},
	{
		Name:   "a-recorder-forgets",
		Points: 1,
		Func:   "Recorder.Run",
		Rule:   "However many events there were, a Recorder remembers about 4096 of them.",
		Why:    "A controller runs for months and speaks of each pod that there ever was. If it remembers all of them, it ends when its memory does.",
		Hint: []string{
			"What does the Recorder keep for each object, for each event, for each group of similar ones? What takes it away again?",
			"A map and a list of its keys, the last used in front: what goes when there are too many?",
			"How many different messages of a group do you have to know?",
		},
		Source: "client-go tools/record/events_cache.go: maxLruCacheEntries",
		Contract: []string{
			"Memory is bounded: a Recorder remembers 4096 events or so, and may forget the rest.",
			"Run writes events until ctx is done, each within a second unless the API server is slow or refuses it.",
		},
		Mode:  conform.Virtual,
		Alone: true,
		Check: checkForgets,
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
		Contract: []string{"SweepEvents deletes the events whose lastTimestamp is ttl ago or longer, once. It spares one that is counted up meanwhile, which is no error; nor is one that is gone already. It goes on after an error, and returns the first."},
		Mode:     conform.Virtual,
		Check:    checkSwept,
	},
}

func checkCombined(t *conform.T, open func() Subject) {
	s := open()
	l := newLog(t, s, 0)
	defer l.run()()
	want := l.creations(8)
	l.say("web", kit.EventNormal, "Created", "")
	want["web Normal Created  1"] = 1
	t.Same(want, l.said(), "There were nine similar events, each with another message, and each is written by itself. The objects that were written are wrong (by object, type, reason, message and count)")
	combined := "web Normal Created (combined from similar events): "
	time.Sleep(10*time.Minute - soon) // ten minutes in all, and no more
	l.say("web", kit.EventNormal, "Created", "pod 9")
	want[combined+"pod 9 1"] = 1
	t.Same(want, l.said(), "The tenth different message of similar events came, ten minutes after the ninth, and begins an event that stands for all. The objects that were written are wrong (by object, type, reason, message and count)")
	delete(want, combined+"pod 9 1")
	time.Sleep(9 * time.Minute)
	l.say("web", kit.EventNormal, "Created", "pod 10")
	l.say("web", kit.EventNormal, "Created", "pod 3")
	last := time.Now()
	want[combined+"pod 3 3"] = 1
	t.Same(want, l.said(), "Two more similar events came, one with a message that was there before, and are counted in the one that stands for all. The objects that were written are wrong (by object, type, reason, message and count)")
	l.say("web", kit.EventNormal, "Deleted", "pod 3")
	l.say("db", kit.EventNormal, "Created", "pod 3")
	want["web Normal Deleted pod 3 1"], want["db Normal Created pod 3 1"] = 1, 1
	t.Same(want, l.said(), "An event with another reason and one about another object are not similar to the others. The objects that were written are wrong (by object, type, reason, message and count)")
	for i := range 9 {
		l.say("db", kit.EventNormal, "Created", fmt.Sprint("pod ", 20+i))
		want[fmt.Sprint("db Normal Created pod ", 20+i, " 1")] = 1
	}
	delete(want, "db Normal Created pod 28 1")
	want["db Normal Created (combined from similar events): pod 28 1"] = 1
	t.Same(want, l.said(), "The tenth different message of similar events about another object came, and begins an event that stands for all of these. The objects that were written are wrong (by object, type, reason, message and count)")
	time.Sleep(time.Until(last.Add(10*time.Minute + 1)))
	l.say("web", kit.EventNormal, "Created", "pod 99")
	want["web Normal Created pod 99 1"] = 1
	t.Same(want, l.said(), "After a pause of more than ten minutes a similar event is written by itself. The objects that were written are wrong (by object, type, reason, message and count)")
}

// creations notes so many similar events, each with another message, and returns what should be written.
func (l *log) creations(n int) (want map[string]int) {
	want = map[string]int{}
	for i := range n {
		l.say("web", kit.EventNormal, "Created", fmt.Sprint("pod ", i))
		want[fmt.Sprint("web Normal Created pod ", i, " 1")] = 1
	}
	return want
}

// checkOtherTypes has nine similar events, and then one that differs in its type as well.
func checkOtherTypes(t *conform.T, s Subject) {
	l := newLog(t, s, 0)
	defer l.run()()
	want := l.creations(9)
	l.say("web", kit.EventWarning, "Created", "too many")
	want["web Warning Created too many 1"] = 1
	t.Same(want, l.said(), "There were nine similar events, and then a Warning, which differs from them in its type as well. The objects that were written are wrong (by object, type, reason, message and count)")
	for i, about := range []kit.ObjectReference{
		{Kind: "Pod", Namespace: "other", Name: "web", UID: "uid-web"}, {Kind: "Node", Namespace: "ns", Name: "web", UID: "uid-web"}, {Kind: "Pod", Namespace: "ns", Name: "web", UID: "another"},
	} {
		message := fmt.Sprint("another ", i)
		l.sayOf(about, kit.EventNormal, "Created", message)
		want["web Normal Created "+message+" 1"] = 1
	}
	t.Same(want, l.said(), "There were nine similar events, and then three more, about objects of the same name in another namespace, of another kind and with another UID, which differ from them in more than the message. The objects that were written are wrong (by object, type, reason, message and count)")
}

func checkSpam(t *conform.T, open func() Subject) {
	s := open()
	l := newLog(t, s, 0)
	defer l.run()()
	begun := time.Now()
	for range 100 {
		l.say("web", kit.EventWarning, "BackOff", "restarting")
	}
	t.Same(map[string]int{"web Warning BackOff restarting 25": 1}, l.said(), "Of a hundred equal events at once 25 are written, as one object with that count. The objects are wrong")
	before := l.writes()
	l.say("web", kit.EventNormal, "Killing", "stopping")
	writes(t, l.writes()-before, 0, "There were too many events about pod web. Then there was one of another type and reason about it: a component may say so many things about an object.")
	l.say("db", kit.EventWarning, "BackOff", "restarting")
	t.Require(l.said()["db Warning BackOff restarting 1"] == 1, "There were too many events about pod web. Then there was one about pod db, whose bucket is full, and it was not written.")
	written := l.writes()
	l.fillsForAnother("with another UID", kit.ObjectReference{Kind: "Pod", Namespace: "ns", Name: "web", UID: "another"})
	l.fillsForAnother("of another kind", kit.ObjectReference{Kind: "Node", Namespace: "ns", Name: "web", UID: "uid-web"})
	l.fillsForAnother("in another namespace", kit.ObjectReference{Kind: "Pod", Namespace: "other", Name: "web", UID: "uid-web"})
	written += 3
	time.Sleep(time.Until(begun.Add(5*time.Minute - time.Second)))
	l.say("web", kit.EventWarning, "BackOff", "restarting")
	writes(t, l.writes()-written, 0, "The bucket of pod web is empty, and gets one token after 5m. 4m59s later there was an event about it.")
	time.Sleep(2 * time.Second)
	for range 3 {
		l.say("web", kit.EventWarning, "BackOff", "restarting")
	}
	writes(t, l.writes()-written, 1, "The bucket of pod web was empty, and got one token after 5m. A second later there were three events about it.")
	time.Sleep(10 * time.Hour)
	for range 100 {
		l.say("web", kit.EventWarning, "BackOff", "restarting")
	}
	writes(t, l.writes()-written, 26, "There was one event about pod web after 5m, and after ten hours of silence, when its bucket is full again, there were a hundred, of which 25 are written.")
}

// fillsForAnother expects an event to be written that is about an object with the name of one about which there were too many.
func (l *log) fillsForAnother(differs string, about kit.ObjectReference) {
	before := l.writes()
	l.sayOf(about, kit.EventWarning, "BackOff", "restarting")
	writes(l.t, l.writes()-before, 1, fmt.Sprintf("There were too many events about pod web. Then there was one about another object of that name, %s, whose bucket is full.", differs))
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
	kept := len(l.events.All())
	t.Require(kept <= 4, "The buffer has room for 3 events, and Run was called only after 101. Those that fit are kept, and one more at most: %d were written.", kept)
	t.Require(kept >= 3, "The buffer has room for 3 events, and Run was called only after 101. %d were written.", kept)
	found := false
	for _, e := range l.events.All() {
		found = found || e.Message == "first"
		t.Require(e.Message != "XXXXX", "The message of an event is %q: it was made after Eventf had returned, when its arguments had changed. It should be \"first\".", e.Message)
		late := e.FirstTimestamp.Sub(said)
		t.Require(late == 0, "The firstTimestamp of an event is %v after the call of Eventf. An event happens when Eventf is called, and not when it is written.", late)
		if e.InvolvedObject.Kind == "Node" {
			t.Require(e.Namespace == "default", "An event about node n1, which has no namespace, was written to the namespace %q, and should be in \"default\".", e.Namespace)
			t.Require(strings.HasPrefix(e.Name, "n1."), "An event about node n1 has the name %q, and should have one that begins with \"n1.\".", e.Name)
		}
	}
	t.Require(found, "The buffer has room for 3 events, and there were 101. Those that come when it is full are lost, and the first one was lost.")
	sweptInBetween(t, l)
	keepsWhatOthersWrote(t, l)
	checkRefusals(t, l)
	before := time.Now()
	stop()
	took := time.Since(before)
	t.Require(took < time.Second, "The ctx of Run was cancelled while an event was being tried again and again. Run returned %v later, and should have returned within 1s.", took)
	l.say("web", kit.EventNormal, "Reason", "late")
	losesTheRest(t, s)
	keepsTheOrder(t, s)
	countsOn(t, s)
	givesUp(t, s)
}

// sweptInBetween has an event be gone when it is to be updated, which is all the first time. The
// second time the update meets a conflict, and the event is gone when the recorder looks for the
// current object.
func sweptInBetween(t *conform.T, l *log) {
	for reason, answer := range map[string]error{"Gone": nil, "Conflict": kit.NewConflict("events", "db")} {
		sweptBefore(t, l, reason, answer)
	}
}

// sweptBefore has an event be swept right before it is updated, with this answer, or the server's own.
func sweptBefore(t *conform.T, l *log, reason string, answer error) {
	l.say("db", kit.EventNormal, reason, "swept")
	l.settle()
	var swept atomic.Bool
	l.events.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb != fake.Update || swept.Swap(true) {
			return nil
		}
		l.events.Remove(q.Key)
		return answer
	}))
	l.say("db", kit.EventNormal, reason, "swept")
	time.Sleep(10 * time.Second)
	l.events.Intercept()
	t.Same(1, l.said()["db Normal "+reason+" swept 1"], fmt.Sprintf("An event of the reason %s happened again, and was swept before its update, which met the error of that name. It has to be created anew, with count 1. The number of such objects is wrong", reason))
}

// losesTheRest ends Run while one event is being tried and three wait: again and again, because
// what a select prefers is a matter of luck.
func losesTheRest(t *conform.T, s Subject) {
	for range 12 {
		l := newLog(t, s, 3)
		stop := l.run()
		l.events.Intercept(fake.Refuse(errTired))
		l.say("web", kit.EventNormal, "Reason", "refused")
		time.Sleep(time.Second / 2)
		t.Wait()
		for i := range 3 {
			l.say("web", kit.EventNormal, "Reason", fmt.Sprint("waiting ", i))
		}
		before := time.Now()
		stop()
		took := time.Since(before)
		t.Require(took < time.Second, "The ctx of Run was cancelled while one event was being tried again and again, and three more waited. Run returned %v later, and should have returned within 1s: events that are not written by then are lost.", took)
	}
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
	t.Same(1, l.said()["web Normal Reason again 3"], "Every other Create and Update was refused, by a conflict or an error, and an event that happened three times has to be one object with the count 3. The number of such objects is wrong")
	l.events.Intercept()
	for _, e := range l.events.All() {
		l.events.Remove(kit.Key(e))
	}
	anew := time.Now()
	l.say("web", kit.EventNormal, "Reason", "again")
	t.Same(map[string]int{"web Normal Reason again 1": 1}, l.said(), "An event was swept, happened again, and has to be created anew, with count 1. The objects that were written are wrong")
	for _, e := range l.events.All() {
		t.Same([]time.Time{anew, anew}, []time.Time{e.FirstTimestamp, e.LastTimestamp}, "An event was swept, happened again, and was created anew. Its firstTimestamp and lastTimestamp are wrong")
	}
	l.events.Intercept(fake.Refuse(errors.New("the API server is gone")))
	l.say("web", kit.EventNormal, "Reason", "gone")
	time.Sleep(time.Second / 2)
	t.Wait()
}

func checkSwept(t *conform.T, open func() Subject) {
	s := open()
	events := agedEvents(t)
	refusal := errors.New("the API server is tired")
	events.Intercept(keeps("ns/hard", refusal), fake.After(func(q *fake.Request) {
		if q.Verb == fake.List {
			events.Change("ns/counted", func(e *kit.CoreEvent) { e.Count, e.LastTimestamp = 2, time.Now() })
		}
	}))
	err := sweep(t, s, events)
	t.Require(errors.Is(err, refusal), "The event hard could not be deleted: %v. SweepEvents should have returned that error, and returned %s.", refusal, conform.Said(err))
	returnsTheFirst(t, s)
	saysThatItCouldNotLook(t, s)
	left := func(when string, want ...string) {
		got := namesOf(events)
		t.Require(slices.Equal(got, want), "%s these events are left: %s. They should be: %s.", when, conform.Listed(got), conform.Listed(want))
	}
	left("The events old and just last happened 90m and 60m ago, almost a little later, counted again during the sweep, and hard cannot be deleted. After a sweep with a ttl of 1h", "almost", "counted", "hard")
	events.Intercept()
	again := func() {
		err := sweep(t, s, events)
		t.Require(err == nil, "The API server refused nothing, and SweepEvents returned %s.", conform.Said(err))
	}
	again()
	left("Now hard can be deleted. After a second sweep", "almost", "counted")
	time.Sleep(time.Hour)
	again()
	left("After a sweep one hour later")
}

// returnsTheFirst has each deletion fail in a way of its own.
func returnsTheFirst(t *conform.T, s Subject) {
	events := agedEvents(t)
	var mu sync.Mutex
	var first error
	events.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb != fake.Delete {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		err := fmt.Errorf("%s is tough", q.Key)
		first = cmp.Or(first, err)
		return err
	}))
	err := sweep(t, s, events)
	mu.Lock()
	defer mu.Unlock()
	t.Require(first != nil && errors.Is(err, first), "Each deletion has failed, the first of them with the error %v, and SweepEvents returned %s. It goes on after an error, and returns the first.", first, conform.Said(err))
}

// sweep deletes the events that are older than an hour.
func sweep(t *conform.T, s Subject, events *fake.Resource[*kit.CoreEvent]) error {
	return conform.Do(t.Actor, func() error { return s.SweepEvents(t.Context(), events, time.Hour) }, "SweepEvents(1h)")
}

// agedEvents are events that happened for the first and for the last time at different times.
func agedEvents(t *conform.T) *fake.Resource[*kit.CoreEvent] {
	events := fake.Serve(fake.NewServer(t), kit.CoreEvents)
	events.Show = showEvent(t)
	put := func(name string, first, last time.Duration) {
		e := kit.CoreEvents.New()
		e.Namespace, e.Name, e.Count = "ns", name, 1
		e.FirstTimestamp, e.LastTimestamp = time.Now().Add(-first), time.Now().Add(-last)
		events.Put(e)
	}
	put("old", 2*time.Hour, 90*time.Minute)
	put("just", time.Hour, time.Hour)
	put("almost", 5*time.Hour, time.Hour-1)
	put("hard", 3*time.Hour, 3*time.Hour)
	put("counted", 3*time.Hour, 2*time.Hour)
	return events
}

// namesOf are the names of the events that the server has, sorted.
func namesOf(events *fake.Resource[*kit.CoreEvent]) []string {
	var names []string
	for _, e := range events.All() {
		names = append(names, e.Name)
	}
	return names
}
