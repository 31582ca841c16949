package triggerstest

import "maps"

// expect is a slow and obvious simulation of the three strategies, made without a
// cluster, a channel or a queue: in each step it goes through the whole plan again.
func expect(p Plan, strategy string, period int) Report {
	m := reference{plan: p, apps: maps.Clone(p.Start), dirty: map[string]bool{}}
	for step := range p.Steps {
		m.change(step)
		due := m.due(step)
		m.report.Delivered += len(due)
		if strategy == "Edge" {
			m.edge(step, due)
		} else {
			m.level(step, due, strategy != "Level" && period > 0 && (step+1)%period == 0)
		}
		m.measure(step)
	}
	m.report.Drift = m.drift()
	if m.report.Converged = m.report.Drift == 0; !m.report.Converged {
		m.report.Settled = -1
	}
	return m.report
}

type reference struct {
	plan   Plan
	apps   map[string]State
	dirty  map[string]bool
	report Report
}

func (m *reference) change(step int) {
	for _, c := range m.plan.Changes {
		if c.At == step {
			s := m.apps[c.Key]
			m.apps[c.Key] = State{s.Desired + c.Desired, s.Running + c.Running}
		}
	}
}

// due is one change for each copy that arrives now. In which order they do makes
// no difference to a sum or to a set.
func (m *reference) due(step int) []Change {
	var due []Change
	for _, c := range m.plan.Changes {
		for _, delay := range c.Delays {
			if c.At+delay == step {
				due = append(due, c)
			}
		}
	}
	return due
}

func (m *reference) edge(step int, due []Change) {
	for _, c := range due {
		m.scale(step, c.Key, c.Desired-c.Running)
	}
}

func (m *reference) level(step int, due []Change, all bool) {
	for _, c := range due {
		m.dirty[c.Key] = true
	}
	if all {
		m.report.Lists++
		for key := range m.apps {
			m.dirty[key] = true
		}
	}
	for key := range m.dirty {
		m.report.Reads++
		if m.scale(step, key, m.apps[key].missing()) {
			delete(m.dirty, key)
		}
	}
}

// scale reports whether nothing is left to do.
func (m *reference) scale(step int, key string, n int) bool {
	if n == 0 {
		return true
	}
	m.report.Writes++
	for _, down := range m.plan.Down {
		if down == step {
			return false
		}
	}
	s := m.apps[key]
	m.apps[key] = State{s.Desired, s.Running + n}
	return true
}

func (m *reference) measure(step int) {
	d := m.drift()
	m.report.Lag += d
	if d != 0 {
		m.report.Settled = step + 1
	}
}

func (m *reference) drift() int {
	sum := 0
	for _, s := range m.apps {
		sum += max(s.missing(), -s.missing())
	}
	return sum
}
