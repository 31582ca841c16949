package reflectortest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(versions, patience, ends, resyncs, models)

var versions = []conform.Case[Subject]{
	{
		Name:   "asks-for-the-newest-when-it-must",
		Points: 6,
		Func:   "Reflector.ListAndWatch",
		Rule:   `If the server does not have the version of a list, because it is too old or too new, the reflector asks again at once with "", and with "" until a list succeeds.`,
		Why:    "A server that was restored from a backup is behind its clients. A reflector that insists on its version would wait for a very long time.",
		Hint: []string{
			"Which two errors say that the server does not have the version you ask for?",
			"Remember that the version is unavailable; relisting asks for \"\" while you do. When may you forget it?",
			"Forget it when a list has succeeded. From then on the last version is good again.",
		},
		Source: "client-go tools/cache/reflector.go: list; kubernetes#92537 (too large resource version for ever)",
		Contract: []string{
			`ListAndWatch asks for the list again with "", at once and only once`,
			`From that refusal on, every list asks for "", in a second Run as well, until one has succeeded.`,
			"A later one asks for the version that LastSyncResourceVersion returns",
			`After that, LastSyncResourceVersion returns that version, whatever it is: it may be lower than the one before, or "".`,
			"LastSyncResourceVersion returns the version of the last change or list that the store has",
			"A version is a string: the reflector hands it on as it is.",
			"a successful request is no reason",
			`While that is "", because no list has been stored yet or one came without a version, it asks for "0" again.`,
			"Run calls ListAndWatch again and again until ctx is done, and waits one step of the backoff between the calls",
			"If the server does not have that version (kit.IsResourceExpired or kit.IsTooLargeResourceVersion)",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for i, unavailable := range []error{errExpired, errTooLarge} {
				refusal := fmt.Errorf("get pods: %w", unavailable)
				newestTwice(t, open(), refusal, []string{"30", "007"}[i]) // a version is a string
				neverTheNewest(t, open(), refusal)
				stoppedInTheNewest(t, open(), refusal)
			}
			neverTheNewest(t, open(), errExpiredNoCode)
			neverTheNewest(t, open(), errTooLargeNoCode)
			stoppedInReplaceOfTheNewest(t, open())
			newestForLong(t, open())
		},
	},
	{
		Name:   "publishes-what-is-stored",
		Points: 6,
		Func:   "Reflector.LastSyncResourceVersion",
		Look:   []string{"the place where Reflector.ListAndWatch sets the version"},
		Rule:   "A version is published after the store has taken the change or the list, never before, and may be read from any goroutine.",
		Why:    "A controller that waits for version 40 looks into the cache next. If the change is not there yet, the wait was useless and the controller acts on the past.",
		Hint: []string{
			"Which version does another goroutine read while the store is busy with Replace?",
			"First the store, then the version; and if Replace fails, no version at all.",
			"The version is written by one goroutine and read by others: it needs a lock, or an atomic.",
		},
		Source: "client-go tools/cache/reflector.go: list, syncWith (before setLastSyncResourceVersion)",
		Contract: []string{
			"It may be called from any goroutine at any time, by the store's own methods too, and by whatever else the reflector calls.",
			"the version is published after the store's method has returned, never before",
			`While that is "", because no list has been stored yet or one came without a version, it asks for "0" again.`,
			"If the list or Replace fails, ListAndWatch returns that error, wrapped or not.",
			"The objects go to the store's Replace, all of them, with the version of the list. After that, LastSyncResourceVersion returns that version",
			"a Replace that fails does not change it",
			"LastSyncResourceVersion returns the object's version",
			"Added, Modified, Deleted: Add, Update, Delete of the store, in the order of the events.",
			"The slice that Replace is called with belongs to the store from then on, which may keep it: do not change it.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				storedBeforePublished(t, open())
				longList(t, open())
				for _, err := range []error{errFull, fmt.Errorf("the store's own server says: %w", errExpired)} {
					failedReplaceIsNotPublished(t, open(), err)
				}
				publishesWhenStopped(t, open())
				failedSecondReplaceIsNotPublished(t, open())
				failedNewestIsNotPublished(t, open())
			})
			t.Copies(func(t *conform.T) { readWhileEventsCome(t, open()) })
			askedEverywhere(t, open())
		},
	},
	{
		Name:   "initial-adds-do-not-move-the-version",
		Points: 6,
		Func:   "Reflector.ListAndWatch",
		Rule:   `In a watch from "" or "0" the version stays until an event other than Added has come; in any other watch each event moves it.`,
		Why:    "Such a watch begins with the objects that exist, in any order. If object 90 moved the version, a watch that is cut there would continue from 90 and never hear of object 20.",
		Hint: []string{
			"A server without a version to give answers a list with version \"\" or \"0\". What does a watch from there begin with?",
			"Decide by the version at which the watch began whether versions rise from the first event on. If not, they do from the first event on that is not Added.",
		},
		Source: "client-go tools/cache/reflector.go: watch (propagateRVFromStart); kubernetes#136583",
		Contract: []string{
			`A watch from "" or "0" is the exception: it begins with Added events for the objects that exist, in any order, and the version stays as it is until an event of another type has come.`,
			"After an Added, Modified, Deleted or Bookmark event, whatever the store has returned for it, LastSyncResourceVersion returns the object's version.",
			"Added, Modified, Deleted: Add, Update, Delete of the store, in the order of the events.",
			`After that, LastSyncResourceVersion returns that version, whatever it is: it may be lower than the one before, or "".`,
			"Each watch begins at LastSyncResourceVersion, asks for bookmarks, but not for initial events (SendInitialEvents)",
			`While that is "", because no list has been stored yet or one came without a version, it asks for "0" again.`,
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			addsMoveNothing(t, open)
			noneExist(t, open(), "", event(kit.Modified, "a", "91"))
			noneExist(t, open(), "0", bookmark("91"))
			noneExist(t, open(), "0", event(kit.Deleted, "a", "91"))
			nearlyNone(t, open)
			endOfTheInitial(t, open(), "", event(kit.Modified, "a", "91"))
			endOfTheInitial(t, open(), "0", bookmark("91"))
			endOfTheInitial(t, open(), "0", event(kit.Deleted, "a", "91"))
		},
	},
	{
		Name:   "skips-what-it-does-not-know",
		Points: 4,
		Func:   "Reflector.ListAndWatch",
		Rule:   "The reflector skips an event of an unknown type. If the store returns an error for one event, the watch goes on.",
		Why:    "A newer server may send types that this client has never heard of. And one object that the store cannot take must not cost a list of all others.",
		Hint: []string{
			"What does the default of your switch do?",
		},
		Source: "client-go tools/cache/reflector.go: handleAnyWatch (errors are logged, the loop continues)",
		Contract: []string{
			"Of a type that is none of these: nothing, and the watch goes on.",
			"If the store returns an error, the watch goes on.",
			"Run calls OnError with every error that ListAndWatch returns, and with nothing else, before the wait that follows.",
			"After an Added, Modified, Deleted or Bookmark event, whatever the store has returned for it, LastSyncResourceVersion returns the object's version.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			goesOn(t, open(), "After the events RENAMED z@11, added z@12, modified z@13 and one of type \"\", z@14, of four types that are unknown, the watch goes on.", nil,
				[]string{"Add a@15"},
				event("RENAMED", "z", "11"), event("added", "z", "12"), event("modified", "z", "13"), event("", "z", "14"), event(kit.Added, "a", "15"))
			skipsMany(t, open())
			for _, refusal := range []error{
				errors.New("the store cannot take this one"),
				fmt.Errorf("the store took too long: %w", context.Canceled),
				kit.ErrFIFOClosed,
				fmt.Errorf("the store's own server says: %w", errBusy),
				fmt.Errorf("the store's own server says: %w", errRefused),
				fmt.Errorf("the store's own server says: %w", errExpired),
			} {
				goesOn(t, open(), fmt.Sprintf("The store returns an error for each of the three events about bad, %q, and the watch goes on, whatever the error says.", refusal), refusal,
					[]string{"Add bad@12", "Update bad@13", "Delete bad@14", "Add a@15"},
					event(kit.Added, "bad", "12"), event(kit.Modified, "bad", "13"), event(kit.Deleted, "bad", "14"), event(kit.Added, "a", "15"))
			}
		},
	},
	{
		Name:   "draws-the-timeout-of-each-watch",
		Points: 3,
		Func:   "Options.MinWatchTimeout",
		Look:   []string{"New", "the place where Reflector.ListAndWatch asks for a watch"},
		Rule:   "Each watch has a TimeoutSeconds drawn at random from MinWatchTimeout to twice that, and MinWatchTimeout is five minutes at least.",
		Why:    "After a restart of the server all watches of a cluster begin in the same minute. With a fixed timeout they would all end in the same minute, again and again.",
		Hint: []string{
			"TimeoutSeconds counts seconds, not nanoseconds. Is it drawn once, or for each watch?",
		},
		Source: "client-go tools/cache/reflector.go: defaultMinWatchTimeout, watch",
		Contract: []string{
			"has a TimeoutSeconds that is drawn anew, uniformly at random between MinWatchTimeout and twice that",
			"Less than five minutes means five minutes",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			alsoWithoutAVersion(t, open(), "", 0)
			alsoWithoutAVersion(t, open(), "0", -time.Hour)
			underADeadline(t, open())
			first := timeouts(t, open(), 0, 300)
			second := timeouts(t, open(), 4*time.Minute+40*time.Second, 300)
			t.Require(!slices.Equal(first, second), "Two reflectors drew the same TimeoutSeconds for 160 watches each, from %d on and in the same order. They are drawn at random: what all reflectors draw alike ends at the same time.", first[0])
			var tenths [10]int
			count(&tenths, 300, first)
			count(&tenths, 300, second)
			count(&tenths, 330, timeouts(t, open(), 330*time.Second, 330))
			count(&tenths, 1000*3600, timeouts(t, open(), 1000*time.Hour, 1000*3600))
			noneIsLikelier(t, tenths)
		},
	},
	{
		Name:   "errors-are-told",
		Points: 3,
		Func:   "Options.OnError",
		Look:   []string{"Reflector.ListAndWatch", "Reflector.Run"},
		Rule:   "ListAndWatch returns what failed, and Run calls OnError before it waits. Being stopped is no error.",
		Why:    "A reflector that may not list (a role is missing) looks from outside like a cluster without objects. The only sign is the error, if somebody reports it.",
		Hint: []string{
			"Wrap with %w, so that the error of the server or the store stays visible.",
			"When ctx is done, ListAndWatch returns nil, even if a request has failed because of that.",
		},
		Source: "client-go tools/cache/reflector.go: WatchErrorHandler",
		Contract: []string{
			"Run calls OnError with every error that ListAndWatch returns, and with nothing else, before the wait that follows.",
			"ListAndWatch itself never calls it.",
			"If the list or Replace fails, ListAndWatch returns that error, wrapped or not. (If both lists fail, that is the error of the second, alone.)",
			"It failed, or was not granted, in any other way: ListAndWatch returns that error, wrapped or not.",
			"Error: the watch has failed, with event.Status as a kit.StatusError.",
			"The event may have no object: Object is nil then.",
			"If Resync returns an error, whichever that is, ListAndWatch returns it, wrapped or not",
			"one period after the store took the list",
			"When ctx is done, ListAndWatch returns nil",
			"And only ctx says whether it is done",
			"if it was closed less than a second after it was asked for, and not one event had come, the watch has failed",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			errorsAreTold(t, open())
			toldByRun(t, open())
			for _, err := range []error{
				errors.New("somebody is confused"),
				fmt.Errorf("somebody's own server says: %w", errBusy),
				fmt.Errorf("somebody took too long: %w", context.Canceled),
				context.Canceled,
				fmt.Errorf("somebody took too long: %w", context.DeadlineExceeded),
				context.DeadlineExceeded,
				kit.ErrFIFOClosed,
			} {
				whateverItSays(t, open(), err)
			}
			stopsWithoutAnError(t, open)
			stoppedBefore(t, open)
			easilyMistaken(t, open())
			oddStatuses(t, open())
			toldByNobody(t, open())
		},
	},
}

