package controlplanetest

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hiddenNodes = []conform.Case[Subject]{
	{
		Name:   "a-kubelet-knows-pods-by-uid",
		Points: 3,
		Func:   "Kubelet.Run",
		Look:   []string{"Kubelet.Run", "Kubelet.PodHandler"},
		Rule:   "The kubelet forgets a deleted pod, starts a new one of its name from the beginning, and never writes to a pod that is not the one that runs here.",
		Why:    "A name is not an identity. A kubelet that reports the old pod's status on the new one calls a pod ready that has not started.",
		Hint: []string{
			"What does the kubelet know of ns/web when ns/web is another pod?",
			"Get the pod right before the report, and compare UID and node.",
		},
		Source:   "kubernetes pkg/kubelet/pod_workers.go: UpdatePod; kubernetes pkg/kubelet/status/status_manager.go: syncPod",
		Contract: []string{"A pod is identified by its UID: a deleted one is forgotten, and a new one of the same name starts from the beginning. The kubelet never writes to a pod that it has not just read: same UID, bound to this node, not being deleted."},
		Mode:     conform.Virtual,
		Alone:    true,
		Check:    checkUID,
	},
	{
		Name:   "a-kubelet-takes-over",
		Points: 2,
		Func:   "Kubelet.Run",
		Rule:   "A kubelet that starts accepts pods that run already, looks at every pod of its node, and reports again that a pod is ready which somebody has marked as not ready.",
		Why:    "A kubelet is updated without stopping a single container. A pod that it forgets starts twice, and one that it overlooks never starts.",
		Hint: []string{
			"How does a new kubelet find the pods that were bound before it started?",
			"Each time the handler hears of a pod, compare what runs with what the status says.",
		},
		Source: "kubernetes pkg/kubelet/kubelet.go: HandlePodAdditions, syncLoop",
		Contract: []string{
			"Run looks at all pods of the node in PodCache, and from then on at those that PodHandler hears of.",
			"phase Running after Life.Start;",
			"It takes the status as it is, and counts Life.Ends, and Life.Ready if the pod is not ready, each anew and in full from when it has seen the pod. Life.Start does not count again.",
			"A pod that is Succeeded or Failed stays so.",
			"from then until it is ready; below 0 for never",
			"Ready after Life.Ready more, if it has not ended by then; and Life.Phase, no longer ready, when it has ended.",
			"ReadySince is set when Ready changes.",
			"It does not write an unchanged status. If somebody else has marked a ready pod as not ready, the kubelet reports again that it is ready.",
		},
		Mode:  conform.Virtual,
		Check: checkTakesOver,
	},
	{
		Name:   "heartbeats-go-on",
		Points: 3,
		Func:   "Kubelet.Run",
		Look:   []string{"Kubelet.Run", "NewKubelet"},
		Rule:   "The kubelet creates its node, reports every 10 s, keeps what others write there, and loses neither a heartbeat nor a report to a conflict. After the end of its ctx it writes nothing.",
		Why:    "After four lost heartbeats in a row the node counts as lost, and all its pods move.",
		Hint: []string{
			"Who else writes to a node?",
			"On a conflict get the node again and set the status alone.",
		},
		Source: "kubernetes pkg/kubelet/kubelet_node_status.go: syncNodeStatus, registerWithAPIServer",
		Contract: []string{
			"Within a second of the beginning of Run, and then every Heartbeat, the kubelet reports its node: status.ready, status.heartbeat from its own clock, status.allocatable. If there is no such node, it creates one. It leaves the rest of the node alone.",
			"The kubelet tries again within a second whatever the API server refuses",
			"A report may come up to a second late, or later while the API server refuses it, and later ones are due as if it had been on time.",
			"this node's own clock, for its heartbeats alone",
			"its node's labels, if it creates it",
			"It blocks until ctx is done and then returns nil: the node is lost, the kubelet writes nothing from then on, not even a report for which it has just read the pod, and no goroutine is left.",
			"nil is Life{} for all",
			"between two heartbeats; 0 is 10 s",
		},
		Mode:  conform.Virtual,
		Check: checkHeartbeats,
	},
	{
		Name:   "clocks-are-not-trusted",
		Points: 3,
		Func:   "NodeLifecycleReconciler.Reconcile",
		Rule:   "The time in a heartbeat does not matter, only that it has changed. Before it judges a node, the reconciler asks the API server itself. A new reconciler begins all its times again.",
		Why:    "A node whose clock is an hour off is as alive as any other, and a cut watch must not cost a single pod.",
		Hint: []string{
			"Which clock do you compare the heartbeat with?",
			"Trust only the controller's own clock, and the time at which it saw the heartbeat change.",
			"If the cache says that a node is silent: is it the node, or the cache?",
		},
		Source: "kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go: nodeHealthData.probeTimestamp",
		Contract: []string{
			"a heartbeat is news because it differs from the last one seen, in a later version of the node, whatever time it says.",
			"A cache may lag: before it judges a node, the reconciler asks the API server itself. It does so before it deletes pods, too.",
			"A new reconciler knows nothing: all its times begin again.",
			"its silence begins at the first sight. A node that it has found not to exist is a new one when it comes back.",
			"Once it has been unreachable for EvictAfter, from when this reconciler first judged it so, its pods are deleted",
			"In a world at rest it writes nothing.",
			"A node that is silent for GracePeriod or longer is unreachable: not ready, and with two taints of the key kit.TaintUnreachable, NoSchedule and NoExecute.",
			"News of it ends all that: the taints are removed, other taints stay.",
			"The result says when to look again, at the latest; for a healthy node that is when it would have been silent for too long. It may be called earlier",
		},
		Mode:  conform.Virtual,
		Check: checkClocks,
	},
	{
		Name:   "who-is-evicted",
		Points: 3,
		Func:   "NodeLifecycleReconciler.Reconcile",
		Look:   []string{"NodeLifecycleReconciler.Reconcile", "NodeLifecycleReconciler.PodHandler", "NodeLifecycleReconciler.NodeHandler"},
		Rule:   "Pods that tolerate the taint stay. Others go, and so do pods that turn up on the node later. Every pod of a node that does not exist is deleted, but only if the API server agrees. A new pod of an old name is spared. News of the node removes the taints, and makes nothing ready.",
		Why:    "A DaemonSet's pod has nowhere else to go. And an unknown node may be one that has just been created.",
		Hint: []string{
			"Which precondition of Delete names one pod and no other?",
			"What if the pod's cache is ahead of the node's?",
			"There is news of the node. Who knows whether it is ready?",
		},
		Source: "kubernetes pkg/controller/tainteviction/taint_eviction.go: Controller; kubernetes pkg/controller/podgc/gc_controller.go: gcOrphaned",
		Contract: []string{
			"Once it has been unreachable for EvictAfter, from when this reconciler first judged it so, its pods are deleted",
			"its pods are deleted, whatever their phase, except those that tolerate kit.TaintUnreachable. Any other pod that turns up there later is deleted at once. A pod is deleted by its UID: a new one of its name is spared. One that cannot be deleted does not keep the others from being deleted; this holds for the pods of a node that does not exist, too.",
			"those bound to it are deleted at once, whatever they tolerate, if the API server agrees that it does not exist (upstream: the pod garbage collector). If the cache still has a node that is silent, and the API server says that it does not exist, this holds, too.",
			"the taints are removed, other taints stay. Only its kubelet may report that it is ready, and that its pods are.",
			"It may be called earlier, and for several nodes at once. Errors of the API are returned, wrapped or not.",
			"PodHandler enqueues the node of a pod that has just been bound or existed in the beginning. A pod that is bound to no node enqueues nothing. In an update with two UIDs the second pod has just been bound.",
			"NodeHandler enqueues every node that it hears of.",
			"Its pods are no longer ready either, as far as anyone knows: their status says so, with ReadySince. This holds for those that are being deleted, too.",
			"before it judges a node, the reconciler asks the API server itself.",
			"In a world at rest it writes nothing.",
		},
		Mode:  conform.Virtual,
		Check: checkEvicted,
	},
}

