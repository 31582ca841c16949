package schedulertest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// queueCases are about who is tried when.
var queueCases = []conform.Case[Subject]{
	{
		Name:   "right-events-wake",
		Points: 5,
		Func:   "Scheduler.PodHandler",
		Look:   []string{"Scheduler.PodHandler", "Scheduler.NodeHandler"},
		Rule:   "Each event that may help moves the unschedulable pods: a node comes or changes what it offers, a pod makes room, the pod itself changes what it asks for.",
		Why:    "A pod that nothing wakes waits five minutes beside a node that has room. Users complain about nothing more often.",
		Hint: []string{
			"Make the list: what can turn a filter's no into a yes? For each of the five filters it is something about the node.",
			"Room becomes free when a pod is gone, but also when it has ended and its object still exists.",
			"First change what you know about the node, then move the pods.",
		},
		Source: "kubernetes pkg/scheduler/eventhandlers.go: updatePodInSchedulingQueue; kubernetes pkg/scheduler/backend/queue/scheduling_queue.go: Update; kubernetes#72122",
		Contract: []string{
			"These events move every unschedulable pod, to the backoff queue while its backoff is not over, and to the active one afterwards",
			"A change of a pod's own spec or labels since it was last seen moves this pod alone, to the same queues.",
			"becomes active when its backoff is over, at most one second later",
			"a pod stops counting on a node: it is gone, it has ended, its binding has failed, or it turns out to be on another node.",
			"No node is feasible: the pod goes to the unschedulable queue",
		},
		Mode:  conform.Virtual,
		Check: rightEventsWake,
	},
	{
		Name:   "wrong-events-do-not-wake",
		Points: 3,
		Func:   "Scheduler.NodeHandler",
		Look:   []string{"Scheduler.NodeHandler", "Scheduler.PodHandler"},
		Rule:   "Heartbeats, annotations, statuses, resyncs and pods that never had a node move no pod.",
		Why:    "With five thousand nodes there are five hundred heartbeats a second, which are updates of Nodes here. If each woke every waiting pod, the scheduler would do nothing else.",
		Hint: []string{
			"Your OnUpdate of a node is called for every heartbeat. What do you compare?",
			"Compare what filters look at: allocatable resources, labels, taints, cordoned, ready. And of the pod itself, spec and labels.",
			"Does a deleted pod that never counted on a node make any room?",
		},
		Source: "kubernetes pkg/scheduler/eventhandlers.go: updateNodeInCache; kubernetes pkg/scheduler/framework/events.go: NodeSchedulingPropertiesChange",
		Contract: []string{
			"All other events move nothing: a heartbeat or an annotation of a node, a status, a resync.",
			"A change of a pod's own spec or labels since it was last seen moves this pod alone, to the same queues.",
			"the pod as it was last seen at that moment, with Spec.NodeName set and nothing else changed, is passed to Update of the client",
			"The latest call of the handlers is what counts",
		},
		Mode:  conform.Virtual,
		Check: wrongEventsDoNotWake,
	},
	{
		Name:   "backoff-doubles",
		Long:   true,
		Points: 4,
		Func:   "Scheduler.Run",
		Look:   []string{"the code that computes the backoff of a pod", "the code that moves a pod out of its backoff"},
		Rule:   "After each failed attempt a pod rests, 1, 2, 4, 8 and then 10 seconds, whatever happens meanwhile and whatever the reason of the failure.",
		Why:    "A pod that fails for its own reasons must not take the time of all others, however many events come.",
		Hint: []string{
			"An event moves a pod out of the unschedulable queue. Where does it go if its last attempt was half a second ago?",
			"Keep the number of failures and the end of the backoff with the pod. When it is over, a timer or ticker of yours makes the pod active.",
		},
		Source: "kubernetes pkg/scheduler/backend/queue/backoff_queue.go: calculateBackoffDuration",
		Contract: []string{
			"After its n-th failed attempt it has a backoff of 2ⁿ⁻¹ seconds, and of ten at most, counted from the end of the attempt. It is never tried before the backoff is over.",
			"becomes active when its backoff is over, at most one second later",
			"As long as the pod exists, n is never reset.",
			"it is still the same pod, and its attempt goes on",
			"The pod is read again with Get, while it still counts on the node.",
			"A change of a pod's own spec or labels since it was last seen moves this pod alone, to the same queues.",
			"If none moves it for five minutes, the pod is tried again anyway, at most 30 seconds later.",
			"An event that would move a pod also counts if it comes while the pod is in flight.",
			"These events move every unschedulable pod, to the backoff queue while its backoff is not over, and to the active one afterwards",
			"active: to be tried at once.",
		},
		Mode:  conform.Virtual,
		Check: backoffDoubles,
	},
	{
		Name:   "flushed-after-five-minutes",
		Points: 2,
		Func:   "Scheduler.Run",
		Look:   []string{"the timer of Scheduler.Run that looks after unschedulable pods"},
		Rule:   "A pod that nothing has woken for five minutes is tried again anyway.",
		Why:    "Events get lost, and lists of helpful events have gaps. This is the scheduler's resync: slow, and right in the end.",
		Hint: []string{
			"What if there is an event that your list has forgotten?",
			"Note when a pod became unschedulable. The clock that ends backoffs can check this as well.",
		},
		Source: "kubernetes pkg/scheduler/backend/queue/scheduling_queue.go: flushUnschedulableEntitiesLeftover",
		Contract: []string{
			"If none moves it for five minutes, the pod is tried again anyway, at most 30 seconds later.",
			"All other events move nothing: a heartbeat or an annotation of a node, a status, a resync.",
		},
		Mode:  conform.Virtual,
		Check: flushedAfterFiveMinutes,
	},
	{
		Name:   "event-during-an-attempt",
		Points: 4,
		Func:   "Scheduler.Run",
		Look:   []string{"the code that puts a pod back after a failed attempt", "what the handlers note about a pod in flight"},
		Rule:   "An event that comes while a pod is in flight counts for it: the pod goes to backoff and is tried again, and is not parked. What moves no pod does not count.",
		Why:    "The attempt looks at the cluster as it was when it began. If the node comes a moment later, it finds nothing in the unschedulable queue to move, and then the pod is parked beside it.",
		Hint: []string{
			"The pod is in none of the three queues during an attempt. How does the event reach it?",
			"Count the events. Note the count when you take a pod, and compare when its attempt has failed.",
			"A change of the pod itself is such an event, for this pod alone. Is a resync of it a change, or a new status?",
		},
		Source: "kubernetes#73078; kubernetes pkg/scheduler/backend/queue/active_queue.go: inFlightEvents",
		Contract: []string{
			"An event that would move a pod also counts if it comes while the pod is in flight. If its attempt finds no node, the pod goes to the backoff queue instead of the unschedulable one",
			"it is still the same pod, and its attempt goes on",
			"A change of a pod's own spec or labels since it was last seen moves this pod alone, to the same queues.",
			"a pod stops counting on a node: it is gone, it has ended, its binding has failed, or it turns out to be on another node.",
			"No node is feasible: the pod goes to the unschedulable queue, or to the backoff queue if something happened meanwhile that moves pods (see below). Either way the recorder gets FailedScheduling, of type Warning, and its message contains the text of each different error with which the filters refuse the nodes",
			"All other events move nothing: a heartbeat or an annotation of a node, a status, a resync.",
		},
		Mode:  conform.Virtual,
		Check: eventDuringAnAttempt,
	},
	{
		Name:   "whose-turn-it-is",
		Points: 2,
		Func:   "Options.Less",
		Look:   []string{"the order of the active queue", "Scheduler.PodHandler"},
		Rule:   "Among active pods Less decides which goes first, and without Less the one that was created first.",
		Why:    "When room is short, the order is the policy: the more important pod goes first, and among equals the one that has waited longer.",
		Hint: []string{
			"A heap gives you the first of many in O(log n). What is it ordered by?",
			"A pod that waits may change: a heap whose entry has changed has to be fixed.",
		},
		Source:   "kubernetes pkg/scheduler/framework/plugins/queuesort/priority_sort.go: PrioritySort.Less",
		Contract: []string{"Less reports whether a goes before b if both are active", "nil means that the pod created first does (CreationTimestamp).", "A pod that becomes pending is active."},
		Check:    whoseTurnItIs,
	},
}

