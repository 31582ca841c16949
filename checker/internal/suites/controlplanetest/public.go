package controlplanetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "fenceposts",
		Points: 2,
		Func:   "ResolveFenceposts",
		Rule:   "A percentage in maxSurge is rounded up, one in maxUnavailable down. If both are 0, unavailable is 1. Invalid text is an error.",
		Why:    "Rounded the other way, a small deployment would have more pods missing than its owner allowed, or no rollout could ever take a step.",
		Hint: []string{
			"What is 25 % of 10 for each of the two?",
			"What could a rollout do that may neither add nor take away?",
			"(percent*desired + 99) / 100 rounds up.",
		},
		Source: "kubernetes pkg/controller/deployment/util/deployment_util.go: ResolveFenceposts",
		Contract: []string{
			`Each is a number, "3", or a percentage of desired, "25%"; "" is "25%". For percentages, surge is rounded up and unavailable down. If both come to 0, no rollout could ever take a step, so unavailable is 1`,
			"A number is one or more of the digits 0 to 9, without a sign. Anything but that, or that followed by %, is an error.",
		},
		Public: true,
		Check:  checkFenceposts,
	},
	{
		Name:   "one-replicaset-for-each-template",
		Points: 3,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "For a template without a ReplicaSet, Reconcile creates one that the deployment controls, with the hash of the template in name, labels, selector and pod labels. For a template that has one it creates none.",
		Why:    "The hash keeps the pods of two templates apart: without it the old ReplicaSet would count the new pods as its own.",
		Hint: []string{
			"Which labels does the new ReplicaSet have, and which labels do its pods have?",
			"TemplateHash is given. Everything that you put into the new object has to be a copy of your own.",
		},
		Source: "kubernetes pkg/controller/deployment/sync.go: getNewReplicaSet",
		Contract: []string{
			`it is created: its name is the deployment's, "-" and the hash; it has the template's labels and the hash; the deployment controls it; selector and template are those of the deployment with the hash added to the selector and to the template's labels; minReadySeconds is the deployment's`,
			"it gets one more than the highest of the others",
			"The deployment's own annotation is that of the new ReplicaSet.",
			"Status sums up the ReplicaSets in the cache: replicas, ready and available of all, updated is the new one's replicas, unavailable is replicas minus available, at least 0",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkOneReplicaSet,
	},
	{
		Name:   "a-rollout-keeps-between-the-fenceposts",
		Points: 4,
		Func:   "DeploymentReconciler.Reconcile",
		Rule:   "During a rollout there are never more than replicas + surge pods and never fewer available ones than replicas - unavailable. In the end all are new.",
		Why:    "This is the promise of a rolling update: users notice nothing, and the cluster needs no more room than agreed.",
		Hint: []string{
			"Scale the new one up first, as far as there is room; then the old ones down, as far as enough are available.",
			"A ReplicaSet that you have scaled down has its old number of pods until its status says otherwise.",
			"Count each ReplicaSet by the larger of spec.replicas and status.replicas, and its available pods by the smaller of spec.replicas and status.availableReplicas.",
		},
		Source: "kubernetes pkg/controller/deployment/rolling.go: rolloutRolling",
		Contract: []string{
			"At no moment may there be more pods than spec.replicas + surge, nor may fewer be available than spec.replicas - unavailable by the deployment's own doing",
			"The counted pods of a ReplicaSet are the larger of spec.replicas and status.replicas, and its counted available pods the smaller of spec.replicas and status.availableReplicas.",
			"DeploymentReconciler rolls the pods of deployments from one template to the next.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkRollout,
	},
	{
		Name:   "a-kubelet-runs-its-pods",
		Points: 3,
		Func:   "Kubelet.Run",
		Rule:   "The kubelet reports a pod of its node as Running, Ready and ended at the times of its Life. It leaves pods of other nodes, and of none, alone.",
		Why:    "The status that a kubelet writes is all that the rest of the cluster knows about a pod.",
		Hint: []string{
			"Run has to wake up for three things: a notification about a pod, the next time in the life of a pod, the next heartbeat.",
			"Keep for each pod when it starts, gets ready and ends, and sleep until the earliest.",
		},
		Source: "kubernetes pkg/kubelet/kubelet.go: syncLoop; Programming Kubernetes, ch. 1",
		Contract: []string{
			"The kubelet ignores pods of other nodes, and of none. For a pod of its own it reports, by an update of the status: phase Running after Life.Start; Ready after Life.Ready more, if it has not ended by then; and Life.Phase, no longer ready, when it has ended. ReadySince is set when Ready changes.",
			"A report may come up to a second late, or later while the API server refuses it, and later ones are due as if it had been on time.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkKubelet,
	},
	{
		Name:   "a-silent-node-loses-its-pods",
		Points: 4,
		Func:   "NodeLifecycleReconciler.Reconcile",
		Rule:   "After 40 s without news a node is not ready and tainted as unreachable, and its pods are not ready. After 5 more minutes they are deleted. News removes the taints.",
		Why:    "Nobody can ask a lost node. If the controller is too hasty, a short break of the network moves every pod. If it is too slow, the pods of that node are missing for long.",
		Hint: []string{
			"The result of Reconcile is your alarm clock: return how long it takes until something has to be done if no news comes.",
			"Remember for each node which heartbeat you saw last, when that was, and since when you take it for lost.",
		},
		Source: "kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go: processTaintBaseEviction; kubernetes pkg/controller/tainteviction/taint_eviction.go: Controller",
		Contract: []string{
			"A node that is silent for GracePeriod or longer is unreachable: not ready, and with two taints of the key kit.TaintUnreachable, NoSchedule and NoExecute. Its pods are no longer ready either, as far as anyone knows: their status says so, with ReadySince.",
			"Once it has been unreachable for EvictAfter, from when this reconciler first judged it so, its pods are deleted",
			"News of it ends all that: the taints are removed, other taints stay.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkSilentNode,
	},
	{
		Name:   "the-same-event-is-counted",
		Points: 2,
		Func:   "Recorder.Run",
		Rule:   "An event that happens again is the same object with a higher count and a later lastTimestamp. Another message, reason, type or object makes another event.",
		Why:    "Without counting, a pod that fails once a second would fill etcd with 86 400 equal objects a day.",
		Hint: []string{
			"Which fields have to be equal for two events to be the same?",
			"Remember the name of the event, get it, count it up, update it.",
		},
		Source: "client-go tools/record/events_cache.go: eventLogger",
		Contract: []string{
			"are the same event: the first creates an object with count 1, firstTimestamp and lastTimestamp; every later one updates it: count is one more, lastTimestamp is the time of that event.",
			"The event happened at the time of the call.",
			"An event's object is in the namespace of the object that it is about",
			"who says so: the source of its events",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkCounted,
	},
	{
		Name:   "ten-steps",
		Points: 5,
		Func:   "ControlPlane.Start",
		Look:   []string{"the wiring in New", "ControlPlane.Start"},
		Rule:   "A deployment becomes a ReplicaSet, that becomes pods, they are bound, run and become ready, and one that fails is replaced. Then no component writes.",
		Why:    "This is the whole of Kubernetes in one process: independent loops that know nothing of each other and talk through objects alone.",
		Hint: []string{
			"Start with one component that works, say the deployment controller, and look at what it writes.",
			"A component needs informers that run, sources that feed the queue, and a controller that starts after that.",
			"Where the workbook has its solutions, checker run 22 --reference all takes the reference for every part: if it passes then, one of your labs 07 to 21 is at fault.",
		},
		Source: "Programming Kubernetes, ch. 1: the ten steps",
		Contract: []string{
			"A deployment becomes ReplicaSets, these become pods, which are bound to nodes and run there.",
			"A pod that it controls and that its selector matches is a replica.",
			"The status counts the replicas of claim.go",
			"In a world at rest Reconcile writes nothing.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check:  checkTenSteps,
	},
}

func checkFenceposts(t *conform.T, open func() Subject) {
	s := open()
	for _, c := range []struct {
		surge, unavailable kit.IntOrPercent
		desired            int
		add, lack          int
	}{
		{"25%", "25%", 10, 3, 2},
		{"", "", 10, 3, 2},
		{"", "", 4, 1, 1},
		{"", "", 1, 1, 0},
		{"25%", "25%", 0, 0, 1},
		{"1", "0", 10, 1, 0},
		{"0", "0", 10, 0, 1},
		{"0%", "1%", 10, 0, 1},
		{"1%", "99%", 10, 1, 9},
		{"100%", "100%", 7, 7, 7},
		{"30%", "30%", 10, 3, 3},
		{"200%", "50%", 3, 6, 1},
		{"12", "3", 5, 12, 3},
		{"7%", "7%", 100, 7, 7},
		{"29%", "29%", 100, 29, 29},
		{"3", "", 10, 3, 2},
		{"", "0", 10, 3, 0},
	} {
		call := t.Call("ResolveFenceposts(%q, %q, %d)", c.surge, c.unavailable, c.desired)
		add, lack, err := s.ResolveFenceposts(c.surge, c.unavailable, c.desired)
		call.Returned("%d, %d, %v", add, lack, err)
		t.Require(err == nil && add == c.add && lack == c.lack, "ResolveFenceposts(%q, %q, %d) returned surge %d, unavailable %d and the error %v. It should have returned %d, %d and nil.",
			c.surge, c.unavailable, c.desired, add, lack, err, c.add, c.lack)
	}
	for _, bad := range []kit.IntOrPercent{"-1", "x", "%", "10 %", "1.5", "-5%", "10%%", "+3", " 3 ", "3 ", "٣", "+3%"} {
		for _, c := range [][2]kit.IntOrPercent{{bad, "1"}, {"1", bad}} {
			err := conform.Do(t.Actor, func() error {
				_, _, err := s.ResolveFenceposts(c[0], c[1], 10)
				return err
			}, "ResolveFenceposts(%q, %q, 10)", c[0], c[1])
			t.Require(err != nil, "ResolveFenceposts(%q, %q, 10) returned no error, and %q is no number of pods and no percentage.", c[0], c[1], bad)
		}
	}
}

func checkOneReplicaSet(t *conform.T, open func() Subject) {
	s := open()
	d := newDeployment(4, "1", "1", "a")
	d.Spec.MinReadySeconds = 7
	d.Spec.Template.Annotations = map[string]string{"note": "x"}
	d.Spec.Template.Labels["tier"] = "front"
	w := newRollout(t, s, d)
	w.reconcile()
	rs := w.of("a")
	hash := s.TemplateHash(d.Spec.Template)
	t.Require(rs.Namespace == web.Namespace && rs.Name == "web-"+hash, "The ReplicaSet for the template is %s. It should be in the namespace of its deployment, and named after the deployment and the hash of the template: ns/web-%s.", kit.Key(rs), hash)
	labels := map[string]string{"app": "web", "tier": "front", kit.PodTemplateHash: hash}
	t.Same(labels, rs.Labels, "The labels of the ReplicaSet should be those of the template and the hash")
	t.Same(map[string]string{"app": "web", kit.PodTemplateHash: hash}, rs.Spec.Selector.MatchLabels, "The selector of the ReplicaSet should be that of the deployment and the hash")
	t.Same(labels, rs.Spec.Template.Labels, "The labels of the pods should be those of the template and the hash")
	t.Same(d.Spec.Template.Annotations, rs.Spec.Template.Annotations, "The template of the ReplicaSet has other annotations than that of the deployment")
	t.Same(d.Spec.Template.Spec, rs.Spec.Template.Spec, "The template of the ReplicaSet has another spec than that of the deployment")
	w.wants("a", 4, "There is no other ReplicaSet, so that there is room for all 4 replicas at once.")
	t.Require(rs.Spec.MinReadySeconds == 7, "The minReadySeconds of the deployment are 7, and those of its ReplicaSet %d.", rs.Spec.MinReadySeconds)
	owner := rs.ControllerOf()
	t.Require(owner != nil, "The ReplicaSet %s has no controller. It should be controlled by its deployment.", kit.Key(rs))
	t.Same(kit.OwnerReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", UID: w.web().UID, Controller: true}, *owner, "The controller of the ReplicaSet should be its deployment")
	w.settle()
	t.Require(len(w.sets.All()) == 1, "There was one template, and there are %d ReplicaSets: %s.", len(w.sets.All()), conform.Listed(keys(w.sets.All())))
	revision := w.of("a").Annotations[kit.RevisionAnnotation]
	t.Require(revision == "1", "The ReplicaSet of the first template has the revision %q, and should have 1.", revision)
	got := w.web()
	revision = got.Annotations[kit.RevisionAnnotation]
	t.Require(revision == "1", "The ReplicaSet has revision 1, and its deployment carries revision %q.", revision)
	t.Same(kit.DeploymentStatus{Replicas: 4, UpdatedReplicas: 4, ReadyReplicas: 4, AvailableReplicas: 4, ObservedGeneration: got.Generation},
		got.Status, "The only ReplicaSet has 4 pods, which are available. The status of the deployment is wrong")
	sumsUp(t, w)
	putsItsOwnHash(t, s)
}

// putsItsOwnHash has a user whose template and selector have the label with the hash of some other template.
func putsItsOwnHash(t *conform.T, s Subject) {
	d := newDeployment(2, "1", "1", "a")
	d.Spec.Template.Labels[kit.PodTemplateHash], d.Spec.Selector.MatchLabels[kit.PodTemplateHash] = "old", "old"
	w := newRollout(t, s, d)
	w.reconcile()
	rs := w.of("a")
	labels := map[string]string{"app": "web", kit.PodTemplateHash: s.TemplateHash(d.Spec.Template)}
	const old = "The user's template and selector have the label " + kit.PodTemplateHash + " of another template, in the place of which the hash of this one comes. "
	t.Same(labels, rs.Labels, old+"The labels of the ReplicaSet should be those of the template and the hash")
	t.Same(labels, rs.Spec.Selector.MatchLabels, old+"The selector of the ReplicaSet should be that of the deployment and the hash")
	t.Same(labels, rs.Spec.Template.Labels, old+"The labels of the pods should be those of the template and the hash")
}

// sumsUp has the ReplicaSet report that not all of its pods are ready, and fewer available.
func sumsUp(t *conform.T, w *rollout) {
	w.sets.Change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) { rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = 3, 2 })
	w.looks(3)
	got := w.web()
	t.Same(kit.DeploymentStatus{Replicas: 4, UpdatedReplicas: 4, ReadyReplicas: 3, AvailableReplicas: 2, UnavailableReplicas: 2, ObservedGeneration: got.Generation},
		got.Status, "The only ReplicaSet has 4 pods, of which 3 are ready and 2 available. The status of the deployment is wrong")
}

func checkRollout(t *conform.T, open func() Subject) {
	s := open()
	for _, c := range []struct {
		replicas           int
		surge, unavailable kit.IntOrPercent
		most, least        int
	}{
		{10, "25%", "25%", 13, 8},
		{10, "0", "1", 10, 9},
		{10, "1", "0", 11, 10},
		{5, "0", "0", 5, 4},
		{1, "", "", 2, 1},
		{7, "100%", "100%", 14, 0},
		{3, "5", "0", 8, 3},
	} {
		t.Note("%d replicas, maxSurge %s, maxUnavailable %s", c.replicas, c.surge, c.unavailable)
		w := newRollout(t, s, newDeployment(c.replicas, c.surge, c.unavailable, "a"))
		w.settle()
		w.within(c.most, c.least)
		for _, image := range []string{"b", "c"} {
			w.roll(image)
			w.settle()
			w.kept()
			w.wants(image, c.replicas, fmt.Sprintf("The rollout to image %s has come to rest.", image))
		}
		for _, image := range []string{"a", "b"} {
			w.wants(image, 0, "The rollout to image c has come to rest.")
		}
	}
}

func checkKubelet(t *conform.T, open func() Subject) {
	s := open()
	n := newNode(t)
	n.run(s, Life{Start: 2 * time.Second, Ready: 3 * time.Second, Ends: time.Minute, Phase: kit.PodSucceeded}, nil)
	defer n.end()
	n.pods.Put(boundPod("web", "n1"))
	n.pods.Put(boundPod("other", "n10"))
	n.pods.Put(boundPod("pending", ""))
	n.news()
	seen := time.Now()
	at := func(d time.Duration) { time.Sleep(time.Until(seen.Add(d))) }
	at(2*time.Second - 1)
	n.is("ns/web", "", false, "The pod runs before the time of its Life.")
	at(2*time.Second + soon)
	n.is("ns/web", kit.PodRunning, false, "The pod does not run a second after the time of its Life has come.")
	n.news()
	at(5*time.Second - 1)
	n.is("ns/web", kit.PodRunning, false, "The pod is ready before the time of its Life.")
	at(5*time.Second + soon)
	n.is("ns/web", kit.PodRunning, true, "The pod is not ready a second after the time of its Life has come.")
	n.since("ns/web", seen.Add(5*time.Second), "ReadySince is not when the pod became ready.")
	n.news()
	at(62*time.Second - 1)
	n.is("ns/web", kit.PodRunning, true, "The pod ended before the time of its Life.")
	at(62*time.Second + soon)
	n.is("ns/web", kit.PodSucceeded, false, "The pod has ended a second ago, and its status does not say so.")
	n.since("ns/web", seen.Add(62*time.Second), "ReadySince is not when the pod ceased to be ready.")
	for _, key := range []string{"ns/other", "ns/pending"} {
		t.Same(kit.PodStatus{}, n.pods.Now(key).Status, "The kubelet of n1 reported on %s, which is not bound to its node: the status was empty", key)
	}
}

func checkSilentNode(t *conform.T, open func() Subject) {
	s := open()
	w := newNodes(t, s)
	p := boundPod("web", "n1")
	p.Status = kit.PodStatus{Phase: kit.PodRunning, Ready: true, ReadySince: time.Now()}
	w.pods.Put(p)
	w.pods.Put(boundPod("other", "n2"))
	n2 := kit.Nodes.New()
	n2.Name, n2.Status.Ready = "n2", true
	w.nodes.Put(n2)
	w.pass(40*time.Second - 1)
	w.look()
	w.tainted(false, "The node was tainted before it was silent for 40 s.")
	w.ready("ns/web", true, "A pod was called not ready before its node was silent for 40 s.")
	time.Sleep(time.Nanosecond)
	silent := time.Now()
	w.now()
	w.tainted(true, "A node was silent for 40 s and does not have both taints of an unreachable one.")
	t.Require(!w.nodes.Now("n1").Status.Ready, "Node n1 was silent for 40s, and its status still says that it is ready.")
	w.ready("ns/web", false, "The pod of a node that is silent is ready.")
	since := w.pods.Now("ns/web").Status.ReadySince
	t.Require(!since.Before(silent), "The pod of a node that is silent was ready, and no longer is. Its ReadySince is from %v before that: it is when Ready changed.", silent.Sub(since))
	w.pass(5*time.Minute - 1)
	w.look()
	w.there("ns/web", true, "A pod was deleted before its node was unreachable for 5 minutes.")
	time.Sleep(time.Nanosecond)
	w.now()
	w.there("ns/web", false, "A node is unreachable for 5 minutes and its pod is still there.")
	w.there("ns/other", true, "A pod of another node was deleted.")
	w.beat(time.Now())
	w.now()
	w.tainted(false, "There is news of the node and the taints are still on it.")
}

func checkCounted(t *conform.T, open func() Subject) {
	s := open()
	l := newLog(t, s, 0)
	defer l.run()()
	first := time.Now()
	for range 3 {
		l.say("web", kit.EventWarning, "BackOff", "restarting")
		time.Sleep(time.Minute)
	}
	l.say("web", kit.EventWarning, "BackOff", "restarting failed")
	l.say("web", kit.EventWarning, "Killing", "restarting")
	l.say("web", kit.EventNormal, "BackOff", "restarting")
	l.say("db", kit.EventWarning, "BackOff", "restarting")
	t.Same(map[string]int{
		"web Warning BackOff restarting 3": 1, "web Warning BackOff restarting failed 1": 1, "web Warning Killing restarting 1": 1,
		"web Normal BackOff restarting 1": 1, "db Warning BackOff restarting 1": 1,
	}, l.said(), "An event happened three times, and four others differ from it in message, type, reason or object. The objects that were written are wrong (by object, type, reason, message and count)")
	for _, e := range l.events.All() {
		t.Require(e.Namespace == "ns", "An event about ns/%s was written to the namespace %q, and should be in that of the object.", e.InvolvedObject.Name, e.Namespace)
		t.Require(e.Source == "suite", "The recorder was made for the component suite, and the source of an event is %q.", e.Source)
		if e.Count == 3 {
			t.Same([]time.Time{first, first.Add(2 * time.Minute)}, []time.Time{e.FirstTimestamp, e.LastTimestamp}, "An event happened three times, 1m apart. Its firstTimestamp and lastTimestamp are wrong")
		}
	}
	checkCountedLater(t, s)
}

// checkCountedLater has an event happen twice before Run is called.
func checkCountedLater(t *conform.T, s Subject) {
	l := newLog(t, s, 0)
	first := time.Now()
	l.say("web", kit.EventWarning, "BackOff", "restarting")
	time.Sleep(10 * time.Second)
	l.say("web", kit.EventWarning, "BackOff", "restarting")
	time.Sleep(20 * time.Second)
	defer l.run()()
	l.settle()
	t.Require(len(l.events.All()) == 1, "An event happened twice, Run was called after that, and %d events were written. One was due, with count 2.", len(l.events.All()))
	for _, e := range l.events.All() {
		t.Same([]time.Time{first, first.Add(10 * time.Second)}, []time.Time{e.FirstTimestamp, e.LastTimestamp}, "An event happened twice, 10s apart, and Run was called 20s after that. Its firstTimestamp and lastTimestamp are wrong: an event happens at the time of the call")
	}
}

func checkTenSteps(t *conform.T, open func() Subject) {
	s := open()
	var fails once // the UID of the pod that ends
	c := openCluster(t, s, setup{
		replicas: 3, surge: "1", unavailable: "1", nodes: 3,
		life: func(pod *kit.Pod) Life {
			life := Life{Start: time.Second, Ready: time.Second}
			if fails.take(pod.UID) {
				life.Ends = 30 * time.Second
			}
			return life
		},
	})
	defer c.close()
	c.deploy("a")
	c.converge("a", time.Minute)
	time.Sleep(time.Minute)
	t.Require(!slices.Contains(c.uids(), fails.taken()), "A pod (%s) should have failed 30s after it was ready, a minute ago, and is still active at the API server.", fails.taken())
	c.converge("a", time.Minute)
	c.rest()
}