func checkUID(t *conform.T, open func() Subject) {
	s := open()
	n := newNode(t)
	n.run(s, Life{Start: 10 * time.Second, Ready: 10 * time.Second}, nil)
	defer n.end()
	n.pods.Put(boundPod("web", "n1"))
	n.news()
	time.Sleep(5 * time.Second)
	// It goes, and the kubelet does not hear of it yet.
	n.pods.Remove("ns/web")
	n.pods.Put(boundPod("web", "n1"))
	time.Sleep(10 * time.Second)
	n.is("ns/web", "", false, "The status of a pod that is gone was written to a new one of its name.")
	n.news()
	time.Sleep(10*time.Second - 1)
	n.is("ns/web", "", false, "A new pod of an old name did not start from the beginning.")
	time.Sleep(soon)
	n.is("ns/web", kit.PodRunning, false, "A new pod of an old name does not run when the time of its Life has come.")
	n.news()
	// Gone, and never bound again here.
	n.pods.Remove("ns/web")
	n.news()
	before := n.pods.Changes()
	time.Sleep(time.Minute)
	writes(t, n.pods.Changes()-before, 0, "The kubelet wrote of a pod that is gone.")
	n.pods.Put(boundPod("web", "n2"))
	n.news()
	time.Sleep(time.Minute)
	n.is("ns/web", "", false, "A pod of an old name, on another node, was reported on.")
	// It is to be deleted, and the kubelet is not told in time.
	n.pods.Put(boundPod("leaving", "n1"))
	n.news()
	at := time.Now()
	n.pods.Change("ns/leaving", func(p *kit.Pod) { p.DeletionTimestamp = &at })
	time.Sleep(time.Minute)
	n.news()
	time.Sleep(time.Minute)
	n.is("ns/leaving", "", false, "A pod that is being deleted was reported on.")
	startsAnewAtOnce(t, s)
	tellsNamespacesApart(t, s)
	forgetsTheDeleted(t, s)
}