// addsMoveNothing begins a watch from each of the two versions that are none, and looks at both
// before it judges: which of them a reflector has overlooked is the point.
func addsMoveNothing(t *conform.T, open func() Subject) {
	var wrong []string
	var stores []*store
	for _, version := range []string{"", "0"} {
		s := serve(t)
		s.now(version)
		x := run(t, open(), s, Options{}, func(st *store) {
			st.expect(fmt.Sprintf("A watch from %q begins with Added events for the objects that exist, and each of them goes to Add.", version), "Replace [] "+version, "Add b@90", "Add a@20", "Add b@95")
			stores = append(stores, st)
		})
		s.watching().send(event(kit.Added, "b", "90"), event(kit.Added, "a", "20"), event(kit.Added, "b", "95"))
		t.Wait()
		got := x.version()
		s.askedForBookmarks()
		judged := fmt.Sprintf("in the watch from %q it returned %q", version, got)
		if got == version {
			judged += ", which is right"
		}
		wrong = append(wrong, judged)
		x.stop()
	}
	t.Require(strings.Count(strings.Join(wrong, ""), "is right") == 2,
		"Two watches, from \"\" and from \"0\", began with Added events for the objects that exist, b@90, a@20 and b@95. After that LastSyncResourceVersion has to be what it was: %s.", strings.Join(wrong, "; "))
	for _, st := range stores {
		st.asExpected()
	}
}

