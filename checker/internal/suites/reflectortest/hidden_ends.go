package reflectortest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var ends = []conform.Case[Subject]{
	{
		Name:   "stops-in-a-request",
		Points: 5,
		Func:   "Reflector.Run",
		Look:   []string{"the calls of List and Watch in Reflector.ListAndWatch"},
		Rule:   "When ctx is done while the server has not answered a List or a Watch, Run returns at that moment, and a watch that is granted too late is stopped. It waits for the store's method that is under way, and for nothing after that.",
		Why:    "People stop a process because its server hangs. The hanging server must not keep it from stopping.",
		Hint: []string{
			"Which context does the request get?",
			"Even if ctx is done, you have to stop a watch that the server has granted. Where is your defer?",
			"Each request gets the ctx, also the list of \"\" and the watch after a backoff. And a ResultChan that has an event each time you look must not keep you from looking at ctx.",
		},
		Source: "client-go tools/cache/reflector.go: list, watch; kubernetes#120980 (established watcher not closed on stop)",
		Contract: []string{
			"When ctx is done, ListAndWatch returns nil as soon as possible: from the middle of a request, whose context is done then too",
			"A watch that was granted is always stopped",
			"It waits only for a method of the store that is under way, or a ShouldResync, and not for events that have come and are not stored yet.",
			"Nothing else ends a request, however long the server takes to answer: it has no time limit of its own.",
			"When it returns, for whatever reason, no goroutine of its own is left.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, script := range []func(s *server){
				func(s *server) { s.onList = hangs },
				func(s *server) { s.onWatch = hangs },
				func(s *server) { // granted all the same: stop demands that it is stopped
					s.onWatch = func(ctx context.Context, _ int) error { <-ctx.Done(); return nil }
				},
				func(s *server) { s.onList = after(errExpired, hangs) },                               // the list of ""
				func(s *server) { s.onList, s.onWatch = after(nil, hangs), after(errTimeout, hangs) }, // a later list
				func(s *server) { s.onWatch = after(errBusy, hangs) },
			} {
				stopsWhileItHangs(t, open(), script)
			}
			stopsInReplace(t, open())
			stopsBeforeEvents(t, open())
		},
	},
	{
		Name:   "stops-in-a-backoff",
		Points: 5,
		Func:   "Reflector.Run",
		Rule:   "When ctx is done in the middle of a wait, before a list or before a watch, Run returns at that moment.",
		Why:    "Waits last up to a minute, and they are longest when the cluster is in trouble and people restart processes.",
		Hint: []string{
			"What can interrupt time.Sleep?",
			"A timer and a select with ctx.Done(), in both places.",
		},
		Source: "client-go tools/cache/reflector.go: RunWithContext, watch; kubernetes#116435 (backoff ignored stop)",
		Contract: []string{
			"It returns as soon as ctx is done, also in the middle of such a wait.",
			"from the middle of a request, whose context is done then too, of a watch, and of a wait",
			"Run calls ListAndWatch again and again until ctx is done, and waits one step of the backoff between the calls",
			"And only ctx says whether it is done",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for name, fail := range map[string]func(s *server){
				"list":  func(s *server) { s.onList = func(context.Context, int) error { return errInternal } },
				"watch": func(s *server) { s.onWatch = func(context.Context, int) error { return errRefused } },
			} {
				s := serve(t)
				fail(s)
				x := run(t, open(), s, Options{Backoff: exact()})
				time.Sleep(40 * time.Second) // 1 + 2 + 4 + 8 + 16 = 31 s, and then 30 s
				t.Require(len(s.log()) >= 6, "Each %s fails, and within 40s there were %d requests: one that fails is tried again after 1, 2, 4, 8 and 16 s.", name, len(s.log()))
				x.stop()
				waitsForTheDeadline(t, open(), name, 500*time.Millisecond)
				waitsForTheDeadline(t, open(), name, 40*time.Second, seconds(1, 2, 4, 8, 16)...)
			}
		},
	},
	{
		Name:   "every-watch-is-stopped",
		Points: 4,
		Func:   "Reflector.ListAndWatch",
		Rule:   "The reflector stops every watch that was granted, however it ended, before it asks the server for anything else.",
		Why:    "A watch that nobody stops keeps its connection, and the server goes on filling a buffer that nobody reads.",
		Hint: []string{
			"In how many ways can your loop leave a watch? Is there one line that runs on all of them?",
			"Use one function for each watch, with defer w.Stop() right after the watch was granted.",
		},
		Source: "client-go tools/cache/reflector.go: handleAnyWatch; kubernetes#6627, #25331 and #38670 (what becomes of watches that are left)",
		Contract: []string{
			"A watch that was granted is always stopped, however it ended, before anything else is asked of the server and before ListAndWatch returns.",
			"When it returns, for whatever reason, no goroutine of its own is left.",
			"If Resync returns an error, whichever that is, ListAndWatch returns it",
			"one period after the store took the list",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			x := run(t, open(), serve(t), Options{Backoff: exact(), ResyncPeriod: time.Hour}, func(st *store) {
				st.onResync = func(int) error { return errors.New("the store is closed") }
			})
			x.leavesEachWatch()
			x.stop()
			grantedAfterAFailedResync(t, open())
			nothingAfterwards(t, open)
			leavesNoGoroutines(t, open())
		},
	},
}

