// Package operator solves lab 23 with one long Reconcile that goes through its phases from
// top to bottom. It keeps the status in hand, and writes it on every way out, reading the
// Database afresh after a Conflict.
package operator

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is given whole: the names and types that the other files use.

// Finalizer keeps a Database until nothing of it is left in the cloud.
const Finalizer = "databases.book.example/cloud"

// The types of the conditions.
const (
	Ready  = "Ready"  // somebody can use the database
	Synced = "Synced" // nothing keeps the operator from what the spec asks for
)

// The reasons of Ready while nothing is in the way.
const (
	Available = "Available" // True
	Creating  = "Creating"  // False: not yet
	Deleting  = "Deleting"  // False: no longer
)

// The reasons of Synced.
const (
	InSync     = "InSync"     // True: the cloud has what the spec asks for, or is at work on it or on its deletion
	CloudError = "CloudError" // False: a call of the cloud has failed, and will be tried again

	// The others mean that the Database is stuck: only somebody else can help.

	NameTaken       = "NameTaken"       // the cloud has a database of that name, and it is somebody else's
	Failed          = "Failed"          // the cloud could not make the database
	Lost            = "Lost"            // the database has gone, and OnLoss is kit.LossReport
	EngineChanged   = "EngineChanged"   // the spec asks for another engine than the database has
	PasswordMissing = "PasswordMissing" // there is no such Secret, or it has no password
	Invalid         = "Invalid"         // the cloud refuses what the spec asks for
	SecretTaken     = "SecretTaken"     // the connection's Secret is somebody else's
)

// The keys in Secrets.
const (
	EndpointKey = "endpoint" // in the connection's
	PasswordKey = "password" // in both, the connection's and the one that the spec names
)

// Options are the neighbours and settings of a DatabaseReconciler.
type Options struct {
	// Databases and Secrets write to the API server, and read from it where the caches are
	// not recent enough. Status writes the status of a Database; Databases does not.
	Databases kit.Client[*kit.Database]
	Status    kit.StatusClient[*kit.Database]
	Secrets   kit.Client[*kit.Secret]

	// DatabaseCache and SecretCache follow the API server and lag behind it. Somebody else
	// fills them. The objects they return are shared and must not be changed: nothing is written to
	// their slices and maps, not even behind the last element of a slice.
	DatabaseCache kit.Indexer[*kit.Database]
	SecretCache   kit.Indexer[*kit.Secret]

	// Cloud is where the databases are.
	Cloud kit.Cloud

	// Cluster is the name of this cluster. Others share the cloud.
	Cluster string

	// Poll is how long to wait before asking the cloud again about work in progress. Zero is
	// 15 seconds.
	Poll time.Duration
	// Resync is how long to wait before asking the cloud again when there is nothing to do.
	// Zero is 10 minutes. The caller sees to it that it is longer than Poll, defaults
	// included.
	Resync time.Duration
}

// CloudName is the name of a Database in the cloud. It follows from the UID, which never
// changes and is never used again: a second CreateDatabase, because the answer of the first
// was lost, is CloudAlreadyExists, and makes no second database.
func CloudName(db *kit.Database) string { return "db-" + db.UID }

// CloudOwner is the Owner of a Database's database in the cloud. A cluster that was
// restored from the backup of another has the same UIDs, so the UID alone says nothing.
func CloudOwner(cluster string, db *kit.Database) string { return cluster + "/" + db.UID }

// ConnectionName is the name of the Secret with the connection of a Database.
func ConnectionName(db *kit.Database) string { return db.Name + "-connection" }
