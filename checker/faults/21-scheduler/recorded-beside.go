//go:build ignore

// Mistake: A slow Recorder shall delay nobody, so each event gets a goroutine of its own, for which
//   nobody waits.
// Killed by: run-ends
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Scheduler) record(pod *kit.Pod, eventType, reason, format string, args ...any) {
	go s.options.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), eventType, reason, format, args...)
}
