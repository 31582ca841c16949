package play

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
)

// ctrlC and ctrlD are what a terminal in raw mode sends for these keys.
const (
	ctrlC = 0x03
	ctrlD = 0x04
)

var actions = map[byte]Action{
	'q': Quit, 'Q': Quit, ctrlC: Quit, ctrlD: Quit,
	'+': More, '=': More, '-': Fewer, '>': MoreByTen, '.': MoreByTen, '<': FewerByTen, ',': FewerByTen,
	'r': RollOut, 'u': Undo, 'k': KillNode, 'n': ReviveNode, 'w': CutWatches, 'x': KillController,
}
