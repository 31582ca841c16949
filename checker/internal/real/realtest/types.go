package realtest

import (
	"maps"
	"reflect"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Entry is a ConfigMap or a Secret: an object that is nothing but data.
type Entry struct {
	kit.TypeMeta   `json:",inline"`
	kit.ObjectMeta `json:"metadata,omitzero"`
	Data           map[string]string `json:"data,omitempty"`
}

// Widget is the custom resource of a run: a spec, and a status that only its controller writes.
type Widget struct {
	kit.TypeMeta   `json:",inline"`
	kit.ObjectMeta `json:"metadata,omitzero"`
	Spec           WidgetSpec   `json:"spec,omitzero"`
	Status         WidgetStatus `json:"status,omitzero"`
}

// WidgetSpec is what kit knows of a spec. The server's widgets have more.
type WidgetSpec struct {
	Size int `json:"size,omitempty"`
}

// WidgetStatus is what the controller of a case has seen.
type WidgetStatus struct {
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	Size               int   `json:"size,omitempty"`
}

var (
	configMaps = entries("ConfigMap", "configmaps")
	secrets    = entries("Secret", "secrets")
)

func entries(kind, resource string) kit.Type[*Entry] {
	meta := kit.TypeMeta{Kind: kind, APIVersion: "v1"}
	return described(meta, resource, func(e *Entry) *Entry {
		out := *e
		e.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
		out.Data = maps.Clone(e.Data)
		return &out
	}, func() *Entry { return &Entry{TypeMeta: meta} }, func(a, b *Entry) bool { return maps.Equal(a.Data, b.Data) })
}

func widgets(group string) kit.Type[*Widget] {
	meta := kit.TypeMeta{Kind: "Widget", APIVersion: group + "/v1"}
	return described(meta, "widgets", func(w *Widget) *Widget {
		out := *w
		w.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
		return &out
	}, func() *Widget { return &Widget{TypeMeta: meta} }, func(a, b *Widget) bool { return a.Spec == b.Spec })
}

// owned is an object of this package: it has a kit.ObjectMeta to be reached by.
type owned interface {
	kit.Object
	created() (*string, *time.Time)
	deleting() **time.Time
}

func (e *Entry) created() (*string, *time.Time)  { return &e.UID, &e.CreationTimestamp }
func (e *Entry) deleting() **time.Time           { return &e.DeletionTimestamp }
func (w *Widget) created() (*string, *time.Time) { return &w.UID, &w.CreationTimestamp }
func (w *Widget) deleting() **time.Time          { return &w.DeletionTimestamp }

func described[T owned](meta kit.TypeMeta, resource string, deepCopy func(T) T, newObject func() T, sameSpec func(a, b T) bool) kit.Type[T] {
	return kit.Type[T]{
		APIVersion: meta.APIVersion, Kind: meta.Kind, Resource: resource,
		New: newObject, DeepCopy: deepCopy, SameSpec: sameSpec,
		Equal: func(a, b T) bool { return reflect.DeepEqual(a, b) },
		SetCreated: func(obj T, uid string, at time.Time) {
			u, c := obj.created()
			*u, *c = uid, at
		},
		Created: func(obj T) (string, time.Time) {
			u, c := obj.created()
			return *u, *c
		},
		Deleting:    func(obj T) *time.Time { return *obj.deleting() },
		SetDeleting: func(obj T, at *time.Time) { *obj.deleting() = at },
	}
}
