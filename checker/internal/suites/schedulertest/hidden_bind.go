package schedulertest

import (
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// bindCases are about bindings that do not go as planned.
var bindCases = []conform.Case[Subject]{
	{
		Name:   "failed-binding-gives-back",
		Points: 4,
		Func:   "Scheduler.Run",
		Look:   []string{"what Scheduler.Run does when a binding has failed"},
		Rule:   "When a binding fails, the pod no longer counts on the node and rests, and pods that wait for its room wake.",
		Why:    "Room that is promised to a pod which never comes is lost until the scheduler restarts.",
		Hint: []string{
			"What did assuming change? Undo all of it.",
			"Others may wait for the room that is free again. For them it is like the deletion of a pod.",
		},
		Source: "kubernetes pkg/scheduler/schedule_one.go: handleBindingCycleError",
		Contract: []string{
			"Update has failed: that does not mean that nothing was written. The pod is read again with Get",
			"Otherwise, and also if Get has failed, it counts nowhere and goes to the backoff queue, as it was read.",
			"Whenever a pod stops counting on a node, that is an event",
			"The recorder gets FailedScheduling, of type Warning, with any message.",
			"a slow Update or Get keeps neither a worker nor another binding waiting",
		},
		Mode:  conform.Virtual,
		Check: failedBindingGivesBack,
	},
	{
		Name:   "conflict-never-overwrites",
		Points: 5,
		Func:   "Scheduler.Run",
		Look:   []string{"what Scheduler.Run does when a binding has failed", "the Update by which it binds"},
		Rule:   "If the pod has a node, was deleted, is being deleted or is another pod by now, the scheduler gives it up: no second write, no rest, and the room is free.",
		Why:    "A kubelet may have started the pod already. If the scheduler overwrites its nodeName, the pod runs on two nodes, and one of them does not know that it should not.",
		Hint: []string{
			"Which resource version goes with your Update? What would the API server do without it?",
			"After an error read the pod again. Which of its fields say that it is still the same pod, and still waits?",
			"Names come back, UIDs do not. And a pod that somebody has put elsewhere takes its room there.",
		},
		Source: "kubernetes pkg/scheduler/schedule_one.go: handleSchedulingFailure",
		Contract: []string{
			"It is the same pod, has a node and has not ended: from now on it counts there, and the attempt is over, without an event. A node that somebody else has given it is never overwritten.",
			"It is not found, has another UID or has ended, or Get or a handler says that it is being deleted: it counts nowhere, and the attempt is over, without an event.",
			"A pod with a node counts on that node until it has ended or is gone; a pod that is being deleted still counts.",
			"IsNotFound reports whether err says that there is no such object.",
			"Whenever a pod stops counting on a node, that is an event",
			"It counts whether or not the node is known yet",
			"Recorder gets an event at the end of each attempt, where one is named below.",
		},
		Mode:  conform.Virtual,
		Check: conflictNeverOverwrites,
	},
	{
		Name:   "conflict-tries-again",
		Points: 3,
		Func:   "Scheduler.Run",
		Look:   []string{"what Scheduler.Run does when a binding has failed", "the timer of the backoff"},
		Rule:   "A pod that was changed meanwhile and still waits is tried again after its backoff, in the state that Get returned, also if the informer is late.",
		Why:    "Conflicts are normal: somebody added a label. Optimistic concurrency means that the loser looks again.",
		Hint: []string{
			"With which version of the pod do you try the second time? The informer may not have brought a new one yet.",
			"Put what Get has returned back into the queue.",
		},
		Source: "Kubernetes API conventions, Concurrency Control and Consistency",
		Contract: []string{
			"Otherwise, and also if Get has failed, it counts nowhere and goes to the backoff queue, as it was read.",
			"the pod as it was last seen at that moment, with Spec.NodeName set and nothing else changed, is passed to Update of the client",
			"The pod is bound: Update has returned no error. The recorder gets the event Scheduled, of type Normal.",
			"OnDelete says that the pod with the UID of obj is gone, however old obj is (finalStateUnknown).",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, c := range edits {
				c.triesAgain(t, open(), false, nil)
				c.triesAgain(t, open(), true, nil)
				c.triesAgain(t, open(), false, kit.NewStatusError(kit.ReasonInternalError, "etcd is not well"))
				c.inBackoff(t, open())
				c.whileActive(t, open())
			}
			goneAsItWas(t, open())
		},
	},
	{
		Name:   "answer-lost",
		Points: 3,
		Func:   "Scheduler.Run",
		Look:   []string{"what Scheduler.Run does when a binding has failed"},
		Rule:   "An Update that returns an error may have been written all the same: then the pod counts where it is, and is not tried again.",
		Why:    "A connection breaks after the write and before the answer. A scheduler that takes the error for a no gives the same room away twice.",
		Hint: []string{
			"What does a timeout tell you about the write?",
			"Call Get before you give the room back, and decide by its answer.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"Update has failed: that does not mean that nothing was written. The pod is read again with Get, while it still counts on the node.",
			"It is the same pod, has a node and has not ended: from now on it counts there, and the attempt is over, without an event.",
			"All other events move nothing: a heartbeat or an annotation of a node, a status, a resync.",
		},
		Mode:  conform.Virtual,
		Check: answerLost,
	},
	{
		Name:   "late-answer",
		Points: 3,
		Func:   "Scheduler.Run",
		Look:   []string{"what Scheduler.Run does when a binding has been answered"},
		Rule:   "What the handlers have reported stands. A pod that was deleted while it was being bound gives its room back once, and a late answer neither brings it back nor frees it twice.",
		Why:    "Nobody counts the sums of a node again. An error of one pod in either direction stays: the node looks full and is empty, or the other way round.",
		Hint: []string{
			"What makes the pod count: the decision, the answer or the informer? It must count once, whichever comes first.",
			"Keep for each UID where it counts. Add and subtract only together with a change of that.",
		},
		Source: "kubernetes pkg/scheduler/backend/cache/interface.go: Cache (the states of a pod)",
		Contract: []string{
			"If a handler has reported during the attempt that the pod is gone or has ended, or where it is, that report stands, whatever Update and Get return, until a later one.",
			"It is not found, has another UID or has ended, or Get or a handler says that it is being deleted: it counts nowhere, and the attempt is over, without an event.",
			"A pod with a node counts on that node until it has ended or is gone",
			"a pod stops counting on a node: it is gone, it has ended, its binding has failed, or it turns out to be on another node.",
			"OnDelete says that the pod with the UID of obj is gone, however old obj is (finalStateUnknown).",
			"The latest call of the handlers is what counts",
			"Update has failed: that does not mean that nothing was written. The pod is read again with Get, while it still counts on the node.",
			"The pod is bound: Update has returned no error. The recorder gets the event Scheduled, of type Normal.",
			"the pod as it was last seen at that moment, with Spec.NodeName set and nothing else changed, is passed to Update of the client",
			"A pod that is marked for deletion while it is being bound counts if Update succeeds.",
			"if it was assumed or reported on a node before it was gone, it is left open, until a handler reports it on a node, whether it counts there and whether a notification without a node is an old one.",
			"If a pod is reported gone during its attempt, and then it is there again with the same UID, it is still the same pod, and its attempt goes on",
			"taken by a worker, until the attempt is over, even if the pod is gone by then; those that are being bound are among them",
			"All other events move nothing: a heartbeat or an annotation of a node, a status, a resync.",
		},
		Mode:  conform.Virtual,
		Check: lateAnswer,
	},
	{
		Name:   "old-news",
		Points: 3,
		Func:   "Scheduler.PodHandler",
		Look:   []string{"Scheduler.PodHandler"},
		Rule:   "A notification about a pod that is in flight, assumed or bound does not start another attempt, though it shows the pod without a node. If it shows that the pod has ended, the pod no longer counts.",
		Why:    "The informer is always a little behind. A pod that was bound a moment ago looks unbound in the next three notifications.",
		Hint: []string{
			"A pod that is in no queue is not necessarily new. Where else may it be?",
			"It may be in flight, or count on a node in your own cache. In both cases the notification is old.",
		},
		Source: "kubernetes pkg/scheduler/schedule_one.go: skipPodSchedule; kubernetes#126962",
		Contract: []string{
			"an old notification, without a node, about a pod that has been assumed or bound or was reported on a node does not start another attempt. There is never more than one attempt for a pod at the same time.",
			"a notification that shows a pod without a node, though it has been bound or was reported on one, is old: it changes nothing, unless it shows that the pod has ended.",
			"A pod with a node counts on that node until it has ended or is gone",
			"Whenever a pod stops counting on a node, that is an event",
			"Nothing is assumed or bound for a pod that is no longer pending, nor for one that counts on a node already",
		},
		Mode:  conform.Virtual,
		Check: oldNews,
	},
	{
		Name:   "gone-in-flight",
		Points: 4,
		Func:   "Scheduler.Run",
		Look:   []string{"the steps of Scheduler.Run before and after an attempt"},
		Rule:   "A pod that is deleted, marked for deletion or bound by somebody else while it waits or is tried is not bound, and leaves nothing behind: a new pod of the same name is scheduled.",
		Why:    "A StatefulSet gives its pods the same names again and again. If nobody ends a skipped attempt, the scheduler takes the next pod of this name for the old one.",
		Hint: []string{
			"Time passes between taking a pod and assuming it. Look once more before you assume.",
			"Every way out of an attempt has to end it. Count them.",
		},
		Source: "kubernetes#120622",
		Contract: []string{
			"Nothing is assumed or bound for a pod that is no longer pending, nor for one that counts on a node already",
			"The pod is no longer pending when it is to be assumed, or when no node is feasible: the attempt is over, and the recorder gets no event.",
			"the new one is another pod that has nothing to do with the first",
			"taken by a worker, until the attempt is over, even if the pod is gone by then; those that are being bound are among them",
			"A pod without a node is pending, unless it is being deleted (DeletionTimestamp) or has ended",
			"All other events move nothing: a heartbeat or an annotation of a node, a status, a resync.",
			"The latest call of the handlers is what counts",
			"A pod with a node counts on that node until it has ended or is gone",
			"Requested is the sum of the requests of all pods that count on the node, bound or assumed, and their number.",
		},
		Mode:  conform.Virtual,
		Check: goneInFlight,
	},
	{
		Name:   "same-name-another-pod",
		Points: 2,
		Func:   "Scheduler.PodHandler",
		Rule:   "An update that brings another UID is the end of one pod and the beginning of another.",
		Why:    "An informer that was cut off lists again, and a pod that was deleted and created again meanwhile looks like an update.",
		Hint: []string{
			"Is a pod of the same name the same pod?",
			"Compare the UIDs in OnUpdate. If they differ, do what OnDelete and OnAdd would do.",
		},
		Source: "kubernetes pkg/scheduler/eventhandlers.go: updateAssignedPodInCache; client-go tools/cache/controller.go: processDeltas (an informer after a relist)",
		Contract: []string{
			"If an update brings another UID, the old pod is gone, and the new one is another pod that has nothing to do with the first.",
			"Their UIDs distinguish pods.",
			"A pod that becomes pending is active.",
			"Whenever a pod stops counting on a node, that is an event",
			"taken by a worker, until the attempt is over",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			w := running(t, open(), []*kit.Node{newNode("n", 1)})
			w.addPods(bound("a", "n"))
			t.Wait()
			w.recreatePod("a", newPod("a"))
			t.Wait()
			w.runsOn("a", "n", "A pod was deleted and another of the same name came, in one update: the room of the first is free, and the second was not scheduled there.")
			w.end()
			anotherHasNotFailed(t, open(), Pending{Unschedulable: 1}, true)
			anotherHasNotFailed(t, open(), Pending{Backoff: 1}, true)
			anotherHasNotFailed(t, open(), Pending{Backoff: 1}, false)
			anotherWhileBound(t, open())
			anotherWaitsWhileBound(t, open())
			anotherIsUnschedulable(t, open())
			sameNameElsewhere(t, open())
			anotherOnTheSameNode(t, open())
		},
	},
}

// anotherOnTheSameNode has a pod on a node deleted and a smaller one of its name come there, in one update.
func anotherOnTheSameNode(t *conform.T, s Subject) {
	t.Note("next: an update brings another pod, which is on the node of the one before and requests less")
	w := running(t, s, []*kit.Node{newNode("n", 4)})
	large, b := bound("a", "n"), newPod("b")
	large.Spec.CPU, b.Spec.CPU = 300, 200
	w.addPods(large)
	t.Wait()
	w.addPods(b)
	w.pass(30 * time.Second)
	w.waits(Pending{Unschedulable: 1}, "Pod b requests 200 CPU, of which the only node has 400, and pod a there requests 300.")
	w.recreatePod("a", bound("a", "n"))
	t.Wait()
	w.runsOn("b", "n", "A pod with a CPU request of 300 was deleted, and another of the same name came on the same node, with a request of 100, in one update. The old pod is gone: it stops counting on the node, which is an event, and pod b, which waits for that room, did not get it at once.")
	w.end()
}