// flushedAfterFiveMinutes has four pods become unschedulable, each at another part of a minute.
func flushedAfterFiveMinutes(t *conform.T, open func() Subject) {
	var full atomic.Bool
	full.Store(true)
	w := running(t, open(), []*kit.Node{newNode("n", 9)}, filters(func(*kit.Pod, NodeInfo) error {
		if full.Load() {
			return errors.New("not now")
		}
		return nil
	}))
	names := []string{"a", "b", "c", "d"}
	for i, name := range names {
		p := newPod(name)
		p.CreationTimestamp = time.Now().Add(-time.Duration(i) * time.Minute) // as active pods they go in the reverse order
		w.addPods(p)
		w.pass(13 * time.Second)
	}
	for range 4 {
		w.pass(time.Minute)
		w.resyncPod("a")
		w.changePod("b", func(p *kit.Pod) { p.Status.Reason += "x" })
		w.changeNode("n", beats)
	}
	w.pass(7 * time.Second)
	for _, name := range names {
		w.told(name, "A pod was tried again within five minutes, and nothing had happened that moves pods.", "FailedScheduling")
	}
	w.pass(71 * time.Second) // the last one came 5m31s ago
	for _, name := range names {
		w.told(name, "For five minutes and 30 seconds nothing has moved four pods: there was a resync of pod a each minute, another status of pod b and a heartbeat of the node, and no more. A pod was not tried again just once.", "FailedScheduling", "FailedScheduling")
		at := w.notes.times(name)
		took := at[1] - at[0]
		t.Require(5*time.Minute <= took && took <= 5*time.Minute+30*time.Second, "Nothing has moved pod %s. It was tried again %v after it had become unschedulable, and should have been after five minutes, at most 30 seconds later.", name, took)
	}
	full.Store(false)
	w.pass(5*time.Minute + 31*time.Second)
	for _, name := range names {
		w.runsOn(name, "n", "A pod that nothing wakes was tried again once, and then no more.")
	}
	w.end()
	flushedInTime(t, open())
	flushIsNoEvent(t, open())
	flushedEachTime(t, open)
}

