package controlplanetest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// repeatsAreNotDifferent has four similar events with different messages, one of them again and again.
func repeatsAreNotDifferent(t *conform.T, s Subject) {
	l := newLog(t, s, 0)
	defer l.run()()
	want := l.creations(4)
	for range 8 {
		time.Sleep(time.Second)
		l.say("web", kit.EventNormal, "Created", "pod 0")
	}
	delete(want, "web Normal Created pod 0 1")
	want["web Normal Created pod 0 9"] = 1
	t.Same(want, l.said(), "There were similar events with four different messages, one of them nine times. Only the tenth different message begins an event that stands for all. The objects that were written are wrong (by object, type, reason, message and count)")
}

// tellsObjectsApart has the same event happen twice to each of six objects that differ in kind,
// namespace, name or UID, and are easily taken for each other.
func tellsObjectsApart(t *conform.T, s Subject) {
	l := newLog(t, s, 0)
	defer l.run()()
	for range 2 {
		for _, about := range []kit.ObjectReference{
			{Kind: "Pod", Namespace: "ns", Name: "web"}, {Kind: "Pod", Namespace: "other", Name: "web"}, {Kind: "ReplicaSet", Namespace: "ns", Name: "web"},
			{Kind: "Pod", Namespace: "ns", Name: "web", UID: "12"}, {Kind: "Pod", Namespace: "ns", Name: "web1", UID: "2"}, {Kind: "Pod", Namespace: "n", Name: "sweb"},
		} {
			l.sayOf(about, kit.EventNormal, "Reason", "text")
		}
	}
	t.Same(map[string]int{"web Normal Reason text 2": 4, "web1 Normal Reason text 2": 1, "sweb Normal Reason text 2": 1}, l.said(), "The same event happened twice to each of a pod ns/web, another one of the UID 12, a pod other/web, a ReplicaSet ns/web, a pod ns/web1 of the UID 2 and a pod n/sweb: six objects by kind, namespace, name and UID. The events that were written are wrong (by name, type, reason, message and count)")
}

// countsOn has requests to count an event up be refused, and meet conflicts.
func countsOn(t *conform.T, s Subject) {
	countsThrough(t, s, 10*time.Second, "An event happened three times. The API server refused the first Update of it, and later the first Get; the object was there all the time. The first event creates it, and every later one updates it. The objects are wrong",
		atFirst(1, errTired, fake.Update), atFirst(1, errTired, fake.Get, fake.List))
	countsThrough(t, s, time.Minute, "An event happened twice, and its Update met four conflicts in a row. After a Conflict the recorder tries again; after five in a row it may give up. The objects that were written are wrong",
		atFirst(4, kit.NewConflict("events", "web"), fake.Update))
}

// countsThrough has an event happen, and again for each of these that refuse requests. Each time it is counted up within
// that time.
func countsThrough(t *conform.T, s Subject, within time.Duration, what string, refused ...fake.Interceptor) {
	l := newLog(t, s, 0)
	defer l.run()()
	l.say("web", kit.EventNormal, "Reason", "text")
	l.settle()
	for _, refuse := range refused {
		l.events.Intercept(refuse)
		l.say("web", kit.EventNormal, "Reason", "text")
		time.Sleep(within)
	}
	l.events.Intercept()
	t.Same(map[string]int{fmt.Sprintf("web Normal Reason text %d", 1+len(refused)): 1}, l.said(), what+" (by object, type, reason, message and count)")
}

// keepsTheOrder has an event be refused for a moment, and happen again as soon as it is not.
func keepsTheOrder(t *conform.T, s Subject) {
	l := newLog(t, s, 0)
	defer l.run()()
	l.events.Intercept(fake.Refuse(errTired))
	first := time.Now()
	l.say("web", kit.EventNormal, "Reason", "twice")
	time.Sleep(300 * time.Millisecond)
	l.events.Intercept()
	l.say("web", kit.EventNormal, "Reason", "twice")
	time.Sleep(10 * time.Second)
	t.Same(map[string]int{"web Normal Reason twice 2": 1}, l.said(), "The API server refused all for 300ms, and an event happened in this time, and again after it. It is one object. The objects that were written are wrong (by object, type, reason, message and count)")
	for _, e := range l.events.All() {
		t.Same([]time.Time{first, first.Add(300 * time.Millisecond)}, []time.Time{e.FirstTimestamp, e.LastTimestamp}, "The API server refused all for 300ms, and an event happened in this time, and again after it. Events are handled in the order of the calls, and its firstTimestamp and lastTimestamp are wrong")
	}
}

