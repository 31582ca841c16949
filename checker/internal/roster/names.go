package roster

import (
	"strings"
	"unicode"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// fold makes names comparable: letters and digits, in lower case.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// sortable is how Canvas writes a name in its files: "Jane Doe" and "Doe, Jane" are
// both "doejane".
func sortable(name string) string {
	if last, first, ok := strings.Cut(name, ","); ok {
		return fold(last) + fold(first)
	}
	words := strings.Fields(name)
	if len(words) < 2 {
		return fold(name)
	}
	return fold(words[len(words)-1]) + fold(strings.Join(words[:len(words)-1], ""))
}

// maxID bounds an ID, in bytes.
const maxID = 80

// SafeID makes of any text an ID that is a file name on every system and harmless in a
// gradebook. Two texts may become the same ID: the caller tells them apart.
func SafeID(id string) string {
	id = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), strings.ContainsRune("-_.@+", r):
			return r
		}
		return '_'
	}, strings.ToValidUTF8(id, "_"))
	id = shortID(id, maxID)
	if id == "" || strings.ContainsRune("-.@+", rune(id[0])) || reserved[strings.ToLower(id)] {
		id = "_" + shortID(id, maxID-1)
	}
	return id
}

// shortID cuts first: what it leaves must not end in a dot, either.
func shortID(id string, most int) string {
	return strings.TrimRight(printable.Shorten(id, most, ""), "._")
}

// reserved holds what is no file name on Windows, and the name of the class's own page.
var reserved = map[string]bool{"con": true, "prn": true, "aux": true, "nul": true, "index": true}

// CleanName is a student's name without what does not print.
func CleanName(name string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(name, "?"))), " ")
}