// flushedInTime has a pod become unschedulable each half second, so that one of them has to wait longest for any clock
// that looks now and then.
func flushedInTime(t *conform.T, s Subject) {
	const pods = 62 // two for each second of half a minute, and of one more
	t.Note("next: %d pods become unschedulable, half a second apart", pods)
	w := running(t, s, []*kit.Node{newNode("n", 0)})
	for i := range pods {
		w.addPods(newPod("p" + strconv.Itoa(i)))
		w.pass(500 * time.Millisecond)
	}
	w.pass(5*time.Minute + 30*time.Second)
	for i := range pods {
		name := "p" + strconv.Itoa(i)
		at := w.notes.times(name)
		t.Require(len(at) == 2, "Nothing has moved pod %s for five minutes and 30 seconds. It was tried %s, and should have been tried twice.", name, times(len(at)))
		took := at[1] - at[0]
		t.Require(5*time.Minute <= took && took <= 5*time.Minute+30*time.Second, "Nothing has moved pod %s. It was tried again %v after it had become unschedulable, and should have been after five minutes, at most 30 seconds later.", name, took)
	}
	w.end()
}

// wake is one thing that happens and may help.
type wake struct {
	what   string
	event  func(w *world)
	before func(w *world) // makes the world in which only event helps
}

// hopeless adds a node on which the pod may not run, for one reason.
func hopeless(change func(n *kit.Node)) func(w *world) {
	return func(w *world) { w.addNode(with(newNode("m", 9), change)) }
}

