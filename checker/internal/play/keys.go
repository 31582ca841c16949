package play

import "github.com/controllerbook/controllerbook/checker/internal/tty"

// Action is what a key asks for.
type Action int

// The actions.
const (
	None Action = iota
	Quit
	More
	Fewer
	MoreByTen
	FewerByTen
	RollOut
	Undo
	KillNode
	ReviveNode
	CutWatches
	KillController
	MakeDatabase
	GrowDatabase
	DeleteDatabase
	ToggleCloud
)

var actions = map[tty.Key]Action{
	'q': Quit, 'Q': Quit, tty.CtrlC: Quit, tty.CtrlD: Quit,
	'+': More, '=': More, '-': Fewer, '>': MoreByTen, '.': MoreByTen, '<': FewerByTen, ',': FewerByTen,
	'r': RollOut, 'u': Undo, 'k': KillNode, 'n': ReviveNode, 'w': CutWatches, 'x': KillController,
	'd': MakeDatabase, 'g': GrowDatabase, 'D': DeleteDatabase, 'o': ToggleCloud,
}
