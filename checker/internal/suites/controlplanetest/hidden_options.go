package controlplanetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hiddenOptions = []conform.Case[Subject]{{
	Name:   "options-reach-the-parts",
	Points: 2,
	Func:   "New",
	Look:   []string{"the wiring in New", "ControlPlane.Start"},
	Rule:   "Each option reaches the part that it is for. OnError hears of the errors of every component, and each component's events bear its name.",
	Why:    "An option that reaches nobody is found by the one who needs it at night. And an error that nobody hears of looks like a component that has nothing to do.",
	Hint: []string{
		"Take the fields of Options one after the other: who needs this one?",
		"A component has two kinds of errors: the one with which it ends, and those that it goes on after. Who hears of the second kind?",
		"What is NewRecorder told about who speaks?",
	},
	Source: "kubernetes cmd/kube-controller-manager/app/controllermanager.go: Run; the contract of this lab",
	Contract: []string{
		"OnError gets every error, with the component's name.",
		"it connects by itself, has informers, caches, queues and a Recorder of its own (named like the component)",
		"this node's own clock, for its heartbeats alone",
		"phase Running after Life.Start; Ready after Life.Ready more, if it has not ended by then",
		"is the connection of the one informer that notifies all kubelets of pods.",
		"A handler that is in no call, and not in the pause after a panic, is called at once.",
		"how long a node may be silent",
		"how long its pods are kept after that",
		"DefaultEventTTL is how long an event is kept after it has last happened.",
		"0 is DefaultEventTTL",
		"0 is a minute",
		"of each controller; 0 is 2",
		"The deployment controller has a PriorityQueue, the other controllers have a Queue.",
		"how long a component that has ended stays down; 0 is a second",
		"Errors of the API are returned, wrapped or not.",
		"The pod is bound: Update has returned no error. The recorder gets the event Scheduled, of type Normal.",
	},
	Mode:  conform.Virtual,
	Check: checkOptions,
}}

func checkOptions(t *conform.T, open func() Subject) {
	s := open()
	w := openWired(t, s)
	defer w.close()
	w.deploy("a")
	w.converge("a", time.Minute)
	w.workers(3, "Workers of the options is 3")
	w.lineUp()
	w.noPanics()
	w.bearsNames()
	w.beats()
	w.lives()
	w.st.split("kubelets", true)
	w.t.Note("the connection of KubeletWatch is cut for 20s, and that of the kubelet is not")
	w.beats()
	w.st.split("kubelets", false)
	w.losesItsNode()
	w.noPanics()
	w.sweeps()
	w.staysDown()
	w.hears()
	hasDefaults(t, s)
}

// wired is a cluster of one node whose options are none of the defaults.
type wired struct {
	*cluster
	st        *storm
	scheduler ender

	mu      sync.Mutex // guards the fields below
	made    []int      // the workers of each controller
	queues  [2]int     // how many queues were made: plain ones, and PriorityQueues
	foreign string     // an event that bears another name than that of the component that wrote it
	errs    map[string][]error
}

func openWired(t *conform.T, s Subject) *wired {
	w := &wired{st: &storm{t: t, calm: true}, errs: map[string][]error{}}
	w.cluster = openCluster(t, s, setup{
		replicas: 2, surge: "1", unavailable: "1", nodes: 1, connect: w.connect, runScheduler: w.scheduler.run,
		tune: func(p *ClusterParts) {
			t.Note("options: Heartbeat 2s, GracePeriod 10s, EvictAfter 30s, EventTTL 90s, SweepEvery 10s, Workers 3, RestartAfter 5s; labels of n1: zone=b; its clock is an hour slow")
			p.Heartbeat, p.GracePeriod, p.EvictAfter = 2*time.Second, 10*time.Second, 30*time.Second
			p.EventTTL, p.SweepEvery = 90*time.Second, 10*time.Second
			p.Workers, p.RestartAfter = 3, 5*time.Second
			p.Machines[0].Labels = map[string]string{"zone": "b"}
			p.Machines[0].Now = func() time.Time { return time.Now().Add(-time.Hour) }
			p.Controls, p.Queues, p.OnError = w.makes, w.queued, w.fails
		},
	})
	return w
}

// makes hears of a controller that is made.
func (w *wired) makes(workers int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made = append(w.made, workers)
}

// queued hears of a queue that is made.
func (w *wired) queued(priority bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if priority {
		w.queues[1]++
	} else {
		w.queues[0]++
	}
}