var wakes = []wake{
	{"a node was added", func(w *world) { w.addNode(newNode("m", 9)) }, nil},
	{"a node's allocatable CPU grew", func(w *world) {
		w.changeNode("m", func(n *kit.Node) { n.Status.Allocatable.CPU = 900 })
	}, hopeless(func(n *kit.Node) { n.Status.Allocatable.CPU = 50 })},
	{"a node's allocatable memory grew", func(w *world) {
		w.changeNode("m", func(n *kit.Node) { n.Status.Allocatable.Memory = 900 })
	}, hopeless(func(n *kit.Node) { n.Status.Allocatable.Memory = 50 })},
	{"a node's allocatable memory grew, and its CPU and number of pods shrank a little", func(w *world) {
		w.changeNode("m", func(n *kit.Node) { n.Status.Allocatable = kit.Resources{CPU: 800, Memory: 900, Pods: 8} })
	}, hopeless(func(n *kit.Node) { n.Status.Allocatable.Memory = 50 })},
	{"a node's allocatable CPU grew, and its memory and number of pods shrank a little", func(w *world) {
		w.changeNode("m", func(n *kit.Node) { n.Status.Allocatable = kit.Resources{CPU: 900, Memory: 800, Pods: 8} })
	}, hopeless(func(n *kit.Node) { n.Status.Allocatable.CPU = 50 })},
	{"the number of pods grew that a node may have", func(w *world) {
		w.changeNode("m", func(n *kit.Node) { n.Status.Allocatable.Pods = 9 })
	}, hopeless(func(n *kit.Node) { n.Status.Allocatable.Pods = 0 })},
	{"a taint was taken off a node", func(w *world) { w.changeNode("m", func(n *kit.Node) { n.Spec.Taints = nil }) },
		hopeless(func(n *kit.Node) { n.Spec.Taints = []kit.Taint{{Key: "k", Effect: kit.TaintNoSchedule}} })},
	{"the effect of a taint changed", func(w *world) {
		w.changeNode("m", func(n *kit.Node) { n.Spec.Taints[0].Effect = kit.TaintPreferNoSchedule })
	}, hopeless(func(n *kit.Node) { n.Spec.Taints = []kit.Taint{{Key: "k", Effect: kit.TaintNoSchedule}} })},
	{"another taint took the place of a taint", func(w *world) {
		w.changeNode("m", func(n *kit.Node) { n.Spec.Taints[0].Key = "tolerated" })
	}, func(w *world) {
		w.changePod("waiting", func(p *kit.Pod) { p.Spec.Tolerations = []string{"tolerated"} })
		w.t.Wait()
		hopeless(func(n *kit.Node) { n.Spec.Taints = []kit.Taint{{Key: "k", Effect: kit.TaintNoSchedule}} })(w)
	}},
	{"a node was uncordoned", func(w *world) { w.changeNode("m", func(n *kit.Node) { n.Spec.Unschedulable = false }) },
		hopeless(cordoned)},
	{"a node became ready", func(w *world) { w.changeNode("m", func(n *kit.Node) { n.Status.Ready = true }) },
		hopeless(func(n *kit.Node) { n.Status.Ready = false })},
	{"a node got the label", func(w *world) { w.changeNode("m", func(n *kit.Node) { n.Labels = map[string]string{"zone": "a"} }) },
		func(w *world) {
			w.changePod("waiting", func(p *kit.Pod) { p.Spec.NodeSelector = map[string]string{"zone": "a"} })
			w.t.Wait() // or the node may be there before the selector, and the pod goes there
			hopeless(func(n *kit.Node) { n.Labels = map[string]string{"zone": "b"} })(w)
		}},
	{"a pod on a node was deleted", func(w *world) { w.deletePod("old", false) }, nil},
	{"the deletion of a pod on a node was found out by a list", func(w *world) { w.deletePod("old", true) }, nil},
	{"a pod without CPU and memory requests on a node was deleted", func(w *world) { w.deletePod("old", false) },
		func(w *world) { w.changePod("old", func(p *kit.Pod) { p.Spec.CPU, p.Spec.Memory = 0, 0 }) }},
	{"a pod on a node has succeeded", func(w *world) { w.changePod("old", func(p *kit.Pod) { p.Status.Phase = kit.PodSucceeded }) }, nil},
	{"a pod on a node has failed", func(w *world) { w.changePod("old", func(p *kit.Pod) { p.Status.Phase = kit.PodFailed }) }, nil},
	{"the pod itself tolerates the taint", func(w *world) {
		w.changePod("waiting", func(p *kit.Pod) { p.Spec.Tolerations = []string{"k"} })
	}, hopeless(func(n *kit.Node) { n.Spec.Taints = []kit.Taint{{Key: "k", Effect: kit.TaintNoExecute}} })},
	{"the pod itself tolerates the taint, instead of another", func(w *world) {
		w.changePod("waiting", func(p *kit.Pod) { p.Spec.Tolerations = []string{"k"} })
	}, func(w *world) {
		w.changePod("waiting", func(p *kit.Pod) { p.Spec.Tolerations = []string{"j"} })
		hopeless(func(n *kit.Node) { n.Spec.Taints = []kit.Taint{{Key: "k", Effect: kit.TaintNoExecute}} })(w)
	}},
	{"the pod itself selects another label", func(w *world) {
		w.changePod("waiting", func(p *kit.Pod) { p.Spec.NodeSelector = map[string]string{"zone": "b"} })
	}, func(w *world) {
		w.changePod("waiting", func(p *kit.Pod) { p.Spec.NodeSelector = map[string]string{"zone": "a"} })
		w.t.Wait()
		hopeless(func(n *kit.Node) { n.Labels = map[string]string{"zone": "b"} })(w)
	}},
	{"the pod itself asks for less", func(w *world) {
		w.changePod("waiting", func(p *kit.Pod) { p.Spec.CPU = 10 })
	}, hopeless(func(n *kit.Node) { n.Status.Allocatable.CPU = 50 })},
	{"the pod itself asks for less memory", func(w *world) {
		w.changePod("waiting", func(p *kit.Pod) { p.Spec.Memory = 10 })
	}, hopeless(func(n *kit.Node) { n.Status.Allocatable.Memory = 50 })},
	{"the pod itself asks for less, and its status and annotations changed in the same update", func(w *world) {
		w.changePod("waiting", func(p *kit.Pod) {
			p.Spec.CPU, p.Status.Phase, p.Status.Reason, p.Annotations = 10, kit.PodUnknown, "Waits", map[string]string{"a": "b"}
		})
	}, hopeless(func(n *kit.Node) { n.Status.Allocatable.CPU = 50 })},
	{"a node's allocatable CPU grew, and it got another label in the same update", func(w *world) {
		w.changeNode("m", func(n *kit.Node) { n.Status.Allocatable.CPU, n.Labels = 900, map[string]string{"zone": "a"} })
	}, hopeless(func(n *kit.Node) { n.Status.Allocatable.CPU = 50 })},
	{"a node was uncordoned, and a taint was taken off in the same update", func(w *world) {
		w.changeNode("m", func(n *kit.Node) { n.Spec.Unschedulable, n.Spec.Taints = false, nil })
	}, hopeless(func(n *kit.Node) {
		n.Spec.Unschedulable, n.Spec.Taints = true, []kit.Taint{{Key: "k", Effect: kit.TaintNoSchedule}}
	})},
	besideABeat("a node's allocatable CPU grew", func(n *kit.Node) { n.Status.Allocatable.CPU = 50 }, func(n *kit.Node) { n.Status.Allocatable.CPU = 900 }),
	besideABeat("a taint was taken off a node", func(n *kit.Node) { n.Spec.Taints = []kit.Taint{{Key: "k", Effect: kit.TaintNoSchedule}} },
		func(n *kit.Node) { n.Spec.Taints = nil }),
	besideABeat("a node was uncordoned", cordoned, func(n *kit.Node) { n.Spec.Unschedulable = false }),
	besideABeat("a node became ready", notReady, func(n *kit.Node) { n.Status.Ready = true }),
}

// besideABeat has a node change in a way that helps, and in the same update in two that move no pod.
func besideABeat(what string, before, after func(n *kit.Node)) wake {
	return wake{what + ", and its heartbeat and annotations changed in the same update", func(w *world) {
		w.changeNode("m", func(n *kit.Node) {
			after(n)
			beats(n)
			n.Annotations = map[string]string{"a": "b"}
		})
	}, hopeless(before)}
}

