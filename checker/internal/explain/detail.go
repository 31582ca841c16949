package explain

import (
	"strings"
)

// longValue is the length from which two values are better told by their diff.
const longValue = 240

// facts takes the detail of a failed check apart: what was expected and what
// came, or whatever else it says.
func facts(detail string) []Fact {
	body, diff, _ := strings.Cut(detail, "\nDiff:\n")
	var found []Fact
	var rest []string
	long := false
	for line := range strings.SplitSeq(body, "\n") {
		name, value, ok := strings.Cut(line, ":")
		name = strings.TrimSpace(name)
		if !ok || name != "expected" && name != "actual" && name != "in chain" {
			rest = append(rest, line)
			continue
		}
		long = long || len(value) > longValue
		found = append(found, Fact{strings.Replace(name, "in chain", "actual", 1), clip(value)})
	}
	if long && diff != "" {
		return []Fact{{"difference", changes(diff)}}
	}
	if len(found) > 0 {
		return found
	}
	if text := strings.TrimSpace(strings.Join(rest, "\n")); telling(text) {
		return []Fact{{"seen", clipLines(text, 8)}}
	}
	return nil
}

// telling reports whether a detail adds anything to the message it stands under.
func telling(text string) bool {
	switch text {
	case "", "Should be true", "Should be false", "Not equal:":
		return false
	}
	return true
}

// changes keeps the lines of a diff that differ.
func changes(diff string) string {
	var kept []string
	for line := range strings.SplitSeq(diff, "\n") {
		if strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ") {
			continue
		}
		if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
			kept = append(kept, line)
		}
	}
	return "- expected, + actual\n" + clipLines(strings.Join(kept, "\n"), 10)
}