// givesUp has an event be refused for five minutes.
func givesUp(t *conform.T, s Subject) {
	l := newLog(t, s, 0)
	defer l.run()()
	l.events.Intercept(fake.Refuse(errTired))
	l.say("web", kit.EventNormal, "Reason", "refused")
	time.Sleep(5 * time.Minute)
	l.events.Intercept()
	time.Sleep(time.Minute)
	t.Require(len(l.events.All()) == 0, "An event happened six minutes ago, the API server refused it for five minutes, and then it was written all the same. After a failure the recorder tries again for a few seconds, and then the event is lost.")
}

// remembersMany has events about many objects, and then the first of them again.
func remembersMany(t *conform.T, s Subject) {
	const events = 1500
	l := newLog(t, s, 0)
	defer l.run()()
	l.many(0, events+1, "each about another object, and then the first of them again", func(i int) (name, message string) {
		return fmt.Sprint("pod-", i%events), "restarting"
	})
	counts := map[int]int{}
	for _, e := range l.events.All() {
		counts[e.Count]++
	}
	t.Same(map[int]int{1: events - 1, 2: 1}, counts, fmt.Sprintf("There were %d events, each about another object, and then the first of them again, which is the same event. A Recorder remembers 4096 events or so. The numbers of objects are wrong (by count)", events))
}

// saysThatItCouldNotLook has the API server refuse to list the events, and then an event be gone
// when it is to be deleted.
func saysThatItCouldNotLook(t *conform.T, s Subject) {
	events := agedEvents(t)
	events.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Delete && q.Key == "ns/old" {
			events.Remove("ns/old")
		}
		return nil
	}))
	err := sweep(t, s, events)
	t.Require(err == nil, "An event was gone already when it was to be deleted, which is no error, and SweepEvents returned %s.", conform.Said(err))
	events.Intercept(fake.Refuse(errTired, fake.List))
	err = sweep(t, s, events)
	t.Require(errors.Is(err, errTired), "The API server refused to list the events, with the error %q. SweepEvents should have returned that error, and returned %s.", errTired, conform.Said(err))
}

// repeatsAreNoPause has nine similar events with different messages, one of them once more after
// six minutes, and another six minutes later a tenth message.
func repeatsAreNoPause(t *conform.T, s Subject) {
	l := newLog(t, s, 0)
	defer l.run()()
	want := l.creations(9)
	time.Sleep(6 * time.Minute)
	l.say("web", kit.EventNormal, "Created", "pod 0")
	time.Sleep(6 * time.Minute)
	l.say("web", kit.EventNormal, "Created", "pod 9")
	delete(want, "web Normal Created pod 0 1")
	want["web Normal Created pod 0 2"], want["web Normal Created (combined from similar events): pod 9 1"] = 1, 1
	t.Same(want, l.said(), "There were similar events with nine different messages, six minutes later one of these again, and six minutes after that a tenth message: no pause between two similar events was longer than ten minutes. The objects that were written are wrong (by object, type, reason, message and count)")
}

// combinesAnew has the event that stands for many be swept before the next similar one.
func combinesAnew(t *conform.T, s Subject) {
	l := newLog(t, s, 0)
	defer l.run()()
	l.creations(10)
	l.settle()
	for _, e := range l.events.All() {
		l.events.Remove(kit.Key(e))
	}
	want := map[string]int{}
	for i, message := range []string{"pod 10", "pod 11"} {
		l.say("web", kit.EventNormal, "Created", message)
		clear(want)
		want[fmt.Sprintf("web Normal Created (combined from similar events): %s %d", message, i+1)] = 1
		t.Same(want, l.said(), "There were ten similar events, each with another message, so that one event stood for all. It was swept, and then another similar event came, and one more. An event that is gone is created anew with count 1, and then counted. The objects that were written are wrong (by object, type, reason, message and count)")
	}
}

// keepsWhatOthersWrote has somebody put a label on an event right before it is counted up.
func keepsWhatOthersWrote(t *conform.T, l *log) {
	l.say("web", kit.EventNormal, "Marked", "text")
	l.settle()
	var marked atomic.Bool
	l.events.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Update && !marked.Swap(true) {
			l.events.Change(q.Key, func(e *kit.CoreEvent) { e.Labels = map[string]string{"mine": "yes"} })
		}
		return nil
	}))
	l.say("web", kit.EventNormal, "Marked", "text")
	time.Sleep(10 * time.Second)
	l.events.Intercept()
	t.Same(1, l.said()["web Normal Marked text 2"], "An event happened again, and somebody put a label on it right before its update, which met a conflict. The number of such objects with count 2 is wrong")
	for _, e := range l.events.All() {
		t.Require(e.Reason != "Marked" || e.Labels["mine"] == "yes", "Somebody put the label mine=yes on an event right before its update, which met a conflict. After a Conflict the recorder tries again with the current object, and the label is gone.")
	}
}
