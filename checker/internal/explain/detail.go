package explain

import (
	"regexp"
	"strings"
)

// longValue is the length from which a diff shows two values better than they do themselves.
const longValue = 240

// facts finds in the detail of a failed check what was expected and what came instead, or
// whatever else it says.
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
	text := strings.TrimSpace(strings.Join(rest, "\n"))
	for _, p := range phrases {
		if m := p.form.FindStringSubmatch(text); m != nil {
			expected, actual := p.facts(m)
			return []Fact{{"expected", clip(expected)}, {"actual", clip(actual)}}
		}
	}
	if informative(text) {
		return []Fact{{"seen", clipLines(text, 8)}}
	}
	return nil
}

// phrases are the sentences of testify that have an expected and an actual value in them
// without naming them so.
var phrases = []struct {
	form  *regexp.Regexp
	facts func(m []string) (expected, actual string)
}{
	{regexp.MustCompile(`(?s)^Should be (zero|empty), but was (.*)$`), func(m []string) (string, string) { return m[1], m[2] }},
	{regexp.MustCompile(`(?s)^"(.*)" should have (\d+) item\(s\), but has \d+$`), func(m []string) (string, string) { return m[2] + " items", m[1] }},
	{regexp.MustCompile(`(?s)^Received unexpected error:\n(.*)$`), func(m []string) (string, string) { return "no error", m[1] }},
	{regexp.MustCompile(`(?s)^Expected nil, but got: (.*)$`), func(m []string) (string, string) { return "nil", m[1] }},
	{regexp.MustCompile(`^An error is expected but got nil\.$`), func([]string) (string, string) { return "an error", "nil" }},
}

// informative reports whether a detail adds anything to the message it stands under.
func informative(text string) bool {
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
