package controlplanetest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// hearing stands between the component and the handlers and Run of its scheduler. A handler may take two
// seconds for each object that it hears of.
type hearing struct {
	t *conform.T

	mu    sync.Mutex // guards the fields below
	slow  bool
	heard int // objects, since slow was set
	ran   int // calls of Run since then
	early int // what the handlers had heard of at the first of them
}

// hears is called before a handler of the scheduler hears of an object that was added.
func (l *hearing) hears() {
	l.mu.Lock()
	slow := l.slow
	l.mu.Unlock()
	if slow {
		time.Sleep(2 * time.Second)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard++
}

func (l *hearing) run(ctx context.Context, run func(ctx context.Context) error) error {
	l.mu.Lock()
	if l.ran++; l.ran == 1 {
		l.early = l.heard
	}
	l.mu.Unlock()
	return run(ctx)
}

// listens kills the scheduler of a cluster of one node and two pods, in which nothing else happens, and has
// the handlers of its next life take their time.
func (l *hearing) listens(c *cluster) {
	l.mu.Lock()
	l.slow, l.heard, l.ran, l.early = true, 0, 0, 0
	l.mu.Unlock()
	l.t.Note("in its next life the handlers of the scheduler take 2s for each object")
	up := c.kill("scheduler")
	l.t.Require(up, "Kill says that the scheduler was not up.")
	time.Sleep(30 * time.Second)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.t.Require(l.ran > 0, "The scheduler was killed 30s ago. RestartAfter is 1s, and its handlers take 2s for each of two pods and a node. Run of its Scheduler was not called again.")
	l.t.Require(l.early >= 3, "The scheduler was started anew, and its handlers take 2s for each object. There are two pods and a node, and when Run of the Scheduler was called its handlers had heard of %d of these three. That the informers have synced is not enough: they have heard of every existing object before Run is called.", l.early)
}

// answersTruly looks at what Kill, Stop and Resume return while a component is down, or ends.
func answersTruly(t *conform.T, s Subject) {
	st, l := &storm{t: t, calm: true}, &lastWords{server: tedious{t: t, under: map[string]int{}}}
	connect := func(component string, api API) API { return l.connect(component, st.connect(component, api)) }
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, connect: connect, runScheduler: l.run, tune: func(p *ClusterParts) {
		p.RestartAfter, p.OnError = 10*time.Second, l.hears
	}})
	defer c.close()
	c.deploy("a")
	c.converge("a", time.Minute)
	for _, name := range []string{"scheduler", "kubelet/n1", "event-sweeper"} {
		lives := st.livesOf(name)
		t.Require(c.kill(name), "Kill says that %s was not up.", name)
		time.Sleep(5 * time.Second)
		t.Require(!c.kill(name), "%s was killed 5s ago, and is down: RestartAfter is 10s. A second Kill returned true: that it was up.", name)
		t.Require(!c.resume(name), "%s was killed 5s ago, and nobody has stopped it. Resume returned true: that it was stopped.", name)
		time.Sleep(4 * time.Second)
		st.lived(t, name, lives, "The component was killed 9s ago. RestartAfter is 10s, and what a second Kill and a Resume do to a component that is down changes nothing of that.")
		time.Sleep(3 * time.Second)
		st.lived(t, name, lives+1, "The component was killed 12s ago, and RestartAfter is 10s.")
		t.Require(c.halt(name), "Stop says that there is no %s.", name)
		t.Require(c.resume(name), "Resume says that %s was not stopped, and Stop was called right before.", name)
		time.Sleep(2 * time.Second)
		st.lived(t, name, lives+2, "The component was stopped, and resumed at the same moment, while it was still ending. Resume starts it at once, when it has ended, and not after RestartAfter, which is 10s.")
	}
	l.endsSlowly(c, st)
	l.failsAtTheEnd(c, st)
}

// lastWords has components take their time to end, and say why in the end.
type lastWords struct {
	server tedious // takes its time to create ReplicaSets
	errs   sync.Map
	slow   atomic.Bool // whether the scheduler takes its time
}

