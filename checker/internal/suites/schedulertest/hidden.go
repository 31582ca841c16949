package schedulertest

import "slices"

var hidden = slices.Concat(queueCases, bindCases, accountCases, runCases)
