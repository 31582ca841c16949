package controlplanetest

import (
	"errors"
	"fmt"
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

// tellsObjectsApart has the same event happen twice to each of three objects that differ in nothing
// but their namespace, or their kind.
func tellsObjectsApart(t *conform.T, s Subject) {
	l := newLog(t, s, 0)
	defer l.run()()
	for range 2 {
		for _, about := range []kit.ObjectReference{{Kind: "Pod", Namespace: "ns"}, {Kind: "Pod", Namespace: "other"}, {Kind: "ReplicaSet", Namespace: "ns"}} {
			about.Name = "web"
			l.sayOf(about, kit.EventNormal, "Reason", "text")
		}
	}
	t.Same(map[string]int{"web Normal Reason text 2": 3}, l.said(), "The same event happened twice to each of a pod ns/web, a pod other/web and a ReplicaSet ns/web: three objects, by kind and namespace. The events that were written are wrong (by name, type, reason, message and count)")
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
	t.Require(err == nil, "An event was gone already when it was to be deleted, which is no error, and SweepEvents returned %v.", err)
	events.Intercept(fake.Refuse(errTired, fake.List))
	err = sweep(t, s, events)
	t.Require(errors.Is(err, errTired), "The API server refused to list the events, with the error %q. SweepEvents should have returned that error, and returned %v.", errTired, err)
}