var resyncs = []conform.Case[Subject]{
	{
		Name:   "resyncs-each-period",
		Long:   true,
		Points: 5,
		Func:   "Options.ResyncPeriod",
		Look:   []string{"the timer of the resync in Reflector.ListAndWatch"},
		Rule:   "Resync is called after each period, again and again, if ShouldResync agrees; neither events nor a backoff nor a new watch delay it, and it ends no watch.",
		Why:    "A resync gives work that a controller has lost another chance. A timer that starts over with each event never fires in a busy cluster, and there work is lost most easily.",
		Hint: []string{
			"Is a new timer made for each event, or for each watch?",
			"A goroutine beside all the watches of one ListAndWatch, with one timer that is reset after each Resync.",
		},
		Source: "client-go tools/cache/reflector.go: startResync; kubernetes#25945 (resync killed the watch)",
		Contract: []string{
			"one period after the store took the list, and then each time one period after Resync has returned, or ShouldResync has returned false",
			"Neither events nor the end of one watch and the beginning of the next delay this, however long the server takes to grant that, nor a backoff between the two",
			"With a ResyncPeriod the store is asked to Resync as long as the watches go on",
			"A slow method of the store may delay it: by the call under way and a few more, not by a whole queue of events.",
			"0 is never",
			"Nothing else ends a request, however long the server takes to answer: it has no time limit of its own.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				resyncWhileBusy(t, open())
				resyncEveryOtherTime(t, open())
				resyncOfASlowStore(t, open())
				resyncInABackoff(t, open())
				resyncBesideARequest(t, open())
				resyncAfterARelist(t, open())
				resyncWithoutAVersion(t, open(), "")
				resyncWithoutAVersion(t, open(), "0")
				resyncRefusedForLong(t, open())
				resyncsAllTheTime(t, open())
				neverResyncs(t, open())
			})
			resyncBetweenManyEvents(t, open())
		},
	},
	{
		Name:   "resync-ends-with-its-watches",
		Points: 5,
		Func:   "Reflector.ListAndWatch",
		Rule:   "The resync of one ListAndWatch ends with it: nothing of it is left when ListAndWatch returns, and a relist does not add another one.",
		Why:    "In client-go each relist once left a goroutine and a timer behind. After a day of bad network a controller resynced hundreds of times a period.",
		Hint: []string{
			"What stops the goroutine, and what waits until it has ended?",
			"Give it a context.WithCancel and a WaitGroup, and put both into a defer: cancel first, then wait.",
			"If Resync fails when nobody listens any longer, where does the goroutine leave its error? Use a channel with room for one.",
		},
		Source: "client-go tools/cache/reflector.go: watchWithResync; kubernetes#35015 (resync goroutine leaked per relist)",
		Contract: []string{
			"With a ResyncPeriod the store is asked to Resync as long as the watches go on",
			"If Resync returns an error, whichever that is, ListAndWatch returns it",
			"A Resync that fails while no watch is open need not interrupt a backoff or a request: ListAndWatch may return that error as late as when the next watch is granted, however long that takes. It may ask for a Resync again until then, but a success does not undo the failure.",
			"A later one asks for the version that LastSyncResourceVersion returns, never for an earlier one",
			"A wait that is cut short still uses its step",
			"When ctx is done, ListAndWatch returns nil as soon as possible: from the middle of a request, whose context is done then too",
			"It waits only for a method of the store that is under way",
			"When it returns, for whatever reason, no goroutine of its own is left.",
			"It may be called from any goroutine at any time, by the store's own methods too",
			"After an Added, Modified, Deleted or Bookmark event, whatever the store has returned for it, LastSyncResourceVersion returns the object's version.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				manyLists(t, open())
				for _, err := range []error{errors.New("the store is confused"), errExpired, errTooLarge} {
					failedResync(t, open(), err)
				}
				resyncFailsWhileBusy(t, open())
				resyncFailsBeforeAWatch(t, open())
				resyncFailsTwice(t, open())
				leavesNoReader(t, open())
			})
			stoppedBesideASlowStore(t, open())
			waitsForResync(t, open())
			failsBesideAResync(t, open())
			endsTheRequestAtOnce(t, open())
			for typ, method := range map[kit.EventType]string{kit.Added: "Add", kit.Modified: "Update", kit.Deleted: "Delete"} {
				resyncFailsBesideAnEvent(t, open(), typ, method)
			}
		},
	},
}