// noneExist begins a watch from a version that is none, and no object exists: the first event is not Added.
func noneExist(t *conform.T, subject Subject, version string, first kit.Event[*kit.Pod]) {
	s := serve(t)
	s.now(version)
	x := run(t, subject, s, Options{})
	for _, e := range []kit.Event[*kit.Pod]{first, event(kit.Added, "b", "92")} {
		s.watching().send(e)
		t.Wait()
		x.isAt(e.Object.ResourceVersion, fmt.Sprintf("A watch from %q began with %s, which is not Added, and by now its last event was %s", version, describe(first), describe(e)))
	}
	x.stop()
}

// nearlyNone begins watches from versions that look like those that are none.
func nearlyNone(t *conform.T, open func() Subject) {
	for _, version := range []string{"00", "007"} {
		s := serve(t)
		s.now(version)
		x := run(t, open(), s, Options{})
		s.watching().send(event(kit.Added, "b", "92"))
		t.Wait()
		x.isAt("92", fmt.Sprintf("A watch from %q began with ADDED b@92. Only one from \"\" or \"0\" is an exception: in this one each event moves the version", version))
		x.stop()
	}
}

// endOfTheInitial begins watches from a version that is none. One is cut, and in another one comes
// an event that is not Added. The store returns an error for that one, and for one of those before it.
func endOfTheInitial(t *conform.T, subject Subject, version string, other kit.Event[*kit.Pod]) {
	s := serve(t)
	s.now(version, pod("a", "20"), pod("b", "90")) // whose versions are not the list's
	first := "watch " + strconv.Quote(version)
	s.expect("A watch begins at LastSyncResourceVersion, and a list asks for it, or for \"0\" while that is \"\".", due{0, `list "0"`}, due{0, first}, due{0, first}, due{0, `watch "92"`}, due{anytime, `list "93"`}, due{0, first},
		due{anytime, `list "0"`}, due{0, first})
	x := run(t, subject, s, Options{}, func(st *store) {
		st.onChange = func(p *kit.Pod) error { return map[string]error{"a@20": errFull, "a@91": errFull}[short(p)] }
	})
	w := s.watching()
	w.send(event(kit.Added, "b", "90"), event(kit.Added, "a", "20"))
	w.end()
	w = s.watching() // cut off in the middle: from the beginning again
	x.isAt(version, fmt.Sprintf("A watch from %q began with Added events for the objects that exist, b@90 and a@20, for the second of which the store returned an error. It was cut in the middle, and began anew", version))
	w.send(event(kit.Added, "b", "90"), event(kit.Added, "a", "20"), event(kit.Added, "c", "50"))
	t.Wait()
	x.isAt(version, fmt.Sprintf("A watch from %q was cut in the middle, and the one after it began with Added events as well, for one of which the store returned an error", version))
	w.send(other)
	t.Wait()
	answer := ""
	if other.Type != kit.Bookmark {
		answer = ", for which the store returned an error"
	}
	x.isAt("91", fmt.Sprintf("A watch from %q began with Added events, and then came %s%s", version, describe(other), answer))
	w.send(event(kit.Added, "d", "92"))
	t.Wait()
	x.isAt("92", fmt.Sprintf("In a watch from %q the event %s had come, and after that an Added one with version 92", version, describe(other)))
	w.end()
	w = s.watching()
	w.send(event(kit.Added, "e", "93"))
	t.Wait()
	x.isAt("93", `In a watch from "92" an Added event came with version 93`)
	w.fail(errExpired)
	time.Sleep(time.Minute)
	x.isAt(version, fmt.Sprintf("The version was 93, and then came a list with version %q", version))
	w = s.watching()
	w.send(event(kit.Added, "b", "90"))
	t.Wait()
	x.isAt(version, fmt.Sprintf("The version was 93, then came a list with version %q, and the watch from there began with ADDED b@90, as the first one did", version))
	w.fail(errExpired)
	time.Sleep(time.Minute)
	s.asExpected()
	x.stop()
}

