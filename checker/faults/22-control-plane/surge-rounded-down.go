//go:build ignore

// Mistake: Both percentages are rounded the same way.
// Killed by: fenceposts
// Verdict: wrong-answer

package controlplane

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func ResolveFenceposts(maxSurge, maxUnavailable kit.IntOrPercent, desired int) (surge, unavailable int, err error) {
	if surge, err = resolve(maxSurge, desired, 0); err != nil {
		return 0, 0, fmt.Errorf("maxSurge: %w", err)
	}
	if unavailable, err = resolve(maxUnavailable, desired, 0); err != nil {
		return 0, 0, fmt.Errorf("maxUnavailable: %w", err)
	}
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable, nil
}
