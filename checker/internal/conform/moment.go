package conform

import "time"

// OnTime requires that something happened when it should have, and says which way it missed:
// both times are since the case began. What is a sentence's subject and verb, and due says what
// it had to wait for, as a sentence:
//
//	t.OnTime("First returned", t.Elapsed(), 3*time.Second, "the last task failed")
//
// reads "First returned after 1s, too early: the last task failed after 3s."
func (t *T) OnTime(what string, got, want time.Duration, due string) {
	switch {
	case got < want:
		t.Fatalf("%s after %v, too early: %s after %v.", what, got, due, want)
	case got > want:
		t.Fatalf("%s after %v, too late: %s after %v.", what, got, due, want)
	}
}