// goesOn sends events on the first watch, and expects that no other request follows and that
// these are the changes that the store was asked for. It refuses those about bad.
func goesOn(t *conform.T, subject Subject, sentence string, refusal error, changes []string, events ...kit.Event[*kit.Pod]) {
	s := serve(t)
	s.expect(sentence, due{0, `list "0"`}, due{0, `watch "10"`})
	var heard func() []string
	o := Options{OnError: func(err error) {
		calls := heard()
		t.Errorf("Run called OnError with %q when %s had been the latest of %d calls of the store. %s", err, calls[len(calls)-1], len(calls), sentence)
	}}
	x := run(t, subject, s, o, func(st *store) {
		heard = st.heard
		st.expect(sentence, append([]string{"Replace [] 10"}, changes...)...)
		st.onChange = func(p *kit.Pod) error { return map[string]error{"bad": refusal}[p.Name] }
	})
	s.watching().send(events...)
	time.Sleep(3 * time.Minute)
	s.asExpected()
	x.store.asExpected()
	x.isAt("15", "The last event was ADDED a@15")
	for i := range 75 { // however many in a row it refuses
		version := strconv.Itoa(16 + i)
		refused := event([]kit.EventType{kit.Added, kit.Modified, kit.Deleted}[i/25], "bad", version)
		s.watching().send(refused)
		time.Sleep(time.Second)
		x.isAt(version, fmt.Sprintf("The last event was %s, and its version counts, whatever the store returned", describe(refused)))
	}
	x.stop()
}