// lineUp requires a PriorityQueue for one controller and a Queue for each of the two others.
func (w *wired) lineUp() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.t.Require(w.queues[1] > 0, "The deployment controller has a PriorityQueue. All controllers have started, and NewPriorityQueue of the Parts was never called.")
	w.t.Require(w.queues[0] > 1, "The ReplicaSet controller and the node lifecycle controller have a Queue each. All controllers have started, and NewQueue of the Parts was called %s.", conform.Count(w.queues[0], "time"))
}

// fails is the OnError of the options.
func (w *wired) fails(component string, err error) {
	w.t.Named("OnError").Note("is called: OnError(%s, %v)", component, err)
	if err == nil {
		w.t.Errorf("OnError was called with the name %s and without an error. It gets every error, and nothing else.", component)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.errs[component] = append(w.errs[component], err)
}

// heard are the errors of a component that OnError has got so far.
func (w *wired) heard(component string) []error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.errs[component]
}

// connect is a connection that may be cut, that of events too, and sees who signs them.
func (w *wired) connect(component string, api API) API {
	through := w.st.connect(component, api)
	through.Events = signed{newStormy(w.st, component, w.st.livesOf(component), kit.CoreEvents, api.Events), w, component}
	return through
}

// signed is a component's connection for events.
type signed struct {
	Resource[*kit.CoreEvent]
	w         *wired
	component string
}

func (s signed) Create(ctx context.Context, e *kit.CoreEvent) (*kit.CoreEvent, error) {
	if e.Source != s.component {
		s.w.mu.Lock()
		s.w.foreign = fmt.Sprintf("The component %s wrote the event %s about %s with the source %q.", s.component, e.Reason, e.InvolvedObject.Name, e.Source)
		s.w.mu.Unlock()
	}
	return s.Resource.Create(ctx, e)
}

// workers requires that there are three controllers or more, each with so many workers.
func (w *wired) workers(want int, sentence string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.t.Require(len(w.made) >= 3, "A control plane has three controllers, and NewController of the Parts was called %s.", conform.Count(len(w.made), "time"))
	for _, got := range w.made {
		w.t.Require(got == want, "%s, and NewController of the Parts got ControllerOptions with %d Workers.", sentence, got)
	}
}

// bearsNames expects the scheduler and the ReplicaSet controller to have written events, and all
// that did to have signed them.
func (w *wired) bearsNames() {
	time.Sleep(soon)
	list, err := w.api.Events.List(w.t.Context(), kit.ListOptions{})
	w.t.Require(err == nil, "The API server does not list its events: %v.", err)
	w.mu.Lock()
	foreign := w.foreign
	w.mu.Unlock()
	w.t.Require(foreign == "", "%s The source is the name of the component that the Recorder belongs to.", foreign)
	by := map[string]int{}
	for _, e := range list.Items {
		by[e.Source]++
	}
	for component, what := range map[string]string{"scheduler": "each pod that it binds", "replicaset-controller": "each pod that it creates"} {
		w.t.Require(by[component] > 0, "The deployment has its pods, and there is no event from %s, whose part notes one about %s. Each component has a Recorder of its own, which has to run.", component, what)
	}
}

// beats expects a node with its labels, and a heartbeat every two seconds.
func (w *wired) beats() {
	for range 5 {
		time.Sleep(2 * time.Second)
		node := w.node()
		age := time.Now().Add(-time.Hour).Sub(node.Status.Heartbeat)
		w.t.Require(0 <= age && age <= 2*time.Second+soon, "Heartbeat of the options is 2s, and the heartbeat of n1 is %v old, by the clock of its Machine, which is an hour slow. It may be a second late.", age)
		w.t.Same(map[string]string{"zone": "b"}, node.Labels, "The labels of node n1 are not those of its Machine")
	}
}

