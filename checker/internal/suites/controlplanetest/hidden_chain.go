package controlplanetest

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

const blame = "Where the workbook has its solutions, checker run 22 --reference all takes the reference for every part: if it passes then, look for the part at fault; it is named after a failure."

var hiddenChain = []conform.Case[Subject]{
	{
		Name:   "components-come-back",
		Points: 3,
		Func:   "ControlPlane.Kill",
		Look:   []string{"ControlPlane.Kill", "ControlPlane.Start", "Resume and the loop that runs a component again and again"},
		Rule:   "A killed component is up again after RestartAfter, from nothing, and so is one that has ended by itself, with an error or without. A stopped one stays down until it is resumed. One component never runs twice at a time. OnError hears why one has ended, also one that was killed.",
		Why:    "Processes die all the time. Two controllers of one kind undo each other's work, each by its own memory. Leader election exists to prevent that.",
		Hint: []string{
			"What waits for all goroutines of a component before it starts again?",
			"Use one goroutine for each component, in a loop: run, wait, run again. Then there cannot be two.",
			"What ends that loop? That a run has ended without an error does not.",
		},
		Source: "kubernetes pkg/kubelet/config/file.go: NewSourceFile (static pods); client-go tools/leaderelection/leaderelection.go: LeaderElector",
		Contract: []string{
			"A component ends by itself when Start of its Controller, or Run of its Scheduler or Kubelet, returns although its context is not done. A component that has ended by itself, with an error or without, is started again, as often as necessary, when RestartAfter has passed, and at most a second later. One component never runs twice at a time.",
			"each component of the control plane asks for its own, by its name, each time that it starts.",
			"Stop is Kill, and keeps the component down until Resume.",
			"Resume lets a component that was stopped start again, at once. It reports whether there is such a component and it was stopped.",
			"It reports whether there is such a component and it was up.",
			"and when it ends, all of that ends with it, before it starts anew from nothing. Only kubelets share one informer, KubeletWatch, and one that has ended leaves no handler there.",
			"Start runs the control plane and blocks until ctx is done and all of it has ended; then it returns nil.",
			"Components returns the names of all components, sorted.",
			"No component waits for another: not all have to be up for one to start.",
			"it connects by itself, has informers, caches, queues and a Recorder of its own (named like the component), and when it ends, all of that ends with it",
			"If Start of a controller returns an error, its component shuts the queue down: lab 19's Start may not have done it.",
			"Kill ends a component in the middle of its work: its context is done. It is started again when RestartAfter has passed since it ended.",
			"Several goroutines may call it at once, and Start waits for its calls.",
			"OnError gets every error, with the component's name. The error of the context of a component that was killed or stopped need not be among them",
			"A component's informers have synced, and its handlers have heard of every existing object, before it does any work: Run of a Scheduler is called after that",
		},
		Mode:  conform.Virtual,
		Check: checkComponents,
	},
	{
		Name:   "rollouts-in-calm-weather",
		Long:   true,
		Points: 2,
		Func:   "ControlPlane.Start",
		Look:   conform.Anywhere,
		Rule:   "Through rollouts, and rollbacks in the middle of rollouts, no invariant is ever broken, and the last template wins.",
		Why:    "Each loop is right by itself. Together they are right only if none of them takes old knowledge for new.",
		Hint:   []string{"Which of the numbers by which you decide may be old?", blame},
		Source: "own",
		Contract: []string{
			"At no moment may there be more pods than spec.replicas + surge, nor may fewer be available than spec.replicas - unavailable by the deployment's own doing",
			"DeploymentReconciler rolls the pods of deployments from one template to the next.",
			"Undo puts the template of an earlier revision back into a deployment",
			"In a world at rest Reconcile writes nothing.",
		},
		Mode:  conform.Virtual,
		Check: checkCalm,
	},
	{
		Name:   "scaled-and-deleted",
		Long:   true,
		Points: 3,
		Func:   "ControlPlane.Start",
		Look:   []string{"the wiring in New", "ControlPlane.Start"},
		Rule:   "A deployment follows its replicas up and down, and when it is deleted nothing is left of it.",
		Why:    "Objects that are left over cost money, and nobody looks for them.",
		Hint:   []string{"Which component hears of the deletion, and what does it find in its cache?", blame},
		Source: "own",
		Contract: []string{
			"If the new ReplicaSet has more than the deployment's replicas, it is scaled down to that number.",
			"When it is gone, even if there is a new one of this name by then, Reconcile scales each ReplicaSet that a deployment of this name controls to 0 once it has settled, and deletes it when it has settled there.",
			"SweepEvents deletes the events whose lastTimestamp is ttl ago or longer",
		},
		Mode:  conform.Virtual,
		Check: checkScaled,
	},
	{
		Name:   "storm-of-conflicts",
		Long:   true,
		Points: 4,
		Func:   "ControlPlane.Start",
		Look:   conform.Anywhere,
		Rule:   "While three of ten updates end in a conflict, no invariant is broken, and afterwards the cluster converges.",
		Why:    "Optimistic concurrency means that somebody loses. The loser has to look again, and must not forget its work.",
		Hint:   []string{"Which of your updates drops a conflict without anybody trying again?", blame},
		Source: "Programming Kubernetes, ch. 1: optimistic concurrency",
		Contract: []string{
			"An error of the API is returned, wrapped or not, and the next call starts over from the caches; Conflict is one of them.",
			"a Conflict is no reason to lose a report or a heartbeat.",
			"At no moment may there be more pods than spec.replicas + surge, nor may fewer be available than spec.replicas - unavailable by the deployment's own doing",
		},
		Mode:  conform.Virtual,
		Check: checkConflicts,
	},
	{
		Name:   "storm-of-watches",
		Points: 4,
		Func:   "ControlPlane.Start",
		Look:   conform.Anywhere,
		Rule:   "While watches are cut and events are seconds late, no invariant is broken, and afterwards the cluster converges.",
		Why:    "Every cache lags, each by another time. Two writes to different types may be seen in the other order.",
		Hint:   []string{"Which of your decisions needs two caches that show the same moment?", blame},
		Source: "own; kubernetes#129795",
		Contract: []string{
			"What the reconciler knows about pods is old, so it takes each number for the worst that it can mean",
			"A cache may lag: before it judges a node, the reconciler asks the API server itself.",
			"At no moment may there be more pods than spec.replicas + surge, nor may fewer be available than spec.replicas - unavailable by the deployment's own doing",
		},
		Mode:  conform.Virtual,
		Check: checkWatches,
	},
	{
		Name:   "storm-of-kills",
		Long:   true,
		Points: 4,
		Func:   "ControlPlane.Start",
		Look:   conform.Anywhere,
		Rule:   "While components are killed in the middle of their work and started again, no invariant is broken, and afterwards the cluster converges.",
		Why:    "A controller may remember only what it can afford to lose.",
		Hint:   []string{"What did the component know that its successor does not?", "When may the successor begin: when its caches have synced, and not before.", blame},
		Source: "own: restarting any component has to converge",
		Contract: []string{
			"A component's informers have synced, and its handlers have heard of every existing object, before it does any work: Run of a Scheduler is called after that, and Run of a Kubelet when KubeletWatch has synced, whether or not its own handler has heard of all.",
			"It is started again when RestartAfter has passed since it ended.",
			"One component never runs twice at a time.",
			"At no moment may there be more pods than spec.replicas + surge, nor may fewer be available than spec.replicas - unavailable by the deployment's own doing",
		},
		Mode:  conform.Virtual,
		Check: checkKills,
	},
	{
		Name:   "lost-nodes",
		Long:   true,
		Points: 4,
		Func:   "ControlPlane.Start",
		Look:   conform.Anywhere,
		Rule:   "Nodes are lost, some for minutes and some for longer, some by a cut network: pods come up elsewhere, none is ever bound twice, there are never more than allowed, and the cluster uses nodes again that come back.",
		Why:    "A pod on a lost node may still run. Its successor is another pod with another name, which is why one may be deleted and the other created.",
		Hint:   []string{"What does a kubelet do that comes back and finds its pods gone?", blame},
		Source: "kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go: monitorNodeHealth",
		Contract: []string{
			"A node that is silent for GracePeriod or longer is unreachable: not ready, and with two taints of the key kit.TaintUnreachable, NoSchedule and NoExecute.",
			"Once it has been unreachable for EvictAfter, from when this reconciler first judged it so, its pods are deleted",
			"News of it ends all that: the taints are removed, other taints stay.",
			"At no moment may there be more pods than spec.replicas + surge",
			"A node that somebody else has given it is never overwritten.",
		},
		Mode:  conform.Virtual,
		Check: checkLostNodes,
	},
	{
		Name:     "clocks-that-jump",
		Points:   2,
		Func:     "ControlPlane.Start",
		Look:     conform.Anywhere,
		Rule:     "While the clocks of nodes jump by hours, no node is tainted and no pod moves.",
		Why:      "NTP corrects clocks in jumps, and virtual machines wake up from sleep.",
		Hint:     []string{"Which two clocks do you compare?", blame},
		Source:   "kubernetes pkg/controller/nodelifecycle/node_lifecycle_controller.go: nodeHealthData",
		Contract: []string{"a heartbeat is news because it differs from the last one seen, in a later version of the node, whatever time it says."},
		Mode:     conform.Virtual,
		Check:    checkJumps,
	},
	{
		Name:   "everything-at-once",
		Long:   true,
		Points: 4,
		Func:   "ControlPlane.Start",
		Look:   conform.Anywhere,
		Rule:   "Under conflicts, cut and late watches, killed components, lost nodes, jumping clocks and a user who keeps changing things, there are never too many pods, no pod is bound twice and no node overcommitted. After the storm the cluster converges.",
		Why:    "This is the promise of level-driven control: from any state, the cluster goes to where it should be.",
		Hint:   []string{"Pass the storms of one kind first.", blame},
		Source: "own",
		Contract: []string{
			"A node that somebody else has given it is never overwritten.",
			"At this moment no filter refuses the node as it is known then",
			"At no moment may there be more pods than spec.replicas + surge",
			"A component that has ended by itself, with an error or without, is started again, as often as necessary, when RestartAfter has passed, and at most a second later. One component never runs twice at a time.",
			"In a world at rest Reconcile writes nothing.",
		},
		Mode:  conform.Virtual,
		Check: checkEverything,
	},
}

