package explain

import (
	"regexp"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// keys are the names of objects and items. An object is there by namespace and name.
type keys map[string]bool

var (
	// named is what a sentence quotes, or writes as only names are written: shop/web, pod-3.
	named = regexp.MustCompile(`"([^"]{1,80})"|\b([A-Za-z0-9][\w.-]*/[\w.-]*\w|[a-z][\w.]*-[\w.-]*\d)\b`)
	// word is a name in an event, in quotation marks or bare. A version behind it is none of it.
	word = regexp.MustCompile(`"[^"]*"|[A-Za-z0-9][\w./-]*`)
)

// keysAtFault are the names in the message of a failure, and in what was seen of a breach.
func keysAtFault(events []wire.Event, message string) keys {
	k := keys{}
	k.add(message)
	for _, e := range events {
		if e.Broke {
			k.add(e.What)
		}
	}
	return k
}

func (k keys) add(sentence string) {
	for _, m := range named.FindAllStringSubmatch(sentence, -1) {
		k[m[1]+m[2]] = true
	}
}

// in reports whether a text names one of the keys: by its name alone, too, where either leaves
// the namespace out.
func (k keys) in(text string) bool {
	for _, w := range word.FindAllString(text, -1) {
		w = strings.Trim(w, `".-/`)
		if k[w] || k.named(w) {
			return true
		}
	}
	return false
}

func (k keys) named(w string) bool {
	if _, name, ok := strings.Cut(w, "/"); ok {
		return k[name]
	}
	for key := range k {
		if _, name, ok := strings.Cut(key, "/"); ok && name == w {
			return true
		}
	}
	return false
}
