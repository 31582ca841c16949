package backpressure

// TrySend sends v on ch if that is possible without waiting. It does so on a goroutine that ends
// before it returns; a panic is carried over.
func TrySend[T any](ch chan<- T, v T) bool {
	type outcome struct {
		sent     bool
		panicked any
	}
	result := make(chan outcome)
	go func() {
		var o outcome
		defer func() {
			o.panicked = recover()
			result <- o
		}()
		select {
		case ch <- v:
			o.sent = true
		default:
		}
	}()
	o := <-result
	if o.panicked != nil {
		panic(o.panicked)
	}
	return o.sent
}
