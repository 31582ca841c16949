package trust

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

const head = `# Why trust it

A workbook that grades has to be right itself. This page says what was measured, and how to measure it again. checker trust writes it and
nobody else does: each row says which commit it is about, and a row that nobody has measured is not there.

`

// order sorts measurements as the page has them.
func order(a, b Measurement) int {
	place := func(m Measurement) int {
		return slices.IndexFunc(claims, func(c Claim) bool { return c.Name == m.Claim })
	}
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Lab, b.Lab))
}

// Markdown is the page.
func (r *Record) Markdown() string {
	var b strings.Builder
	b.WriteString(head)
	for _, c := range claims {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", c.Title, c.Text)
		rows := slices.DeleteFunc(slices.Clone(r.Measurements), func(m Measurement) bool { return m.Claim != c.Name })
		slices.SortFunc(rows, order)
		if len(rows) == 0 {
			fmt.Fprintf(&b, "Not measured yet: `checker trust %s` does.\n\n", c.Name)
			continue
		}
		c.table(&b, rows)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// table writes the rows of one claim.
func (c Claim) table(b *strings.Builder, rows []Measurement) {
	columns := slices.Concat(c.Columns, []string{"held", "command", "commit", "when", "took", "load"})
	if c.PerLab {
		columns = slices.Insert(columns, 0, "lab")
	}
	writeRow(b, columns)
	writeRow(b, slices.Repeat([]string{"---"}, len(columns)))
	for _, m := range rows {
		held := "yes"
		if !m.Held {
			held = "**no**"
		}
		cells := slices.Concat(m.Figures, []string{
			held, "`" + m.Command + "`", m.Commit, m.At.Format("2006-01-02 15:04"), m.Took.Round(time.Second).String(), m.Load,
		})
		if c.PerLab {
			cells = slices.Insert(cells, 0, m.Lab)
		}
		writeRow(b, cells)
	}
	var where []string
	for _, m := range rows {
		if place := m.Go + " on " + m.Machine; !slices.Contains(where, place) {
			where = append(where, place)
		}
	}
	fmt.Fprintf(b, "\nMeasured with %s.\n\n", strings.Join(where, ", and with "))
}

func writeRow(b *strings.Builder, cells []string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}
