//go:build ignore

// Mistake: Only a write can fail; what Flush returns is not looked at.
// Killed by: client-gone-ends-the-watch
// Verdict: wrong-answer

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

func (f frames) send(what kit.EventType, object any) error {
	if err := f.encoder.Encode(frame[any]{what, object}); err != nil {
		return err
	}
	_ = f.control.Flush()
	return nil
}
