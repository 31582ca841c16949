package similarity

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.html.tmpl
var pageText string

var page = template.Must(template.New("similarity").Parse(pageText)) // our own text

// WriteHTML writes the report as one page that needs nothing else: the pairs, and for
// each the lines that look alike, side by side.
func (r *Report) WriteHTML(w io.Writer) error {
	if err := page.Execute(w, r); err != nil {
		return fmt.Errorf("write the similarity page: %w", err)
	}
	return nil
}