// skipsMany sends thirty events of unknown types, and one of a known type after them.
func skipsMany(t *conform.T, subject Subject) {
	const sentence = "Thirty events of unknown types came, and then ADDED a@60: the watch goes on, however many there are."
	s := serve(t)
	s.expect(sentence, due{0, `list "0"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{}, func(st *store) { st.expect(sentence, "Replace [] 10", "Add a@60") })
	w := s.watching()
	for i := range 30 {
		w.send(event([]kit.EventType{"RENAMED", "", "added"}[i%3], "z", strconv.Itoa(11+i)))
	}
	w.send(event(kit.Added, "a", "60"))
	time.Sleep(time.Minute)
	s.asExpected()
	x.store.asExpected()
	x.isAt("60", "The last event was ADDED a@60")
	x.stop()
}

// newestTwice has a server that lacks the version of a list, and the list of "" fails too. Later it
// lacks one again, and the list of "" succeeds at once, without a version.
func newestTwice(t *conform.T, subject Subject, refusal error, newest string) {
	s := serve(t)
	first, then := "watch "+strconv.Quote(newest), "list "+strconv.Quote(newest)
	s.onList = func(_ context.Context, n int) error { return map[int]error{2: refusal, 3: errInternal, 6: refusal}[n] }
	s.expect(fmt.Sprintf("The server said of a list's version: %v. The list with \"\" has to follow at once, and each other failure has to wait.", refusal),
		due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `list "10"`}, due{0, `list ""`},
		due{2 * time.Second, `list ""`}, due{0, first}, due{(59 + 4) * time.Second, then}, due{0, `watch "60"`})
	s.because(map[int]string{
		5: "The list of \"\" failed (500). It had come at once after the refusal, which takes no step of the backoff.", 6: fmt.Sprintf("The newest list had version %s.", newest),
		7: fmt.Sprintf("The last list had version %s. The watch from there failed after 59s, and the wait is 4s: that the newest list has succeeded is no reason to start over.", newest),
	})
	x := run(t, subject, s, Options{Backoff: exact()})
	s.now(newest)
	s.watching().fail(errExpired) // list 2 comes a second later, list 3 at once, list 4 two seconds later
	time.Sleep(2 * time.Second)
	x.isAt("10", fmt.Sprintf("The store took the list of version 10, and after that one list was refused (%v) and the one of \"\" failed", refusal))
	time.Sleep(time.Minute)
	s.now("60")
	s.watching().fail(errInternal)
	time.Sleep(time.Minute)
	s.asExpected()
	s.now("")
	s.expect(fmt.Sprintf("The server said of version 60: %v. The list with \"\", which follows at once, succeeds and has no version: the watch begins at \"\", and the list after that asks for \"0\".", refusal),
		due{anytime, `list "60"`}, due{0, `list ""`}, due{0, `watch ""`}, due{anytime, `list "0"`}, due{0, `watch ""`})
	s.watching().fail(errInternal)
	time.Sleep(time.Minute)
	s.watching().fail(errInternal)
	time.Sleep(time.Minute)
	s.asExpected()
	x.stop()
}

// neverTheNewest has a server that refuses each of fifty lists, also those for "".
func neverTheNewest(t *conform.T, subject Subject, refusal error) {
	s := serve(t)
	began := t.Elapsed()
	s.onList = func(_ context.Context, n int) error {
		if n == 9 && s.t.Elapsed() < began+14*time.Second {
			s.actor.Breaks("This is list 9 within 14s. At most 8 were due.")
		}
		if n <= 50 { // then it gives in: a reflector that asks without a wait ends, too
			return refusal
		}
		return nil
	}
	s.expect(fmt.Sprintf("The server said of the first list, of version \"0\": %v. The list with \"\" has to follow at once.", refusal), due{0, `list "0"`}, due{0, `list ""`})
	s.plan.more = true
	x := run(t, subject, s, Options{Backoff: exact()})
	time.Sleep(14 * time.Second) // lists at 0, 1, 3 and 7 s
	s.asExpected()
	atOnce := map[time.Duration]int{}
	for _, r := range s.log() {
		atOnce[r.At]++
		t.Require(atOnce[r.At] <= 2, "The server refuses every list, also one with \"\", and was asked for more than two at the same moment: after a list with \"\" was refused (%v), ListAndWatch asked for one with \"\" once more, without a wait. It asks for the list again with \"\", at once and only once.", refusal)
	}
	t.Require(len(s.log()) <= 8, "The server refuses every list, also one with \"\", and was asked for %d within 14s; at most 8 were due. After each refusal of \"\" the reflector has to wait one step of the backoff.", len(s.log()))
	for _, r := range s.log()[1:] {
		t.Require(r.What == `list ""`, "The server refuses every list, also one with \"\", and was asked for %s. Until a list has succeeded, every further one asks for \"\".", r.What)
	}
	x.stop()
}

// stoppedInTheNewest has a Run that is stopped while the list of "" is not answered, and a second one.
func stoppedInTheNewest(t *conform.T, subject Subject, refusal error) {
	s := serve(t)
	s.onList = after(refusal, hangs)
	x := run(t, subject, s, Options{Backoff: exact()})
	time.Sleep(time.Second)
	x.again()
	time.Sleep(time.Minute)
	for n, r := range s.log() {
		t.Require(n == 0 || r.What == `list ""`, "The server said of the first list: %v. While the one of \"\" that followed was not answered, Run's context was cancelled, and Run was called again. Request %d was %s, and until a list has succeeded, every further one asks for \"\".", refusal, n+1, r.What)
	}
	t.Require(s.listed() > 2, "The server said of the first list: %v. While the one of \"\" that followed was not answered, Run's context was cancelled, and Run was called again. A minute later it was asked for %s in all. A second Run lists, too.", refusal, conform.Count(s.listed(), "list"))
	x.stop()
}

// stoppedInReplaceOfTheNewest has a Run that is stopped while the store is in the Replace of the list of "", which
// succeeds, and a second Run.
func stoppedInReplaceOfTheNewest(t *conform.T, subject Subject) {
	s := serve(t)
	s.onList = func(_ context.Context, n int) error { return map[int]error{1: errExpired}[n] }
	x := run(t, subject, s, Options{Backoff: exact()}, func(st *store) {
		st.onReplace = func(n int) error { time.Sleep(map[int]time.Duration{1: time.Minute}[n]); return nil }
	})
	time.Sleep(10 * time.Second)
	x.stopsIn(50*time.Second, "Replace")
	s.expect("The first list was refused with 410. Run's context was cancelled during the Replace of the list of \"\", which returned no error, and Run was called again. That list has succeeded, so the next one asks for the last version.",
		due{anytime, `list "10"`}, due{0, `watch "10"`})
	x.ended, x.cancel = goRun(t, x.r)
	time.Sleep(time.Minute)
	s.asExpected()
	x.stop()
}

// newestForLong has failures that are easily taken for a version that the server lacks, then a
// version that it does lack, and a Run that is stopped before any list has succeeded after that.
func newestForLong(t *conform.T, subject Subject) {
	s := serve(t)
	s.onList = func(_ context.Context, n int) error {
		return map[int]error{2: errTimeout, 3: errTooLarge, 4: errInternal, 5: errRefused, 6: errBusy}[n]
	}
	s.onWatch = func(_ context.Context, n int) error { return map[int]error{1: errTooLarge, 2: errExpired}[n] }
	s.expect("Once a list was refused because the server lacks its version, each further one asks for \"\", also in a second Run, until one has succeeded. No other failure does that.",
		due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `list "10"`}, due{2 * time.Second, `list "10"`}, due{0, `list ""`},
		due{4 * time.Second, `list ""`}, due{8 * time.Second, `list ""`}, due{anytime, `list ""`}, due{0, `watch "r7"`}, due{anytime, `list "r7"`}, due{0, `watch "r7"`})
	s.because(map[int]string{
		3: "Only a watch was refused with TooLarge.", 4: "The list was refused with a timeout (504), and not because of its version.",
		5: "The list was refused with TooLarge.", 6: "The list of \"\" failed (500).", 7: "The list of \"\" was refused again: a connection.",
		8: "The list of \"\" was refused again (429), and then began a second Run.", 10: "The list of \"\" has succeeded, with version r7.",
	})
	x := run(t, subject, s, Options{Backoff: exact()})
	s.now("r7")
	time.Sleep(16 * time.Second) // the last list so far was asked for after 15 s
	x.again()
	time.Sleep(time.Minute)
	s.asExpected()
	x.stop()
}

func storedBeforePublished(t *conform.T, subject Subject) {
	s := serve(t, pod("c", "5"), pod("a", "7"), pod("d", "6"))
	s.ahead = 6
	x := run(t, subject, s, Options{Backoff: exact()}, func(st *store) {
		st.expect("The lists and the events between them come to the store, each of them, although the next ones are in the ResultChan already.",
			"Replace [a@7 c@5 d@6] 10", "Add b@11", "Update a@12", "Update a@14", "Delete d@15", "Replace [a@14 b@11 c@33] 40")
		st.expectVersions("", "10", "11", "13", "14", "15") // 13 is a bookmark's
		st.onChange = func(*kit.Pod) error { time.Sleep(time.Minute); return nil }
	})
	w := s.watching()
	w.send(event(kit.Added, "b", "11"), event(kit.Modified, "a", "12"), bookmark("13"), event(kit.Modified, "a", "14"), event(kit.Deleted, "d", "15"))
	t.Wait()
	s.now("40", pod("c", "33"), pod("a", "14"), pod("b", "11"))
	w.fail(errExpired)
	for n, version := range []string{"10", "11", "13", "14"} {
		time.Sleep(59 * time.Second)
		x.isAt(version, fmt.Sprintf("The store takes a minute for each of four events, and %ds after they have come it has taken %d of them. Bookmark 13 came after the second", 59+60*n, n))
		time.Sleep(time.Second)
	}
	time.Sleep(time.Minute)
	x.store.asExpected()
	x.stop()
	x.store.keepsItsSlices()
}

// longList has a list of more objects than a page of client-go's has, in two namespaces with the same names.
func longList(t *conform.T, subject Subject) {
	s, st := &longServer{actor: t.Named("server")}, &quickStore{resynced: make(chan struct{})}
	r := subject(s, st, Options{})
	t.Note("New(server, store, Options{})")
	_, cancel := goRun(t, r)
	t.Wait()
	n := st.objects.Load()
	cancel()
	t.Join()
	t.Require(n == longLength, "A list had %d objects, in two namespaces with the same names. Half of them had no version. Replace was called with %d of them, and all of them go to the store.", longLength, n)
}

const longLength = 1200

// longServer has a long list, which it does not write down, and silent watches.
type longServer struct{ actor *conform.Actor }

// List is long.
func (s *longServer) List(context.Context, kit.ListOptions) (kit.List[*kit.Pod], error) {
	s.actor.Note("returns a list of %d objects, in two namespaces with the same names", longLength)
	items := make([]*kit.Pod, longLength)
	for i := range items {
		items[i] = pod(strconv.Itoa(i/2), []string{"7", ""}[i/2%2])
		items[i].Namespace = []string{"x", "y"}[i%2]
	}
	return kit.List[*kit.Pod]{ResourceVersion: "10", Items: items}, nil
}

// Watch is silent.
func (s *longServer) Watch(ctx context.Context, _ kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	return newStream(ctx, s.actor, 1, 0), nil
}

// publishesWhenStopped stops a reflector while the store is in a method, which then succeeds.
func publishesWhenStopped(t *conform.T, subject Subject) {
	slow := func(st *store) {
		st.onReplace = func(int) error { time.Sleep(time.Minute); return nil }
		st.onChange = func(*kit.Pod) error { time.Sleep(time.Minute); return nil }
	}
	x := run(t, subject, serve(t), Options{}, slow)
	time.Sleep(10 * time.Second)
	x.stopsIn(50*time.Second, "Replace")
	x.isAt("10", "Run's context was cancelled during a Replace with version 10, which returned no error: the store has the list")
	for typ, method := range map[kit.EventType]string{kit.Added: "Add", kit.Modified: "Update", kit.Deleted: "Delete"} {
		x.ended, x.cancel = goRun(t, x.r)
		time.Sleep(time.Minute)
		x.server.watching().send(event(typ, "a", "11"))
		time.Sleep(10 * time.Second)
		x.stopsIn(50*time.Second, method)
		x.isAt("11", fmt.Sprintf("Run's context was cancelled during the %s of %s a@11, which returned no error: the store has the change", method, typ))
	}
}

// stopsIn cancels Run's context while the store is in a method that goes on for so long.
func (x *running) stopsIn(rest time.Duration, method string) {
	x.cancelNow()
	time.Sleep(rest)
	x.t.Wait()
	x.t.Require(probe.Closed(x.ended), "Run's context was cancelled during %s, %s has returned, and Run did not return at that moment.", method, method)
}

// failedReplaceIsNotPublished has a first Replace that fails.
func failedReplaceIsNotPublished(t *conform.T, subject Subject, failure error) {
	s := serve(t, pod("b", "9"), pod("a", "7"))
	s.expect(fmt.Sprintf("After Replace has failed (%v), the reflector waits one step of the backoff and lists again as before.", failure),
		due{0, `list "0"`}, due{time.Second, `list "0"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{Backoff: exact()}, func(st *store) {
		st.onReplace = func(n int) error { return map[int]error{1: failure}[n] }
	})
	x.isAt("", "Replace returned an error: the store did not take the list of version 10")
	time.Sleep(time.Minute)
	s.asExpected()
	x.stop()
	x.store.keepsItsSlices()
}

func failedSecondReplaceIsNotPublished(t *conform.T, subject Subject) {
	s := serve(t)
	s.expect("After the second Replace has failed, the reflector lists again from the version of the first.",
		due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `list "10"`}, due{2 * time.Second, `list "10"`}, due{0, `watch "40"`})
	x := run(t, subject, s, Options{Backoff: exact()}, func(st *store) {
		st.onReplace = func(n int) error { return map[int]error{2: errFull}[n] }
	})
	w := s.watching()
	s.now("40")
	w.fail(errExpired)
	time.Sleep(1500 * time.Millisecond) // the second list comes after 1 s, the third 2 s later
	x.isAt("10", "The store took the list of version 10, and Replace returned an error for that of version 40")
	time.Sleep(time.Minute)
	s.asExpected()
	x.stop()
}

