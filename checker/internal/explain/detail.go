package explain

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// longValue is the length from which a diff shows two values better than they do themselves.
const longValue = 240

// The names of the two values that a check compares.
const (
	wanted = "should be"
	seen   = "was"
)

// values are the words of testify for them.
var values = map[string]string{"expected": wanted, "actual": seen, "in chain": seen}

// facts finds in the detail of a failed check what should be and what was instead, or
// whatever else it says.
func facts(detail string) []Fact {
	body, diff, _ := strings.Cut(plain(detail), "\nDiff:\n")
	var found []Fact
	var rest []string
	long := false
	for line := range strings.SplitSeq(body, "\n") {
		name, value, ok := strings.Cut(line, ":")
		name, known := values[strings.TrimSpace(name)]
		if !ok || !known {
			rest = append(rest, line)
			continue
		}
		long = long || len(value) > longValue
		found = append(found, Fact{name, clip(value)})
	}
	if long && diff != "" {
		return []Fact{{"difference", changes(diff)}}
	}
	if len(found) == 2 && found[0].Text == found[1].Text {
		found[1].Text = "another that looks the same"
	}
	if len(found) > 0 {
		return found
	}
	text := strings.TrimSpace(strings.Join(rest, "\n"))
	if lists, ok := strings.CutPrefix(text, "elements differ"); ok {
		return elements(lists)
	}
	for _, p := range phrases {
		if m := p.form.FindStringSubmatch(text); m != nil {
			want, got := p.facts(m)
			return []Fact{{wanted, clip(want)}, {seen, clip(got)}}
		}
	}
	if informative(text) {
		return []Fact{{"seen", clipLines(text, 8)}}
	}
	return nil
}

// elements are those in which two lists differ that may be in any order. testify calls the
// list that should be A.
func elements(lists string) []Fact {
	var found []Fact
	for _, list := range []struct{ head, name string }{{"extra elements in list A:\n", "missing"}, {"extra elements in list B:\n", "too many"}} {
		_, dumped, ok := strings.Cut(lists, list.head)
		if !ok {
			continue
		}
		dumped, _, _ = strings.Cut(dumped, "\n}")
		_, dumped, _ = strings.Cut(dumped, "{\n")
		found = append(found, Fact{list.name, clip(dumpedType.ReplaceAllString(dumped, ""))})
	}
	return found
}

// dumpedType is what a dump puts before a value: "(string) (len=1) ".
var dumpedType = regexp.MustCompile(`\((?:len|cap)=[^()]*\) |\([\w.*\[\]/ ]+\) `)

// phrases are the sentences of testify that have both values in them without naming them so.
var phrases = []struct {
	form  *regexp.Regexp
	facts func(m []string) (want, got string)
}{
	{regexp.MustCompile(`(?s)^"(.*)" is not ((?:greater|less) than.*) "(.*)"$`), func(m []string) (string, string) { return m[2] + " " + m[3], m[1] }},
	{regexp.MustCompile(`(?s)^"(.*)" is not (positive|negative)$`), func(m []string) (string, string) { return m[2], m[1] }},
	{regexp.MustCompile(`(?s)^Should NOT be (zero|empty), but was (.*)$`), func(m []string) (string, string) { return "not " + m[1], m[2] }},
	{regexp.MustCompile(`^Max difference between (.*) and (.*) allowed is (.*), but difference was .*$`), func(m []string) (string, string) {
		return m[1] + ", give or take " + tolerance(m[1], m[3]), m[2]
	}},
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
	return "- " + wanted + ", + " + seen + "\n" + clipLines(strings.Join(kept, "\n"), 10)
}

var (
	typedAddress = regexp.MustCompile(`\(([^()]+)\)\(0x[0-9a-f]+\)`) // "(*kit.Pod)(0xc00008e850)"
	address      = regexp.MustCompile(`\b0xc[0-9a-f]{6,}( &)?`)
	nanoseconds  = regexp.MustCompile(`\b(\w*(?:After|Timeout|Delay|Period|Duration|Interval|TTL)):(\d{6,})\b`)
)

// plain is a text as people would write it: without addresses, which say nothing, and with
// the durations of structs in words.
func plain(text string) string {
	text = typedAddress.ReplaceAllString(text, "$1")
	text = address.ReplaceAllStringFunc(text, func(at string) string {
		if strings.HasSuffix(at, "&") {
			return "&" // what it points to follows
		}
		return "a pointer"
	})
	return nanoseconds.ReplaceAllStringFunc(text, func(field string) string {
		name, n, _ := strings.Cut(field, ":")
		d, err := time.ParseDuration(n + "ns")
		if err != nil || d%time.Microsecond != 0 {
			return field
		}
		return name + ":" + d.String()
	})
}

// tolerance is a bound on the difference from a value: testify writes that between two
// durations as a number of nanoseconds.
func tolerance(of, bound string) string {
	n, err := strconv.ParseFloat(bound, 64)
	if _, notADuration := time.ParseDuration(of); err != nil || notADuration != nil {
		return bound
	}
	return time.Duration(n).String()
}
