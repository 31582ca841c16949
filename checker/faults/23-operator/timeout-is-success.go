//go:build ignore

// Mistake: A creation that got no answer is under way all the same, so there is no error to return.
// Killed by: lost-answers-make-no-second
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
	case c.Code == kit.CloudBusy, c.Code == kit.CloudTimeout:
		return outcome{waits: true}
	case c.Code == kit.CloudInvalid:
		return outcome{stuck: Invalid, message: c.Message}
	}
	return outcome{err: err}
}