// failedNewestIsNotPublished has a server that lacks the version of a list, and a store that fails to take the list of
// "" that follows. Which version the list after that asks for is left open.
func failedNewestIsNotPublished(t *conform.T, subject Subject) {
	s := serve(t)
	s.onList = func(_ context.Context, n int) error { return map[int]error{2: errExpired}[n] }
	x := run(t, subject, s, Options{Backoff: exact()}, func(st *store) {
		st.expect("The list of \"\" goes to Replace like any other, and again after Replace has failed.", "Replace [] 10", "Replace [] 30", "Replace [] 30")
		st.expectVersions("", "10", "10")
		st.onReplace = func(n int) error { return map[int]error{2: errFull}[n] }
	})
	w := s.watching()
	s.now("30")
	w.fail(errExpired)
	time.Sleep(1500 * time.Millisecond) // the lists of 10 and "" come after 1 s, the next one 2 s later
	x.isAt("10", "The store took the list of version 10. The next list was refused with 410, the list of \"\" that followed had version 30, and Replace returned an error for it")
	time.Sleep(time.Minute)
	x.store.asExpected()
	x.isAt("30", "Replace returned no error for the second list of version 30")
	x.stop()
}

// readWhileEventsCome reads the version while events move it.
func readWhileEventsCome(t *conform.T, subject Subject) {
	w := &direct{out: make(chan kit.Event[*kit.Pod]), stopped: make(chan struct{})}
	r, _, cancel := start(t, subject, &oneStream{w: w}, newStore(t), Options{})
	defer cancel()
	fed := make(chan struct{})
	t.Go("server", func(*conform.Actor) { w.feed(100, fed) })
	last := 0
	read := func() {
		n, _ := strconv.Atoi(r.LastSyncResourceVersion()) // 0 before the list
		t.Require(n >= last, "LastSyncResourceVersion returned %d after it had returned %d: it went back.", n, last)
		last = n
	}
	call := t.Call("LastSyncResourceVersion() again and again")
	for range 400 {
		read()
	}
	<-fed
	read()
	call.Returned("%d at last", last)
	cancel()
	t.Join()
}

