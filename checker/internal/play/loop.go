package play

import (
	"context"

	"github.com/controllerbook/controllerbook/checker/internal/tty"
)

// Cluster is what is played with. Its methods are called by one goroutine.
type Cluster interface {
	// Snapshot says how things stand. It must not block.
	Snapshot() Snapshot
	// Do begins to carry an action out. What came of it is the next snapshots' Notice.
	// It must not block.
	Do(action Action)
}

// Loop draws the cluster and obeys keys until one of them is Quit, the keys end, or
// ctx is done. It blocks until then.
func Loop(ctx context.Context, t tty.Terminal, style Style, c Cluster) error {
	return tty.Loop(ctx, t, program{c, style})
}

// program is a cluster on a terminal.
type program struct {
	Cluster
	style Style
}

// Frame draws the cluster as it stands.
func (p program) Frame(width, height int) []string {
	return Frame(p.Snapshot(), width, height, p.style)
}

// Press has the cluster do what a key asks for.
func (p program) Press(key tty.Key) (quit bool) {
	action := actions[key]
	if action != None && action != Quit {
		p.Do(action)
	}
	return action == Quit
}
