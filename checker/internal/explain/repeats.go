package explain

import (
	"fmt"
	"regexp"
	"strings"
)

// maxRow is the length up to which repeated calls are shown one beside the other.
const maxRow = 44

var (
	arguments = regexp.MustCompile(`\([^()]*\)`)
	quotation = regexp.MustCompile(`"[^"]*"`)
	numbered  = regexp.MustCompile(`[\w./@-]*\d[\w./@-]*`)
)

// pattern is a text without its arguments, names and numbers.
func pattern(text string) string {
	text = arguments.ReplaceAllString(text, "(…)")
	text = quotation.ReplaceAllString(text, "…")
	return numbered.ReplaceAllString(text, "…")
}

// kind is what events have in common that do the same to different things.
func kind(e Event) string { return pattern(e.What) + " → " + pattern(e.Back) }

// repeats makes few lines of what happens again and again: a line for each step of the round
// that is repeated.
func repeats(all []line) []line {
	var shorter []line
	for len(all) > 0 {
		size, rounds := cycle(all)
		for step := range size {
			var same []line
			for i := range rounds {
				same = append(same, all[i*size+step])
			}
			shorter = append(shorter, one(same))
		}
		all = all[size*rounds:]
	}
	return shorter
}

// maxCycle is how many steps a round may have, and minRounds how often it has to be repeated.
const (
	maxCycle  = 6
	minRounds = 3
)

// cycle is how many lines make a round, and how many such rounds come at once. One line that is
// not repeated is a round of its own.
func cycle(all []line) (size, rounds int) {
	for size = 1; size <= maxCycle; size++ {
		if size == 1 && all[0].part != whole {
			continue // where it began stands for nothing without where it returned
		}
		n := 0
		for n+size < len(all) && alike(all[n], all[n+size]) {
			n++
		}
		if rounds = n/size + 1; rounds >= minRounds {
			return size, rounds
		}
	}
	return 1, 1
}

// alike reports whether two lines may be one. Many workers do the same. But what is about a
// key at fault does not stand for what is not, and it matters who did it. So it does where calls
// overlap.
func alike(a, b line) bool {
	one := a.Who == b.Who || !a.about && a.part == whole && role(a.Who) == role(b.Who)
	if (a.near || b.near) && (a.What != b.What || a.Back != b.Back) {
		return false // the difference may be what broke the rule
	}
	return one && a.kind != "" && a.kind == b.kind && a.about == b.about
}

// role is a name without the number behind it.
func role(who string) string { return strings.TrimRight(who, " #0123456789") }

// one is the line of several that are alike.
func one(group []line) line {
	l, last := group[0], group[len(group)-1]
	if len(group) == 1 {
		return l
	}
	l.count = len(group)
	if n := actors(group); n > 1 {
		l.Who = fmt.Sprintf("%s ×%d", role(l.Who), n)
	}
	switch what, plain := row(group, func(l line) string { return l.What }), pattern(l.What); {
	case what == l.What && actors(group) == len(group): // each did it once
	case what == l.What:
		l.What = fmt.Sprintf("%s ×%d", what, len(group))
	case what != "":
		l.What = what
	case len(plain)+len(last.What) <= maxBrief:
		l.What = fmt.Sprintf("%s ×%d, the last %s", plain, len(group), last.What)
	default:
		l.What = fmt.Sprintf("%s, the last of %d like it", last.What, len(group))
	}
	if l.Back = row(group, func(l line) string { return l.Back }); l.Back == "" && last.Back != "" {
		l.Back = "…, " + last.Back
	}
	if l.At != last.At {
		l.What += ", until " + last.At
	}
	return l
}

// actors is how many have done it.
func actors(group []line) int {
	seen := map[string]bool{}
	for _, l := range group {
		seen[l.Who] = true
	}
	return len(seen)
}

// row is what all have in common, or all of it side by side if that is short; "" otherwise.
func row(group []line, text func(l line) string) string {
	texts := make([]string, len(group))
	same := true
	for i, l := range group {
		texts[i] = text(l)
		same = same && texts[i] == texts[0]
	}
	all := strings.Join(texts, ", ")
	switch {
	case same:
		return texts[0]
	case len(all) <= maxRow:
		return all
	}
	return ""
}
