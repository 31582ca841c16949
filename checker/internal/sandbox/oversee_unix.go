//go:build unix

package sandbox

import (
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Only Linux keeps the limits of memory and processor time itself: macOS accepts RLIMIT_AS
// and does not keep it. Elsewhere the checker looks at every process of the group, because
// the compiler is a child of the process that was started.

// oversee looks at a process group until stop is called, and calls kill once when one
// of its processes has passed a limit. stop returns which limit that was.
func oversee(group int, limits Limits, kill func()) (stop func() excess) {
	done, found := make(chan struct{}), make(chan excess, 1)
	go func() {
		tick := time.NewTicker(overseeEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				found <- within
				return
			case <-tick.C:
			}
			if over := limits.passed(group, psOutput()); over != within {
				kill()
				found <- over
				return
			}
		}
	}()
	return func() excess {
		close(done)
		return <-found
	}
}

// psOutput is what ps says of all processes: group, KiB in memory, processor time. It is
// empty where there is no ps: then nothing is limited.
func psOutput() string {
	out, _ := exec.Command("ps", "-A", "-o", "pgid=", "-o", "rss=", "-o", "time=").Output()
	return string(out)
}

// passed says which limit a process of the group has passed.
func (l Limits) passed(group int, ps string) excess {
	for line := range strings.Lines(ps) {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] != strconv.Itoa(group) {
			continue
		}
		resident, _ := strconv.ParseInt(f[1], 10, 64)
		switch {
		case l.Memory > 0 && resident<<10 > l.Memory:
			return overMemory
		case l.CPU > 0 && psTime(f[2]) > l.CPU:
			return overCPU
		}
	}
	return within
}

// psTime reads a processor time as ps writes it: 1:02.34 on macOS, [1-]01:02:03 elsewhere.
func psTime(s string) time.Duration {
	days, clock, ok := strings.Cut(s, "-")
	if !ok {
		days, clock = "0", s
	}
	d, _ := strconv.Atoi(days)
	seconds := 0.0
	for part := range strings.SplitSeq(clock, ":") {
		n, _ := strconv.ParseFloat(part, 64)
		seconds = 60*seconds + n
	}
	return time.Duration(d)*24*time.Hour + time.Duration(seconds*float64(time.Second))
}
