package controlplanetest

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// startsAnewAtOnce has a pod be replaced by another of its name while the first starts, and the
// kubelet hears of that at once.
func startsAnewAtOnce(t *conform.T, s Subject) {
	n := newNode(t)
	n.run(s, Life{Start: 10 * time.Second}, nil)
	defer n.end()
	n.pods.Put(boundPod("web", "n1"))
	n.news()
	time.Sleep(5 * time.Second)
	n.pods.Remove("ns/web")
	n.pods.Put(boundPod("web", "n1"))
	n.news()
	time.Sleep(10*time.Second - 1)
	n.is("ns/web", "", false, "A pod was replaced by another one of its name when it had been there for 5s. The new one starts from the beginning, 10s after the kubelet has seen it.")
	time.Sleep(soon)
	n.is("ns/web", kit.PodRunning, true, "A pod was replaced by another one of its name, and the new one was seen 10s ago.")
	n.pods.Put(boundPod("moved", "n1"))
	n.news()
	n.pods.Change("ns/moved", func(p *kit.Pod) { p.Spec.NodeName = "n2" })
	time.Sleep(time.Minute)
	n.is("ns/moved", "", false, "A pod is bound to another node by now, which the cache of the kubelet does not show, and was reported on.")
}

// tellsNamespacesApart has two pods of one name, in two namespaces, and deletes one of them.
func tellsNamespacesApart(t *conform.T, s Subject) {
	n := newNode(t)
	twin := boundPod("web", "n1")
	twin.Namespace = "other"
	n.pods.Put(boundPod("web", "n1"))
	n.pods.Put(twin)
	n.run(s, Life{Start: 3 * time.Second, Ends: 10 * time.Second}, nil)
	defer n.end()
	time.Sleep(3*time.Second + soon)
	const twins = "Two pods named web, in the namespaces ns and other, are bound to n1. They have two UIDs, and are two pods, each with a Life of its own: it starts after 3s, and ends 10s later."
	n.is("ns/web", kit.PodRunning, true, twins)
	n.is("other/web", kit.PodRunning, true, twins)
	n.pods.Remove("other/web")
	n.news()
	time.Sleep(10 * time.Second)
	n.is("ns/web", kit.PodFailed, false, twins+" That in other was deleted meanwhile.")
}

// keepsRestarts requires that the reports about a pod have left its restarts as they were.
func (n *node) keepsRestarts(key string) {
	got := n.pods.Now(key).Status.Restart
	n.t.Require(got == 3, "The status of pod %s had Restart 3 when its kubelet was started anew, which takes the status as it is. A report has set Restart to %d.", key, got)
}

// reportsEachStage has two of three reports be refused, of each stage of a pod's life, by a conflict and then by
// another error.
func reportsEachStage(t *conform.T, s Subject) {
	for how, err := range map[string]error{"meet a conflict": kit.NewConflict("pods", "ns/web"), "are refused by an API server that is tired": errTired} {
		n := newNode(t)
		n.pods.Put(boundPod("web", "n1"))
		n.pods.Intercept(tired(2, err, fake.Update))
		n.run(s, Life{Start: 5 * time.Second, Ready: 5 * time.Second, Ends: 10 * time.Second}, nil)
		refused := fmt.Sprintf("A pod runs 5s after the kubelet has seen it, is ready at 10s and ends at 15s. Two of three Updates of it %s, and are tried again within a second: no report is lost, and each is there 3s after it was due.", how)
		time.Sleep(5*time.Second + 3*soon)
		n.is("ns/web", kit.PodRunning, false, refused)
		time.Sleep(5 * time.Second)
		n.is("ns/web", kit.PodRunning, true, refused)
		time.Sleep(5 * time.Second)
		n.is("ns/web", kit.PodFailed, false, refused)
		n.end()
	}
}

// neverReady has pods that end without ever having been ready: one that never would be, and one
// that would be later.
func neverReady(t *conform.T, s Subject) {
	endsFirst(t, s, -1)
	endsFirst(t, s, 20*time.Second)
}

