package scheduler

// The three queues go here, and what is in flight: who is to be tried next, who has to
// wait for how long, and what wakes whom. Nothing in this file is prescribed.