func checkTakesOver(t *conform.T, open func() Subject) {
	s := open()
	n := newNode(t)
	stands := func(name string, status kit.PodStatus) {
		pod := boundPod(name, "n1")
		pod.Status = status
		n.pods.Put(pod)
	}
	stands("bound", kit.PodStatus{})
	stands("running", kit.PodStatus{Phase: kit.PodRunning, Ready: true, ReadySince: time.Now()})
	stands("halfway", kit.PodStatus{Phase: kit.PodRunning})
	stands("failed", kit.PodStatus{Phase: kit.PodFailed})
	stands("killed", kit.PodStatus{})
	stands("waiting", kit.PodStatus{Phase: kit.PodPending})
	n.run(s, Life{Start: 5 * time.Second, Ready: 5 * time.Second}, nil)
	defer n.end()
	time.Sleep(soon)
	t.Note("somebody else says of ns/killed that it has failed, and the kubelet does not hear of that")
	n.pods.Change("ns/killed", func(p *kit.Pod) { p.Status.Phase = kit.PodFailed })
	n.is("ns/running", kit.PodRunning, true, "A pod that was running and ready no longer is, because its kubelet was started anew.")
	n.is("ns/waiting", kit.PodPending, false, "A pod was Pending when its kubelet was started, and the time of its Life has not come: there is nothing to report.")
	n.is("ns/halfway", kit.PodRunning, false, "A pod that was running is not, or is ready before the time of its Life, because its kubelet was started anew.")
	time.Sleep(5 * time.Second)
	n.is("ns/halfway", kit.PodRunning, true, "A pod was running when its kubelet was started anew, and a second after the time until it is ready it is not.")
	bound := n.pods.Now("ns/bound").Status
	t.Require(bound.Ready || bound.ReadySince.IsZero(), "Pod ns/bound has never been ready, and its ReadySince is set. It is set when Ready changes.")
	time.Sleep(5 * time.Second)
	n.is("ns/bound", kit.PodRunning, true, "A pod that was bound before the kubelet was there was not started.")
	n.is("ns/running", kit.PodRunning, true, "A pod that was running and ready was started again.")
	n.is("ns/waiting", kit.PodRunning, true, "A pod was Pending when its kubelet was started, which has had the time to start it.")
	n.is("ns/failed", kit.PodFailed, false, "A pod that had failed came back to life.")
	n.is("ns/killed", kit.PodFailed, false, "A pod has failed at the API server, which the cache of the kubelet does not show. A pod that is Failed stays so.")
	n.pods.Change("ns/running", func(p *kit.Pod) { p.Status.Ready, p.Status.Reason = false, "NodeLost" })
	n.news()
	time.Sleep(soon)
	n.is("ns/running", kit.PodRunning, true, "A pod is ready, somebody has written that it is not, and the kubelet lets it stand.")
	before := n.pods.Changes()
	n.news()
	n.news()
	time.Sleep(time.Minute)
	writes(t, n.pods.Changes()-before, 0, "The kubelet wrote a status that stood there already.")
	countsFromTheSight(t, s)
	neverReady(t, s)
	hearsAndSays(t, s)
}

// hearsAndSays is about what a kubelet hears of pods, and what it says of them a second time.
func hearsAndSays(t *conform.T, s Subject) {
	saysNothingTwice(t, s)
	hearsNoAnswer(t, s)
	comesMeanwhile(t, s)
	saysItAgain(t, s)
}

// saysNothingTwice has a kubelet hear of a pod again and again, whose status in its cache is older
// than what it has reported.
func saysNothingTwice(t *conform.T, s Subject) {
	n := newNode(t)
	n.pods.Put(boundPod("web", "n1"))
	n.run(s, Life{}, nil)
	defer n.end()
	time.Sleep(soon)
	n.is("ns/web", kit.PodRunning, true, "The pod was bound when Run began, and its Life is Life{}.")
	sent := len(n.pods.Requests(fake.Update))
	for range 3 {
		for _, pod := range n.seen.Cache.Items() {
			t.Do(func() { n.k.PodHandler().OnUpdate(pod, pod) }, "OnUpdate(%s), with a status of before the report", kit.Key(pod))
		}
		time.Sleep(10 * time.Second)
	}
	again := len(n.pods.Requests(fake.Update)) - sent
	t.Require(again == 0, "The kubelet has reported that a pod is running and ready, which its cache does not show yet, and heard of that pod three times. The API server has that status already, and it does not write an unchanged one. It sent %s.",
		conform.Count(again, "Update"))
}

// countsFromTheSight has a kubelet find a pod that has been ready for nine of the ten minutes of its life.
func countsFromTheSight(t *conform.T, s Subject) {
	n := newNode(t)
	halfway, running := boundPod("halfway", "n1"), boundPod("running", "n1")
	halfway.Status = kit.PodStatus{Phase: kit.PodRunning, Restart: 3}
	running.Status = kit.PodStatus{Phase: kit.PodRunning, Ready: true, ReadySince: time.Now().Add(-9 * time.Minute), Restart: 3}
	n.pods.Put(halfway)
	n.pods.Put(running)
	n.run(s, Life{Start: 20 * time.Second, Ends: 10 * time.Minute, Phase: kit.PodFailed}, nil)
	defer n.end()
	time.Sleep(soon)
	n.is("ns/halfway", kit.PodRunning, true, "A kubelet was started anew a second ago, and found a pod that was running and not ready, whose Life has Start 20s and Ready 0. Life.Start does not count again, and so the pod is ready at once.")
	n.keepsRestarts("ns/halfway")
	time.Sleep(9*time.Minute - soon)
	n.is("ns/running", kit.PodRunning, true, "A kubelet was started anew 9m ago, and found a pod that was ready, whose Life ends after 10m. It counts Life.Ends anew and in full from when it has seen the pod.")
	time.Sleep(time.Minute + soon)
	n.is("ns/running", kit.PodFailed, false, "A kubelet was started anew 10m ago, and found a pod that was ready, whose Life has Start 20s and ends after 10m. Life.Start does not count again.")
	n.keepsRestarts("ns/running")
}

