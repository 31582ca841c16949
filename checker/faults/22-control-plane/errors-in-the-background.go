//go:build ignore

// Mistake: OnError may take its time, and so it gets a goroutine of its own.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import "time"

func withDefaults(o Options) Options {
	if o.EventTTL == 0 {
		o.EventTTL = DefaultEventTTL
	}
	if o.SweepEvery == 0 {
		o.SweepEvery = time.Minute
	}
	if o.Workers == 0 {
		o.Workers = 2
	}
	if o.RestartAfter == 0 {
		o.RestartAfter = time.Second
	}
	if onError := o.OnError; onError != nil {
		o.OnError = func(component string, err error) { go onError(component, err) }
	} else {
		o.OnError = func(string, error) {}
	}
	return o
}