// rightEventsWake goes through all events before it judges: which of them a scheduler has
// overlooked, beside those that it has not, is the point. The first of them comes once more, so
// that the history ends with it.
func rightEventsWake(t *conform.T, open func() Subject) {
	var woke, slept []string
	var first wake
	for _, c := range wakes {
		if c.wakes(t, open()) {
			woke = append(woke, c.what)
		} else if slept = append(slept, c.what); len(slept) == 1 {
			first = c
		}
	}
	if len(slept) > 0 {
		first.wakes(t, open())
		t.Fatalf("The pod waiting was unschedulable, and its backoff was over. Then %s, which helps it, and it was not tried at once. It was not tried after any of these: %s. It was tried after these: %s.",
			first.what, strings.Join(slept, "; "), cmp.Or(strings.Join(woke, "; "), "none"))
	}
	ownLabels(t, open())
	labelIsTakenOff(t, open())
	nodeComesBack(t, open())
	nodesNobodyWants(t, open())
	allAreMoved(t, open())
}

// nodesNobodyWants has a node that is cordoned and not ready, and a filter of the suite that does not mind.
func nodesNobodyWants(t *conform.T, s Subject) {
	w := running(t, s, nil, filters(func(p *kit.Pod, n NodeInfo) error {
		if n.Node.Labels[p.Name] == "" {
			return errors.New("not yours")
		}
		return nil
	}))
	w.addPods(newPod("first"), newPod("second"))
	w.pass(30 * time.Second)
	w.addNode(with(newNode("n", 9), func(n *kit.Node) {
		n.Spec.Unschedulable, n.Status.Ready, n.Labels = true, false, map[string]string{"first": "yes"}
	}))
	t.Wait()
	w.runsOn("first", "n", "A node was added that is cordoned and not ready. The only filter looks at labels alone, and lets pod first run there. It was unschedulable, and was not tried at once.")
	w.pass(30 * time.Second)
	w.changeNode("n", func(n *kit.Node) { n.Labels = map[string]string{"second": "yes"} })
	t.Wait()
	w.runsOn("second", "n", "The labels of a node changed that is cordoned and not ready. The only filter looks at labels alone, and lets pod second run there. It was unschedulable, and was not tried at once.")
	w.end()
}

// allAreMoved has many unschedulable pods that have just failed, and an event, which moves all of them.
func allAreMoved(t *conform.T, s Subject) {
	const pods = 200
	t.Note("next: an event comes when %d pods have just become unschedulable", pods)
	w := running(t, s, nil)
	for i := range pods {
		w.addPods(newPod("p" + strconv.Itoa(i)))
	}
	t.Wait()
	w.waits(Pending{Unschedulable: pods}, "There is no node for any pod.")
	w.addNode(newNode("n", 0)) // and so helps nobody in the end
	t.Wait()
	why := fmt.Sprintf("%d pods were unschedulable, and a node was added, which moves every one of them, to the backoff queue, because they had just failed.", pods)
	w.waits(Pending{Backoff: pods}, why)
	w.pass(2100 * time.Millisecond)
	w.waits(Pending{Unschedulable: pods}, why+" That was 2.1s ago, and the backoff of each was over after 1s, so that each became active at most one second later, and was tried. The node has no room.")
	w.end()
}

// wakes reports whether an unschedulable pod is tried at once when c happens.
func (c wake) wakes(t *conform.T, s Subject) bool {
	t.Note("next: %s", c.what)
	w := running(t, s, []*kit.Node{newNode("n", 1)})
	w.addPods(bound("old", "n"))
	t.Wait()
	w.addPods(newPod("waiting"))
	w.pass(time.Second)
	if c.before != nil {
		c.before(w)
	}
	w.pass(30 * time.Second)
	w.waits(Pending{Unschedulable: 1}, "A pod for which there is no node is not in the unschedulable queue.")
	w.runsOn("waiting", "", "A pod runs on a node that the filters refuse.")
	c.event(w)
	t.Wait()
	tried := w.nodeOf("waiting") != ""
	t.Note("the pod waiting was tried at once: %t", tried)
	w.end()
	return tried
}

// ownLabels is a pod whose own labels change, which a filter of the suite looks at.
func ownLabels(t *conform.T, s Subject) {
	w := running(t, s, []*kit.Node{newNode("n", 1)}, filters(func(p *kit.Pod, _ NodeInfo) error {
		if p.Labels["may"] == "" {
			return errors.New("it may not")
		}
		return nil
	}))
	w.addPods(newPod("waiting"))
	w.pass(30 * time.Second)
	w.changePod("waiting", func(p *kit.Pod) { p.Labels = map[string]string{"may": "yes"} })
	t.Wait()
	w.runsOn("waiting", "n", "The labels of an unschedulable pod changed, and it was not tried at once.")
	w.end()
}

func wrongEventsDoNotWake(t *conform.T, open func() Subject) {
	w := running(t, open(), []*kit.Node{newNode("n", 2), with(newNode("m", 1), cordoned), with(newNode("shut", 9), cordoned, notReady, tainted(kit.TaintNoSchedule))})
	job := bound("job", "n")
	job.Status.Phase = kit.PodSucceeded
	w.addPods(bound("old", "n"), bound("older", "n"), job, bound("task", "n"))
	w.changePod("task", fails)
	t.Wait()
	w.addPods(newPod("waiting"), newPod("other"))
	w.pass(15 * time.Second)
	for _, c := range wrongEvents(w) {
		t.Note("next: %s", c.what)
		c.does()
		w.pass(12 * time.Second)
		tried := len(w.notes.of("waiting"))
		t.Require(tried == 1, "The pod waiting was unschedulable, and an event that helps nobody made the scheduler try it again: %s. It was tried %s, and should have been tried once.", c.what, times(tried))
	}
	roomIsMade(t, w)
	w.end()
	quietNewsIsKept(t, open())
	seenByGet(t, open())
}