// endsFirst has a pod that ends after 10s, and would be ready after some other time.
func endsFirst(t *conform.T, s Subject, ready time.Duration) {
	n := newNode(t)
	done := boundPod("done", "n1")
	done.Status = kit.PodStatus{Phase: kit.PodSucceeded}
	n.pods.Put(done)
	n.pods.Put(boundPod("web", "n1"))
	halfway, steady := boundPod("halfway", "n1"), boundPod("steady", "n1")
	halfway.Status = kit.PodStatus{Phase: kit.PodRunning}
	steady.Status = kit.PodStatus{Phase: kit.PodRunning, Ready: true, ReadySince: time.Now()}
	n.pods.Put(halfway)
	n.pods.Put(steady)
	n.run(s, Life{Ready: ready, Ends: 10 * time.Second}, nil)
	defer n.end()
	time.Sleep(10*time.Second - 1)
	n.is("ns/halfway", kit.PodRunning, false, fmt.Sprintf("A kubelet was started anew and found a pod that was running and not ready. Its Life has Ready %v, where below 0 is never, and Ends 10s.", ready))
	n.is("ns/steady", kit.PodRunning, true, fmt.Sprintf("A kubelet was started anew and found a pod that was running and ready. Its Life has Ready %v, which counts only if the pod is not ready: the kubelet takes the status as it is.", ready))
	time.Sleep(1 + soon)
	n.is("ns/halfway", kit.PodFailed, false, "A kubelet was started anew 10s ago, and found a pod that was running, whose Life ends after 10s.")
	n.is("ns/web", kit.PodFailed, false, "The Life of the pod ended 10s after it ran, before it was ready.")
	t.Require(n.pods.Now("ns/web").Status.ReadySince.IsZero(), "Pod ns/web has ended and was never ready, and its ReadySince is set. It is set when Ready changes.")
	n.is("ns/done", kit.PodSucceeded, false, "A pod had succeeded before the kubelet was started. A pod that is Succeeded stays so.")
}

// saysItAgain has somebody say three times that a pod is not ready that was ready before the
// kubelet was started, the first time at once.
func saysItAgain(t *conform.T, s Subject) {
	n := newNode(t)
	running := boundPod("running", "n1")
	running.Status = kit.PodStatus{Phase: kit.PodRunning, Ready: true, ReadySince: time.Now()}
	n.pods.Put(running)
	n.run(s, Life{Ready: time.Minute, Ends: -time.Second}, nil)
	defer n.end()
	for range 3 {
		n.pods.Change("ns/running", func(p *kit.Pod) { p.Status.Ready = false })
		said := time.Now()
		n.news()
		time.Sleep(soon)
		n.is("ns/running", kit.PodRunning, true, "A kubelet was started anew and found a pod that was ready. Somebody has written that it is not, a second ago.")
		n.since("ns/running", said, "The kubelet has reported again that a pod is ready, and its ReadySince is not from then.")
		n.news()
		time.Sleep(time.Minute)
	}
}

// comesSecond has somebody else create the node in the moment before the kubelet does, and then
// has the API server refuse all that is about nodes for a while.
func comesSecond(t *conform.T, s Subject) {
	n := newNode(t)
	n.pods.Put(boundPod("web", "n1"))
	var first atomic.Bool
	n.nodes.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Create && !first.Swap(true) {
			other := kit.Nodes.New()
			other.Name = "n1"
			n.nodes.Put(other)
		}
		return nil
	}))
	n.runAs(s, "labels zone=b", KubeletParts{Labels: map[string]string{"zone": "b"}})
	defer n.end()
	time.Sleep(time.Second + soon)
	labels := n.nodes.Now("n1").Labels
	t.Require(len(labels) == 0, "Somebody else had created n1, without labels, and after a heartbeat of the kubelet it has the labels %v. The labels of the options are for a node that the kubelet creates. It leaves the rest of the node alone.", labels)
	t.Require(!n.nodes.Now("n1").Status.Heartbeat.IsZero(), "Somebody else had created n1 when the kubelet was about to, whose Create returned AlreadyExists. It tries again within a second, and two seconds after the beginning of Run there is no heartbeat.")
	n.nodes.Change("n1", func(o *kit.Node) { o.Labels = map[string]string{"zone": "c"} })
	n.nodes.Intercept(fake.Refuse(errTired))
	time.Sleep(45 * time.Second)
	n.nodes.Intercept()
	time.Sleep(soon)
	t.Wait()
	age := time.Since(n.nodes.Now("n1").Status.Heartbeat)
	t.Require(age <= soon, "The API server refused all that is about nodes for 45s, and answers again since a second. The kubelet tries again within a second, and the heartbeat is %v old.", age)
	t.Same(map[string]string{"zone": "c"}, n.nodes.Now("n1").Labels, "Somebody else has changed the labels of the node, and a heartbeat has changed them back")
}

