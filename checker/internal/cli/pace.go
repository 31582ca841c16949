package cli

import "time"

// pace is how fast many things are done, some of which were known before and take no time.
type pace struct {
	total, done, known int
	began              time.Time
}

func newPace(total int) *pace { return &pace{total: total, began: time.Now()} }

// step counts one more thing. It says about how long the others take, if they take as long as
// those that were not known, and nothing where that cannot be said.
func (p *pace) step(known bool) (left string) {
	p.done++
	if known {
		p.known++
	}
	fresh := p.done - p.known
	if fresh == 0 || p.done == p.total {
		return ""
	}
	rest := time.Since(p.began) / time.Duration(fresh) * time.Duration(p.total-p.done)
	return "about " + rest.Round(time.Second).String() + " left"
}