// roomIsMade has the right event come at last.
func roomIsMade(t *conform.T, w *world) {
	var given atomic.Pointer[string] // with which version the pod waiting came to Update
	seen := w.stored("waiting").ResourceVersion
	w.answer(func(_ context.Context, p *kit.Pod) outcome {
		version := p.ResourceVersion
		given.Store(&version)
		return outcome{}
	})
	w.deletePod("old", false)
	t.Wait()
	if as := given.Load(); as != nil {
		t.Require(*as == seen, "A pod made room, and the pod waiting was given to Update as version %s. The PodHandler was told of version %s last, while the pod was unschedulable: a pod is bound as it was last seen.", *as, seen)
	}
	w.runsOn("waiting", "n", "After all these events the one that makes room did not wake the pod.")
}

// wrongEvent is what happens and moves no pod.
type wrongEvent struct {
	what string
	does func()
}

// wrongEvents come one after the other, in the world of wrongEventsDoNotWake.
func wrongEvents(w *world) []wrongEvent {
	return []wrongEvent{
		{"a node's heartbeat", func() { w.changeNode("n", beats) }},
		{"a heartbeat of a node that is cordoned, not ready and tainted, as it was before", func() { w.changeNode("shut", beats) }},
		{"an annotation of a node", func() { w.changeNode("n", func(n *kit.Node) { n.Annotations = map[string]string{"a": "b"} }) }},
		{"the status of a pod that runs", func() {
			w.changePod("old", func(p *kit.Pod) { p.Status.Phase, p.Status.Ready = kit.PodRunning, true })
		}},
		{"a running pod that is being deleted and still runs", func() { w.changePod("older", marked) }},
		{"a resync of a running pod", func() { w.resyncPod("old") }},
		{"a resync of a pod that had ended", func() { w.resyncPod("job") }},
		{"the status of a pod that had ended", func() { w.changePod("job", func(p *kit.Pod) { p.Status.Reason = "Completed" }) }},
		{"the labels of another pod that waits", func() { w.changePod("other", func(p *kit.Pod) { p.Labels = map[string]string{"a": "b"} }) }},
		{"the deletion of a pod that had no node", func() { w.deletePod("other", false) }},
		{"the deletion of a pod that had ended when it was first seen, and so never counted", func() { w.deletePod("job", false) }},
		{"a resync of a pod that has counted on the node and has ended", func() { w.resyncPod("task") }},
		{"the status of a pod that has counted on the node and has ended", func() { w.changePod("task", func(p *kit.Pod) { p.Status.Reason = "OutOfMemory" }) }},
		{"the deletion of a pod that has ended, and so did not count any more", func() { w.deletePod("task", false) }},
		{"a new pod that has a node", func() { w.addPods(bound("placed", "m")) }},
		{"the pod's own status", func() { w.changePod("waiting", func(p *kit.Pod) { p.Status.Reason = "Unschedulable" }) }},
		{"the pod's own annotations", func() { w.changePod("waiting", func(p *kit.Pod) { p.Annotations = map[string]string{"a": "b"} }) }},
		{"a resync of the pod", func() { w.resyncPod("waiting") }},
		{"a node that goes away", func() { w.deleteNode("m") }},
	}
}

// quietNewsIsKept has a node get an annotation, which moves no pod, and then a pod come that a filter
// lets run on nodes with that annotation alone.
func quietNewsIsKept(t *conform.T, s Subject) {
	w := running(t, s, []*kit.Node{newNode("n", 9)}, filters(func(_ *kit.Pod, n NodeInfo) error {
		if n.Node.Annotations["open"] == "" {
			return errors.New("not open")
		}
		return nil
	}))
	w.changeNode("n", func(n *kit.Node) { n.Annotations = map[string]string{"open": "yes"} })
	t.Wait()
	w.addPods(newPod("a"))
	t.Wait()
	w.runsOn("a", "n", "Node n got the annotation without which a filter refuses it, as the NodeHandler was told, and then pod a came. The annotation moves no pod, but the filters are to see the node as it is known then.")
	w.end()
}

// during is what happens in the middle of an attempt.
var during = []struct {
	what string
	does func(w *world)
}{
	{"a node was added", func(w *world) { w.addNode(newNode("m", 9)) }},
	{"a node was uncordoned", func(w *world) { w.changeNode("closed", func(n *kit.Node) { n.Spec.Unschedulable = false }) }},
	{"a pod made room", func(w *world) { w.deletePod("old", false) }},
	{"a pod on a node has ended", func(w *world) { w.changePod("old", func(p *kit.Pod) { p.Status.Phase = kit.PodSucceeded }) }},
	{"the pod itself has changed", relabelled},
	{"the pod itself has changed, and a resync of it came later", func(w *world) { relabelled(w); w.resyncPod("a") }},
	{"the pod itself has changed, and then changed back", func(w *world) {
		relabelled(w)
		w.changePod("a", func(p *kit.Pod) { p.Labels = nil })
	}},
	{"the pod itself has changed, and its status and annotations in the same update", func(w *world) {
		w.changePod("a", func(p *kit.Pod) {
			p.Labels, p.Status.Phase, p.Annotations = map[string]string{"v": "2"}, kit.PodUnknown, map[string]string{"a": "b"}
		})
	}},
	{"the image of the pod itself has changed", func(w *world) { w.changePod("a", func(p *kit.Pod) { p.Spec.Image = "another" }) }},
	{"the pod itself has changed, and then it was reported gone and there again, with the same UID", func(w *world) {
		relabelled(w)
		goneAndThere(w, w.stored("a"), w.stored("a"))
	}},
	{"the pod itself was reported gone, and then there again, with the same UID and another label", func(w *world) {
		before := w.stored("a")
		w.podFeed.hold()
		relabelled(w)
		w.podFeed.drop()
		goneAndThere(w, before, w.stored("a"))
		w.podFeed.release()
	}},
}

