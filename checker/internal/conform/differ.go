package conform

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// Bounds of what Differ says.
const (
	maxDifferences = 4
	maxValueText   = 60
	maxDifferDepth = 12 // a subject's value may hold itself
)

// Differ says in words where got is not want, and only that: fields by their path, with the
// names that they have in JSON if they have any, elements of maps and lists, times and
// durations as people write them. It is "" where the two are equal: deeply, as
// reflect.DeepEqual has it, and moments as Time.Equal has it.
//
//	spec.replicas is 2, should be 3; metadata.labels["app"] is missing, should be "web"
//
// It goes into a sentence that says what was compared.
func Differ(want, got any) string { return between(want, got).say(difference.wrong) }

// Changes says in words how a value has changed, as Differ says where one is wrong. It is "" where
// nothing has.
//
//	spec.replicas: 2 → 3; metadata.labels["app"]: missing → "web"
func Changes(before, after any) string { return between(before, after).say(difference.change) }

func between(want, got any) differences {
	var d differences
	d.compare("", reflect.ValueOf(want), reflect.ValueOf(got), 0)
	return d
}

// Same requires that got is want, and ends the case with the sentence and the differences:
//
//	t.Same(want, pod, "Update wrote something else than what was asked for")
//
// reads "Update wrote something else than what was asked for: spec.image is "a", should be "b"."
func (t *T) Same(want, got any, sentence string, args ...any) {
	if d := Differ(want, got); d != "" {
		t.Fatalf("%s: %s.", fmt.Sprintf(strings.TrimRight(sentence, ".:"), args...), d)
	}
}

// difference is one place in which two values differ, with what is there, or missing.
type difference struct{ path, want, got string }

const missing = "missing"

func (d difference) wrong() string {
	if d.want == missing {
		return fmt.Sprintf("%s is %s, should not be there", d.path, d.got)
	}
	return fmt.Sprintf("%s is %s, should be %s", d.path, d.got, d.want)
}

func (d difference) change() string { return fmt.Sprintf("%s: %s → %s", d.path, d.want, d.got) }

// differences are found in the order of fields and elements.
type differences []difference

