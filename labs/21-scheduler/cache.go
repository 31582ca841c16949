package scheduler

// What the scheduler knows about nodes goes here, with the requests of the pods on
// them, bound and assumed. Nothing in this file is prescribed.