func checkHeartbeats(t *conform.T, open func() Subject) {
	s := open()
	n := newNode(t)
	n.run(s, Life{Start: 3 * time.Second}, func() time.Time { return time.Now().Add(-1000 * time.Hour) })
	time.Sleep(soon)
	registers(t, n)
	keepsBeating(t, n)
	endures(t, n)
	n.nodes.Remove("n1")
	time.Sleep(10*time.Second + soon)
	t.Wait()
	t.Require(n.nodes.Now("n1") != nil, "Somebody has deleted the node, and a heartbeat later there is none. If there is no such node, the kubelet creates one.")
	// The end.
	n.end()
	before := n.pods.Changes() + n.nodes.Changes()
	n.pods.Put(boundPod("late", "n1"))
	n.news()
	time.Sleep(time.Minute)
	writes(t, n.pods.Changes()+n.nodes.Changes()-before, 1, "The ctx of Run is done, and Run has returned. A pod was bound to n1, which is one write, and the kubelet writes nothing any more.")
	endsInBetween(t, s)
	keepsItsOwnPace(t, s)
	reportsEachStage(t, s)
	comesSecond(t, s)
	countsOnWhileRefused(t, s)
	leavesNothingBehind(t, s)
}

// endsInBetween has the ctx of Run end while the kubelet reads a pod on which it is about to report.
func endsInBetween(t *conform.T, s Subject) {
	n := newNode(t)
	n.pods.Put(boundPod("web", "n1"))
	n.run(s, Life{Start: 5 * time.Second}, nil)
	time.Sleep(3 * time.Second)
	before := n.pods.Changes()
	n.pods.Intercept(n.endsAtARead())
	time.Sleep(2*time.Second + soon)
	n.end()
	time.Sleep(time.Minute)
	writes(t, n.pods.Changes()-before, 0, "The ctx of Run ended while the kubelet read a pod, which had started, and before it had the answer. From then on it writes nothing.")
}

// keepsItsOwnPace has a kubelet with labels and a heartbeat of its own, and no Life.
func keepsItsOwnPace(t *conform.T, s Subject) {
	n := newNode(t)
	n.pods.Put(boundPod("web", "n1"))
	n.runAs(s, "labels zone=b, Heartbeat 2s, Life nil", KubeletParts{Labels: map[string]string{"zone": "b"}, Heartbeat: 2 * time.Second})
	defer n.end()
	time.Sleep(soon)
	n.is("ns/web", kit.PodRunning, true, "Life is nil, which is Life{} for all pods: a pod runs and is ready as soon as the kubelet has seen it.")
	t.Require(n.nodes.Now("n1") != nil, "A second after the beginning of Run the kubelet has not created its node, n1.")
	t.Same(map[string]string{"zone": "b"}, n.nodes.Now("n1").Labels, "The kubelet has created its node, with labels that are not those of its options")
	t.Note("somebody deletes the node")
	n.nodes.Remove("n1")
	time.Sleep(2*time.Second + soon)
	t.Wait()
	t.Require(n.nodes.Now("n1") != nil, "Somebody has deleted the node, and a heartbeat later there is none. If there is no such node, the kubelet creates one.")
	t.Same(map[string]string{"zone": "b"}, n.nodes.Now("n1").Labels, "Somebody has deleted the node, and the kubelet has created it again, with labels that are not those of its options")
	for range 20 {
		time.Sleep(2 * time.Second)
		t.Wait()
		age := time.Since(n.nodes.Now("n1").Status.Heartbeat)
		t.Require(age <= 2*time.Second+soon, "The heartbeat of n1 is %v old. Its kubelet was made with Heartbeat 2s, so that there is one every 2s, and it may be a second late.", age)
	}
}

// registers expects the node to be created, with its first heartbeat.
func registers(t *conform.T, n *node) {
	node := n.nodes.Now("n1")
	t.Require(node != nil, "A second after the beginning of Run the kubelet has not created its node, n1.")
	late := node.Status.Heartbeat.Sub(n.start.Add(-1000 * time.Hour))
	t.Require(0 <= late && late <= soon, "The first heartbeat should be what Options.Now says, within the first second of Run. It differs from that moment by %v.", late)
	want := kit.NodeStatus{Allocatable: kit.Resources{CPU: 4000, Pods: 10}, Ready: true, Heartbeat: node.Status.Heartbeat}
	t.Same(want, node.Status, "The kubelet has created its node, with a status that is not what the options say")
}

