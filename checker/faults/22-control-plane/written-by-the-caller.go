//go:build ignore

// Mistake: Where there is no room in the buffer the caller waits until there is: an event is an event.
// Killed by: a-recorder-never-blocks
// Verdict: timeout

package controlplane

import (
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Recorder) Eventf(about kit.ObjectReference, eventType, reason, format string, args ...any) {
	o := occurrence{about, eventType, reason, fmt.Sprintf(format, args...), time.Now()}
	for full := true; full; time.Sleep(time.Millisecond) {
		r.mu.Lock()
		if full = len(r.waiting) >= r.Buffer; !full {
			r.waiting = append(r.waiting, o)
		}
		r.mu.Unlock()
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}
