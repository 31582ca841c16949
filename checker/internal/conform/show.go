package conform

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// say is the text of an event. Objects of the API are written as their key and version.
func say(format string, args []any) string {
	shown := make([]any, len(args))
	for i, arg := range args {
		shown[i] = Show(arg)
	}
	return printable.Clip(fmt.Sprintf(format, shown...), maxEventText)
}

// Show is v as histories and messages have it: an object as "shop/web@7", its key and
// resource version; a list of objects as the list of these; everything else as it is.
func Show(v any) any {
	if o, ok := v.(object); ok {
		return showObject(o)
	}
	list := reflect.ValueOf(v)
	if list.Kind() != reflect.Slice || !list.Type().Elem().Implements(objectType) {
		return v
	}
	texts := make([]string, list.Len())
	for i := range texts {
		o, _ := list.Index(i).Interface().(object)
		texts[i] = showObject(o)
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

func showObject(o object) string {
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
