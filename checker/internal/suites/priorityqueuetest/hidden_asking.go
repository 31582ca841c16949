package priorityqueuetest

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
)

// question is one to the limiter, during which others call the queue. The queue may hold a lock
// while it asks: then those others have to wait, and the limiter does not wait for them.
type question struct {
	asked    func()        // lets the others begin
	begin    chan struct{} // closed by asked
	others   atomic.Bool   // have returned
	answered atomic.Bool
	between  bool // the others have returned before the limiter answered
}

func newQuestion() *question {
	w := &question{begin: make(chan struct{})}
	w.asked = sync.OnceFunc(func() { close(w.begin) })
	return w
}

// answer lets others run for a while, and says that there is no delay.
func (w *question) answer(string, int) time.Duration {
	w.asked()
	for range 100 {
		if w.others.Load() {
			break
		}
		runtime.Gosched()
	}
	if !w.answered.Swap(true) {
		w.between = w.others.Load()
	}
	return 0
}

// add adds item rate limited, and has others called while the limiter is asked.
func (w *question) add(t *conform.T, q client, item string, others func(q client)) {
	t.Go("another goroutine", func(a *conform.Actor) {
		<-w.begin
		a.Note("runs while the limiter is asked about %q", item)
		others(q.as(a))
		w.others.Store(true)
	})
	q.AddRateLimited(item)
	t.Wait()
	w.asked() // if the queue has not asked, which is another check's
	t.Join()
	t.Wait()
}

// meanwhile has what the queue knows of a key change while the limiter is asked about it.
func meanwhile(t *conform.T, s Subject) {
	for _, c := range []struct {
		what   string
		before func(q client)
		others func(q client)
	}{
		{"a worker held “a”, which was added rate limited, and while the limiter was asked the worker called Done and “a” was added without rate limit",
			func(q client) { q.Add("a"); q.take(t) },
			func(q client) { q.Done("a"); q.Add("a") }},
		{"a new key “a” was added rate limited, and while the limiter was asked it was added without rate limit", func(client) {},
			func(q client) { q.Add("a") }},
		{"“a” waited for an hour, it was added rate limited, and while the limiter was asked it was added without rate limit",
			func(q client) { q.AddAfter("a", time.Hour) },
			func(q client) { q.Add("a") }},
	} {
		w := newQuestion()
		q := limited(t, s, fake.NewLimiter(w.answer))
		c.before(q)
		w.add(t, q, "a", c.others)
		q.Holds(t, 1, c.what+". So it is in the queue once")
		q.comes(t, at(0, "a"), "it is the only key")
		pass(t, 2*time.Hour)
		q.Holds(t, 0, c.what+". It has come once, and is done")
		q.ShutDown()
	}
	takenMeanwhile(t, s)
}

// takenMeanwhile has a key be handed out and done while the limiter is asked about it: the add,
// which goes on after that, puts it into the queue once more.
func takenMeanwhile(t *conform.T, s Subject) {
	w := newQuestion()
	q := limited(t, s, fake.NewLimiter(w.answer))
	q.Add("a")
	w.add(t, q, "a", func(q client) { q.get(); q.Done("a") })
	if w.between {
		q.Holds(t, 1, "“a” was ready and was added rate limited, and while the limiter was asked it was handed out and done. The add went on after that, so “a” is in the queue again")
		q.comes(t, at(0, "a"), "it is the only key")
	}
	q.ShutDown()
}
