package explain

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	// builds is how an event begins that makes a subject, or is the value that one is made of.
	builds = regexp.MustCompile(`^(New\w*)\((?:[^…)]|…[^)])|^([A-Z]\w*)\{.`)
	// moment is a time in a sentence.
	moment = regexp.MustCompile(`\b[1-9][\d.]*(?:h|ms|m|µs|ns|s)(?:[\d.]+(?:m|s))*\b`)
)

// decide marks the lines that no fold and no gap may hide: what made the subject that broke the
// rule at a line, the calls under way then, and what the message quotes.
func decide(all []line, at int, message string) {
	moments := map[string]bool{}
	for _, m := range moment.FindAllString(message, -1) {
		moments[m] = true
	}
	seen := map[string]bool{}
	for i := at - 1; i >= 0; i-- {
		l := &all[i]
		l.said = l.said || quoted(message, l.Event) || moments[l.At] && l.part == whole
		if name := builds.FindStringSubmatch(l.What); name != nil && !seen[name[1]+name[2]] {
			seen[name[1]+name[2]], l.built = true, l.part != ends
		}
	}
	for _, i := range telling(all[:at], message) {
		all[i].said = true
	}
	for _, l := range all[at+1:] {
		if l.part != ends {
			continue
		}
		for i := range all[:at] {
			all[i].spans = all[i].spans || all[i].part == begins && all[i].call == l.call
		}
	}
}

// The lines that tell most of what the message is about: so many, if they have so many of its words.
const (
	maxTelling = 2
	minTelling = 3
)

// telling are the lines that have most words in common with the message, and of equals the
// first: it is there that things became as the message says. Names that every line has count
// for little.
func telling(all []line, message string) []int {
	said := wordsOf(message)
	texts := make([]vocabulary, len(all))
	for i, l := range all {
		texts[i] = wordsOf(l.What + " " + l.Back)
		for w := range texts[i] {
			if !said[w] {
				delete(texts[i], w)
			}
		}
	}
	weight := rareness(texts)
	sums := make([]float64, len(all))
	for i, text := range texts {
		for _, w := range text.sorted() {
			sums[i] += weight(w)
		}
	}
	var most []int
	for _, i := range byLikeness(sums) {
		same := func(o int) bool { return maps.Equal(texts[o], texts[i]) }
		if len(most) < maxTelling && len(texts[i]) >= minTelling && !slices.ContainsFunc(most, same) {
			most = append(most, i)
		}
	}
	return most
}

// quoted reports whether a message has a call in it as the history has it.
func quoted(message string, e Event) bool {
	what := strings.TrimPrefix(e.What, callback)
	return strings.Contains(what, "(") && !strings.HasSuffix(what, "()") && strings.Contains(message, what)
}
