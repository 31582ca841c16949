//go:build !unix

package conform

import "time"

var processStart = time.Now()

// cpuTime falls back to the wall clock where the system has no getrusage.
func cpuTime() time.Duration { return time.Since(processStart) }
