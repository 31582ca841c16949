package triggers

import "github.com/controllerbook/controllerbook/labs/kit"

// Simulate plays plan against one strategy and reports how it ended and what it
// cost. It takes no time: a step is one turn of a loop. The same plan and the same
// strategy give the same report, provided that the order of Keys makes no difference to
// the strategy.
//
// The cluster first holds plan.Start. Then Simulate calls open once, with
// that cluster, and open returns the strategy. Then, in every step from 0 to plan.Steps-1:
//
//  1. The changes of this step happen, in the order of the plan. Each takes its app
//     from Old to New, and sends its notification, even if Old and New are equal. The
//     notification carries these two states, however late it arrives.
//  2. The notifications that are due arrive: Notify is called for each, in the order in
//     which they were sent: by the step of their change, within a step in the order of
//     the plan, and copies one after the other. A delay of zero is due in the step of
//     the change.
//  3. Work is called, once.
//  4. Simulate measures the drift: the sum, over all apps, of how much Running differs
//     from Desired, in either direction.
//
// A change outside these steps, with an At below zero or of plan.Steps and more, never
// happens: it sends no notification and makes no app known. A notification that is due
// after the last step never arrives. The strategy's own calls of Scale cause no
// notification.
//
// If plan.Steps is 0, the report contains the drift after open, and Settled is 0 if that
// is zero, and -1 if it is not.
//
// The cluster's Keys are those of plan.Start, of every change that has happened and
// of every Scale that succeeded, including changes and Scales that added nothing; the caller
// may keep the slice and change it. An app that is known stays known. Get makes no app known. Scale
// adds n to Running. In a step of plan.Down, in Notify as in Work, it returns ErrDown itself, not
// wrapped in another error, and changes nothing, even if n is zero. In open, before
// the first step, it never fails, even if plan.Down contains step 0. Every call is counted, from
// open on, in Notify as in Work.
//
// Notify, Work and open are called by one and the same goroutine, which need not be the
// caller's, and the cluster may be used only from within these calls. What happens
// if one of them panics is left open. The plan is not modified, not for a while either, and the
// arrays of its slices are not written to behind the slices: another plan may lie there.
//
// Simulate keeps nothing outside itself: many goroutines may call it at the same time, also with
// one plan, and open, Notify and Work of one Simulate may call another.
func Simulate(plan Plan, open func(cluster Cluster) Strategy) Report {
	panic(kit.TODO("Simulate"))
}
