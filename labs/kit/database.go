package kit

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
)

// Secret holds what not everybody may read (corev1.Secret).
type Secret struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata,omitzero"`
	Data       map[string][]byte `json:"data,omitempty"`
}

// DeepCopy returns a copy that shares no memory with s.
func (s *Secret) DeepCopy() *Secret {
	out := *s
	s.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Data = maps.Clone(s.Data)
	for key, value := range out.Data {
		out.Data[key] = bytes.Clone(value)
	}
	return &out
}

var secretMeta = TypeMeta{Kind: "Secret", APIVersion: "v1"}

// Secrets describes *Secret to generic code. A Secret has no spec, so its generation
// stays what it was.
var Secrets = described(secretMeta, "secrets",
	func() *Secret { return &Secret{TypeMeta: secretMeta} },
	func(_, _ *Secret) bool { return true })

// Database is a custom resource: somebody wants a database from the cloud. Its status is
// a subresource: an Update leaves it as it is.
type Database struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata,omitzero"`
	Spec       DatabaseSpec   `json:"spec,omitzero"`
	Status     DatabaseStatus `json:"status,omitzero"`
}

// DatabaseSpec is what somebody wants of a database.
type DatabaseSpec struct {
	Engine         string     `json:"engine"`           // "postgres"; the cloud cannot change it later
	Size           int        `json:"size"`             // in GiB
	PasswordSecret string     `json:"passwordSecret"`   // a Secret of the same namespace; its key "password" counts
	OnLoss         LossPolicy `json:"onLoss,omitempty"` // "" is LossRecreate
}

// LossPolicy is what to do when a database has gone that was there, and its data with it.
type LossPolicy string

// The values of a LossPolicy.
const (
	LossRecreate LossPolicy = "Recreate" // create it again, empty
	LossReport   LossPolicy = "Report"   // say so, and leave the rest to people
)

// DatabaseStatus is what the operator last saw.
type DatabaseStatus struct {
	ObservedGeneration int64       `json:"observedGeneration,omitempty"` // the generation that the operator acted on
	Endpoint           string      `json:"endpoint,omitempty"`           // where it listens; "" until it was available once
	Conditions         []Condition `json:"conditions,omitempty"`
}

// DeepCopy returns a copy that shares no memory with d.
func (d *Database) DeepCopy() *Database {
	out := *d
	d.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Conditions = slices.Clone(d.Status.Conditions)
	return &out
}

var databaseMeta = TypeMeta{Kind: "Database", APIVersion: "book.example/v1"}

// Databases describes *Database to generic code.
var Databases = described(databaseMeta, "databases",
	func() *Database { return &Database{TypeMeta: databaseMeta} },
	func(a, b *Database) bool { return reflect.DeepEqual(a.Spec, b.Spec) })
