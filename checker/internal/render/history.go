package render

import (
	"github.com/controllerbook/controllerbook/checker/internal/explain"
)

const maxWho = 20 // columns for a name in the history

// history writes who called what, when, and what came back.
func (s *Screen) history(e explain.Explanation) {
	if len(e.History) == 0 {
		return
	}
	s.blank()
	s.para(indent, faint, "What the case did, and when:")
	at, who := s.historyColumns(e.History)
	for _, ev := range e.History {
		if ev.Gap {
			s.para(4, faint, ev.What)
			continue
		}
		prefix := "    "
		look := faint
		if ev.Broke {
			prefix, look = "  "+pad(s.safe("✗"), 2), bad
		}
		prefix += pad(s.safe(ev.At), at) + "  " + pad(clipped(s.safe(ev.Who)), who) + "  "
		s.put(span{prefix, look}, happening(ev)...)
	}
}

// happening is what happened, and what came back.
func happening(ev explain.Event) []span {
	switch {
	case ev.Broke:
		return []span{{ev.What, bad}}
	case ev.Checked:
		return []span{{ev.What, faint}}
	case ev.Open:
		return []span{{ev.What, normal}, {"→ " + ev.Back, warn}}
	case ev.Back != "":
		return []span{{ev.What, normal}, {"→", faint}, {ev.Back, normal}}
	}
	return []span{{ev.What, normal}}
}

func (s *Screen) historyColumns(events []explain.Event) (at, who int) {
	for _, ev := range events {
		at = max(at, width(s.safe(ev.At)))
		who = max(who, width(clipped(s.safe(ev.Who))))
	}
	return at, who
}

// clipped is a name that fits its column.
func clipped(who string) string {
	if width(who) <= maxWho {
		return who
	}
	head, _ := split(who, maxWho-1)
	return head + "~"
}