// errFlush is what a scheduler says that cannot write its last lines.
var errFlush = errors.New("cannot write the last lines")

// run has the scheduler take three seconds more when its context is done, and return an error of its own.
func (l *lastWords) run(ctx context.Context, run func(ctx context.Context) error) error {
	err := run(ctx)
	if !l.slow.Load() || ctx.Err() == nil {
		return err
	}
	time.Sleep(3 * time.Second)
	return errFlush
}

// hears is OnError.
func (l *lastWords) hears(component string, err error) {
	for _, own := range []error{errFlush, errTired} {
		if errors.Is(err, own) {
			l.errs.Store(component, own)
		}
	}
}

// heard requires that OnError got this error of a component.
func (l *lastWords) heard(t *conform.T, component string, want error, sentence string) {
	got, _ := l.errs.Load(component)
	t.Require(got == want, "%s OnError gets every error but that of the context, and did not get this one with the name %s.", sentence, component)
}

// failedSets is a connection for ReplicaSets, on which a slow request to create one fails after five seconds, even if
// nobody waits for it.
type failedSets struct {
	Resource[*kit.ReplicaSet]
	server    *tedious
	component string
}

func (r failedSets) Create(ctx context.Context, rs *kit.ReplicaSet) (*kit.ReplicaSet, error) {
	if !r.server.begins(r.component) {
		return r.Resource.Create(ctx, rs)
	}
	time.Sleep(5 * time.Second)
	r.server.ends(r.component)
	return nil, errTired
}

// connect is the connection of a component.
func (l *lastWords) connect(component string, api API) API {
	if component == "deployment-controller" {
		api.ReplicaSets = failedSets{api.ReplicaSets, &l.server, component}
	}
	return api
}

// endsSlowly kills the scheduler, which takes three seconds to end.
func (l *lastWords) endsSlowly(c *cluster, st *storm) {
	lives := st.livesOf("scheduler")
	l.slow.Store(true)
	const slow = "The scheduler was killed, and its Run returned 3s later, with an error of its own."
	c.t.Require(c.kill("scheduler"), "Kill says that the scheduler was not up.")
	time.Sleep(3*time.Second + soon)
	l.heard(c.t, "scheduler", errFlush, slow)
	l.slow.Store(false)
	time.Sleep(9*time.Second - 2*time.Millisecond)
	st.lived(c.t, "scheduler", lives, slow+" RestartAfter is 10s since it ended, and that is not over.")
	time.Sleep(soon + time.Millisecond)
	st.lived(c.t, "scheduler", lives+1, slow+" RestartAfter is 10s since it ended, and that was over a second ago.")
}

// failsAtTheEnd kills the deployment controller while it creates a ReplicaSet, which fails five seconds later.
func (l *lastWords) failsAtTheEnd(c *cluster, st *storm) {
	const name = "deployment-controller"
	c.t.Note("a request to create a ReplicaSet fails after 5s, even if nobody waits for it")
	l.server.slows(true)
	c.deploy("b")
	for i := 0; l.server.of(name) == 0; i++ {
		c.t.Require(i < 600, "The user deployed another image a minute ago, and %s has created no ReplicaSet.", name)
		time.Sleep(100 * time.Millisecond)
	}
	lives := st.livesOf(name)
	c.t.Require(c.kill(name), "Kill says that %s was not up.", name)
	for l.server.of(name) > 0 {
		time.Sleep(100 * time.Millisecond)
	}
	l.server.slows(false)
	time.Sleep(soon)
	l.heard(c.t, name, errTired, "The deployment controller was killed while it created a ReplicaSet, which the API server refused some seconds later: Reconcile returned that error.")
	time.Sleep(8 * time.Second)
	st.lived(c.t, name, lives, "The component was killed, and a request of its Reconcile ended seconds after that, 9s ago. RestartAfter is 10s since it ended, and that is not over.")
	c.converge("b", time.Minute)
}
