package controlplanetest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// eventFaults are mistakes of the recorder.
var eventFaults = []conform.Fault{
	{
		Name:     "never-counted",
		Mistake:  "The same event only gets a later time.",
		File:     "recorder.go",
		Edits:    conform.Swap("	event.Count, event.LastTimestamp, event.Message = e.count, o.at, e.message\n", "	event.LastTimestamp, event.Message = o.at, e.message\n"),
		KilledBy: "the-same-event-is-counted",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "type-does-not-matter",
		Mistake:  "A warning and a normal event with the same words are the same event.",
		File:     "correlate.go",
		Edits:    conform.Swap("o.about.UID, o.typ, o.reason}\n	key", "o.about.UID, \"\", o.reason}\n	key"),
		KilledBy: "the-same-event-is-counted",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "never-combined",
		Mistake:  "Only events with the very same message belong together.",
		File:     "correlate.go",
		Edits:    conform.Swap("	return len(g.messages) >= SimilarEvents\n", "	return false\n"),
		KilledBy: "similar-events-are-combined",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "interval-from-the-first",
		Mistake:  "The ten minutes are counted from the first of the similar events, not from the last.",
		File:     "correlate.go",
		Edits:    []conform.Edit{{Old: "		g = &group{messages: map[string]struct{}{}}\n", New: "		g = &group{messages: map[string]struct{}{}, last: o.at}\n"}, {Old: "	g.last = o.at\n", New: ""}},
		KilledBy: "similar-events-are-combined",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "one-bucket-for-all",
		Mistake:  "The recorder has one bucket of tokens, whatever its events are about.",
		File:     "correlate.go",
		Edits:    conform.Swap("	key := object{o.about.Kind, o.about.Namespace, o.about.Name, o.about.UID}\n", "	key := object{}\n"),
		KilledBy: "spam-is-cut-off",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "bucket-never-full",
		Mistake:  "Tokens are gained for ever: after a quiet day a flood is let through.",
		File:     "correlate.go",
		Edits:    conform.Swap("min(SpamBurst, b.tokens+float64(o.at.Sub(b.at))/float64(SpamRefill))", "b.tokens + float64(o.at.Sub(b.at))/float64(SpamRefill)"),
		KilledBy: "spam-is-cut-off",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "buffer-without-end",
		Mistake:  "No event may be lost, so what cannot be written yet is kept, however much it is.",
		File:     "recorder.go",
		Edits:    conform.Swap("	if len(r.waiting) < r.Buffer {\n		r.waiting = append(r.waiting, o)\n	}\n", "	r.waiting = append(r.waiting, o)\n"),
		KilledBy: "a-recorder-never-blocks",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "written-by-the-caller",
		Mistake:  "Where there is no room in the buffer the caller waits until there is: an event is an event.",
		File:     "recorder.go",
		Edits:    conform.Swap("	r.mu.Lock()\n	if len(r.waiting) < r.Buffer {\n		r.waiting = append(r.waiting, o)\n	}\n	r.mu.Unlock()\n", "	for full := true; full; time.Sleep(time.Millisecond) {\n		r.mu.Lock()\n		if full = len(r.waiting) >= r.Buffer; !full {\n			r.waiting = append(r.waiting, o)\n		}\n		r.mu.Unlock()\n	}\n"),
		KilledBy: "a-recorder-never-blocks",
		Verdict:  verdict.Timeout,
	},
	{
		Name:     "gone-event-counted-on",
		Mistake:  "An event that is gone is created anew with the count that it would have had.",
		File:     "recorder.go",
		Edits:    conform.Swap("		e.name, e.count, e.first = \"\", 1, o.at\n", "		e.name, e.first = \"\", o.at\n"),
		KilledBy: "a-recorder-never-blocks",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "given-up-at-once",
		Mistake:  "What the API server refuses is lost: events are not worth a second try.",
		File:     "recorder.go",
		Edits:    conform.Swap("	recordTries = 10\n", "	recordTries = 1\n"),
		KilledBy: "a-recorder-never-blocks",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "swept-by-the-first-time",
		Mistake:  "An event is as old as its first time.",
		File:     "recorder.go",
		Edits:    conform.Swap("time.Since(e.LastTimestamp) < ttl", "time.Since(e.FirstTimestamp) < ttl"),
		KilledBy: "old-events-are-swept",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "swept-whatever-it-is-by-now",
		Mistake:  "What was old in the list is deleted, though it may have happened again since.",
		File:     "recorder.go",
		Edits:    conform.Swap("kit.Preconditions{UID: e.UID, ResourceVersion: e.ResourceVersion}", "kit.Preconditions{UID: e.UID}"),
		KilledBy: "old-events-are-swept",
		Verdict:  verdict.WrongAnswer,
	},
}

// planeFaults are mistakes of what holds the components together.
var planeFaults = []conform.Fault{
	{
		Name:     "kubelets-hear-nothing",
		Mistake:  "A kubelet looks at its pods when it starts, and nobody tells it of others.",
		File:     "components.go",
		Edits:    conform.Swap("	c.present(m.Name, k)\n", ""),
		KilledBy: "ten-steps",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "replicasets-wake-nobody",
		Mistake:  "The deployment controller is woken by deployments, and not by what became of its ReplicaSets.",
		File:     "components.go",
		Edits:    conform.Swap("r.DeploymentHandler),\n		feed(c.parts.ReplicaSets, sets, r.ReplicaSetHandler))", "r.DeploymentHandler))"),
		KilledBy: "ten-steps",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "start-returns-at-once",
		Mistake:  "Start starts, and callers that want to wait may do so.",
		File:     "controlplane.go",
		Edits:    conform.Swap("	all.Wait()\n", ""),
		KilledBy: "ten-steps",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "killed-for-good",
		Mistake:  "Nobody wants a component that was killed.",
		File:     "supervise.go",
		Edits:    conform.Swap("		if !c.wait(ctx, pause) {\n			return\n		}\n", "		if killed || !c.wait(ctx, pause) {\n			return\n		}\n"),
		KilledBy: "components-come-back",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "no-pause-before-the-next-life",
		Mistake:  "A component that has ended is started again at once.",
		File:     "supervise.go",
		Edits:    conform.Swap("		if !c.wait(ctx, pause) {\n", "		if !c.wait(ctx, pause/1000) {\n"),
		KilledBy: "components-come-back",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "one-controller-too-many",
		Mistake:  "A component is started again without waiting for the end of what was killed.",
		File:     "supervise.go",
		Edits:    conform.Swap("		err := c.run(life)\n", "		ended := make(chan error, 1)\n		go func() { ended <- c.run(ctx) }()\n		var err error\n		select {\n		case err = <-ended:\n		case <-life.Done():\n		}\n"),
		KilledBy: "components-come-back",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "events-are-kept",
		Mistake:  "Nobody sweeps: a log is a log.",
		File:     "components.go",
		Edits:    conform.Swap("SweepEvents(ctx, p.api.Events, c.options.EventTTL)", "SweepEvents(ctx, p.api.Events, 1000*c.options.EventTTL)"),
		KilledBy: "scaled-and-deleted",
		Verdict:  verdict.WrongAnswer,
	},
}
