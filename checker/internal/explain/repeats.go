package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// maxRow is the length up to which what came back of repeated calls is shown side by side, and
// maxCalls that for the calls: what differs between them is in their arguments.
const (
	maxRow   = 44
	maxCalls = 90
)

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
		for n+size < len(all) && alike(all[n], all[n+size]) && !departs(all[:n+size+1], size) {
			n++
		}
		if rounds = n/size + 1; rounds >= minRounds {
			return size, rounds
		}
	}
	return 1, 1
}

// departs reports whether the last of some lines answers otherwise than the same step of the
// rounds before it, which all answered the same: then it may be the point.
func departs(lines []line, size int) bool {
	last := len(lines) - 1
	if last < minRounds*size {
		return false
	}
	back := lines[last-size].Back
	for round := 2; round <= minRounds; round++ {
		if lines[last-round*size].Back != back {
			return false
		}
	}
	return lines[last].Back != back
}

// alike reports whether two lines may be one. Many workers do the same. But what is about a
// key at fault does not stand for what is not, and it matters who did it. So it does where calls
// overlap.
func alike(a, b line) bool {
	one := a.Who == b.Who || !a.about && a.part == whole && role(a.Who) == role(b.Who)
	decides := a.near || b.near || a.said || b.said || a.built || b.built
	if decides && (a.What != b.What || a.Back != b.Back) {
		return false // the difference may be what broke the rule
	}
	return one && a.kind != "" && a.kind == b.kind && a.about == b.about && a.spans == b.spans
}

// role is a name without the number behind it.
func role(who string) string { return strings.TrimRight(who, " #0123456789") }

// one is the line of several that are alike.
func one(group []line) line {
	l, last := group[0], group[len(group)-1]
	if len(group) == 1 {
		return l
	}
	for _, other := range group {
		l.said, l.built = l.said || other.said, l.built || other.built
	}
	l.count = len(group)
	if n := actors(group); n > 1 {
		l.Who = fmt.Sprintf("%s ×%d", role(l.Who), n)
	}
	switch what, plain := row(group, ", ", maxCalls, func(l line) string { return l.What }), pattern(l.What); {
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
	if l.Back = row(group, between(group...), maxRow, func(l line) string { return l.Back }); l.Back == "" && last.Back != "" {
		l.Back = begin(group) + "…" + between(group...) + last.Back
	}
	if l.At != last.At {
		l.What += ", until " + last.At
	}
	return l
}

// runs writes equal texts in a row once, and how many there are.
func runs(texts []string) []string {
	var all []string
	for len(texts) > 0 {
		text, n := texts[0], 1
		for n < len(texts) && texts[n] == text {
			n++
		}
		if n < minRounds {
			all = append(all, texts[:n]...)
		} else {
			all = append(all, fmt.Sprintf("%s ×%d", text, n))
		}
		texts = texts[n:]
	}
	return all
}

// actors is how many have done it.
func actors(group []line) int {
	seen := map[string]bool{}
	for _, l := range group {
		seen[l.Who] = true
	}
	return len(seen)
}

// between separates what came back of several calls.
func between(of ...line) string {
	if slices.ContainsFunc(of, func(l line) bool { return strings.Contains(l.Back, ", ") }) {
		return "; "
	}
	return ", "
}

// begin is what came back first, as much of it as a row has room for. Where different things were
// asked it is nothing: without the questions, answers do not help.
func begin(group []line) string {
	text := ""
	if slices.ContainsFunc(group, func(l line) bool { return l.What != group[0].What }) {
		return text
	}
	for _, l := range group {
		if l.Back == "" || len(text)+len(l.Back)+len(group[len(group)-1].Back) > maxRow {
			break
		}
		text += l.Back + between(group...)
	}
	return text
}

// row is what all have in common, or all of it side by side if that is short; "" otherwise.
func row(group []line, comma string, most int, text func(l line) string) string {
	texts := make([]string, len(group))
	same := true
	for i, l := range group {
		texts[i] = text(l)
		same = same && texts[i] == texts[0]
	}
	all := strings.Join(runs(texts), comma)
	switch {
	case same:
		return texts[0]
	case len(all) <= most:
		return all
	}
	return ""
}
