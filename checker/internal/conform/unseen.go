package conform

// Unseen is a moment that one goroutine tells others of, without the race detector's knowledge. So
// of two accesses before and after it the detector knows no order but what the subject gives them.
// It is for scenarios outside a bubble, where Wait would be an order.
type Unseen struct{ come chan struct{} }

// NewUnseen is a moment that has not come.
func NewUnseen() Unseen { return Unseen{make(chan struct{})} }

// Come tells that the moment has come, once.
//
//go:norace
func (u Unseen) Come() {
	hideSync()
	close(u.come)
	showSync()
}

// Wait returns when the moment has come.
//
//go:norace
func (u Unseen) Wait() {
	hideSync()
	<-u.come
	showSync()
}
