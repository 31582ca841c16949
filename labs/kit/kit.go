// Package kit holds what the labs share: the marker every stub panics with, and
// the types and interfaces through which one lab's part meets its neighbours.
//
// Labs never import each other. A neighbour arrives through a constructor as one
// of the interfaces below, so a learner who is stuck in one lab is not blocked
// in the next, and the real client-go parts can be injected just as well.
package kit

// NotImplemented is the value a stub panics with. The checker tells it from any
// other panic and answers with the verdict "not implemented" instead of a crash.
type NotImplemented struct {
	Func string // the function still to be written, as the learner sees it: "Pool.Submit"
}

// Error says which function is missing.
func (n NotImplemented) Error() string {
	return "controllerbook: " + n.Func + " is not implemented yet"
}

// TODO marks a function body that the learner has still to write:
//
//	func Gather(...) { panic(kit.TODO("Gather")) }
func TODO(fn string) NotImplemented { return NotImplemented{Func: fn} }
