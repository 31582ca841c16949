package sandbox

// Offer is one means of isolation and whether this machine has it.
type Offer struct {
	Name  string // "user namespaces"
	Have  bool
	Found string // what was seen
	Gives string // what it is good for
}
