package timeline

// The axis is squeezed where more time passes than is usual between two places of it.
const (
	usual  = 4.0 // times the average that a place takes: more is squeezed
	most   = 2.0 // the room for that
	spread = 0.25
)

// stretch gives each place its position.
func (c *Chart) stretch() {
	if c.Empty() {
		return
	}
	first, last := c.Moments[0].At, c.Moments[len(c.Moments)-1].At
	average := float64(last-first) / float64(len(c.Moments))
	c.Moments[0].New = true
	for i := 1; i < len(c.Moments); i++ {
		before, m := c.Moments[i-1], &c.Moments[i]
		m.X = before.X + 1
		passed := m.At - before.At
		if passed <= 0 {
			continue
		}
		m.New = true
		if share := float64(passed) / average; share <= usual {
			m.X += share * spread
		} else {
			m.X += most
			m.Gap = passed
		}
	}
}