// keepsBeating has somebody else write to the node, and to a pod of it every two seconds, and expects
// ten heartbeats that change nothing but the status.
func keepsBeating(t *conform.T, n *node) {
	taint := kit.Taint{Key: "x", Effect: kit.TaintNoSchedule}
	n.nodes.Change("n1", func(o *kit.Node) {
		o.Spec.Taints, o.Spec.Unschedulable, o.Labels, o.Status.Ready = []kit.Taint{taint}, true, map[string]string{"zone": "a"}, false
		o.Status.Allocatable = kit.Resources{CPU: 1000}
	})
	n.pods.Put(boundPod("busy", "n1"))
	first := updated(n.nodes)
	var node *kit.Node
	for range 10 {
		for range 4 {
			time.Sleep(2 * time.Second)
			n.pods.Change("ns/busy", func(p *kit.Pod) { p.Status.Ready = false })
			n.news()
		}
		time.Sleep(2 * time.Second)
		t.Wait()
		node = n.nodes.Now("n1")
		age := time.Now().Add(-1000 * time.Hour).Sub(node.Status.Heartbeat)
		t.Require(age <= 10*time.Second+soon, "The heartbeat of n1 is %v old. There is one every 10s, and it may be a second late.", age)
		t.Require(node.Status.Ready, "Somebody else has cordoned n1, and written that it is not ready. There was a heartbeat since, and it does not say that the node is ready.")
	}
	t.Same(kit.Resources{CPU: 4000, Pods: 10}, node.Status.Allocatable, "The node said that it has less to give than the options of its kubelet say, which reports status.allocatable with each heartbeat")
	beats := updated(n.nodes) - first
	t.Require(beats <= 11, "In 100s there were %d heartbeats, and there is one every 10s, whatever its pods do.", beats)
	n.pods.Remove("ns/busy")
	n.news()
	t.Same(kit.NodeSpec{Taints: []kit.Taint{taint}, Unschedulable: true}, node.Spec, "Somebody else had put a taint on the node, and cordoned it, and a heartbeat has changed that")
	t.Same(map[string]string{"zone": "a"}, node.Labels, "Somebody else had put a label on the node, and a heartbeat took it away")
}

// updated is how many Updates the API server has accepted.
func updated[T kit.Object](r *fake.Resource[T]) int {
	return len(slices.DeleteFunc(r.Requests(fake.Update), func(q fake.Request) bool { return q.Err != nil }))
}

// endures has two of three heartbeats and two of three reports refused, and then all that a
// kubelet may ask before a report, and expects each to be tried again within a second.
func endures(t *conform.T, n *node) {
	n.nodes.Intercept(tired(2, kit.NewConflict("nodes", "n1"), fake.Update))
	for range 5 {
		time.Sleep(12 * time.Second)
		t.Wait()
		age := time.Now().Add(-1000 * time.Hour).Sub(n.nodes.Now("n1").Status.Heartbeat)
		t.Require(age <= 13*time.Second+soon, "Two of three Updates of the node meet a conflict, and are tried again within a second. The heartbeat is %v old.", age)
	}
	for _, c := range []struct {
		pod, message string
		err          error
	}{
		{"web", "Two of three reports about pods meet a conflict, and are tried again within a second.", kit.NewConflict("pods", "web")},
		{"api", "Two of three reports about pods are refused by an API server that is tired, and are tried again within a second. After conflicts they were.", errors.New("the API server is tired")},
		{"db", "Two of three reports about pods are refused as Invalid, and are tried again within a second. After conflicts they were.", kit.NewStatusError(kit.ReasonInvalid, "no such status")},
	} {
		n.pods.Intercept(tired(2, c.err, fake.Update))
		n.pods.Put(boundPod(c.pod, "n1"))
		n.news()
		seen := time.Now()
		time.Sleep(9*time.Second + soon)
		n.is("ns/"+c.pod, kit.PodRunning, true, c.message)
		since := n.pods.Now("ns/" + c.pod).Status.ReadySince
		t.Require(!since.Before(seen), "ReadySince is %v before the kubelet saw the pod: it was taken from Options.Now, which is for heartbeats alone.", seen.Sub(since))
	}
	n.pods.Intercept()
	n.pods.Put(boundPod("unread", "n1"))
	n.news()
	time.Sleep(2 * time.Second)
	n.is("ns/unread", "", false, "The kubelet has seen the pod 2s ago, and its Life starts it after 3s, by the time of all: Options.Now is for heartbeats alone.")
	n.pods.Intercept(fake.Refuse(errTired, fake.Get, fake.List))
	time.Sleep(40 * time.Second)
	n.pods.Intercept()
	time.Sleep(2*time.Second + soon)
	n.is("ns/unread", kit.PodRunning, true, "The API server refused to say anything about pods while the pod got ready, and has answered again for three seconds. The kubelet tries again within a second whatever is refused.")
}

func checkClocks(t *conform.T, open func() Subject) {
	s := open()
	w := newNodes(t, s)
	w.pods.Put(readyPod("web", "n1"))
	// Alive, with a clock that jumps.
	for _, off := range []time.Duration{-time.Hour, 1000 * time.Hour, -5 * time.Minute, 0, -8000 * time.Hour, 39 * time.Second} {
		w.beat(time.Now().Add(off))
		w.pass(39 * time.Second)
		w.tainted(false, "A node whose heartbeats come in time was tainted because of what its clock says.")
	}
	// Silent, with a clock that is far ahead, and then again.
	for _, ahead := range []time.Duration{time.Hour, 2 * time.Hour} {
		w.beat(time.Now().Add(ahead))
		w.pass(40 * time.Second)
		w.now()
		w.tainted(true, "A node was silent for 40 s and is not tainted, because its last heartbeat is from the future.")
		w.beat(time.Now().Add(-ahead))
		w.now()
		w.tainted(false, "There is news of the node and the taints are still on it, for the first time or the second.")
	}
	w.pods.Change("ns/web", func(p *kit.Pod) { p.Status.Ready = true })
	cutIsNotSilent(t, w)
	asksBeforeItEvicts(t, s)
	for _, off := range []time.Duration{0, -8 * time.Hour} {
		staleIsNoNews(t, s, off)
	}
	beginsAgain(t, s, w)
	followsAnother(t, s)
	asksToBeCalled(t, s)
	meetsAnotherOfTheName(t, s)
}

