package scheduler

// One attempt at one pod goes here: filter, score, assume, bind. Nothing in this file is
// prescribed.
