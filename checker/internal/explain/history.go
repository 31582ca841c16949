package explain

import (
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// Event is one line of a case's history, in words.
type Event struct {
	At    string // "0s", "8s": since the case began, virtual where time is
	Who   string
	What  string
	Back  string // what came back and after how long; empty for what is not a call
	Open  bool   // a call that never returned
	Broke bool   // the rule broke here
}

// maxHistory is how many events are shown; more would push what matters off the screen.
const maxHistory = 12

// history shows the end of a history, and of what came before only the calls that never
// returned. earlier counts the events that are left out.
func history(events []wire.Event) (shown []Event, earlier int) {
	skip := len(events) - maxHistory
	open := 0
	for i, e := range events {
		if i < skip && !(e.Open && open < maxHistory/2) {
			earlier++
			continue
		}
		if i < skip {
			open++
		}
		shown = append(shown, event(e))
	}
	return shown, earlier
}

func event(e wire.Event) Event {
	t := Event{At: Duration(e.At), Who: clip(e.Who), What: clip(e.What), Open: e.Open, Broke: e.Broke}
	switch {
	case e.Broke:
		t.What = "the rule is broken here" // the headline says how
	case e.Open:
		t.Back = "did not return"
	case e.Result != "" && e.Took > 0:
		t.Back = clip(e.Result) + ", after " + Duration(e.Took)
	case e.Result != "":
		t.Back = clip(e.Result)
	case e.Took > 0:
		t.Back = "returned after " + Duration(e.Took)
	}
	return t
}

// Duration rounds to what a reader can use. Virtual times are round already.
func Duration(d time.Duration) string {
	switch {
	case d >= time.Second:
		d = d.Round(time.Millisecond)
	case d >= time.Millisecond:
		d = d.Round(10 * time.Microsecond)
	default:
		d = d.Round(time.Microsecond)
	}
	return d.String()
}
