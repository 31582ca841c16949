package play

import (
	"fmt"
	"strings"
	"time"
)

// Database is a custom resource, and what the cloud has of it.
type Database struct {
	Name          string // "" for what the cloud has and no Database asks for
	Size          int    // in GiB
	Ready, Synced Condition
	Finalizer     bool
	Rented        Rented
	Next          string // when the operator looks at it again
}

// Condition is a condition of an object. The zero value is one that it does not have.
type Condition struct {
	Set, Holds bool
	Reason     string
}

// Rented is a database in the cloud. The zero value is none.
type Rented struct {
	State string
	Size  int           // in GiB
	Left  time.Duration // until the work under way is done; 0 if there is none
}

// Cloud is where databases are rented.
type Cloud struct {
	Down             bool
	Calls, Throttled int         // so far
	Last             []CloudCall // the newest first
}

// CloudCall is a call of the cloud.
type CloudCall struct {
	Age                time.Duration
	Verb, Name, Answer string
	Refused            bool
}

// databases draws so many databases and calls as there is room for.
func (p *painter) databases(s Snapshot, room, calls int) {
	if s.NoOperator != "" {
		p.rule("databases")
		p.add(plain(s.NoOperator))
		return
	}
	c := columns(p.width)
	p.add(span{faint, c.heads()})
	if len(s.Databases) == 0 {
		p.add(plain("none: d makes one"))
	}
	shown := s.Databases
	if len(shown) > room {
		shown = shown[:room-1]
	}
	for _, db := range shown {
		p.database(db, c)
	}
	if rest := len(s.Databases) - len(shown); rest > 0 {
		p.add(span{faint, fmt.Sprintf("… and %d more", rest)})
	}
	p.cloud(s.Cloud, calls)
}

// table is how wide the columns are, in the order of their heads.
type table [7]int

var heads = [len(table{})]string{"databases", "", "ready", "synced", "finalizer", "in the cloud", "next look"}

// columns gives the reasons of conditions more room where there is some.
func columns(width int) table {
	reason := 14
	if width >= 100 {
		reason = 20
	}
	return table{7, 8, reason, reason, 10, 18, 9}
}

// heads is a rule with a name over each column.
func (c table) heads() string {
	line := []rune(strings.Repeat("─", 1000))
	at := 0
	for i, head := range heads {
		if i == 0 {
			copy(line, []rune("── "+head+" "))
		} else if head != "" {
			copy(line[at-1:], []rune(" "+head+" "))
		}
		at += c[i]
	}
	return string(line)
}

// cell is a text as wide as a column, with a blank behind it.
func cell(width int, text string) string { return fmt.Sprintf("%-*.*s ", width-1, width-1, text) }

func (p *painter) database(db Database, c table) {
	name, size := span{bold, cell(c[0], db.Name)}, plain(cell(c[1], gib(db.Size)))
	rented := plain(cell(c[5], db.Rented.String()))
	if db.Name == "" {
		name, rented.sgr = span{red, cell(c[0]+c[1]+c[2]+c[3]+c[4], "✗ no Database asks for this one, and it costs money")}, red
		p.add(name, rented)
		return
	}
	finalizer := "no"
	if db.Finalizer {
		finalizer = "yes"
	}
	p.add(name, size, db.Ready.drawn(c[2]), db.Synced.drawn(c[3]), plain(cell(c[4], finalizer)), rented, plain(db.Next))
}

// drawn is a condition in a column. The shape says what the colour says.
func (c Condition) drawn(width int) span {
	switch {
	case !c.Set:
		return span{faint, cell(width, "·")}
	case c.Holds:
		return span{green, cell(width, "✓ "+c.Reason)}
	}
	return span{yellow, cell(width, "✗ "+c.Reason)}
}

// String is what the cloud has, in words: "creating 7s left".
func (r Rented) String() string {
	switch {
	case r.State == "":
		return "nothing"
	case r.Left > 0:
		return fmt.Sprintf("%s %s left", r.State, age(r.Left.Round(time.Second)))
	}
	return r.State + ", " + gib(r.Size)
}

func gib(size int) string { return fmt.Sprintf("%d GiB", size) }

// cloud draws so many calls as there is room for.
func (p *painter) cloud(c Cloud, room int) {
	state := span{green, "up"}
	if c.Down {
		state = span{red, "down"}
	}
	p.add(span{faint, "── the cloud is "}, state, span{faint, fmt.Sprintf(" · calls %d · throttled %d %s", c.Calls, c.Throttled, strings.Repeat("─", p.width))})
	for _, call := range c.Last[:min(len(c.Last), room)] {
		answer := plain(call.Answer)
		if call.Refused {
			answer.sgr = yellow
		}
		p.add(span{faint, fmt.Sprintf("%4s ", age(call.Age))}, plain(fmt.Sprintf("%-14s %-6s → ", call.Verb, call.Name)), answer)
	}
}