// leavesEachWatch has one watch after the other come to an end, or fail, and a Resync fail beside the last of them.
func (x *running) leavesEachWatch() {
	const failed = "A Resync failed: ListAndWatch has to return that error. Watch %d was open then"
	for _, c := range []struct {
		became string
		leave  func(w *stream)
	}{
		{"Watch %d had ended", func(w *stream) { w.send(bookmark("11")); w.end() }},
		{"Watch %d had ended", func(w *stream) { w.end() }},
		{"Watch %d had failed with 429", func(w *stream) { w.fail(errBusy) }},
		{"Watch %d had failed with 410", func(w *stream) { w.fail(errExpired) }},
		{"Watch %d had failed with 500", func(w *stream) { w.fail(errInternal) }},
		{failed, func(*stream) {
			time.Sleep(time.Hour)
			x.t.Require(len(x.store.resynced()) > 0, "ResyncPeriod is 1h, and within an hour after the store took a list Resync was not called.")
		}},
	} {
		w := x.server.watching()
		c.leave(w)
		time.Sleep(time.Minute)
		became := fmt.Sprintf(c.became, w.number)
		x.t.Require(w.stops() > 0, "%s, and a minute later it was not stopped.", became)
		x.t.Require(x.server.watching() != w, "%s, and no other was begun within a minute.", became)
	}
}

// hangs is a script that answers nothing before the request's ctx is done.
func hangs(ctx context.Context, _ int) error {
	<-ctx.Done()
	return ctx.Err()
}

// after is a script that returns err the first time, and does as then says from the second on.
func after(err error, then func(ctx context.Context, n int) error) func(ctx context.Context, n int) error {
	return func(ctx context.Context, n int) error {
		if n == 1 {
			return err
		}
		return then(ctx, n)
	}
}

