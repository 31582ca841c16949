package conform

import (
	"os"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// A group is several cases in one process, to save the start of the others. It proves that
// all of them pass or it proves nothing: then each runs in a process of its own. So a
// process with a group does not wait to be sure, as one with a single case does. It gives up.
const (
	groupCPU      = 3           // seconds of a case; the dearest case of any reference takes 1.6
	groupUnproven = time.Second // without a movement
	groupPause    = 5 * time.Millisecond
	groupLooks    = 40 // for goroutines that are on their way out
)

// grouped reports whether the checker asked for several cases. go test runs all of them, too,
// and each has its usual limits.
func grouped(config wire.Config) bool {
	_, attached := wire.Attached()
	return attached && config.Grouped()
}

// hurried are the limits that the watchdog keeps.
func hurried(config wire.Config) wire.Config {
	if grouped(config) {
		config.CPU = min(config.CPU, groupCPU)
	}
	return config
}

// unproven is how long nothing may move before that counts without a proof.
func (r *run) unproven() time.Duration {
	if grouped(r.config) {
		return groupUnproven
	}
	return unproven
}

// next ends the process unless the case that has just run passed and left nothing of the
// subject's running. What is left could act on the next case, and need not have leaked: a
// goroutine that still runs is no leak.
func next(passed bool, config wire.Config) {
	if !passed || raceErrors() > 0 || !deserted(config) {
		os.Exit(1)
	}
}

// deserted reports whether no goroutine runs the subject's code or was started by it.
func deserted(config wire.Config) bool {
	touches := func(g goroutine.Goroutine) bool { return g.Touches(config.Subjects...) }
	for range groupLooks {
		if !slices.ContainsFunc(goroutine.Parse(dump()), touches) {
			return true
		}
		time.Sleep(groupPause)
	}
	return false
}
