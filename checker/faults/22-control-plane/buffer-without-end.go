//go:build ignore

// Mistake: No event may be lost, so what cannot be written yet is kept, however much it is.
// Killed by: a-recorder-never-blocks
// Verdict: wrong-answer

package controlplane

import (
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Recorder) Eventf(about kit.ObjectReference, eventType, reason, format string, args ...any) {
	o := occurrence{about, eventType, reason, fmt.Sprintf(format, args...), time.Now()}
	r.mu.Lock()
	r.waiting = append(r.waiting, o)
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}