// askedEverywhere asks for the version wherever the reflector calls somebody: in List, in Watch, in
// ResultChan and Stop, in OnError and, if it has a resync by now, in ShouldResync. It runs outside a bubble: a reflector that cannot answer waits for a
// mutex then.
func askedEverywhere(t *conform.T, subject Subject) {
	var r Reflector
	asks := func(where string) string {
		return conform.Do(t.Named("%s", where), func() string { return r.LastSyncResourceVersion() }, "LastSyncResourceVersion()")
	}
	during := func(what string, n int, want ...string) {
		got := asks(what)
		t.Assert(n > len(want) || got == want[n-1], "While the server was asked for %s %d, the store had everything up to version %q, and LastSyncResourceVersion returned %q.", strings.ToLower(what), n, want[min(n, len(want))-1], got)
	}
	s, third := serve(t), make(chan struct{})
	s.onList = func(_ context.Context, n int) error {
		during("List", n, "", "", "", "11")
		return map[int]error{1: errInternal, 2: errExpired}[n] // the third is that of ""
	}
	s.onWatch = func(_ context.Context, n int) error {
		if during("Watch", n, "10", "11", "10"); n == 3 {
			close(third)
		}
		return nil
	}
	o := Options{
		Backoff: kit.Backoff{Duration: time.Millisecond}, ResyncPeriod: time.Millisecond,
		OnError:      func(error) { asks("OnError") },
		ShouldResync: func() bool { asks("ShouldResync"); return false },
	}
	st := newStore(t)
	t.Do(func() { r = subject(askingServer{s, asks}, st, o) }, "New(server, store, %s)", o)
	st.version = r.LastSyncResourceVersion
	_, cancel := goRun(t, r)
	defer cancel()
	<-third
	cancel()
	t.Join()
}

// askingServer has watches that ask for the version. The first comes to its end, and the second fails.
type askingServer struct {
	*server
	asks func(where string) string
}

// Watch grants what the server does.
func (s askingServer) Watch(ctx context.Context, o kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	w, err := s.server.Watch(ctx, o)
	if err != nil {
		return nil, err
	}
	switch w := w.(*stream); w.number {
	case 1:
		w.send(bookmark("11"))
		w.end()
	case 2:
		w.fail(errInternal)
	}
	return askingWatch{w, s.asks}, nil
}

// askingWatch asks for the version in each of its methods.
type askingWatch struct {
	kit.Watch[*kit.Pod]
	asks func(where string) string
}

// Stop ends the watch.
func (w askingWatch) Stop() {
	w.asks("Stop")
	w.Watch.Stop()
}

// ResultChan delivers the events.
func (w askingWatch) ResultChan() <-chan kit.Event[*kit.Pod] {
	w.asks("ResultChan")
	return w.Watch.ResultChan()
}

// oneStream lists nothing and grants one watch; nothing in it orders goroutines
// but the channel of events itself.
type oneStream struct{ w *direct }

// List is empty.
func (s *oneStream) List(context.Context, kit.ListOptions) (kit.List[*kit.Pod], error) {
	return kit.List[*kit.Pod]{ResourceVersion: "10"}, nil
}

// Watch grants the stream to the first, and says to any other that nobody is there.
func (s *oneStream) Watch(ctx context.Context, o kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	if s.w == nil {
		return nil, errRefused
	}
	w := s.w
	s.w = nil
	context.AfterFunc(ctx, w.Stop)
	return w, nil
}

