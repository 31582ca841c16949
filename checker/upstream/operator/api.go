// Package operator is the solution of lab 23 as it looks with controller-runtime: the same
// decisions in the same files, and all that is around them from the library. The suite of
// the lab is put to it, and docs/operator.md shows the two side by side.
package operator

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// This file is what a project has in api/v1. Of kit.Database it differs in its metadata, which
// is Kubernetes' own, and in DeepCopyObject, which every runtime.Object has.

var (
	// GroupVersion is that of Database.
	GroupVersion = schema.GroupVersion{Group: "book.example", Version: "v1"}
	// AddToScheme tells a scheme which Go type belongs to which kind.
	AddToScheme = (&scheme.Builder{GroupVersion: GroupVersion}).Register(&Database{}, &DatabaseList{}).AddToScheme
)

// Database is a custom resource: somebody wants a database from the cloud.
type Database struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitzero"`
	Spec              DatabaseSpec   `json:"spec,omitzero"`
	Status            DatabaseStatus `json:"status,omitzero"`
}

// DatabaseSpec is what somebody wants of a database.
type DatabaseSpec struct {
	Engine         string     `json:"engine"`
	Size           int        `json:"size"` // in GiB
	PasswordSecret string     `json:"passwordSecret"`
	OnLoss         LossPolicy `json:"onLoss,omitempty"`
}

// LossPolicy is what to do when a database has gone that was there.
type LossPolicy string

// LossReport is to say so, and leave the rest to people.
const LossReport LossPolicy = "Report"

// DatabaseStatus is what the operator last saw.
type DatabaseStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Endpoint           string             `json:"endpoint,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// DatabaseList is the answer to a List.
type DatabaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`
	Items           []Database `json:"items"`
}

// From here on controller-gen would have written it.

// DeepCopy returns a copy that shares no memory with d.
func (d *Database) DeepCopy() *Database {
	out := *d
	d.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status = *d.Status.DeepCopy()
	return &out
}

// DeepCopyObject is DeepCopy for code that knows no Database.
func (d *Database) DeepCopyObject() runtime.Object { return d.DeepCopy() }

// DeepCopy returns a copy that shares no memory with s.
func (s *DatabaseStatus) DeepCopy() *DatabaseStatus {
	out := *s
	out.Conditions = make([]metav1.Condition, len(s.Conditions))
	copy(out.Conditions, s.Conditions)
	return &out
}

// DeepCopyObject returns a copy that shares no memory with l.
func (l *DatabaseList) DeepCopyObject() runtime.Object {
	out := *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Database, len(l.Items))
	for i := range l.Items {
		out.Items[i] = *l.Items[i].DeepCopy()
	}
	return &out
}
