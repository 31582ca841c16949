package schedulertest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

var faults = slices.Concat(pluginFaults, attemptFaults, bindingFaults, queueFaults, eventFaults, runFaults)

// wrong is a fault whose answer is wrong.
func wrong(name, mistake, file, killedBy string, edits []conform.Edit) conform.Fault {
	return conform.Fault{Name: name, Mistake: mistake, File: file, Edits: edits, KilledBy: killedBy, Verdict: verdict.WrongAnswer}
}

// pluginFaults are mistakes of the filters and scores.
var pluginFaults = []conform.Fault{
	wrong("exact-fit-refused", "A node that would be full to the last byte is thought to be overcommitted.",
		"plugins.go", "resources-fit",
		conform.Swap("pod.Spec.Memory > free.Memory", "pod.Spec.Memory >= free.Memory")),
	wrong("pods-not-counted", "CPU and memory are resources; that a kubelet runs only so many pods is forgotten.",
		"plugins.go", "resources-fit",
		conform.Swap("free.Pods < 1", "free.Pods < -1000")),
	wrong("zero-request-refused", "A pod that asks for no CPU is compared all the same, and kept off a node that has none left.",
		"plugins.go", "resources-fit",
		conform.Swap("pod.Spec.CPU > 0 && pod.Spec.CPU > free.CPU", "pod.Spec.CPU > free.CPU")),
	wrong("missing-label-matches", "A label that is not there reads as the empty string, and so matches a selector that asks for the empty string.",
		"plugins.go", "who-may-run-where",
		conform.Swap("got, ok := node.Node.Labels[key]; !ok || got != value", "got := node.Node.Labels[key]; got != value")),
	wrong("no-execute-only-evicts", "NoExecute is read as: pods that run have to go. It keeps new ones away, too.",
		"plugins.go", "who-may-run-where",
		conform.Swap("effect == kit.TaintNoSchedule || effect == kit.TaintNoExecute", "effect == kit.TaintNoSchedule")),
	wrong("prefer-means-must", "Every taint that is not tolerated keeps a pod away, also one that only asks it to prefer other nodes.",
		"plugins.go", "who-may-run-where",
		conform.Swap("return effect == kit.TaintNoSchedule || effect == kit.TaintNoExecute", "return effect != \"\"")),
	wrong("scored-without-the-pod", "The score looks at the node as it is, and not as it will be with the pod on it.",
		"plugins.go", "score-spreads",
		conform.Swap("minus(has, plus(node.Requested, requests(pod)))", "minus(has, node.Requested)")),
	wrong("packs-instead-of-spreading", "The fuller node gets the higher score: that is the plugin for those who pay for each node.",
		"plugins.go", "score-spreads",
		conform.Swap("return part * 100 / whole", "return 100 - part*100/whole")),
	wrong("polite-taint-ignored", "PreferNoSchedule keeps nobody away, so it is not looked at at all.",
		"plugins.go", "score-spreads",
		conform.Swap("taint.Effect == kit.TaintPreferNoSchedule && !slices", "taint.Effect == \"\" && !slices")),
	wrong("no-fewest", "The percentage is taken also of small clusters: of 200 nodes 98 are looked at.",
		"plugins.go", "enough-is-enough",
		conform.Swap("return max(nodes*percent/100, fewest)", "return nodes * percent / 100")),
}

// attemptFaults are mistakes between taking a pod and binding it.
var attemptFaults = []conform.Fault{
	{
		Name:     "writes-the-shared-pod",
		Mistake:  "The node name is written into the pod that the handler was given. That belongs to the informer's cache, and everybody reads it.",
		File:     "attempt.go",
		Edits:    conform.Swap("bound := b.pod.DeepCopy() // the pod itself belongs to the informer's cache", "bound := b.pod"),
		KilledBy: "gives-a-pod-a-node",
		Verdict:  verdict.DataRace,
	},
	wrong("not-assumed", "The pod counts on its node when the informer says so, and not before.",
		"attempt.go", "assumed-counts-at-once",
		conform.Swap("\t\ta.cache.assume(a.pod, node.Node.Name)\n", "")),
	wrong("binds-in-the-worker", "The worker itself waits for the API server, and with it all pods behind this one.",
		"attempt.go", "binds-asynchronously",
		conform.Swap("a.binding.Go(func() { b.run(ctx) })", "b.run(ctx)")),
	wrong("assumed-blindly", "What the filters have seen is believed to be still so when the pod is assumed. With one worker it is.",
		"attempt.go", "two-workers-one-place",
		conform.Swap("now = a.cache.get(node.Node.Name)", "now = node")),
	wrong("reason-lost", "The event says that there is no node, and keeps the reasons of the filters to itself.",
		"attempt.go", "unschedulable-waits",
		conform.Swap("strings.Join(reasons, \", \")", "strings.Repeat(\"no \", len(reasons))")),
	wrong("weights-ignored", "The scores are added up as they are.",
		"attempt.go", "highest-sum-wins",
		conform.Swap("sum += score.Weight * score.Score(a.pod, *node)", "sum += score.Score(a.pod, *node)")),
	wrong("first-feasible-wins", "The first node that will do is taken; the best is not looked for.",
		"attempt.go", "highest-sum-wins",
		conform.Swap("sum > highest {", "sum > highest+1_000_000 {")),
	wrong("counts-what-it-looked-at", "The search ends after so many nodes, feasible or not. The only one that fits may be behind them.",
		"attempt.go", "enough-is-enough",
		conform.Swap("looked < len(a.nodes) && len(a.feasible) < enough", "looked < enough")),
	wrong("looks-at-all", "All nodes are scored, however many there are.",
		"attempt.go", "enough-is-enough",
		conform.Swap("looked < len(a.nodes) && len(a.feasible) < enough", "looked < len(a.nodes) && enough > 0")),
	wrong("begins-at-the-first", "Every search begins at the same node, and the nodes at the end are never looked at.",
		"attempt.go", "enough-is-enough",
		conform.Swap("\ta.cache.advance(looked)\n", "")),
	wrong("gone-is-not-asked", "Between the take and the assumption nobody looks whether the pod still waits.",
		"attempt.go", "gone-in-flight",
		conform.Swap("\tif a.entry.gone {\n\t\treturn nil, nil\n\t}\n", "")),
	{
		Name:    "filters-under-the-lock",
		Mistake: "The filters are asked under the lock, so that nothing changes meanwhile. Then the informers wait for them, and a filter that asks the scheduler waits for itself.",
		File:    "attempt.go",
		Edits: []conform.Edit{
			{Old: "\ta.mu.Unlock()\n\ta.feasible", New: "\ta.feasible"},
			{Old: "\ta.mu.Lock()\n\tdefer a.mu.Unlock()\n\ta.cache.advance", New: "\tdefer a.mu.Unlock()\n\ta.cache.advance"},
		},
		KilledBy: "no-lock-held-outside",
		Verdict:  verdict.Deadlock,
	},
}

