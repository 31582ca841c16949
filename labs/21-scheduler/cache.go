package scheduler

// What is known of nodes goes here, with what the pods on them request, bound and
// assumed. Nothing in this file is prescribed.
