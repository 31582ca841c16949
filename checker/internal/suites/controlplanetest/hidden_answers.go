package controlplanetest

import (
	"context"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
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
	st := &storm{t: t, calm: true}
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, connect: st.connect, tune: func(p *ClusterParts) {
		p.RestartAfter = 10 * time.Second
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
}