// leavesNothingBehind has the ctx of Run end while the kubelet reads its node, and then again while
// the API server takes five seconds for each answer, even if nobody waits for it.
func leavesNothingBehind(t *conform.T, s Subject) {
	n := newNode(t)
	n.run(s, Life{}, nil)
	time.Sleep(5 * time.Second)
	before := n.nodes.Changes()
	n.nodes.Intercept(n.endsAtARead())
	time.Sleep(5*time.Second + soon)
	n.end()
	time.Sleep(time.Minute)
	writes(t, n.nodes.Changes()-before, 0, "The ctx of Run ended while the kubelet read its node, and before it had the answer. From then on it writes nothing.")
	n = newNode(t)
	n.pods.Put(boundPod("web", "n1"))
	var under atomic.Int64
	slow := fake.Interceptor(func(_ context.Context, _ *fake.Request, next func() error) error {
		under.Add(1)
		defer under.Add(-1)
		time.Sleep(5 * time.Second)
		return next()
	})
	n.nodes.Intercept(slow)
	n.pods.Intercept(slow)
	n.run(s, Life{}, nil)
	time.Sleep(soon)
	n.end()
	left := int(under.Load())
	t.Require(left == 0, "Run has returned, and %s of the kubelet about its node, or a pod, was under way, which leaves a goroutine.", conform.Count(left, "request"))
}

// countsOnWhileRefused has the API server refuse the report that a pod runs until it has run for five seconds.
func countsOnWhileRefused(t *conform.T, s Subject) {
	n := newNode(t)
	n.pods.Put(boundPod("web", "n1"))
	n.pods.Intercept(fake.Refuse(errTired, fake.Update))
	n.run(s, Life{Ready: 10 * time.Second, Ends: 20 * time.Second}, nil)
	defer n.end()
	at := func(d time.Duration) { time.Sleep(time.Until(n.start.Add(d))) }
	at(5 * time.Second)
	n.pods.Intercept()
	const refused = "A pod runs as soon as the kubelet has seen it, is ready 10s after that, and ends 20s after that. The API server refused the report that it runs for 5s. Later reports are due as if that one had been on time."
	at(5*time.Second + soon)
	n.is("ns/web", kit.PodRunning, false, refused)
	at(10*time.Second - 1)
	n.is("ns/web", kit.PodRunning, false, refused)
	at(10*time.Second + soon)
	n.is("ns/web", kit.PodRunning, true, refused)
	at(20*time.Second - 1)
	n.is("ns/web", kit.PodRunning, true, refused)
	at(20*time.Second + soon)
	n.is("ns/web", kit.PodFailed, false, refused)
}

// hearsNoAnswer has every report be stored, and its answer be an error.
func hearsNoAnswer(t *conform.T, s Subject) {
	n := newNode(t)
	n.pods.Put(boundPod("web", "n1"))
	n.pods.Intercept(func(_ context.Context, q *fake.Request, next func() error) error {
		if err := next(); err != nil || q.Verb != fake.Update {
			return err
		}
		return errTired
	})
	n.run(s, Life{Ready: -1}, nil)
	defer n.end()
	time.Sleep(10 * time.Second)
	n.is("ns/web", kit.PodRunning, false, "A pod runs as soon as the kubelet has seen it, and is never ready.")
	n.news()
	time.Sleep(10 * time.Second)
	sent := len(n.pods.Requests(fake.Update))
	t.Require(sent == 1, "The kubelet has reported that a pod runs, which was stored, and the answer was an error. When it reads the pod to try again, the status is there, and it does not write an unchanged one. It sent %s, and should have sent 1.", conform.Count(sent, "Update"))
}

// comesMeanwhile has a pod come in the moment after Run has looked at the pods in the cache. The
// handler is called by another goroutine, for which Run does not wait if it holds a lock.
func comesMeanwhile(t *conform.T, s Subject) {
	n := newNode(t)
	n.pods.Put(boundPod("first", "n1"))
	var came, heard atomic.Bool
	n.seen.Cache.OnLook(func() {
		if n.k == nil || came.Swap(true) {
			return
		}
		n.pods.Put(boundPod("meanwhile", "n1"))
		t.Go("informer", func(*conform.Actor) {
			n.seen.CatchUp()
			heard.Store(true)
		})
		for i := 0; i < 1000 && !heard.Load(); i++ {
			runtime.Gosched()
		}
	})
	n.run(s, Life{}, nil)
	defer n.end()
	time.Sleep(soon)
	t.Require(came.Load(), "Run has called no method of PodCache that lists pods, and looks at all pods of its node.")
	n.is("ns/first", kit.PodRunning, true, "The pod was bound when Run began, and its Life is Life{}.")
	n.is("ns/meanwhile", kit.PodRunning, true, "A pod came right after Run had looked at the pods in PodCache, and PodHandler heard of it at once. Run looks at all pods, and from then on at those that PodHandler hears of.")
}