func relabelled(w *world) {
	w.changePod("a", func(p *kit.Pod) { p.Labels = map[string]string{"v": "2"} })
}

func eventDuringAnAttempt(t *conform.T, open func() Subject) {
	for _, c := range during {
		t.Note("next: %s during the attempt", c.what)
		g := newGate(t, "a filter")
		var hopeless atomic.Bool
		hopeless.Store(true)
		w := newWorld(t, open(), workers(2), filters(func(p *kit.Pod, n NodeInfo) error {
			if p.Name == "a" && hopeless.Load() {
				g.pass()
				return errors.New("it had looked before that happened")
			}
			if n.Node.Name == "closed" {
				return errors.New("it has no room")
			}
			return nil
		}))
		w.addNode(newNode("n", 3))
		w.addNode(with(newNode("closed", 0), cordoned))
		w.addPods(bound("old", "n"))
		t.Wait()
		w.run()
		w.addPods(newPod("a"))
		<-g.reached
		c.does(w)
		t.Wait()
		w.addPods(newPod("b")) // another attempt begins and ends meanwhile
		t.Wait()
		t.Require(w.nodeOf("b") != "", "One of two workers is busy with pod a, and pod b, for which there is room, was not scheduled meanwhile.")
		g.unlock()
		t.Wait()
		hopeless.Store(false)
		w.waits(Pending{Backoff: 1}, "While pod a was being tried, "+c.what+", which may help it. Then its attempt found no node.")
		w.pass(2 * time.Second)
		t.Require(w.nodeOf("a") != "", "While pod a was being tried, %s. After its backoff of 1s the pod was not tried again.", c.what)
		w.end()
	}
	eventBeforeAnAttempt(t, open())
	for _, c := range quiet {
		c.happens(t, open())
	}
	for _, c := range recordings {
		c.happens(t, open())
	}
	othersMeanwhile(t, open)
}

// eventBeforeAnAttempt has a node come while a pod is active, and nobody there yet to take it.
func eventBeforeAnAttempt(t *conform.T, s Subject) {
	t.Note("next: a node is added while the pod is active")
	w := newWorld(t, s)
	w.addPods(newPod("a"))
	t.Wait()
	w.addNode(newNode("n", 0))
	t.Wait()
	w.run()
	t.Wait()
	const why = "A node without room was added while pod a was active. Then a worker took the pod, and no node was feasible. Nothing happened while it was in flight, so it is unschedulable."
	w.waits(Pending{Unschedulable: 1}, why)
	w.pass(time.Minute)
	w.told("a", why, "FailedScheduling")
	w.end()
}

func whoseTurnItIs(t *conform.T, open func() Subject) {
	byLabel := func(o *Options) {
		o.Less = func(a, b *kit.Pod) bool { return a.Labels["priority"] > b.Labels["priority"] }
	}
	t.Virtual(func(t *conform.T) {
		start := time.Now()
		for _, c := range []struct {
			adjust func(o *Options)
			want   []string
			what   string
		}{
			{func(*Options) {}, []string{"p4", "p3", "p2", "p1", "p0"}, "Without Less the pod that was created first goes first, whenever the handler has heard of it."},
			{byLabel, []string{"p0", "p4", "p1", "p3", "p2"}, "Less says that the pod with the higher label priority goes first; p0 has 6, p4 4, p1 3, p3 2 and p2 1, and of p0 and p2 the label has changed while they were active."},
		} {
			turns := &turns{}
			w := newWorld(t, open(), filters(turns.filter), c.adjust)
			w.firstList = true // of all five pods
			w.addNode(newNode("n", 9))
			for i, n := range []int{3, 1, 4, 0, 2} {
				p := newPod("p" + strconv.Itoa(n))
				p.CreationTimestamp = start.Add(time.Duration(-n) * time.Millisecond)
				p.Labels = map[string]string{"priority": strconv.Itoa([]int{2, 3, 4, 0, 5}[i])}
				w.addPods(p)
			}
			w.changePod("p0", func(p *kit.Pod) { p.Labels["priority"] = "6" })
			w.changePod("p2", func(p *kit.Pod) { p.Labels["priority"] = "1" })
			t.Wait()
			w.waits(Pending{Active: 5}, "Before Run five pods came, with the first list of the informer, and are not active.")
			w.run()
			t.Wait()
			got := turns.take()
			t.Require(slices.Equal(got, c.want), "%s They were tried in the order %s, and should have been in the order %s.", c.what, listed(got), listed(c.want))
			w.end()
		}
	})
	t.Virtual(func(t *conform.T) { turnsAfterWaiting(t, open()) })
}

