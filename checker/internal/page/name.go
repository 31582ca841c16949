package page

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// ClassFile is the name of the file of a class's page.
const ClassFile = "index.html"

// maxName keeps a name and its extensions within what file systems take, in bytes.
const maxName = 100

// FileName is the name of the file of a student's page, and the link to it. What is not
// plain in the ID becomes =xx, as in quoted-printable. Different IDs have different names,
// and none has that of the class's page.
func FileName(id string) string { return baseName(id) + ".html" }

func baseName(id string) string {
	var b strings.Builder
	for i := range len(id) {
		c := id[i]
		plain := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '@' || c == '.' && i > 0
		if plain {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "=%02x", c)
		}
	}
	name := b.String()
	switch {
	case name == "index": // the class's own page
		return "=69ndex"
	case name == "" || len(name) > maxName:
		hash := fnv.New64a() // tells two long IDs apart
		_, _ = hash.Write([]byte(id))
		return fmt.Sprintf("%.60s=%08x", name, hash.Sum64())
	}
	return name
}

// displayName is a student's name, or the ID of one who has none.
func displayName(s roster.Student) string { return nameLine(cmp.Or(s.Name, s.ID)) }

// nameLine makes a name fit for a page: on one line, and no longer than names are.
func nameLine(name string) string { return printable.Line(name, 80) }