// cutIsNotSilent has a cache that stands still while the node goes on, and expects no taint.
func cutIsNotSilent(t *conform.T, w *nodes) {
	t.Note("the watch is cut, and the node goes on for ten minutes")
	began := t.Elapsed()
	for range 60 {
		time.Sleep(10 * time.Second)
		w.beat(time.Now())
		_, err := w.reconcile("n1")
		t.Require(err == nil, "The watch was cut %v ago, and the node goes on: the cache has an old heartbeat, and the API server the newest. Reconcile has to ask the API server before it judges the node. It returned %s.", t.Elapsed()-began, conform.Said(err))
		w.tainted(false, "The watch was cut, the node was not: it was tainted because the cache did not hear of it.")
	}
	w.there("ns/web", true, "The watch was cut, and a pod of a node that is fine was deleted.")
	w.ready("ns/web", true, "The watch was cut, and a pod of a node that is fine was called not ready.")
}

// beginsAgain puts a new reconciler in the place of one that has waited for 4 minutes, and
// expects it to wait for the whole time itself.
func beginsAgain(t *conform.T, s Subject, w *nodes) {
	w.now()
	w.pass(40 * time.Second)
	w.now()
	w.tainted(true, "A node was silent for 40 s and is not tainted.")
	w.pass(4 * time.Minute)
	w.there("ns/web", true, "There was news of n1, and then it fell silent again: it was judged unreachable anew 4m ago. Its pods are kept for 5m from this judgement, whatever was judged before the news.")
	w.renew(s)
	renewed := time.Now()
	for _, made := range []time.Duration{4 * time.Minute, 5*time.Minute + 39*time.Second} {
		w.pass(made - time.Since(renewed))
		w.there("ns/web", true, fmt.Sprintf("A reconciler that was made %v ago deleted a pod. It cannot know that the node was silent for longer, whatever taints it has found: all its times begin again, so that it may judge the node after 40s, and delete its pods 5m after that.", made))
	}
	w.pass(2 * time.Second)
	w.now()
	w.there("ns/web", false, "The node is silent for long enough, also for a reconciler that was made later, and its pod is still there.")
	before := w.nodes.Changes() + w.pods.Changes()
	w.pass(time.Hour)
	writes(t, w.nodes.Changes()+w.pods.Changes()-before, 0, "Nothing has changed for an hour in which Reconcile was called whenever it asked for that.")
}

// staleIsNoNews has a cache that stands still at the second heartbeat, and a node that falls
// silent after its third, at which its clock is off by so much.
func staleIsNoNews(t *conform.T, s Subject, off time.Duration) {
	w := newNodes(t, s)
	w.look()
	time.Sleep(10 * time.Second)
	w.beat(time.Now())
	w.look()
	time.Sleep(39 * time.Second)
	t.Note("from here on the cache stands still at the second heartbeat, and the clock of the node is off by %v at the third", off)
	w.beat(time.Now().Add(off))
	for range 20 {
		time.Sleep(10 * time.Second)
		_, err := w.reconcile("n1")
		t.Require(err == nil, "The cache has an older version of n1 than the API server. Reconcile asks the API server itself before it judges the node, and so has the newest version to write to. It returned %s.", conform.Said(err))
	}
	w.tainted(true, "A node is silent for more than three minutes and is not tainted: the heartbeat in the cache was taken for news, which is of an earlier version of the node than that at the API server.")
}

