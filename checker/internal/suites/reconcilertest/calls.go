package reconcilertest

// count is how often the workers have called a method about a request.
func (q queue) count(method, name string) int {
	n := 0
	for _, c := range q.Calls() {
		if c.Method == method && c.Item == named(name) {
			n++
		}
	}
	return n
}
