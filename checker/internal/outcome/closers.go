package outcome

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxClosers is how many places are few enough to be looked at one by one.
const maxClosers = 6

// closers says where the channel may have been closed, by its name, of which a panic says that it
// was closed already: "close(results) at labs/02-channels/pool.go:28, …". Where the line of the
// panic names no channel, as that of a deferred call, every close is one of them. It is "" for
// every other panic, and where there are too many.
func (f *folder) closers() string {
	if !strings.HasPrefix(f.r.Message, "close of closed channel") && !strings.HasPrefix(f.r.Message, "send on closed channel") {
		return ""
	}
	name := f.channelAt(f.r.At)
	var places []string
	for _, file := range slices.Sorted(maps.Keys(f.Sources)) {
		for _, op := range f.Sources[file].Closes {
			if name == "" || last(op.On) == name {
				places = append(places, fmt.Sprintf("close(%s) at %s:%d", op.On, file, op.Line))
			}
		}
	}
	if len(places) > maxClosers {
		return ""
	}
	return strings.Join(places, ", ")
}

// channelAt is the name of the channel that a line closes or sends on, "" if it names none or several.
func (f *folder) channelAt(at Location) string {
	source, name := f.Sources[at.File], ""
	for _, op := range slices.Concat(source.Closes, source.Ops) {
		if op.Line != at.Line || op.Does != "close" && op.Does != "send" {
			continue
		}
		if name != "" && name != last(op.On) {
			return ""
		}
		name = last(op.On)
	}
	return name
}

// last is the name at the end of an expression: "out" of "w.out".
func last(expr string) string { return expr[strings.LastIndexByte(expr, '.')+1:] }
