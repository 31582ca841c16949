//go:build ignore

// Mistake: A version is read as a float64, which holds numbers far above 2^63, but above 2^53 not all of them.
// Killed by: replays-then-follows
// Verdict: wrong-answer

package watch

import (
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func parse(version string) (uint64, error) {
	if version == "" {
		return 0, nil
	}
	n, err := strconv.ParseFloat(version, 64)
	if err != nil || strings.Trim(version, "0123456789") != "" {
		return 0, kit.NewStatusError(kit.ReasonInvalid, "resourceVersion: Invalid value: %q", version)
	}
	return uint64(n), nil
}