func checkComponents(t *conform.T, open func() Subject) {
	s := open()
	st, scheduler := &storm{t: t, calm: true}, &ender{}
	c := openCluster(t, s, setup{replicas: 3, surge: "1", unavailable: "1", nodes: 2, connect: st.connect, runScheduler: scheduler.run})
	defer c.close()
	want := []string{"deployment-controller", "event-sweeper", "kubelet/n1", "kubelet/n2", "node-lifecycle-controller", "replicaset-controller", "scheduler"}
	t.Same(want, c.plane.Components(), "Components should name all components, sorted")
	c.deploy("a")
	c.converge("a", time.Minute)
	killsAll(t, c, st, want)
	c.deploy("b")
	c.converge("b", 2*time.Minute)
	stopsAll(t, c, st, want)
	for name, call := range map[string]func(string) bool{"Kill": c.plane.Kill, "Stop": c.plane.Stop, "Resume": c.plane.Resume} {
		t.Require(!call("nobody"), "%s(nobody) returned true, and there is no component of that name.", name)
	}
	c.converge("c", 10*time.Minute)
	stopsWhileAway(t, c, st)
	c.converge("c", time.Minute)
	endsByItself(t, st, scheduler)
	c.deploy("d")
	c.converge("d", 2*time.Minute)
	st.exorcised(t)
	endsAsAWhole(t, s)
	endsWithItsInformers(t, s)
	killedAsItStarts(t, s)
	for _, name := range []string{"deployment-controller", "event-sweeper", "scheduler"} {
		heardOut(t, s, name)
	}
	leavesNoHandler(t, s)
	answersTruly(t, s)
	leavesNoHandlerEarly(t, s)
	leavesNoQueue(t, s)
}