// say is the first of them, each in words, and how many more there are.
func (d differences) say(words func(difference) string) string {
	var all []string
	for _, one := range d[:min(len(d), maxDifferences)] {
		all = append(all, words(one))
	}
	if more := len(d) - len(all); more > 0 {
		all = append(all, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(all, "; ")
}

var (
	timeType  = reflect.TypeFor[time.Time]()
	errorType = reflect.TypeFor[error]()
)

func (d *differences) compare(path string, want, got reflect.Value, depth int) {
	switch {
	case !want.IsValid() || !got.IsValid():
		if want.IsValid() != got.IsValid() {
			d.add(path, want, got)
		}
	case want.Type() != got.Type():
		d.add(path, want, got)
	case want.Type() == timeType:
		d.moments(path, want, got)
	case want.Type().Implements(errorType) || depth == maxDifferDepth:
		d.whole(path, want, got)
	default:
		d.inside(path, want, got, depth+1)
	}
}

// inside compares two values of one type.
func (d *differences) inside(path string, want, got reflect.Value, depth int) {
	switch want.Kind() {
	case reflect.Pointer, reflect.Interface:
		if want.IsNil() || got.IsNil() {
			d.whole(path, want, got)
			return
		}
		d.compare(path, want.Elem(), got.Elem(), depth)
	case reflect.Struct:
		for i := range want.NumField() {
			d.compare(fieldPath(path, want.Type().Field(i)), want.Field(i), got.Field(i), depth)
		}
	case reflect.Map:
		d.maps(path, want, got, depth)
	case reflect.Slice, reflect.Array:
		d.lists(path, want, got, depth)
	default:
		d.whole(path, want, got)
	}
}

// fieldPath is the path of a field: what is embedded adds nothing unless JSON names it.
func fieldPath(path string, f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	switch {
	case name == "" && f.Anonymous:
		return path
	case name == "" || name == "-":
		name = f.Name
	}
	return strings.TrimPrefix(path+"."+name, ".")
}

func (d *differences) maps(path string, want, got reflect.Value, depth int) {
	if want.IsNil() != got.IsNil() && want.Len()+got.Len() == 0 {
		d.add(path, want, got)
	}
	for _, key := range keys(want, got) {
		at := path + "[" + text(key) + "]"
		if path == "" {
			at = text(key)
		}
		d.compare(at, want.MapIndex(key), got.MapIndex(key), depth)
	}
}

// keys are those of either map, sorted by their text.
func keys(want, got reflect.Value) []reflect.Value {
	all := want.MapKeys()
	for _, key := range got.MapKeys() {
		if !want.MapIndex(key).IsValid() {
			all = append(all, key)
		}
	}
	slices.SortFunc(all, func(a, b reflect.Value) int { return cmp.Compare(text(a), text(b)) })
	return all
}

// lists compares element by element, unless both lists are short enough to be seen whole.
func (d *differences) lists(path string, want, got reflect.Value, depth int) {
	var within differences
	for i := range max(want.Len(), got.Len()) {
		at := fmt.Sprintf("%s[%d]", path, i)
		if path == "" {
			at = fmt.Sprintf("element %d", i)
		}
		within.compare(at, element(want, i), element(got, i), depth)
	}
	w, g := longText(want), longText(got)
	if w != g && len(w) <= maxValueText && len(g) <= maxValueText && (len(within) > 0 || want.Len() == 0) {
		d.add(path, want, got)
		return
	}
	*d = append(*d, within...)
}

func element(list reflect.Value, i int) reflect.Value {
	if i >= list.Len() {
		return reflect.Value{}
	}
	return list.Index(i)
}

// whole compares two values that have no parts worth naming.
func (d *differences) whole(path string, want, got reflect.Value) {
	if equal(want, got) {
		return
	}
	d.add(path, want, got)
}

// equal is reflect.DeepEqual, which fields that are not exported do not let us call.
func equal(want, got reflect.Value) bool {
	switch {
	case want.CanInterface() && got.CanInterface():
		return reflect.DeepEqual(want.Interface(), got.Interface())
	case want.Comparable() && got.Comparable():
		return want.Equal(got)
	}
	return want.IsZero() == got.IsZero() && text(want) == text(got)
}

// moments shows the date only where it matters.
func (d *differences) moments(path string, want, got reflect.Value) {
	if want.CanInterface() && want.Interface().(time.Time).Equal(got.Interface().(time.Time)) {
		return
	}
	w, g := text(want), text(got)
	if date := len(time.DateOnly + " "); len(w) > date && len(g) > date && w[:date] == g[:date] {
		w, g = w[date:], g[date:]
	}
	d.found(path, w, g)
}

func (d *differences) add(path string, want, got reflect.Value) {
	switch w, g := text(want), text(got); {
	case !want.IsValid():
		d.found(path, missing, g)
	case !got.IsValid():
		d.found(path, w, missing)
	case want.Type() != got.Type():
		d.found(path, w+" of type "+want.Type().String(), g+" of type "+got.Type().String())
	case w == g:
		d.found(path, "another that reads the same", g)
	default:
		d.found(path, w, g)
	}
}

func (d *differences) found(path, want, got string) {
	*d = append(*d, difference{cmp.Or(path, "it"), want, got})
}

// text is a value in a few words. It calls nothing on what is not exported.
func text(v reflect.Value) string { return printable.Shorten(longText(v), maxValueText, "…") }

func longText(v reflect.Value) string {
	switch {
	case !v.IsValid():
		return "nothing"
	case nillable(v) && v.IsNil():
		return "nil"
	case v.Kind() == reflect.Func:
		return "a function"
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return fmt.Sprintf("%q", v.Bytes())
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		return listText(v)
	case v.Kind() == reflect.Interface:
		return longText(v.Elem())
	case v.Kind() == reflect.String && v.NumMethod() == 0:
		return fmt.Sprintf("%q", v.String())
	case v.CanInterface():
		return valueText(v)
	}
	return fmt.Sprintf("%v", v)
}

// nillable reports whether v is of a kind that has a nil.
func nillable(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return true
	}
	return false
}

// valueText is a value that its own methods may describe.
func valueText(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case object:
		return ShowObject(x)
	case *time.Time:
		return longText(v.Elem())
	case time.Time:
		if x.IsZero() {
			return "not set"
		}
		return x.UTC().Format(time.DateOnly + " 15:04:05.999999999")
	case error, fmt.Stringer:
		return fmt.Sprint(x)
	}
	if v.Kind() == reflect.Pointer {
		return longText(v.Elem())
	}
	return fmt.Sprintf("%+v", v.Interface())
}

func listText(v reflect.Value) string {
	var texts []string
	for i := range min(v.Len(), maxValueText) {
		texts = append(texts, text(v.Index(i)))
	}
	return "[" + strings.Join(texts, " ") + "]"
}