func checkEvicted(t *conform.T, open func() Subject) {
	s := open()
	w := newNodes(t, s)
	w.nodes.Change("n1", func(n *kit.Node) { n.Spec.Taints = []kit.Taint{{Key: "mine", Effect: kit.TaintNoSchedule}} })
	w.pods.Put(boundPod("web", "n1"))
	w.pods.Put(boundPod("reborn", "n1"))
	daemon := readyPod("daemon", "n1")
	daemon.Spec.Tolerations = []string{kit.TaintUnreachable}
	w.pods.Put(daemon)
	other := boundPod("other", "n1")
	other.Spec.Tolerations = []string{"another.key"}
	w.pods.Put(other)
	w.pass(40 * time.Second)
	w.now()
	w.pass(5*time.Minute - 1)
	w.follow()
	w.pods.Remove("ns/reborn")
	w.pods.Put(boundPod("reborn", "n2"))
	time.Sleep(time.Nanosecond)
	t.Note("the cache has ns/reborn of before")
	_, _ = w.reconcile("n1") // it may find a conflict
	w.now()
	w.there("ns/web", false, "The node is unreachable for 5 minutes and its pod is still there.")
	w.there("ns/daemon", true, "A pod was deleted that tolerates the taint of unreachable nodes.")
	w.there("ns/other", false, "The node is unreachable for 5 minutes and its pod is still there, which tolerates another taint and not this one.")
	w.there("ns/reborn", true, "A new pod was deleted, on another node, because an old one of its name had to go.")
	w.pods.Put(boundPod("late", "n1"))
	w.now()
	w.there("ns/late", false, "A pod turned up on a node that is long lost, and was not deleted.")
	w.report(time.Now(), false)
	w.now()
	t.Same([]kit.Taint{{Key: "mine", Effect: kit.TaintNoSchedule}}, w.nodes.Now("n1").Spec.Taints, "There is news of n1, whose taints should be those that others have put on it")
	t.Require(!w.nodes.Now("n1").Status.Ready, "There is news of n1, whose kubelet says that the node is not ready. Somebody else has written that it is: only its kubelet may report that.")
	w.ready("ns/daemon", false, "There is news of n1, and its kubelet has not said yet whether its pods are ready. Only the kubelet may report that.")
	asksForUnknown(t, w)
	enqueuesNodes(t, w)
	judgedLate(t, s)
	judgedInTwoSteps(t, s)
	judgedOnce(t, s)
	marksItsOwn(t, s)
	judgesNothingUnasked(t, s)
	saysWhatWasRefused(t, s)
	sparesNoneThatHasEnded(t, s)
	severalNodesAtOnce(t, s)
}

// judgedInTwoSteps has the Update of a pod meet a conflict when its node is judged, and somebody
// take one of the two taints off.
func judgedInTwoSteps(t *conform.T, s Subject) {
	w := newNodes(t, s)
	w.pods.Put(readyPod("web", "n1"))
	w.pass(40*time.Second - 1)
	conflicts := 3 // a reconciler that tries again by itself meets no more of them
	w.pods.Intercept(fake.Before(func(q *fake.Request) error {
		if q.Verb != fake.Update && q.Verb != fake.Status || conflicts == 0 {
			return nil
		}
		conflicts--
		return kit.NewConflict("pods", "ns/web")
	}))
	time.Sleep(time.Nanosecond)
	w.retry() // it may return the conflict
	w.pods.Intercept()
	w.now()
	w.ready("ns/web", false, "A node is silent, the update of its pod met a conflict when it was judged, and meets none by now.")
	time.Sleep(time.Minute)
	w.pods.Put(readyPod("late", "n1"))
	leaving, now := readyPod("leaving", "n1"), time.Now()
	leaving.DeletionTimestamp, leaving.Finalizers = &now, []string{"somebody.else/keeps-it"}
	w.pods.Put(leaving)
	w.now()
	w.ready("ns/late", false, "A pod that says that it is ready turned up on a node that is unreachable.")
	w.ready("ns/leaving", false, "A pod is being deleted, kept by a finalizer, and says that it is ready. Its node is unreachable, and so it is no longer ready, as far as anyone knows.")
	before := w.nodes.Changes() + w.pods.Changes()
	time.Sleep(time.Second)
	w.now()
	writes(t, w.nodes.Changes()+w.pods.Changes()-before, 0, "A node is unreachable, its pods are not ready, and nothing has changed since Reconcile was called last.")
	w.nodes.Change("n1", func(n *kit.Node) {
		n.Spec.Taints = slices.DeleteFunc(n.Spec.Taints, func(t kit.Taint) bool { return t.Effect == kit.TaintNoExecute })
	})
	w.now()
	w.tainted(true, "A node is silent, and somebody has taken one of its two taints off.")
}

// judgedLate has nobody call Reconcile for a while, so that a node is silent for longer than
// GracePeriod when the reconciler first judges it.
func judgedLate(t *conform.T, s Subject) {
	w := newNodes(t, s)
	w.pods.Put(boundPod("web", "n1"))
	time.Sleep(time.Minute)
	w.now()
	w.tainted(false, "A node was created a minute ago, this reconciler has just seen it for the first time, and it was tainted. Its silence begins at the first sight.")
	t.Note("nobody calls Reconcile for 100s")
	time.Sleep(100 * time.Second)
	w.now()
	w.tainted(true, "A node is silent for 100 s and is not tainted.")
	w.pass(2 * time.Minute)
	t.Note("somebody puts a label on n1, and then another one, which is no news")
	for _, zone := range []string{"b", "c"} {
		w.nodes.Change("n1", func(n *kit.Node) { n.Labels = map[string]string{"zone": zone} })
	}
	w.pass(3*time.Minute - 1)
	w.look()
	const judged = "A node was silent for 100 s when Reconcile was called, which judged it unreachable only then. Its pods are deleted 5 minutes after that."
	w.there("ns/web", true, judged)
	time.Sleep(time.Nanosecond)
	w.now()
	w.there("ns/web", false, judged)
	tolerant := readyPod("tolerant", "n1")
	tolerant.Spec.Tolerations = []string{kit.TaintUnreachable}
	w.pods.Put(tolerant)
	w.now()
	const late = "A pod that tolerates kit.TaintUnreachable, and says that it is ready, turned up on a node that is unreachable for longer than EvictAfter."
	w.there("ns/tolerant", true, late)
	w.ready("ns/tolerant", false, late+" The pods of such a node are no longer ready, as far as anyone knows.")
}