// grantedAfterAFailedResync has a server that takes its time to grant a watch, or grants it when its
// context is done, and a Resync that fails meanwhile.
func grantedAfterAFailedResync(t *conform.T, subject Subject) {
	s := serve(t)
	s.onWatch = func(ctx context.Context, n int) error {
		if n == 1 {
			select {
			case <-ctx.Done():
			case <-time.After(90 * time.Second):
			}
		}
		return nil
	}
	s.expect("A Resync failed after 1m, and the server granted a watch later. It has to be stopped, and a list follows.",
		due{0, `list "0"`}, due{0, `watch "10"`}, due{anytime, `list "10"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{ResyncPeriod: time.Minute, Backoff: exact()}, func(st *store) {
		st.onResync = func(n int) error { return map[int]error{1: errors.New("the store is closed")}[n] }
	})
	time.Sleep(5 * time.Minute)
	s.asExpected()
	x.stop()
}

// stopsWhileItHangs stops a reflector long after its server has ceased to answer.
func stopsWhileItHangs(t *conform.T, subject Subject, script func(s *server)) {
	s := serve(t)
	script(s)
	o := Options{ResyncPeriod: 10 * time.Hour, OnError: func(err error) {
		switch kit.ReasonFor(err) {
		case kit.ReasonTimeout: // the server has sent it, and a list follows
		case "":
			t.Errorf("Run called OnError with %v, and nothing has failed: the server has not answered yet, and a request has no time limit of its own, or Run's context is done.", err)
		default:
			t.Errorf("Run called OnError with %v. After that error ListAndWatch goes on, and does not return it: with the list of \"\", or with the next watch.", err)
		}
	}}
	x := run(t, subject, s, o)
	time.Sleep(time.Minute)
	log := s.log()
	t.Require(len(log) > 0, "Run was called, and within 1m nothing was listed.")
	time.Sleep(100 * time.Hour)
	after := s.log()[len(log):]
	t.Require(len(after) == 0, "The server did not answer %s for a hundred hours, and was asked for %d other requests meanwhile. A request has no time limit of its own: only ctx ends it.", log[len(log)-1].What, len(after))
	x.stop()
	t.Require(len(s.watchRequests()) > 0 || len(x.store.heard()) == 0, "No list was answered, and %q was put into the store.", x.store.heard())
}

// stopsInReplace stops a reflector while the store is in a Replace, which then fails.
func stopsInReplace(t *conform.T, subject Subject) {
	x := run(t, subject, serve(t), Options{OnError: func(err error) {
		t.Errorf("Run's context was cancelled during a Replace, which failed after that, and Run called OnError with %q: when ctx is done, ListAndWatch returns nil.", err)
	}}, func(st *store) {
		st.onReplace = func(int) error { time.Sleep(time.Minute); return errFull }
	})
	time.Sleep(10 * time.Second)
	x.cancelNow()
	time.Sleep(49 * time.Second)
	t.Require(!probe.Closed(x.ended), "Run's context was cancelled during a Replace that takes 1m, and Run returned before Replace had. Whatever calls Replace is left, and a method of the store that is under way is waited for.")
	time.Sleep(time.Second)
	x.hasReturned("Run's context was cancelled during a Replace, and Replace has returned")
}

// stopsBeforeEvents stops a reflector of a store that takes a second for each event, while many
// are in the watch's channel already. A select takes either, ctx or an event: forty times
// it does not.
func stopsBeforeEvents(t *conform.T, subject Subject) {
	s := serve(t)
	s.ahead = 200
	x := run(t, subject, s, Options{}, func(st *store) {
		st.onChange = func(*kit.Pod) error { time.Sleep(time.Second); return nil }
	})
	w := s.watching()
	for i := range s.ahead {
		w.send(event(kit.Modified, "a", strconv.Itoa(11+i)))
	}
	time.Sleep(10*time.Second + 500*time.Millisecond)
	stored := len(x.store.heard())
	x.cancelNow()
	time.Sleep(40 * time.Second)
	t.Require(probe.Closed(x.ended), "A watch had 200 events in its ResultChan, and the store takes 1s for each, when Run's context was cancelled. By now, 40s later, %d more have been stored, and Run has not returned: what has come and is not stored yet is left.", len(x.store.heard())-stored)
	x.hasReturned("Run's context was cancelled")
}

func resyncWhileBusy(t *conform.T, subject Subject) {
	want := []due{{0, `list "0"`}, {0, `watch "10"`}, {6 * time.Second, `watch "11"`}}
	for range 8 {
		want = append(want, due{7 * time.Second, `watch "11"`})
	}
	s := serve(t)
	s.expect("A resync ends no watch, and the end of a watch is no reason to list.", want...)
	x := run(t, subject, s, Options{ResyncPeriod: 10 * time.Second}, func(st *store) {
		st.expectResyncs("The period is 10s, an event comes each second and a new watch every 7s: Resync is due every 10s.", seconds(10, 20, 30, 40, 50, 60)...)
	})
	for i := range 65 {
		w := s.watching()
		w.send(event(kit.Modified, "a", "11"))
		if i%7 == 6 {
			w.end()
		}
		time.Sleep(time.Second)
	}
	x.store.asExpected()
	s.asExpected()
	x.stop()
}

// resyncEveryOtherTime has a ShouldResync that takes time, and agrees every other time.
func resyncEveryOtherTime(t *conform.T, subject Subject) {
	asked, should := 0, t.Named("ShouldResync")
	x := run(t, subject, serve(t), Options{ResyncPeriod: 10 * time.Second, ShouldResync: func() bool {
		time.Sleep(5 * time.Second)
		asked++
		should.Note("returns %t", asked%2 == 1)
		return asked%2 == 1
	}}, func(st *store) {
		st.expectResyncs("The period is 10s. ShouldResync takes 5s and agrees every other time: called after 10s, it agreed after 15s; called after 25s, it refused after 30s, "+
			"and one period after that it is due again. So Resync is due after 15s and 45s.", seconds(15, 45)...)
	})
	time.Sleep(52 * time.Second)
	x.store.asExpected()
	x.stop()
}

// resyncInABackoff has a server that is busy when it is asked for the first watch.
func resyncInABackoff(t *conform.T, subject Subject) {
	s := serve(t)
	s.onWatch = func(_ context.Context, n int) error { return map[int]error{1: errBusy}[n] }
	s.expect("The server was too busy for the first watch, and one step of the backoff is 100s.", due{0, `list "0"`}, due{0, `watch "10"`}, due{100 * time.Second, `watch "10"`})
	x := run(t, subject, s, Options{ResyncPeriod: time.Minute, Backoff: kit.Backoff{Duration: 100 * time.Second}}, func(st *store) {
		st.expectResyncs("The period is 1m, and between two watches comes a backoff of 100s, which delays no resync: Resync is due every minute.", seconds(60, 120, 180)...)
	})
	time.Sleep(200 * time.Second)
	x.store.asExpected()
	s.asExpected()
	x.stop()
}

// resyncBesideARequest has a server that takes its time to grant a watch.
func resyncBesideARequest(t *conform.T, subject Subject) {
	s := serve(t)
	s.onWatch = func(context.Context, int) error { time.Sleep(35 * time.Second); return nil }
	x := run(t, subject, s, Options{ResyncPeriod: 10 * time.Second}, func(st *store) {
		st.expectResyncs("The period is 10s, and the server grants the first watch after 35s: Resync is due every 10s from the moment on at which the store took the list.", seconds(10, 20, 30, 40)...)
	})
	time.Sleep(45 * time.Second)
	x.store.asExpected()
	x.stop()
}

// resyncBetweenManyEvents has a watch with many events in its ResultChan from the beginning. No clock
// is compared: the events take many times the period, which is very short.
func resyncBetweenManyEvents(t *conform.T, subject Subject) {
	w := &direct{out: make(chan kit.Event[*kit.Pod], manyEvents), stopped: make(chan struct{})}
	for i := range manyEvents {
		w.out <- event(kit.Modified, "a", strconv.Itoa(11+i))
	}
	st := &quickStore{resynced: make(chan struct{})}
	r := subject(&oneStream{w: w}, st, Options{ResyncPeriod: time.Millisecond})
	t.Note("New(server, store, Options{ ResyncPeriod: 1ms })")
	t.Note("the watch has %d events in its ResultChan", manyEvents)
	ended, cancel := goRun(t, r)
	defer cancel()
	t.Go("server", func(*conform.Actor) {
		select {
		case <-w.stopped:
			close(w.out)
		case <-ended: // the first Resync came before the watch was asked for
		}
	})
	<-st.resynced
	t.Require(st.before < manyEvents, "A watch had %d events in its ResultChan from the beginning, with a ResyncPeriod of 1ms, and all of them were stored before the first Resync. Events do not delay it: only the method of the store that is under way may.", manyEvents)
	cancel()
	t.Join()
}

const manyEvents = 50_000

// quickStore counts, and lets others run at each change.
type quickStore struct {
	changes  atomic.Int64
	objects  atomic.Int64 // of the last list
	once     sync.Once
	before   int64         // so many changes came before the first Resync
	resynced chan struct{} // closed then
}

var _ kit.DeltaStore[*kit.Pod] = (*quickStore)(nil)

// Add is not called.
func (*quickStore) Add(*kit.Pod) error { return nil }

// Delete is not called.
func (*quickStore) Delete(*kit.Pod) error { return nil }

// Replace counts the objects.
func (s *quickStore) Replace(list []*kit.Pod, _ string) error {
	s.objects.Store(int64(len(list)))
	return nil
}

// Update counts.
func (s *quickStore) Update(*kit.Pod) error {
	runtime.Gosched()
	s.changes.Add(1)
	return nil
}

// Resync notes that it was called.
func (s *quickStore) Resync() error {
	s.once.Do(func() {
		s.before = s.changes.Load()
		close(s.resynced)
	})
	return nil
}

// resyncAfterARelist has a watch that fails in the middle of a period.
func resyncAfterARelist(t *conform.T, subject Subject) {
	s := serve(t)
	x := run(t, subject, s, Options{ResyncPeriod: 10 * time.Second, Backoff: exact()}, func(st *store) {
		st.expectResyncs("The period is 10s. A watch failed after 15s, and the store took the next list after 16s: Resync is due one period after that.", seconds(10, 26, 36)...)
	})
	time.Sleep(15 * time.Second)
	s.watching().fail(errInternal)
	time.Sleep(25 * time.Second)
	x.store.asExpected()
	x.stop()
}

// resyncWithoutAVersion has a list with a version that is none.
func resyncWithoutAVersion(t *conform.T, subject Subject, version string) {
	s := serve(t)
	s.now(version)
	x := run(t, subject, s, Options{ResyncPeriod: 20 * time.Second}, func(st *store) {
		st.expectResyncs(fmt.Sprintf("The period is 20s, and the list has the version %q. Resync is due as long as the watches go on, whichever version they begin at.", version), seconds(20, 40, 60)...)
	})
	time.Sleep(70 * time.Second)
	x.store.asExpected()
	x.stop()
}

// resyncRefusedForLong has a ShouldResync that agrees once in a hundred times.
func resyncRefusedForLong(t *conform.T, subject Subject) {
	asked := 0
	o := Options{ResyncPeriod: time.Second, ShouldResync: func() bool { asked++; return asked%100 == 0 }}
	x := run(t, subject, serve(t), o, func(st *store) {
		st.expectResyncs("The period is 1s, and ShouldResync agrees every hundredth time: Resync is due after 100s and 200s.", seconds(100, 200)...)
	})
	time.Sleep(205 * time.Second)
	x.store.asExpected()
	x.stop()
}

func manyLists(t *conform.T, subject Subject) {
	flat := kit.Backoff{Duration: time.Second, Factor: 1, Steps: 1}
	s := serve(t)
	s.expect("A watch failed with 410, with a resync beside it. That ends the resync, and one step of the backoff later, after 1s, comes a list.",
		due{0, `list "0"`}, due{0, `watch "10"`}, due{time.Second, `list "10"`}, due{0, `watch "10"`})
	s.plan.more = true
	x := run(t, subject, s, Options{ResyncPeriod: 30 * time.Second, Backoff: flat}, func(st *store) { st.period = 30 * time.Second })
	for range 10 {
		s.watching().fail(errExpired)
		time.Sleep(2 * time.Second)
	}
	before := len(x.store.resynced())
	time.Sleep(10*30*time.Second + time.Second)
	n := len(x.store.resynced()) - before
	t.Require(9 <= n && n <= 11, "After ten lists the store was asked to resync %d times in ten periods; one resync a period is due, 9 to 11 in all.", n)
	x.stop()
}

// waitsForResync stops a reflector while the store is in the middle of a Resync, which then
// fails; it and ShouldResync ask for the version. It needs no clock and runs outside a bubble: a reflector may wait there for a mutex
// that is held during Resync, and in a bubble time would stand still meanwhile.
func waitsForResync(t *conform.T, subject Subject) {
	inResync, release := make(chan struct{}), make(chan struct{})
	s, st := serve(t), newStore(t)
	st.onResync = func(n int) error {
		if n == 1 {
			conform.Do(st.actor, st.version, "LastSyncResourceVersion()")
			close(inResync)
			<-release
		}
		return errors.New("the store is closed")
	}
	should := t.Named("ShouldResync")
	r := newReflector(t, subject, s, st, Options{ResyncPeriod: time.Millisecond, ShouldResync: func() bool {
		conform.Do(should, st.version, "LastSyncResourceVersion()")
		return true
	}})
	ctx, cancel := t.Actor.WithCancel(t.Context(), "ctx")
	defer cancel()
	ended := make(chan struct{})
	t.Go("reflector", func(a *conform.Actor) {
		defer close(ended)
		err := conform.Do(a, func() error { return r.ListAndWatch(ctx) }, "ListAndWatch(ctx)")
		t.Assert(err == nil, "ctx was cancelled during a Resync, which failed after that, and ListAndWatch returned the error %q: when ctx is done, it returns nil.", err)
	})
	<-inResync
	cancel()
	t.Wait()
	returned := probe.Closed(ended)
	close(release)
	t.Require(!returned, "ctx was cancelled while the store was in Resync, and ListAndWatch returned before Resync had.")
	<-ended
	s.requireStopped()
}

// failsBesideAResync has a watch fail while the store is in the middle of a Resync. It runs outside a
// bubble, as waitsForResync does.
func failsBesideAResync(t *conform.T, subject Subject) {
	inResync, release, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s, st := serve(t), newStore(t)
	st.onResync = func(n int) error {
		if n == 1 {
			close(inResync)
			<-release
		}
		return nil
	}
	granted := func() bool { return !s.idle() } // a program may resync before it asks
	r := newReflector(t, subject, s, st, Options{ResyncPeriod: time.Millisecond, ShouldResync: granted})
	t.Go("reflector", func(a *conform.Actor) {
		defer close(ended)
		a.Do(func() { _ = r.ListAndWatch(t.Context()) }, "ListAndWatch(ctx)")
	})
	<-inResync
	s.watching().fail(errInternal)
	t.Wait()
	returned := probe.Closed(ended)
	close(release)
	t.Require(!returned, "A watch failed while the store was in Resync, and ListAndWatch returned before Resync had: when it returns, for whatever reason, no goroutine of its own is left.")
	<-ended
	s.requireStopped()
}

// resyncOfASlowStore has a list, a Replace and a watch that take time, and a Resync that does, too.
func resyncOfASlowStore(t *conform.T, subject Subject) {
	s := serve(t)
	s.onList = func(context.Context, int) error { time.Sleep(3 * time.Second); return nil }
	s.onWatch = func(context.Context, int) error { time.Sleep(2 * time.Second); return nil }
	began := t.Elapsed()
	x := run(t, subject, s, Options{ResyncPeriod: 10 * time.Second}, func(st *store) {
		st.expectResyncs("The store took the list after 5s, the server granted the watch after 7s, each Resync takes 4s, and the period is 10s: Resync is due one period after the store took the list, and then one period after the last Resync has returned.", seconds(15, 29, 43, 57)...)
		st.onReplace = func(int) error { time.Sleep(2 * time.Second); return nil }
		st.onResync = func(int) error { time.Sleep(4 * time.Second); return nil }
	})
	time.Sleep(began + 60*time.Second - t.Elapsed())
	x.store.asExpected()
	time.Sleep(2 * time.Second) // the last one has returned
	x.stop()
}

// failedResync has a Resync fail, with an error that may be one of a list.
func failedResync(t *conform.T, subject Subject, failure error) {
	s := serve(t)
	s.expect(fmt.Sprintf("A Resync failed after 30s: %v. Whatever it says, it is the store's and not the server's. The reflector waits one step of the backoff, which is 1s, and lists again.", failure),
		due{0, `list "0"`}, due{0, `watch "10"`}, due{31 * time.Second, `list "10"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{ResyncPeriod: 30 * time.Second, Backoff: exact()}, func(st *store) {
		st.onResync = func(n int) error { return map[int]error{1: failure}[n] }
	})
	time.Sleep(45 * time.Second)
	s.asExpected()
	time.Sleep(20 * time.Second)
	n := len(x.store.resynced())
	t.Require(n == 2, "A Resync failed after 30s, and a list followed. Within 34s after that list the store was asked to resync %s; once was due, after 30s.", conform.Count(n-1, "time"))
	x.stop()
}
