//go:build ignore

// Mistake: The cloud has refused the change, and that is an error.
// Killed by: drift-is-put-right
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
	case c.Code == kit.CloudInvalid:
		return outcome{stuck: Invalid, message: c.Message}
	}
	return outcome{err: err}
}
