package explain

import "slices"

// Bounds of a history on a screen.
const (
	maxLines  = 16 // with those that say what is left out
	before    = 6  // lines before the break,
	nearest   = 4  // of which so many come before anything else
	maxOpen   = 4  // calls that never returned
	maxNotes  = 3  // of what is no call
	maxBroken = 3  // moments at which a rule broke
	maxBuilt  = 2  // of what made the subjects
	maxSpans  = 2  // calls during which the rule broke
	maxSaid   = 3  // of what the message quotes
)

// choose says which lines are shown: what matters most is tried first, and kept if there is room.
func choose(all []line) []bool {
	chosen := make([]bool, len(all))
	take := func(most int, is func(i int) bool) {
		for i := len(all) - 1; i >= 0 && most > 0; i-- {
			if chosen[i] || !is(i) {
				continue
			}
			chosen[i] = true
			if height(all, chosen) > maxLines {
				chosen[i] = false
				continue
			}
			most--
		}
	}
	at := broke(all)
	take(1, func(i int) bool { return i == at || all[i].Checked })
	take(1, func(i int) bool { return i == at })
	take(maxBroken-1, func(i int) bool { return all[i].Broke })
	take(nearest, func(i int) bool { return i < at })
	take(maxBuilt, func(i int) bool { return all[i].built })
	take(maxSpans, func(i int) bool { return all[i].spans })
	take(maxSaid, func(i int) bool { return i < at && all[i].said })
	cause := slices.IndexFunc(all, func(l line) bool { return l.about })
	take(1, func(i int) bool { return i == cause })
	take(maxOpen, func(i int) bool { return all[i].Open })
	take(maxNotes, func(i int) bool { return i < at && all[i].note })
	take(before, func(i int) bool { return i < at && all[i].about })
	take(before, func(i int) bool { return at-before <= i && i < at })
	take(maxLines, func(i int) bool { return all[i].about })
	take(maxLines, func(i int) bool { return i < at })
	take(maxLines, func(int) bool { return true })
	return chosen
}

// maxBridged is up to how many lines are shown in the place of a line that counts them.
const maxBridged = 2

// bridge chooses what stands in short gaps between chosen lines, too: a line which says that
// something is left out takes nearly as much room as what it hides, and that may be the point.
func bridge(all []line, chosen []bool) []bool {
	lines := shownOf(all, chosen)
	for from := slices.Index(chosen, true); from >= 0; {
		next := slices.Index(chosen[from+1:], true)
		if next < 0 {
			return chosen
		}
		to := from + 1 + next
		var left []int
		for i := from + 1; i < to; i++ {
			if all[i].leftOut(lines) {
				left = append(left, i)
			}
		}
		if len(left) <= maxBridged {
			for _, i := range left {
				chosen[i] = true
			}
		}
		from = to
	}
	return chosen
}

// shownOf is how many lines of each call are chosen.
func shownOf(all []line, chosen []bool) map[int]int {
	lines := map[int]int{}
	for i, l := range all {
		if chosen[i] {
			lines[l.call]++
		}
	}
	return lines
}

// leftOut reports whether a line that is not chosen counts as left out: it does not if the
// other line of its call is shown.
func (l line) leftOut(shown map[int]int) bool { return shown[l.call] == 0 && l.count > 0 }

// broke is the first line at which a rule broke, or else the last line.
func broke(all []line) int {
	if i := slices.IndexFunc(all, func(l line) bool { return l.Broke }); i >= 0 {
		return i
	}
	return len(all) - 1
}

// height is how many lines told makes of the chosen ones.
func height(all []line, chosen []bool) int { return len(told(all, chosen)) }
