package explain

import (
	"regexp"
	"strings"
	"time"
)

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
