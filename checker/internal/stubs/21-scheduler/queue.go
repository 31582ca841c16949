package scheduler

// The three queues go here, and the pods in flight: which pod is next, which has to
// wait for how long, and which event wakes which. Nothing in this file is prescribed.