// turnsAfterWaiting has one pod come, two rest until their backoff is over, and one moved by an event, while the only worker is
// busy with another. The later a pod has come, the earlier it was created.
func turnsAfterWaiting(t *conform.T, s Subject) {
	g, turns, start := newGate(t, "a filter"), &turns{}, time.Now()
	w := running(t, s, []*kit.Node{labelled(newNode("n", 9))}, filters(turns.filter, func(p *kit.Pod, _ NodeInfo) error {
		if p.Name == "busy" {
			g.pass()
		}
		return nil
	}, s.NodeSelector))
	created := func(p *kit.Pod, second int) *kit.Pod {
		p.CreationTimestamp = start.Add(time.Duration(second) * time.Second)
		return p
	}
	w.answer(func(context.Context, *kit.Pod) outcome { return outcome{err: errors.New("no route to the server")} })
	w.addPods(created(newPod("p1"), 1), created(newPod("p3"), 3))
	t.Wait()
	w.answer(nil)
	w.addPods(created(only("p2", "m"), 2))
	t.Wait()
	w.waits(Pending{Backoff: 2, Unschedulable: 1}, "The bindings of pods p1 and p3 have failed, and for p2 there is no node.")
	w.addPods(created(newPod("busy"), 5))
	<-g.reached
	w.addPods(created(newPod("p4"), 4))
	w.pass(15 * time.Second)
	w.addNode(labelled(newNode("m", 9)))
	t.Wait()
	w.waits(Pending{Active: 4, InFlight: 1}, "While the only worker was busy, pod p4 came, the backoff of p1 and p3 was over, and a node was added, which moved p2.")
	turns.take()
	g.unlock()
	t.Wait()
	got, want := turns.take(), []string{"p1", "p2", "p3", "p4"}
	got = slices.DeleteFunc(got, func(name string) bool { return name == "busy" }) // a filter may be called for it once more
	t.Require(slices.Equal(got, want), "Four pods are active: p4 has just come, p1 and p3 were in the backoff queue, and p2 was unschedulable. The pod created first goes first, wherever it was before. "+
		"They were tried in the order %s, and should have been in the order %s.", listed(got), listed(want))
	w.end()
}

// turns is a filter that refuses nothing and notes which pods are tried in which order.
type turns struct {
	mu    sync.Mutex // guards names
	names []string
}

func (s *turns) filter(p *kit.Pod, _ NodeInfo) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.names); n == 0 || s.names[n-1] != p.Name {
		s.names = append(s.names, p.Name)
	}
	return nil
}

func (s *turns) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := s.names
	s.names = nil
	return names
}

// labelIsTakenOff has a label taken off a node and off pods, which a filter of the suite does not like.
func labelIsTakenOff(t *conform.T, s Subject) {
	keeps := func(labels map[string]string) error {
		if labels["away"] != "" {
			return errors.New("a label keeps them apart")
		}
		return nil
	}
	both := map[string]string{"away": "yes", "zone": "a"}
	w := running(t, s, []*kit.Node{with(newNode("n", 9), func(n *kit.Node) { n.Labels = both })}, filters(
		func(p *kit.Pod, _ NodeInfo) error { return keeps(p.Labels) },
		func(_ *kit.Pod, n NodeInfo) error { return keeps(n.Node.Labels) },
	))
	kept := newPod("kept")
	kept.Labels = both
	w.addPods(newPod("waiting"), kept)
	w.pass(30 * time.Second)
	w.changeNode("n", func(n *kit.Node) { n.Labels = map[string]string{"zone": "a"} })
	t.Wait()
	w.runsOn("waiting", "n", "A label was taken off a node, which is a change of its labels, and an unschedulable pod that a filter had kept away because of it was not tried at once.")
	w.pass(30 * time.Second)
	w.changePod("kept", func(p *kit.Pod) { p.Labels = map[string]string{"zone": "a"} })
	t.Wait()
	w.runsOn("kept", "n", "A label was taken off an unschedulable pod, which is a change of its own labels, and it was not tried at once.")
	w.end()
}

// nodeComesBack has a node go away and come back as it was, while a pod counts on it all the time.
func nodeComesBack(t *conform.T, s Subject) {
	w := running(t, s, []*kit.Node{newNode("n", 9)})
	w.addPods(bound("old", "n"))
	t.Wait()
	w.deleteNode("n")
	t.Wait()
	w.addPods(newPod("waiting"))
	w.pass(30 * time.Second)
	w.runsOn("waiting", "", "Node n was deleted, with a pod on it, and then pod waiting came. There is no node.")
	w.waits(Pending{Unschedulable: 1}, "There is no node, and a pod that waits for one is not in the unschedulable queue.")
	w.told("waiting", "There is no node, and a pod was tried.", "FailedScheduling")
	w.addNode(newNode("n", 9))
	t.Wait()
	w.runsOn("waiting", "n", "A node went away and came back as it was, with a pod that counted on it all the time. So a node was added, and an unschedulable pod was not tried at once.")
	w.end()
}