// killsAll kills every component, and expects each one back after RestartAfter and not before.
func killsAll(t *conform.T, c *cluster, st *storm, names []string) {
	for _, name := range names {
		st.lived(t, name, 1, "Nobody has killed a component yet.")
		up := c.kill(name)
		t.Require(up, "Kill says that %s was not up.", name)
	}
	time.Sleep(time.Second - time.Millisecond)
	for _, name := range names {
		st.lived(t, name, 1, "All components were killed, and RestartAfter, which is 1s, is not over.")
	}
	time.Sleep(soon)
	t.Wait()
	for _, name := range names {
		st.lived(t, name, 2, "All components were killed, and RestartAfter, which is 1s, was over a second ago.")
	}
}

// stopsAll stops every component, waits while nobody may write, and resumes them.
func stopsAll(t *conform.T, c *cluster, st *storm, names []string) {
	for _, name := range names {
		t.Require(c.plane.Stop(name), "Stop says that there is no %s.", name)
	}
	time.Sleep(10 * time.Second)
	before, _, _, _ := c.witness.sum()
	c.deploy("c")
	time.Sleep(10 * time.Minute)
	after, _, _, _ := c.witness.sum()
	writes(t, after-before, 1, "All components were stopped, and then nobody but the user wrote, once.")
	for _, name := range names {
		st.lived(t, name, 2, "All components were stopped ten minutes ago, and stay down until they are resumed.")
		t.Require(!c.plane.Kill(name), "%s is stopped, and Kill returned true: that it was up.", name)
		t.Require(c.plane.Resume(name), "Resume says that %s was not stopped.", name)
	}
	time.Sleep(time.Second / 4)
	for _, name := range names {
		st.lived(t, name, 3, "All components were resumed, which starts them at once.")
		t.Require(!c.plane.Resume(name), "%s was resumed and is up. A second Resume returned true: that it was stopped.", name)
	}
}

