package reflectortest

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "list-then-watch",
		Points: 4,
		Func:   "Reflector.ListAndWatch",
		Rule:   `The first list asks for version "0", goes to Replace whole, and the watch begins at the version of the list.`,
		Why:    "A watch from any other version would miss changes since the list, or bring some of them twice.",
		Hint: []string{
			"Which version covers the whole list: that of an object in it, or that of the list itself?",
			`List with ResourceVersion "0", store.Replace(list.Items, list.ResourceVersion), then Watch with list.ResourceVersion and AllowWatchBookmarks.`,
		},
		Source: "client-go tools/cache/reflector.go: list, relistResourceVersion",
		Contract: []string{
			`The first list asks for resource version "0"`,
			"The objects go to the store's Replace, all of them, with the version of the list.",
			"Each watch begins at LastSyncResourceVersion, asks for bookmarks, but not for initial events (SendInitialEvents)",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, c := range []struct {
				has     string
				items   []*kit.Pod
				replace string
			}{
				{"two objects", []*kit.Pod{pod("a", "7"), pod("b", "9")}, "Replace [a@7 b@9] 10"},
				{"no objects", nil, "Replace [] 10"}, // the store has to hear of it that nothing exists
			} {
				s := serve(t, c.items...)
				s.expect("The reflector asks for the list, and then for the watch from the list's version.", due{0, `list "0"`}, due{0, `watch "10"`})
				x := run(t, open(), s, Options{}, func(st *store) {
					st.expect(fmt.Sprintf("The list had %s. The objects go to the store's Replace, all of them, with the version of the list, and so does a list without any.", c.has), c.replace)
				})
				s.watching()
				s.asExpected()
				x.store.asExpected()
				s.askedForBookmarks()
				x.isAt("10", "The list of version 10 is in the store")
				x.stop()
			}
		},
	},
	{
		Name:   "events-reach-the-store",
		Points: 4,
		Func:   "Reflector.ListAndWatch",
		Rule:   "Added, Modified and Deleted become Add, Update and Delete in the order of the events, a Bookmark becomes nothing, and the version follows each of them.",
		Why:    "A delete that overtakes its update leaves an object in the cache that no longer exists. A bookmark taken for an object adds one that never existed.",
		Hint: []string{
			"Is there an event of which only the version counts?",
			"One switch over event.Type; after it, publish event.Object.GetResourceVersion().",
		},
		Source: "client-go tools/cache/reflector.go: handleAnyWatch",
		Contract: []string{
			"Added, Modified, Deleted: Add, Update, Delete of the store, in the order of the events.",
			"What its events do, by their type alone",
			"Bookmark: nothing to the store.",
			"LastSyncResourceVersion returns the object's version.",
			"A version is a string: the reflector hands it on as it is.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			x := run(t, open(), serve(t, pod("a", "7")), Options{})
			w := x.server.watching()
			for _, e := range []struct {
				event kit.Event[*kit.Pod]
				call  string
			}{
				{event(kit.Modified, "a", "10"), "Update a@10"}, // nobody promises that it is above the list's
				{event(kit.Added, "b", "11"), "Add b@11"},
				{event(kit.Modified, "a", "12"), "Update a@12"},
				{event(kit.Modified, "b", "13"), "Update b@13"},
				{bookmark("20"), ""},
				{event(kit.Deleted, "a", "21"), "Delete a@21"},
				{event(kit.Added, "a", "99"), "Add a@99"},
				{event(kit.Modified, "a", "100"), "Update a@100"}, // as a string it is less
				{event(kit.Deleted, "a", "100"), "Delete a@100"},  // nobody promises that each has a new version
				{event(kit.Added, "c", "5"), "Add c@5"},           // or a higher one
				{event(kit.Added, "c", "6"), "Add c@6"},           // the type alone says what to do
				{event(kit.Modified, "d", "7"), "Update d@7"},     // also about what the store has never had
				{event(kit.Deleted, "e", "8"), "Delete e@8"},
				{bookmark("7"), ""}, // nor does anybody promise it of a bookmark
				{leaving(event(kit.Modified, "c", "9")), "Update c@9"},
				{leaving(event(kit.Added, "f", "10")), "Add f@10"},
				{marked(bookmark("30")), ""}, // nobody has asked for the mark, and it changes nothing
				{marked(event(kit.Modified, "c", "31")), "Update c@31"},
				{event(kit.Modified, "c", "0032"), "Update c@0032"}, // a version is a string
				{event(kit.Modified, "c", "33-x"), "Update c@33-x"},
				{event(kit.Modified, "c", " 33 "), "Update c@ 33 "},
				{event(kit.Modified, "c", "99999999999999999999"), "Update c@99999999999999999999"},
			} {
				var want []string
				if e.call != "" {
					want = []string{e.call}
				}
				x.store.expect("The watch sent "+describe(e.event)+".", want...)
				w.send(e.event)
				t.Wait()
				x.store.asExpected()
				x.isAt(e.event.Object.ResourceVersion, "The watch sent "+describe(e.event))
			}
			x.stop()
		},
	},
	{
		Name:   "goes-on-where-it-stood",
		Points: 5,
		Func:   "Reflector.ListAndWatch",
		Rule:   "After a watch has ended, the next one starts at once from the last version, without a list.",
		Why:    "Every watch ends after a few minutes. If each end cost a list, a cluster of five thousand nodes would list all its pods twenty times a second.",
		Hint: []string{
			"A closed ResultChan is no error. What do you know already, and what is missing?",
			"Loop: Watch from LastSyncResourceVersion(), consume until the channel is closed, and again.",
		},
		Source: "client-go tools/cache/reflector.go: watch; kubernetes#137398 (a closed channel read without ok)",
		Contract: []string{
			"Its ResultChan was closed: the next watch, at once.",
			"Each watch begins at LastSyncResourceVersion, asks for bookmarks, but not for initial events (SendInitialEvents)",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := serve(t)
			s.expect("After a watch has come to its end, the next one begins at once where that one stood. Two watches went on for 5 minutes.",
				due{0, `list "0"`}, due{0, `watch "10"`}, due{0, `watch "11"`}, due{5 * time.Minute, `watch "30"`}, due{5 * time.Minute, `watch "30"`})
			x := run(t, open(), s, Options{}, func(st *store) {
				st.expect("The end of a watch changes nothing in the store.", "Replace [] 10", "Add a@11")
			})
			w := s.watching()
			w.send(event(kit.Added, "a", "11"))
			w.end() // soon, but something came
			w = s.watching()
			w.send(bookmark("30"))
			time.Sleep(5 * time.Minute)
			w.end()
			w = s.watching()
			time.Sleep(5 * time.Minute)
			w.end() // nothing came, but it was not soon
			s.watching()
			s.asExpected()
			x.store.asExpected()
			s.askedForBookmarks()
			x.stop()
		},
	},
	{
		Name:   "lists-again-when-expired",
		Points: 6,
		Func:   "Reflector.Run",
		Look:   []string{"Reflector.Run", "the handling of an Error event in Reflector.ListAndWatch"},
		Rule:   "When the server no longer knows the changes since the last version (410), the reflector waits one step of the backoff and lists again, from that version and not from 0.",
		Why:    "The chain of changes is broken, and only a list can repair it. A list at version 0 may come from a server that is behind, and would bring back objects that were deleted long ago.",
		Hint: []string{
			"What does ListAndWatch return, and what calls it again, and when?",
			"The version of a list is a lower bound. Which version have you already published?",
			`"0" is right only while LastSyncResourceVersion() is "".`,
		},
		Source: "client-go tools/cache/reflector.go: watch, relistResourceVersion; kubernetes#83520 (back in time), #86430 (stampede)",
		Contract: []string{
			"It failed, or was not granted, in any other way: ListAndWatch returns that error",
			"Run calls ListAndWatch again and again until ctx is done, and waits one step of the backoff between the calls",
			"A later one asks for the version that LastSyncResourceVersion returns, never for an earlier one",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := serve(t, pod("a", "7"))
			s.onWatch = func(_ context.Context, n int) error {
				if n == 2 {
					return errExpired // refused as a request this time
				}
				return nil
			}
			s.expect("After a 410 the reflector waits one step of the backoff, lists from the last version it knew, and watches from the new one.",
				due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `list "15"`}, due{0, `watch "40"`}, due{2 * time.Second, `list "40"`}, due{0, `watch "40"`})
			x := run(t, open(), s, Options{Backoff: exact()}, func(st *store) {
				st.expect("Each list replaces what the store had, also one that has the version of the list before it.", "Replace [a@7] 10", "Update a@15", "Replace [b@33] 40", "Replace [b@33] 40")
			})
			w := s.watching()
			w.send(event(kit.Modified, "a", "15"))
			t.Wait()
			s.now("40", pod("b", "33"))
			w.fail(errExpired)
			t.Wait()
			x.isAt("15", "The last event that was no Error was MODIFIED a@15. Then came an Error event with an empty object: the watch has failed, and the version stays")
			time.Sleep(time.Minute)
			if wrong := s.plan.end(&s.mu); wrong != "" {
				t.Fatalf("%s %s", wrong, afterAnother(t, open()))
			}
			x.store.asExpected()
			x.stop()
		},
	},
	{
		Name:   "stops-in-a-watch",
		Points: 4,
		Func:   "Reflector.Run",
		Look:   []string{"the loop of Reflector.ListAndWatch that reads a watch"},
		Rule:   "When ctx is done while a watch is open and silent, the watch is stopped and Run returns at that moment.",
		Why:    "A watch can be silent for minutes. A process that must hand over its lease has seconds.",
		Hint: []string{
			"A receive from ResultChan waits for an event. What else must it wait for?",
			"select on ctx.Done() and ResultChan(), and defer w.Stop() as soon as the watch is granted.",
		},
		Source: "client-go tools/cache/reflector.go: handleAnyWatch; kubernetes#6627 (watch leaked)",
		Contract: []string{
			"It returns as soon as ctx is done",
			"A watch that was granted is always stopped",
			"follows the changes by one watch after the other until it has to list again",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			x := run(t, open(), serve(t), Options{ResyncPeriod: time.Minute})
			w := x.server.watching()
			w.send(event(kit.Added, "a", "11"))
			time.Sleep(90 * time.Second)
			t.Require(w.stops() == 0, "Watch 1 was open and well, with one event, and was stopped within 90s.")
			x.stop()
		},
	},
}

// afterAnother says what a reflector asks for after an Error event that is no 410: the same, if
// it takes none for an error, and something else, if it makes an exception of the 410.
func afterAnother(t *conform.T, subject Subject) string {
	s := serve(t, pod("a", "7"))
	run(t, subject, s, Options{Backoff: exact()})
	w := s.watching()
	w.send(event(kit.Modified, "a", "15"))
	t.Wait()
	known := len(s.log())
	w.fail(errInternal)
	time.Sleep(time.Minute)
	log := s.log()
	if len(log) == known {
		return "With an Error event of code 500 in the place of the 410 nothing was asked for."
	}
	return fmt.Sprintf("With an Error event of code 500 in the place of the 410, the next request was %s after %v.", log[known].What, log[known].At-log[known-1].At)
}
