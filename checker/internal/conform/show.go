package conform

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// words are the text of an event before it is one. Most histories are never read. And package
// fmt keeps its buffers in a sync.Pool, which orders the goroutines that use it.
type words struct {
	format string
	args   []any // nothing that can change
}

// say is the text of an event. Objects of the API are written as their key and version.
func say(format string, args []any) words {
	shown := make([]any, len(args))
	fixed := true
	for i, arg := range args {
		var ok bool
		shown[i], ok = fix(Show(arg))
		fixed = fixed && ok
	}
	w := words{format, shown}
	if !fixed {
		return words{"%s", []any{w.String()}}
	}
	return w
}

func (w words) String() string {
	return clipChange(fmt.Sprintf(w.format, w.args...))
}

// clipChange shortens the text of an event. Of a change, "old → new", the beginning of the old
// stays, and of the new what is different.
func clipChange(text string) string {
	const arrow, gap = " → ", "…"
	before, after, change := strings.Cut(text, arrow)
	if len(text) <= maxEventText || !change || strings.Contains(after, arrow) {
		return printable.Clip(text, maxEventText)
	}
	const room = (maxEventText - len(arrow) - len(gap)*2) / 2
	oldest := printable.Shorten(before, max(room, maxEventText-len(after)-len(arrow)-len(gap)), gap)
	from := differs(before, after)
	if len(oldest)+len(arrow)+len(after) <= maxEventText || from <= room/2 {
		return oldest + arrow + printable.Shorten(after, maxEventText-len(oldest)-len(arrow), gap)
	}
	return oldest + arrow + gap + printable.Shorten(after[from:], room, gap)
}

// differs is where the word or the field begins in which a new value differs from the old one.
func differs(before, after string) int {
	before = before[strings.IndexByte(before, '{')+1:] // what is said before a value is not compared
	from := 0
	start := strings.IndexByte(after, '{') + 1
	for i := 0; i < len(before) && start+i < len(after) && before[i] == after[start+i]; i++ {
		if after[start+i] == ' ' && i > 0 && after[start+i-1] != ':' {
			from = start + i + 1
		}
	}
	return from
}

// fix is v, or what is printed like it, if that can never change and keeps little alive: there are
// cases that count bytes. A method of the subject that panics is left to package fmt.
func fix(v any) (fixed any, ok bool) {
	defer func() {
		if recover() != nil {
			fixed, ok = v, false
		}
	}()
	if err, is := v.(error); is {
		return short(err.Error()), true
	}
	if text, is := v.(string); is {
		return short(text), true
	}
	return v, v == nil || constant(reflect.TypeOf(v))
}

// short is what an event can show of a text, in memory of its own.
func short(text string) string {
	return strings.Clone(text[:min(len(text), maxEventText+1)]) // with the one it is cut by
}

// constant reports whether a value of this type, once it is copied, can never change, and is small.
func constant(t reflect.Type) bool {
	const small = 128 // bytes
	switch t.Kind() {
	case reflect.Array:
		return t.Size() <= small && constant(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !constant(t.Field(i).Type) {
				return false
			}
		}
		return t.Size() <= small
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return false
	}
	return true
}

// Show is v as histories and messages have it: an object as "shop/web@7", its key and
// resource version; a list of objects as the list of these; a struct as the fields that are
// set; everything else as it is.
func Show(v any) any {
	if o, ok := v.(object); ok {
		return ShowObject(o)
	}
	value := reflect.ValueOf(v)
	switch value.Kind() {
	case reflect.Struct:
		return showStruct(value)
	case reflect.Slice:
		return showList(value)
	}
	return v
}

// showStruct leaves a struct that describes itself alone.
func showStruct(s reflect.Value) any {
	switch s.Interface().(type) {
	case fmt.Stringer, fmt.Formatter, error:
		return s.Interface()
	}
	var set []string
	for i := range s.NumField() {
		if f := s.Field(i); !f.IsZero() {
			set = append(set, s.Type().Field(i).Name+": "+text(f))
		}
	}
	return "{" + strings.Join(set, ", ") + "}"
}

func showList(list reflect.Value) any {
	if !list.Type().Elem().Implements(objectType) {
		return list.Interface()
	}
	texts := make([]string, list.Len())
	for i := range texts {
		o, _ := list.Index(i).Interface().(object)
		texts[i] = ShowObject(o)
	}
	return "[" + strings.Join(texts, " ") + "]"
}

// object is what there is of kit.Object to see in a text. The checker links conform, and has
// no use for kit.
type object interface {
	GetNamespace() string
	GetName() string
	GetResourceVersion() string
}

var objectType = reflect.TypeFor[object]()

// ShowObject is Show of an object: "shop/web@7", or "nil".
func ShowObject(o object) string {
	if o == nil || reflect.ValueOf(o).IsZero() { // a nil pointer
		return "nil"
	}
	text := o.GetName()
	if ns := o.GetNamespace(); ns != "" {
		text = ns + "/" + text
	}
	if version := o.GetResourceVersion(); version != "" {
		text += "@" + version
	}
	return text
}

// Said is err as a sentence names it: nil, or the error and its text on one line. The text is made
// when the sentence is. A race with that is not taken for one between goroutines of the subject.
func Said(err error) fmt.Stringer { return said{err} }

type said struct{ err error }

// String calls Error.
func (s said) String() string {
	if s.err == nil {
		return "nil"
	}
	return "the error “" + strings.ReplaceAll(s.err.Error(), "\n", ", ") + "”"
}

// Listed is texts in a sentence: the first eight, and how many more there are; "none" if there
// are none.
func Listed(texts []string) string {
	const most = 8
	switch n := len(texts); {
	case n == 0:
		return "none"
	case n > most:
		return strings.Join(texts[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(texts, ", ")
}

// Without is a list without one each of what is in another.
func Without(all, less []string) []string {
	rest := slices.Clone(all)
	for _, x := range less {
		if i := slices.Index(rest, x); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		}
	}
	return rest
}
