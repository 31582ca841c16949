//go:build ignore

// Mistake: The status says that the cloud refuses the spec, and not why.
// Killed by: stuck-is-no-storm
// Verdict: wrong-answer

package operator

import (
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func refused(err error) outcome {
	var c *kit.CloudError
	switch {
	case !errors.As(err, &c):
	case c.Code == kit.CloudBusy:
		return outcome{waits: true}
	case c.Code == kit.CloudInvalid:
		return outcome{stuck: Invalid}
	}
	return outcome{err: err}
}
