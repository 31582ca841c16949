// Package page writes HTML: one page for a student, one for a class, one for a run of a lab.
//
// It is given what its reader may see, and decides only how to show it. It takes every
// text to be hostile: html/template escapes it for the place where it stands, and before
// that it is bounded and made printable. A page is one file, needs no network and no
// script, and forbids both; that of a run has one small script of its own.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"reflect"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/cohort"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

//go:embed *.html
var sources embed.FS

//go:embed style.css
var style string

//go:embed timeline.css
var timelineStyle string

//go:embed timeline.js
var timelineScript string

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"style":     func() template.CSS { return template.CSS(style) },
	"policy":    func() string { return policy },
	"labStyle":  func() template.CSS { return template.CSS(style + timelineStyle) },
	"labScript": func() template.JS { return template.JS(timelineScript) },
	"labPolicy": func() string { return labPolicy },
	"plural":    plural,
	"inc":       func(i int) int { return i + 1 },
}).ParseFS(sources, "*.html"))

// policy lets a page use its own style sheet and nothing else: should a text ever get
// past the escaping, the browser still runs and fetches nothing.
var policy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + only(style)

// labPolicy lets the page of a lab run its own script, too, and no other.
var labPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + only(style+timelineStyle) + "; script-src " + only(timelineScript)

// only is how a policy names one text.
func only(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// WriteStudent writes the page of one student, who has at least one grade.
func WriteStudent(w io.Writer, r audience.Record) error { return writeStudent(w, r, "") }

// WriteStudentOfClass writes the page of one student for the teacher, with a link to the page
// of the class beside it.
func WriteStudentOfClass(w io.Writer, r audience.Record) error { return writeStudent(w, r, ClassFile) }

func writeStudent(w io.Writer, r audience.Record, back string) error {
	p := newStudentPage(r, back)
	clean(reflect.ValueOf(&p))
	return templates.ExecuteTemplate(w, "student.html", p)
}

// WriteClass writes the page of a class, for its teacher.
func WriteClass(w io.Writer, s *cohort.Stats) error {
	p := newClassPage(s)
	clean(reflect.ValueOf(&p))
	return templates.ExecuteTemplate(w, "class.html", p)
}

// maxText bounds every single text of a page, in bytes.
const maxText = 4 << 10

// clean makes every string of a model printable. It changes what it is given.
func clean(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			clean(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			clean(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			clean(v.Index(i))
		}
	case reflect.String:
		v.SetString(printable.Text(v.String(), maxText))
	}
}

// plural is "s" for any number but one.
func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
