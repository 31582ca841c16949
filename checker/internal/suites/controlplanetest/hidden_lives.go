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
	halfway := boundPod("halfway", "n1")
	halfway.Status = kit.PodStatus{Phase: kit.PodRunning}
	n.pods.Put(halfway)
	n.run(s, Life{Ready: ready, Ends: 10 * time.Second}, nil)
	defer n.end()
	time.Sleep(10*time.Second - 1)
	n.is("ns/halfway", kit.PodRunning, false, fmt.Sprintf("A kubelet was started anew and found a pod that was running and not ready. Its Life has Ready %v, where below 0 is never, and Ends 10s.", ready))
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