// stopsWhileAway stops components that have been killed and are not up yet, and resumes
// them before RestartAfter has passed.
func stopsWhileAway(t *conform.T, c *cluster, st *storm) {
	names := c.plane.Components()
	lives := map[string]int{}
	for _, name := range names {
		t.Note("Kill(%s)", name)
		t.Require(c.plane.Kill(name), "Kill says that %s was not up.", name)
		lives[name] = st.livesOf(name)
	}
	time.Sleep(time.Second / 2)
	for _, name := range names {
		st.lived(t, name, lives[name], "Components were killed half a second ago, and RestartAfter, which is 1s, is not over.")
	}
	for _, name := range names {
		t.Note("Stop(%s)", name)
		t.Require(c.plane.Stop(name), "Stop says that there is no %s.", name)
	}
	time.Sleep(time.Minute)
	for _, name := range names {
		st.lived(t, name, lives[name], "Components were killed, and stopped before they were up again, so that they stay down.")
		t.Note("Resume(%s)", name)
		t.Require(c.plane.Resume(name), "Resume says that %s was not stopped.", name)
	}
	time.Sleep(time.Second / 4)
	for _, name := range names {
		st.lived(t, name, lives[name]+1, "Components that had been killed and stopped were resumed, which starts them at once.")
		t.Require(c.plane.Stop(name), "Stop says that there is no %s.", name)
	}
	time.Sleep(time.Second / 4)
	for _, name := range names {
		t.Note("Resume(%s)", name)
		t.Require(c.plane.Resume(name), "Resume says that %s was not stopped.", name)
	}
	time.Sleep(time.Second / 4)
	for _, name := range names {
		st.lived(t, name, lives[name]+2, "Components were stopped and resumed 250ms later, which starts them at once.")
	}
}

// endsByItself has Run of the scheduler return, though nobody has killed the component: twice
// without an error and once with one.
func endsByItself(t *conform.T, st *storm, scheduler *ender) {
	for _, err := range []error{nil, nil, errors.New("out of memory")} {
		lives := st.livesOf("scheduler")
		said := fmt.Sprintf("Run of the scheduler returned %v, and nobody had killed it: the component has ended by itself.", err)
		t.Note("Run of the scheduler returns %v", err)
		// A component runs its scheduler when the caches have synced; no sentence says how soon it looks.
		ended := scheduler.returns(err)
		for s := 0; !ended && s < 60; s++ {
			time.Sleep(time.Second)
			ended = scheduler.returns(err)
		}
		t.Require(ended, "The component scheduler was started a minute ago, and Run of its Scheduler has not been called.")
		time.Sleep(time.Second - time.Millisecond)
		st.lived(t, "scheduler", lives, said+" RestartAfter, which is 1s, is not over.")
		time.Sleep(soon)
		t.Wait()
		st.lived(t, "scheduler", lives+1, said+" It is started again after RestartAfter, which is 1s, with an error or without.")
	}
}