// lives has a user create pods of no node, for which there is no room, and then one that is bound
// to n1 from the beginning, which has the Life of the options: it starts after 1s, and is ready 1s later.
func (w *wired) lives() {
	const homeless = 30
	w.t.Note("the user creates %d pods of no node for which no node has room, and then ns/alone, which is bound to n1", homeless)
	w.allows(w.setup.replicas + 1 + homeless)
	for i := range homeless {
		pod := boundPod(fmt.Sprint("large-", i), "")
		pod.Spec.CPU = 1 << 40
		w.create(pod)
	}
	w.create(boundPod("alone", "n1"))
	alone := func() kit.PodStatus {
		w.t.Wait()
		pod, err := w.api.Pods.Get(w.t.Context(), "ns", "alone")
		w.t.Require(err == nil, "The user has created pod ns/alone, and the API server does not have it: %v.", err)
		return pod.Status
	}
	time.Sleep(2*time.Second - time.Millisecond)
	w.t.Require(!alone().Ready, "Life of the options says that a pod starts after 1s and is ready 1s later. A pod that is bound to n1 was created a moment less than 2s ago, and is ready.")
	time.Sleep(8 * time.Second)
	status := alone()
	w.t.Require(status.Phase == kit.PodRunning && status.Ready, "The user has created %d pods of no node and then one that is bound to n1, which runs after 1s and is ready 1s later. It was created 10s ago, and is %s. "+
		"KubeletWatch notifies all kubelets of pods. A handler of it that panics pauses for a second.", homeless, state(status.Phase, status.Ready))
	for _, pod := range w.pods() {
		if pod.ControllerOf() == nil {
			_, err := w.api.Pods.Delete(w.t.Context(), pod.Namespace, pod.Name, kit.DeleteOptions{})
			w.t.Require(err == nil, "The API server refused to delete a pod: %v.", err)
		}
	}
	w.allows(w.setup.replicas + 1)
}

// allows has the witness allow so many pods.
func (c *cluster) allows(most int) {
	c.witness.mu.Lock()
	defer c.witness.mu.Unlock()
	c.witness.most = most
}

func (c *cluster) create(pod *kit.Pod) {
	_, err := c.api.Pods.Create(c.t.Context(), pod)
	c.t.Require(err == nil, "The API server refused a pod of the case: %v.", err)
}

func (w *wired) node() *kit.Node {
	w.t.Wait()
	node, err := w.api.Nodes.Get(w.t.Context(), "", "n1")
	w.t.Require(err == nil, "There is a machine n1, and the API server does not have its node: %v.", err)
	return node
}

// losesItsNode stops the only kubelet, and expects the taints and the evictions in their time.
// The last heartbeat may be three seconds old by then.
func (w *wired) losesItsNode() {
	pods := w.uids()
	left := func() (n int) {
		for _, uid := range w.uids() {
			for _, pod := range pods {
				if uid == pod {
					n++
				}
			}
		}
		return n
	}
	stopped := time.Now()
	at := func(d time.Duration) { time.Sleep(time.Until(stopped.Add(d))) }
	w.t.Require(w.halt("kubelet/n1"), "Stop says that there is no kubelet/n1.")
	at(6 * time.Second)
	w.t.Require(len(w.node().Spec.Taints) == 0, "GracePeriod of the options is 10s. The kubelet of n1 was stopped 6s ago, its last heartbeat is at most 9s old, and the node has taints.")
	at(13 * time.Second)
	w.t.Require(len(w.node().Spec.Taints) == 2, "GracePeriod of the options is 10s. The kubelet of n1 was stopped 13s ago, and the node does not have its two taints: it has %d.", len(w.node().Spec.Taints))
	at(36 * time.Second)
	w.t.Require(left() == 2, "EvictAfter of the options is 30s. Node n1 has been unreachable for at most 29s, and %d of its 2 pods are left.", left())
	at(46 * time.Second)
	w.t.Require(left() == 0, "EvictAfter of the options is 30s. Node n1 has been unreachable for at least 33s, and %d of its 2 pods are left.", left())
	w.t.Require(w.resume("kubelet/n1"), "Resume says that kubelet/n1 was not stopped.")
	w.converge("a", 10*time.Minute)
}

// happened has the API server keep an event that happened last so long ago.
func (c *cluster) happened(name string, ago time.Duration) {
	c.t.Note("there is an event %s, which happened last %v ago", name, ago)
	e := kit.CoreEvents.New()
	e.Namespace, e.Name, e.Count, e.LastTimestamp = "ns", name, 1, time.Now().Add(-ago)
	_, err := c.api.Events.Create(c.t.Context(), e)
	c.t.Require(err == nil, "The API server refused an event of the case: %v.", err)
}

// swept requires that an event is there, or is not.
func (c *cluster) swept(name string, want bool, sentence string) {
	c.t.Wait()
	_, err := c.api.Events.Get(c.t.Context(), "ns", name)
	is := map[bool]string{true: "gone", false: "there"}
	c.t.Require(kit.IsNotFound(err) == want, "%s The event %s is %s.", sentence, name, is[kit.IsNotFound(err)])
}

func (w *wired) sweeps() {
	w.happened("short-lived", 0)
	time.Sleep(90*time.Second - time.Millisecond)
	w.swept("short-lived", false, "EventTTL of the options is 90s, and an event happened last a moment less ago.")
	time.Sleep(10*time.Second + soon)
	w.swept("short-lived", true, "EventTTL of the options is 90s, SweepEvery is 10s, and an event happened last 101s ago.")
}