// bindingFaults are mistakes about writes that do not go as planned.
var bindingFaults = []conform.Fault{
	wrong("writes-unconditionally", "A write without a resource version never meets a conflict. It also never sees that somebody was quicker.",
		"attempt.go", "conflict-never-overwrites",
		conform.Swap("\tbound.Spec.NodeName = b.node\n", "\tbound.Spec.NodeName = b.node\n\tbound.ResourceVersion = \"\"\n")),
	wrong("name-is-identity", "A pod of the same name is taken for the same pod, and what failed for the old one is tried with the new one.",
		"attempt.go", "conflict-never-overwrites",
		conform.Swap("same := err == nil && current.UID == b.pod.UID", "same := err == nil")),
	wrong("bound-is-tried-again", "After a failure the pod is put back whatever has become of it.",
		"attempt.go", "conflict-never-overwrites",
		conform.Swap("if kit.IsNotFound(err) || err == nil && !(same && pending(current)) {", "if kit.IsNotFound(err) {")),
	wrong("rivals-pod-counts-nowhere", "A pod that somebody else has bound is not ours, so nobody counts it until the informer comes.",
		"attempt.go", "conflict-never-overwrites",
		conform.Swap("\tcase same && counts(current):\n\t\tb.place(current)\n", "")),
	wrong("old-version-again", "The pod is tried again as it was before the conflict, and meets the same conflict until the informer has caught up.",
		"attempt.go", "conflict-tries-again",
		conform.Swap("\tif same {\n\t\tb.entry.pod = current\n\t}\n", "")),
	wrong("error-is-a-no", "An error is taken for a proof that nothing was written: the room is given back and the pod tried again.",
		"attempt.go", "answer-lost",
		conform.Swap("\tcurrent, err := b.options.Pods.Get(ctx, b.pod.Namespace, b.pod.Name)\n\tif b.settle(current, err) {", "\tif b.settle(nil, cause) {")),
	wrong("gives-back-before-asking", "The room is given back first, and then the API server is asked what has happened.",
		"attempt.go", "answer-lost",
		conform.Swap("\tcurrent, err := b.options.Pods.Get(", "\tb.mu.Lock()\n\tb.cache.remove(b.pod.UID)\n\tb.queue.moveAll(time.Now())\n\tb.mu.Unlock()\n\tcurrent, err := b.options.Pods.Get(")),
	wrong("not-forgotten", "A pod whose binding has failed still counts on the node that it did not get.",
		"attempt.go", "failed-binding-gives-back",
		conform.Swap("\t\tb.cache.remove(b.pod.UID)\n\t\tb.queue.moveAll(time.Now())\n", "\t\tb.queue.moveAll(time.Now())\n")),
	wrong("others-not-woken", "The room of a failed binding is given back, and no pod wakes.",
		"attempt.go", "failed-binding-gives-back",
		conform.Swap("\t\tb.cache.remove(b.pod.UID)\n\t\tb.queue.moveAll(time.Now())\n", "\t\tb.cache.remove(b.pod.UID)\n")),
	wrong("late-answer-brings-back", "The answer makes the pod count, whatever has happened to it since the write.",
		"attempt.go", "late-answer",
		conform.Swap("\tb.mu.Lock()\n\tdefer b.mu.Unlock()\n\tb.queue.done(b.entry)\n", "\tb.mu.Lock()\n\tdefer b.mu.Unlock()\n\tb.place(bound)\n\tb.queue.done(b.entry)\n")),
	wrong("answer-beats-informer", "A late error takes the pod off its node, though the informer has reported it there.",
		"attempt.go", "late-answer",
		conform.Swap("case !b.cache.assumed(b.pod.UID):", "case !b.cache.has(b.pod.UID):")),
}
