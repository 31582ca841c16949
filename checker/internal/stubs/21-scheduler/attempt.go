package scheduler

// One attempt to schedule one pod goes here: filter, score, assume, bind. Nothing in this file is
// prescribed.