func checkCalm(t *conform.T, open func() Subject) {
	s := open()
	for _, o := range []setup{
		{replicas: 6, surge: "2", unavailable: "1", nodes: 3},
		{replicas: 4, surge: "0", unavailable: "1", nodes: 2},
		{replicas: 5, surge: "1", unavailable: "0", nodes: 2},
	} {
		c := openCluster(t, s, o)
		c.deploy("a")
		c.converge("a", time.Minute)
		c.witness.available(o.replicas - c.setup.lacking)
		for _, image := range []string{"b", "c", "a", "b", "a"} {
			c.deploy(image)
			time.Sleep(time.Duration(t.Rand().IntN(4000)) * time.Millisecond)
			c.sound()
		}
		c.converge("a", 5*time.Minute)
		c.deploy("b")
		c.converge("b", 5*time.Minute)
		err := conform.Do(t.Actor, func() error { return s.Undo(t.Context(), c.api, web.Namespace, web.Name, 0) }, "Undo(ns, web, 0)")
		t.Require(err == nil, "There were several revisions, and Undo(ns, web, 0) returned %s.", conform.Said(err))
		c.converge("a", 5*time.Minute)
		c.rest()
		c.close()
	}
}

func checkScaled(t *conform.T, open func() Subject) {
	s := open()
	c := openCluster(t, s, setup{replicas: 40, surge: "1", unavailable: "1", nodes: 4})
	defer c.close()
	c.setup.replicas = 3
	c.deploy("a")
	c.converge("a", time.Minute)
	for _, n := range []int{40, 0, 1, 12} {
		c.scale(n)
		c.converge("a", 5*time.Minute)
	}
	// More than the nodes have to give: the rest waits.
	c.allows(60)
	c.scale(45)
	time.Sleep(time.Minute)
	c.sound()
	missing := c.missing("a")
	t.Require(strings.Contains(missing, "40 of 45"), "Four nodes have room for 40 pods, and 45 are asked for, so that 40 of them are ready. A minute later: %s. The API server has %s.", missing, c.state())
	c.scale(30)
	c.converge("a", 5*time.Minute)
	leavesNothing(t, c)
}

// scale sets the replicas of the deployment, and tries again after a conflict.
func (c *cluster) scale(n int) {
	c.t.Note("the user wants %s", conform.Count(n, "replica"))
	for {
		d, err := c.api.Deployments.Get(c.t.Context(), web.Namespace, web.Name)
		c.t.Require(err == nil, "The API server does not have the deployment: %v.", err)
		d.Spec.Replicas = n
		if _, err = c.api.Deployments.Update(c.t.Context(), d); !kit.IsConflict(err) {
			c.t.Require(err == nil, "The API server refused the user's deployment: %v.", err)
			return
		}
	}
}

// leavesNothing deletes the deployment, and expects its pods and ReplicaSets to go, and at
// last all events.
func leavesNothing(t *conform.T, c *cluster) {
	t.Note("the user deletes the deployment")
	_, err := c.api.Deployments.Delete(t.Context(), web.Namespace, web.Name, kit.DeleteOptions{})
	t.Require(err == nil, "The API server refused to delete the deployment: %v.", err)
	time.Sleep(5 * time.Minute)
	t.Require(len(c.pods()) == 0, "The deployment was deleted 5m ago, and %d of its pods are left: %s.", len(c.pods()), conform.Listed(keys(c.pods())))
	sets, err := c.api.ReplicaSets.List(t.Context(), kit.ListOptions{})
	t.Require(err == nil, "The API server does not list its ReplicaSets: %v.", err)
	t.Require(len(sets.Items) == 0, "The deployment was deleted 5m ago, and ReplicaSets of it are left: %s.", conform.Listed(keys(sets.Items)))
	time.Sleep(2 * time.Hour)
	events, err := c.api.Events.List(t.Context(), kit.ListOptions{})
	t.Require(err == nil, "The API server does not list its events: %v.", err)
	t.Require(len(events.Items) == 0, "The last thing happened two hours ago, events live for one, and %d are left: %s.", len(events.Items), conform.Listed(keys(events.Items)))
}
