package controlplanetest

import (
	"errors"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// asksToBeCalled looks at the result of Reconcile in the middle of both waits, and where the API
// server has news of a node that the cache does not show.
func asksToBeCalled(t *conform.T, s Subject) {
	w := newNodes(t, s)
	within := func(d time.Duration, sentence string) {
		after := w.look().RequeueAfter
		t.Require(0 < after && after <= d, "%s Reconcile should have asked to be called again within %v, and returned RequeueAfter %v.", sentence, d, after)
	}
	w.look()
	time.Sleep(30 * time.Second)
	within(10*time.Second, "There was no news of n1 for 30s, and 10s later it is silent for too long.")
	time.Sleep(10 * time.Second)
	w.now()
	w.tainted(true, "A node was silent for 40 s and is not tainted.")
	time.Sleep(5*time.Minute - 10*time.Second)
	within(10*time.Second, "Node n1 is unreachable for 4m50s, and its pods are deleted in 10s.")
	w = newNodes(t, s)
	w.look()
	time.Sleep(40 * time.Second)
	w.beat(time.Now())
	result, err := w.reconcile("n1")
	t.Require(err == nil, "The API server refused nothing, and Reconcile returned %s.", conform.Said(err))
	after := result.RequeueAfter
	t.Require(0 < after && after <= 40*time.Second, "The cache shows no news of n1 for 40s, and the API server has a heartbeat of this moment, so that the node would have been silent for too long in 40s. Reconcile should have asked to be called again by then, and returned RequeueAfter %v.", after)
}

// followsAnother has a new reconciler find the taints of an earlier one, first of a node that comes
// back, and then of one that says that it is ready and falls silent.
func followsAnother(t *conform.T, s Subject) {
	w := newNodes(t, s)
	w.pass(40 * time.Second)
	w.now()
	w.tainted(true, "A node was silent for 40 s and is not tainted.")
	w.renew(s)
	w.now()
	w.beat(time.Now())
	w.now()
	w.tainted(false, "A new reconciler has seen a node with the taints of an earlier one, and then there was news of the node.")
	w.nodes.Change("n1", func(n *kit.Node) {
		n.Spec.Taints = []kit.Taint{{Key: kit.TaintUnreachable, Effect: kit.TaintNoSchedule}, {Key: kit.TaintUnreachable, Effect: kit.TaintNoExecute}}
	})
	w.renew(s)
	w.pass(40 * time.Second)
	w.now()
	w.tainted(true, "A new reconciler has seen a node with the taints of an earlier one, and no news of it for 40s.")
	t.Require(!w.nodes.Now("n1").Status.Ready, "A new reconciler has seen a node with the taints of an earlier one, whose status says that it is ready, and no news of it for 40s. It is unreachable, and so not ready.")
	w.nodes.Change("n1", func(n *kit.Node) { n.Status.Ready = true })
	w.now()
	t.Require(!w.nodes.Now("n1").Status.Ready, "A node is unreachable, and somebody has written that it is ready, without a heartbeat. There is no news of it, and so it is not ready.")
}

// saysWhatWasRefused has the API server refuse to delete pods of a lost node, and of none.
func saysWhatWasRefused(t *conform.T, s Subject) {
	w := newNodes(t, s)
	for _, name := range []string{"web", "x", "y"} {
		w.pods.Put(boundPod(name, "n1"))
		w.pods.Put(boundPod("stray-"+name, "n2"))
	}
	w.pass(40 * time.Second)
	w.now()
	w.pass(5*time.Minute - 1)
	time.Sleep(time.Nanosecond)
	// For n1 it may take another call to do all that is due.
	deletesTheOthers(t, w, "n1", "is unreachable for 5m", w.retry, "web", "x", "y")
	deletesTheOthers(t, w, "n2", "does not exist", func() { _, _ = w.reconcile("n2") }, "stray-web", "stray-x", "stray-y")
	w.pods.Intercept(fake.Refuse(errTired, fake.Delete))
	w.follow()
	for node, why := range map[string]string{"n1": "is unreachable for 5m", "n2": "does not exist"} {
		_, err := w.reconcile(node)
		t.Require(errors.Is(err, errTired), "Node %s %s, and the API server refuses to delete its pod, with the error %q. Reconcile should have returned that error, wrapped or not, and returned %s.", node, why, errTired, conform.Said(err))
	}
	w.pods.Intercept()
}

// sparesNoneThatHasEnded has pods that have ended, on a node that is lost and on none.
func sparesNoneThatHasEnded(t *conform.T, s Subject) {
	w := newNodes(t, s)
	for name, node := range map[string]string{"done": "n1", "done-2": "n2"} {
		p := boundPod(name, node)
		p.Status.Phase = kit.PodSucceeded
		if node == "n2" {
			p.Spec.Tolerations = []string{kit.TaintUnreachable}
		}
		w.pods.Put(p)
	}
	w.nodes.Change("n1", func(n *kit.Node) { n.Spec.Taints = []kit.Taint{{Key: "mine", Effect: kit.TaintNoExecute}} })
	w.pass(40 * time.Second)
	w.now()
	w.pass(5 * time.Minute)
	w.now()
	w.there("ns/done", false, "The node is unreachable for 5 minutes. Its pods are deleted, whatever their phase, and this one has succeeded.")
	_, err := w.reconcile("n2")
	t.Require(err == nil, "The API server refused nothing, and Reconcile returned %s.", conform.Said(err))
	w.there("ns/done-2", false, "A pod is bound to a node that does not exist, and was not deleted. It has succeeded, and tolerates the taint of an unreachable node.")
	w.beat(time.Now())
	w.now()
	t.Same([]kit.Taint{{Key: "mine", Effect: kit.TaintNoExecute}}, w.nodes.Now("n1").Spec.Taints, "There is news of n1, whose taints should be those that others have put on it")
	goneBeforeTheCacheKnows(t, s)
}

// goneBeforeTheCacheKnows has a node be silent in the cache when it does not exist any longer.
func goneBeforeTheCacheKnows(t *conform.T, s Subject) {
	w := newNodes(t, s)
	w.pods.Put(boundPod("web", "n1"))
	w.pass(40*time.Second - 1)
	w.nodes.Remove("n1")
	t.Note("the cache still has n1")
	time.Sleep(time.Nanosecond)
	for range 3 {
		w.pSeen.CatchUp()
		_, err := w.reconcile("n1")
		t.Require(err == nil, "The API server refused nothing, and Reconcile returned %s.", conform.Said(err))
	}
	w.there("ns/web", false, "Node n1 is silent for 40 s by the cache. By the API server, which is asked before a node is judged, it does not exist, and so it has no pods.")
}

// severalNodesAtOnce calls Reconcile for nodes that it has never seen, all at once.
func severalNodesAtOnce(t *conform.T, s Subject) {
	w := newNodes(t, s)
	for range 8 {
		w.renew(s)
		for i := range 6 {
			name := fmt.Sprint("new-", i)
			if w.nodes.Now(name) == nil {
				n := kit.Nodes.New()
				n.Name, n.Status.Ready, n.Status.Heartbeat = name, true, time.Now()
				w.nodes.Put(n)
				w.follow()
			}
		}
		for i := range 6 {
			request := kit.Request{Name: fmt.Sprint("new-", i)}
			t.Go("worker of "+request.Name, func(a *conform.Actor) {
				call := a.Call("Reconcile(%v)", request)
				result, err := w.r.Reconcile(t.Context(), request)
				call.Returned("%s", showResult(result, err))
			})
		}
		t.Join()
	}
	w.pass(40 * time.Second)
	w.now()
	w.tainted(true, "Reconcile was called for several nodes at once. Later n1 was silent for 40 s, and is not tainted.")
}

// deletesTheOthers has the API server refuse to delete one of three pods of a node, which are due:
// another one each time.
func deletesTheOthers(t *conform.T, w *nodes, node, why string, reconcile func(), names ...string) {
	for _, tough := range names {
		w.follow()
		w.pods.Intercept(keeps("ns/"+tough, errTired))
		reconcile() // it returns the refusal
		w.pods.Intercept()
		for _, name := range names {
			w.there("ns/"+name, name == tough, fmt.Sprintf("Node %s %s, and the API server refuses to delete one of its three pods, ns/%s. This does not keep the others from being deleted.", node, why, tough))
			if name != tough {
				w.pods.Put(boundPod(name, node))
			}
		}
	}
	t.Note("all three pods are there again")
}

// judgedOnce has somebody take the taints off a node that is unreachable, and the API server refuse
// to put them on again, once.
func judgedOnce(t *conform.T, s Subject) {
	w := newNodes(t, s)
	w.pods.Put(boundPod("web", "n1"))
	w.pass(40 * time.Second)
	judged := time.Now()
	w.now()
	w.pass(4 * time.Minute)
	w.nodes.Change("n1", func(n *kit.Node) { n.Spec.Taints = nil })
	w.nodes.Intercept(fake.Refuse(errTired, fake.Update))
	w.retry() // it returns the refusal
	w.nodes.Intercept()
	w.now()
	const again = "Node n1 was judged unreachable, and 4m later somebody took its taints off. The API server refused once to put them on again, which is no news of the node."
	w.tainted(true, again)
	w.pass(time.Until(judged.Add(5*time.Minute - 1)))
	w.there("ns/web", true, again+" Its pods are deleted 5m after it was first judged so, and not earlier.")
	time.Sleep(time.Nanosecond)
	w.now()
	w.there("ns/web", false, again+" Its pods are deleted 5m after it was first judged so, and that is now.")
}

// meetsAnotherOfTheName has a node be lost and deleted, and another of its name be created, whose
// heartbeat happens to be the same.
func meetsAnotherOfTheName(t *conform.T, s Subject) {
	w := newNodes(t, s)
	w.pass(40 * time.Second)
	w.now()
	w.tainted(true, "A node was silent for 40 s and is not tainted.")
	w.pass(10 * time.Minute)
	n := w.nodes.Now("n1")
	n.UID, n.Spec.Taints = "", nil
	w.nodes.Remove("n1")
	w.now()
	t.Note("another node n1 is created, with the heartbeat of the first")
	w.nodes.Put(n)
	w.pods.Put(readyPod("web", "n1"))
	const another = "Node n1 was unreachable, and deleted, as Reconcile has seen, and another node of its name was created. It is a new one, whose silence begins at the first sight."
	w.now()
	w.tainted(false, another)
	w.pass(39 * time.Second)
	w.tainted(false, another)
	w.pass(2 * time.Second)
	w.now()
	w.tainted(true, another+" That is more than 40s ago.")
	w.pass(4 * time.Minute)
	w.there("ns/web", true, another+" It was judged unreachable 4m ago, and its pods are kept for 5m.")
}

// asksBeforeItEvicts has a node come back after it was judged, and a cache that does not show it.
func asksBeforeItEvicts(t *conform.T, s Subject) {
	w := newNodes(t, s)
	w.pods.Put(boundPod("web", "n1"))
	w.pass(40 * time.Second)
	w.now()
	w.tainted(true, "A node was silent for 40 s and is not tainted.")
	w.pass(4 * time.Minute)
	t.Note("the node is back, and the cache does not show it")
	w.beat(time.Now())
	time.Sleep(time.Minute)
	w.pSeen.CatchUp()
	_, _ = w.reconcile("n1") // it may find a conflict
	w.there("ns/web", true, "Node n1 was judged unreachable 5m ago, and a minute ago there was a heartbeat, of which the API server knows and the cache does not. Before the reconciler deletes pods it asks the API server itself.")
}