// direct is a watch without machinery: the goroutine that sends on out also closes
// it, once the watch is stopped.
type direct struct {
	out     chan kit.Event[*kit.Pod]
	once    sync.Once
	stopped chan struct{}
}

// feed sends its events, waits for Stop and closes the channel.
func (d *direct) feed(events int, fed chan<- struct{}) {
	defer close(d.out)
	defer func() { <-d.stopped }()
	defer close(fed)
	for i := range events {
		select {
		case d.out <- event(kit.Modified, "a", strconv.Itoa(100+i)):
		case <-d.stopped:
			return
		}
	}
}

// Stop ends the watch.
func (d *direct) Stop() { d.once.Do(func() { close(d.stopped) }) }

// ResultChan delivers the events.
func (d *direct) ResultChan() <-chan kit.Event[*kit.Pod] { return d.out }

// full is a store that cannot take the first list.
func full(st *store) {
	st.onReplace = func(n int) error {
		if n == 1 {
			return errFull
		}
		return nil
	}
}

var errFull = errors.New("the store is full")

// timeouts has a reflector begin many watches, of which the server refuses every other one, and
// returns what each had for TimeoutSeconds.
func timeouts(t *conform.T, subject Subject, option time.Duration, low int64) []int64 {
	s := serve(t)
	s.onWatch = func(_ context.Context, n int) error {
		if n%2 == 1 {
			return errBusy
		}
		return nil
	}
	x := run(t, subject, s, Options{MinWatchTimeout: option, Backoff: kit.Backoff{Duration: time.Second}})
	const watches = 160 // that none of so many is in one third happens once in 10²⁸ times
	for i := range watches / 2 {
		time.Sleep(time.Second)
		w := s.watching()
		w.send(event(kit.Modified, "a", strconv.Itoa(11+i)))
		if i < watches/2-1 {
			w.end()
		}
		t.Wait()
	}
	var drawn []int64
	for _, r := range s.watchRequests() {
		n := r.Options.TimeoutSeconds
		t.Require(low <= n && n <= 2*low, "With MinWatchTimeout %v a watch has a TimeoutSeconds of %d; it has to be between %d and %d.", option, n, low, 2*low)
		drawn = append(drawn, n)
	}
	t.Require(len(drawn) == watches, "The server refused every other watch as too busy and ended the others after an event, until %d were due, and was asked for %d.", watches, len(drawn))
	spreadEvenly(t, option, low, drawn)
	x.stop()
	return drawn
}

// alsoWithoutAVersion begins a watch from a version that is none.
func alsoWithoutAVersion(t *conform.T, subject Subject, version string, option time.Duration) {
	s := serve(t)
	s.now(version)
	x := run(t, subject, s, Options{MinWatchTimeout: option})
	s.watching()
	n := s.log()[1].Options.TimeoutSeconds
	t.Require(300 <= n && n <= 600, "A watch from %q has a TimeoutSeconds of %d. When MinWatchTimeout is %v, each watch has one between 300 and 600.", version, n, option)
	x.stop()
}

// underADeadline begins a watch in a Run whose context has a deadline.
func underADeadline(t *conform.T, subject Subject) {
	s := serve(t)
	x := runFor(t, subject, s, 100*time.Second, Options{})
	s.watching()
	n := s.log()[1].Options.TimeoutSeconds
	t.Require(300 <= n && n <= 600, "Run's context has a deadline in 100s, and a watch has a TimeoutSeconds of %d. When MinWatchTimeout is 0, each watch has one between 300 and 600, whatever ends before that.", n)
	x.stop()
}

// count adds how many were drawn from each tenth of what lies between low and twice that.
func count(tenths *[10]int, low int64, drawn []int64) {
	for _, d := range drawn {
		tenths[min(10*(d-low)/low, 9)]++
	}
}

// noneIsLikelier looks at 640 timeouts: 64 in each tenth are to be expected, with a deviation of 7.6.
// What it asks of a half, of a tenth and of two of them is about six deviations away from that.
func noneIsLikelier(t *conform.T, tenths [10]int) {
	const of = "Of 640 watches, by their TimeoutSeconds in tenths of what it is drawn from, so many were in each: %v. None is likelier than another, so about "
	lower := 0
	for _, n := range tenths[:5] {
		lower += n
	}
	t.Require(240 < lower && lower < 400, of+"320 were due in the lower half.", tenths)
	t.Require(min(tenths[0], tenths[9]) > 18, of+"64 were due in the first of them, and in the last.", tenths)
	t.Require(tenths[0]+tenths[9] > 66, of+"128 were due in the first and the last of them.", tenths)
}

// spreadEvenly looks at 160 timeouts, of which every other one follows a refused watch.
func spreadEvenly(t *conform.T, option time.Duration, low int64, drawn []int64) {
	different, alike := map[int64]bool{}, 0
	for i, n := range drawn {
		different[n] = true
		if i%2 == 1 && n == drawn[i-1] {
			alike++
		}
	}
	of := fmt.Sprintf("With MinWatchTimeout %v a reflector asked for %d watches, and", option, len(drawn))
	t.Require(alike < len(drawn)/4, "%s of those asked for after one that was refused %d had the TimeoutSeconds of the refused one. It is drawn anew for each watch.", of, alike)
	t.Require(len(different) > 60, "%s their TimeoutSeconds had no more than %d different values. It has to be drawn anew for each, uniformly at random between %d and %d.", of, len(different), low, 2*low)
	least, most := slices.Min(drawn), slices.Max(drawn)
	t.Require(least < low+low/3 && most > 2*low-low/3, "%s their TimeoutSeconds were from %d to %d. It has to be drawn uniformly at random between %d and %d.", of, least, most, low, 2*low)
}
