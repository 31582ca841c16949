package controlplanetest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// nodeFaults are mistakes of kubelets and about nodes.
var nodeFaults = []conform.Fault{
	{
		Name:     "everybodys-kubelet",
		Mistake:  "A kubelet runs every pod it hears of.",
		File:     "kubelet.go",
		Edits:    []conform.Edit{{Old: "		if pod.Spec.NodeName == k.Node {\n			k.dirty[kit.Key(pod)] = struct{}{}\n		}", New: "		k.dirty[kit.Key(pod)] = struct{}{}"}, {Old: "cached.Spec.NodeName != k.Node || !cached.Active()", New: "!cached.Active()"}, {Old: "pod.Spec.NodeName != k.Node || !pod.Active()", New: "!pod.Active()"}},
		KilledBy: "a-kubelet-runs-its-pods",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "pods-known-by-name",
		Mistake:  "The pod is read right before the report, and that it is another one by now is not noticed.",
		File:     "kubelet.go",
		Edits:    conform.Swap("pod.UID != cached.UID || ", ""),
		KilledBy: "a-kubelet-knows-pods-by-uid",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "nobody-looks-at-the-start",
		Mistake:  "The kubelet waits for notifications, and never hears of pods that were bound to its node before.",
		File:     "kubelet.go",
		Edits:    conform.Swap("	k.notice(pods...)\n", "	_ = pods\n"),
		KilledBy: "a-kubelet-takes-over",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "ready-pods-start-again",
		Mistake:  "A new kubelet takes every pod for one that is not ready yet.",
		File:     "kubelet.go",
		Edits:    conform.Swap("		c.ready = now\n", "		_ = now\n"),
		KilledBy: "a-kubelet-takes-over",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "heartbeat-clears-the-node",
		Mistake:  "The node is the kubelet's: it writes all of it.",
		File:     "kubelet.go",
		Edits:    conform.Swap("	node.Status = status\n	_, err = k.Nodes.Update", "	node.Spec, node.Status = kit.NodeSpec{}, status\n	_, err = k.Nodes.Update"),
		KilledBy: "heartbeats-go-on",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "heartbeat-lost-to-a-conflict",
		Mistake:  "A heartbeat that meets a conflict is not worth another try: the next one comes in ten seconds.",
		File:     "kubelet.go",
		Edits:    []conform.Edit{{Old: "const beatTries = 3\n", New: "const beatTries = 1\n"}, {Old: "		k.beat = time.Now().Add(retryPause)\n", New: "		k.beat = time.Now().Add(k.Heartbeat)\n"}},
		KilledBy: "heartbeats-go-on",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "report-lost",
		Mistake:  "A report that was refused is forgotten: the pod will change again.",
		File:     "kubelet.go",
		Edits:    conform.Swap("			return now.Add(retryPause)\n", "			return c.next(now)\n"),
		KilledBy: "heartbeats-go-on",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "one-taint-only",
		Mistake:  "No new pods is all that a taint is for.",
		File:     "nodelifecycle.go",
		Edits:    conform.Swap("[]kit.TaintEffect{kit.TaintNoSchedule, kit.TaintNoExecute}", "[]kit.TaintEffect{kit.TaintNoSchedule}"),
		KilledBy: "a-silent-node-loses-its-pods",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "pods-of-a-lost-node-stay-ready",
		Mistake:  "What the status of a pod says stands until its kubelet says something else.",
		File:     "nodelifecycle.go",
		Edits:    conform.Swap("	pod.Status.Ready, pod.Status.ReadySince, pod.Status.Reason = false, time.Now(), \"NodeLost\"\n", "	pod.Status.Reason = \"NodeLost\"\n"),
		KilledBy: "a-silent-node-loses-its-pods",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "clock-of-the-node",
		Mistake:  "How old a heartbeat is follows from the time that it carries.",
		File:     "nodelifecycle.go",
		Edits:    conform.Swap("	return now.Sub(last.at)\n", "	return now.Sub(node.Status.Heartbeat)\n"),
		KilledBy: "clocks-are-not-trusted",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "cache-is-believed",
		Mistake:  "A node of which the cache has no news is silent: that the watch may be cut is not thought of.",
		File:     "nodelifecycle.go",
		Edits:    conform.Swap("	live, err := r.Nodes.Get(ctx, \"\", name)\n", "	live, err := node, error(nil)\n	if !exists {\n		live, err = r.Nodes.Get(ctx, \"\", name)\n	}\n"),
		KilledBy: "clocks-are-not-trusted",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "evicted-by-name",
		Mistake:  "A pod is deleted by its name; that it may be another one by now is not thought of.",
		File:     "nodelifecycle.go",
		Edits:    conform.Swap("kit.DeleteOptions{Preconditions: kit.Preconditions{UID: pod.UID}}", "kit.DeleteOptions{}"),
		KilledBy: "who-is-evicted",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "toleration-not-heeded",
		Mistake:  "All pods of a lost node have to go.",
		File:     "nodelifecycle.go",
		Edits:    conform.Swap("left <= 0 && !slices.Contains(pod.Spec.Tolerations, kit.TaintUnreachable)", "left <= 0"),
		KilledBy: "who-is-evicted",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "all-taints-taken-off",
		Mistake:  "A node of which there is news has no taints.",
		File:     "nodelifecycle.go",
		Edits:    conform.Swap("	node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, unreachableTaint)\n", "	node.Spec.Taints = nil\n"),
		KilledBy: "who-is-evicted",
		Verdict:  verdict.WrongAnswer,
	},
}
