package kit

import (
	"maps"
	"reflect"
	"slices"
	"time"
)

// Object is what every API object can do. It is a method subset of
// k8s.io/apimachinery's metav1.Object, so a real *corev1.Pod is a kit.Object too.
type Object interface {
	GetNamespace() string
	SetNamespace(namespace string)
	GetName() string
	SetName(name string)
	GetGenerateName() string
	SetGenerateName(name string)
	GetResourceVersion() string
	SetResourceVersion(version string)
	GetGeneration() int64
	SetGeneration(generation int64)
	GetLabels() map[string]string
	SetLabels(labels map[string]string)
	GetAnnotations() map[string]string
	SetAnnotations(annotations map[string]string)
	GetFinalizers() []string
	SetFinalizers(finalizers []string)
}

// Key is the name a cache, a queue or a log uses for obj: "namespace/name", or
// "name" where there is no namespace (client-go cache.MetaNamespaceKeyFunc).
func Key(obj Object) string {
	if ns := obj.GetNamespace(); ns != "" {
		return ns + "/" + obj.GetName()
	}
	return obj.GetName()
}

// TypeMeta says what an object is, on the wire (metav1.TypeMeta).
type TypeMeta struct {
	Kind       string `json:"kind,omitempty"`
	APIVersion string `json:"apiVersion,omitempty"`
}

// OwnerReference names the object that an object belongs to (metav1.OwnerReference).
// At most one reference of an object has Controller set.
type OwnerReference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
	Controller bool   `json:"controller,omitempty"`
}

// ObjectMeta is what every object of this workbook carries, with the JSON names of
// metav1.ObjectMeta. *ObjectMeta is an Object, and so is every pointer to a struct
// that embeds it.
type ObjectMeta struct {
	Name              string            `json:"name,omitempty"`
	GenerateName      string            `json:"generateName,omitempty"`
	Namespace         string            `json:"namespace,omitempty"`
	UID               string            `json:"uid,omitempty"`
	ResourceVersion   string            `json:"resourceVersion,omitempty"`
	Generation        int64             `json:"generation,omitempty"`
	CreationTimestamp time.Time         `json:"creationTimestamp,omitzero"`
	DeletionTimestamp *time.Time        `json:"deletionTimestamp,omitempty"`
	Labels            map[string]string `json:"labels,omitempty"`
	Annotations       map[string]string `json:"annotations,omitempty"`
	OwnerReferences   []OwnerReference  `json:"ownerReferences,omitempty"`
	Finalizers        []string          `json:"finalizers,omitempty"`
}

var _ Object = (*ObjectMeta)(nil)

func (m *ObjectMeta) meta() *ObjectMeta                  { return m }
func (m *ObjectMeta) GetNamespace() string               { return m.Namespace }
func (m *ObjectMeta) SetNamespace(namespace string)      { m.Namespace = namespace }
func (m *ObjectMeta) GetName() string                    { return m.Name }
func (m *ObjectMeta) SetName(name string)                { m.Name = name }
func (m *ObjectMeta) GetGenerateName() string            { return m.GenerateName }
func (m *ObjectMeta) SetGenerateName(name string)        { m.GenerateName = name }
func (m *ObjectMeta) GetResourceVersion() string         { return m.ResourceVersion }
func (m *ObjectMeta) SetResourceVersion(version string)  { m.ResourceVersion = version }
func (m *ObjectMeta) GetGeneration() int64               { return m.Generation }
func (m *ObjectMeta) SetGeneration(generation int64)     { m.Generation = generation }
func (m *ObjectMeta) GetLabels() map[string]string       { return m.Labels }
func (m *ObjectMeta) SetLabels(labels map[string]string) { m.Labels = labels }
func (m *ObjectMeta) GetAnnotations() map[string]string  { return m.Annotations }
func (m *ObjectMeta) SetAnnotations(a map[string]string) { m.Annotations = a }
func (m *ObjectMeta) GetFinalizers() []string            { return m.Finalizers }
func (m *ObjectMeta) SetFinalizers(finalizers []string)  { m.Finalizers = finalizers }

// DeepCopyInto copies m into out; the two share no memory afterwards.
func (m *ObjectMeta) DeepCopyInto(out *ObjectMeta) {
	*out = *m
	out.Labels = maps.Clone(m.Labels)
	out.Annotations = maps.Clone(m.Annotations)
	out.OwnerReferences = slices.Clone(m.OwnerReferences)
	out.Finalizers = slices.Clone(m.Finalizers)
	if m.DeletionTimestamp != nil {
		at := *m.DeletionTimestamp
		out.DeletionTimestamp = &at
	}
}

// ControllerOf is the owner of m that controls it, or nil (metav1.GetControllerOf).
func (m *ObjectMeta) ControllerOf() *OwnerReference {
	for i := range m.OwnerReferences {
		if m.OwnerReferences[i].Controller {
			return &m.OwnerReferences[i]
		}
	}
	return nil
}

// Type tells generic code what it cannot find out from the method set of T: how
// to make, copy and mark an object. A value for real Pods is five lines of corev1.
type Type[T Object] struct {
	APIVersion string // "v1", "apps/v1"
	Kind       string // "Pod"
	Resource   string // "pods": the word in URLs and error messages

	New      func() T // an empty object, TypeMeta set
	DeepCopy func(obj T) T

	// Equal reports whether a and b are the same in every field, metadata included.
	Equal func(a, b T) bool
	// SameSpec reports whether a and b ask for the same: everything but metadata
	// and status is equal.
	SameSpec func(a, b T) bool

	// SetCreated marks a new object with its UID and creation time.
	SetCreated func(obj T, uid string, at time.Time)
	// Created is what SetCreated has set: "" and the zero time before.
	Created func(obj T) (uid string, at time.Time)
	// Deleting is the deletionTimestamp, nil while nobody has asked for deletion.
	Deleting func(obj T) *time.Time
	// SetDeleting sets or clears the deletionTimestamp.
	SetDeleting func(obj T, at *time.Time)
}

// own is what the types of this package have in common.
type own[T any] interface {
	Object
	meta() *ObjectMeta
	DeepCopy() T
}

// described is the Type of one of this package's own types: all but its names and
// its spec follows from its ObjectMeta.
func described[T own[T]](meta TypeMeta, resource string, newObject func() T, sameSpec func(a, b T) bool) Type[T] {
	return Type[T]{
		APIVersion: meta.APIVersion, Kind: meta.Kind, Resource: resource,
		New:      newObject,
		DeepCopy: T.DeepCopy,
		Equal:    func(a, b T) bool { return reflect.DeepEqual(a, b) },
		SameSpec: sameSpec,
		SetCreated: func(obj T, uid string, at time.Time) {
			obj.meta().UID, obj.meta().CreationTimestamp = uid, at
		},
		Created:     func(obj T) (string, time.Time) { return obj.meta().UID, obj.meta().CreationTimestamp },
		Deleting:    func(obj T) *time.Time { return obj.meta().DeletionTimestamp },
		SetDeleting: func(obj T, at *time.Time) { obj.meta().DeletionTimestamp = at },
	}
}
