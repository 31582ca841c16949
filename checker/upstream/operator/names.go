package operator

// This file is options.go of the lab, without its Options.

// Finalizer keeps a Database until nothing of it is left in the cloud.
const Finalizer = "databases.book.example/cloud"

// The types of the conditions.
const (
	Ready  = "Ready"
	Synced = "Synced"
)

// The reasons of the conditions.
const (
	Available = "Available"
	Creating  = "Creating"
	Deleting  = "Deleting"

	InSync          = "InSync"
	CloudError      = "CloudError"
	NameTaken       = "NameTaken"
	Failed          = "Failed"
	Lost            = "Lost"
	EngineChanged   = "EngineChanged"
	PasswordMissing = "PasswordMissing"
	Invalid         = "Invalid"
	SecretTaken     = "SecretTaken"
)

// The keys in Secrets.
const (
	EndpointKey = "endpoint"
	PasswordKey = "password"
)

// CloudName is the name of a Database in the cloud.
func CloudName(db *Database) string { return "db-" + string(db.UID) }

// CloudOwner is the Owner of a Database's database in the cloud.
func CloudOwner(cluster string, db *Database) string { return cluster + "/" + string(db.UID) }

// ConnectionName is the name of the Secret with the connection of a Database.
func ConnectionName(db *Database) string { return db.Name + "-connection" }