func (w *wired) staysDown() {
	lives := w.st.livesOf("scheduler")
	up := w.kill("scheduler")
	w.t.Require(up, "Kill says that the scheduler was not up.")
	time.Sleep(5*time.Second - time.Millisecond)
	w.st.lived(w.t, "scheduler", lives, "The scheduler was killed, and RestartAfter of the options, which is 5s, is not over.")
	time.Sleep(soon)
	w.t.Wait()
	w.st.lived(w.t, "scheduler", lives+1, "The scheduler was killed, and RestartAfter of the options, which is 5s, was over a second ago.")
}

// noPanics requires that OnError has got no error that was made from a nil pointer.
func (w *wired) noPanics() {
	for _, component := range w.plane.Components() {
		for _, err := range w.heard(component) {
			w.t.Require(!strings.Contains(err.Error(), "nil pointer"), "OnError got an error of %s that was a panic: %v. A part that it was made of is nil. Its Recorder may not be.", component, err)
		}
	}
}

// hears gives each component but the kubelet an error, and expects OnError to get it.
func (w *wired) hears() {
	w.cutOff("deployment-controller", "The user deploys another image.", func() { w.deploy("b") })
	w.converge("b", 5*time.Minute)
	w.cutOff("replicaset-controller", "The user deletes a pod.", func() {
		p := w.pods()[0]
		_, err := w.api.Pods.Delete(w.t.Context(), p.Namespace, p.Name, kit.DeleteOptions{})
		w.t.Require(err == nil, "The API server refused to delete a pod: %v.", err)
	})
	w.converge("b", 5*time.Minute)
	w.cutOff("node-lifecycle-controller", "The kubelet of n1 was stopped, and is silent for longer than GracePeriod.", func() { w.plane.Stop("kubelet/n1") })
	w.plane.Resume("kubelet/n1")
	w.converge("b", 10*time.Minute)
	w.cutOff("event-sweeper", "It sweeps every 10s.", func() {})
	w.endsWith(errors.New("out of memory"))
	time.Sleep(time.Minute) // it runs again
	w.endsWith(fmt.Errorf("lost the lease: %w", context.Canceled))
}

// endsWith has Run of the scheduler return this error, and expects OnError to get it.
func (w *wired) endsWith(failed error) {
	w.t.Note("Run of the scheduler returns %v", failed)
	w.t.Require(w.scheduler.returns(failed), "Run of the Scheduler is not under way.")
	time.Sleep(soon)
	w.t.Wait()
	got := w.heard("scheduler")
	w.t.Require(len(got) > 0 && errors.Is(got[len(got)-1], failed), "Run of the scheduler returned the error %q, and nobody had killed it. OnError should have got that error with the name scheduler, and got of it: %v.", failed, got)
}

// cutOff lets nothing that a component sends reach the API server for a quarter of a minute, in
// which it has something to do.
func (w *wired) cutOff(component, sentence string, provoke func()) {
	w.t.Note("requests of %s reach nobody", component)
	before := len(w.heard(component))
	w.st.split(component, true)
	provoke()
	time.Sleep(15 * time.Second)
	w.t.Wait()
	w.st.split(component, false)
	w.t.Note("requests of %s reach the API server again", component)
	w.t.Require(len(w.heard(component)) > before, "Each request of %s was refused for 15s. %s The component got an error, and OnError did not get one with its name.", component, sentence)
}

// hasDefaults expects what no options mean.
func hasDefaults(t *conform.T, s Subject) {
	w := &wired{}
	w.cluster = openCluster(t, s, setup{replicas: 1, surge: "1", unavailable: "1", nodes: 1, tune: func(p *ClusterParts) {
		t.Note("options: none but the machines, and OnError is nil")
		p.Controls = w.makes
	}})
	defer w.close()
	w.deploy("a")
	w.converge("a", time.Minute)
	w.workers(2, "Workers of the options is 0, which is 2")
	w.happened("old", 58*time.Minute)
	w.happened("young", 50*time.Minute)
	time.Sleep(2*time.Minute - time.Millisecond)
	w.swept("old", false, "EventTTL of the options is 0, which is an hour, and an event happened last a moment less ago.")
	time.Sleep(time.Minute + soon)
	w.swept("old", true, "EventTTL of the options is 0, which is an hour, SweepEvery is 0, which is a minute, and an event happened last 61 minutes ago.")
	w.swept("young", false, "EventTTL of the options is 0, which is an hour, and an event happened last 53 minutes ago.")
}