// asksForUnknown has two pods on n2, one of which tolerates the taint of unreachable nodes. At
// first only the cache lacks that node, and later it does not exist.
func asksForUnknown(t *conform.T, w *nodes) {
	n2 := kit.Nodes.New()
	n2.Name, n2.Status.Ready = "n2", true
	w.nodes.Put(n2)
	daemon := boundPod("daemon-2", "n2")
	daemon.Spec.Tolerations = []string{kit.TaintUnreachable}
	w.pods.Put(daemon)
	w.pSeen.CatchUp()
	reconcile := func() {
		_, err := w.reconcile("n2")
		t.Require(err == nil, "The API server refused nothing, and Reconcile returned %s.", conform.Said(err))
	}
	w.nodes.Intercept(fake.Refuse(errTired, fake.Get, fake.List))
	_, err := w.reconcile("n2")
	w.nodes.Intercept()
	w.there("ns/reborn", true, "The cache did not have the node of a pod yet, the API server did not say whether it exists, and the pod was deleted.")
	t.Require(err != nil, "The API server refused to say whether n2 exists, and Reconcile returned nil.")
	reconcile()
	w.there("ns/reborn", true, "A pod was deleted because the cache did not have its node yet.")
	w.nodes.Remove("n2")
	w.pods.Put(boundPod("again", "n2"))
	w.follow()
	w.pods.Remove("ns/again")
	w.pods.Put(boundPod("again", ""))
	t.Note("the cache has ns/again of before")
	_, _ = w.reconcile("n2") // it may find a conflict
	w.there("ns/again", true, "A new pod was deleted, which is bound to no node, because an old one of its name was bound to a node that does not exist.")
	w.follow()
	reconcile()
	w.there("ns/reborn", false, "A pod is bound to a node that does not exist, and was not deleted.")
	w.there("ns/daemon-2", false, "A pod is bound to a node that does not exist, and was not deleted. It tolerates kit.TaintUnreachable, but there is no node to be unreachable.")
}

// enqueuesNodes expects the handlers to enqueue the node of a pod, and a node that has changed.
func enqueuesNodes(t *conform.T, w *nodes) {
	queue, heard := t.Named("queue"), []string(nil)
	enqueue := func(r kit.Request) {
		queue.Note("enqueue(%s)", r)
		heard = append(heard, r.String())
	}
	ph := w.r.PodHandler(enqueue)
	ph.OnAdd(boundPod("a", "n1"), true)
	ph.OnAdd(boundPod("c", ""), false)
	ph.OnUpdate(boundPod("b", ""), boundPod("b", "n2"))
	w.r.NodeHandler(enqueue).OnUpdate(w.nodes.Now("n1"), w.nodes.Now("n1"))
	t.Require(slices.Equal(slices.Compact(heard), []string{"n1", "n2", "n1"}), "The handlers heard of a pod on n1, of one on no node, of one that was bound to n2, and of an update of n1. They enqueued %s, and should have enqueued n1, n2, n1.", conform.Listed(heard))
	heard = nil
	old, pod := boundPod("d", "n3"), boundPod("d", "n4")
	old.UID, pod.UID = "1", "2"
	ph.OnUpdate(old, pod)
	t.Require(slices.Contains(heard, "n4"), "A pod on n3 was deleted and another of its name bound to n4, of which PodHandler heard as one update, with two UIDs. The new pod has just been bound, and so its node is enqueued. PodHandler enqueued %s, and should have enqueued n4.", conform.Listed(heard))
	heard = nil
	w.r.NodeHandler(enqueue).OnDelete(w.nodes.Now("n1"), false)
	t.Require(slices.Equal(heard, []string{"n1"}), "NodeHandler heard that n1 was deleted. It enqueued %s, and should have enqueued n1.", conform.Listed(heard))
}

// marksItsOwn judges a node while the cache has a pod on it that is another one by now, on another node.
func marksItsOwn(t *conform.T, s Subject) {
	w := newNodes(t, s)
	w.pods.Put(readyPod("reborn", "n1"))
	w.pass(40*time.Second - 1)
	w.follow()
	w.pods.Remove("ns/reborn")
	w.pods.Put(readyPod("reborn", "n2"))
	time.Sleep(time.Nanosecond)
	for range 3 {
		w.nSeen.CatchUp()
		_, _ = w.reconcile("n1") // it may find a conflict
	}
	w.ready("ns/reborn", true, "Node n1 is unreachable. A pod on it was deleted, which the cache does not show, and a new one of its name runs on n2.")
}

// judgesNothingUnasked has the API server refuse to say what it knows of a node that is silent.
func judgesNothingUnasked(t *conform.T, s Subject) {
	w := newNodes(t, s)
	w.pass(40*time.Second - 1)
	time.Sleep(time.Nanosecond)
	w.nodes.Intercept(fake.Refuse(errTired, fake.Get, fake.List))
	w.retry() // it returns the refusal
	w.tainted(false, "A node is silent for 40 s by the cache, and the API server refuses to say what it knows of it. Before it judges a node, the reconciler asks the API server itself.")
	w.nodes.Intercept()
	w.now()
	w.tainted(true, "A node is silent for 40 s, and the API server says so, too.")
}
