package operatortest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what the history shows of a world.

// showDatabase is a Database with what it asks for and what it reports. It is called for every object that is looked
// at or written, whether anybody reads the history or not, and with package fmt it was a fifth of what a storm costs.
func showDatabase(db *kit.Database) string {
	text := conform.ShowObject(db) + "{" + db.UID + ", " + db.Spec.Engine + " " + strconv.Itoa(db.Spec.Size) + " GiB"
	if len(db.Finalizers) > 0 {
		text += ", finalizers " + strings.Join(db.Finalizers, " ")
	}
	if db.DeletionTimestamp != nil {
		text += ", being deleted"
	}
	for i := range db.Status.Conditions {
		c := &db.Status.Conditions[i]
		text += ", " + c.Type + " " + string(c.Status) + " " + c.Reason
	}
	if db.Status.ObservedGeneration != 0 && db.Status.ObservedGeneration != db.Generation {
		text += fmt.Sprintf(", observed generation %d of %d", db.Status.ObservedGeneration, db.Generation)
	}
	return text + "}"
}

func showSecret(secret *kit.Secret) string {
	text := conform.ShowObject(secret)
	if owner := secret.ControllerOf(); owner != nil {
		text += "{of " + owner.Name + "/" + owner.UID + "}"
	}
	return text
}

// asController is the owner reference that has a Database as the controller.
func asController(db *kit.Database) kit.OwnerReference {
	return kit.OwnerReference{APIVersion: kit.Databases.APIVersion, Kind: "Database", Name: db.Name, UID: db.UID, Controller: true}
}

// amiss is in what owner references are not one, to the Database as the controller; "" if they are.
func amiss(owners []kit.OwnerReference, db *kit.Database) string {
	if len(owners) != 1 {
		return fmt.Sprintf("it has %d", len(owners))
	}
	got, want := owners[0], asController(db)
	var differ []string
	for _, field := range []struct{ name, got, want string }{
		{"APIVersion", got.APIVersion, want.APIVersion}, {"Kind", got.Kind, want.Kind}, {"Name", got.Name, want.Name}, {"UID", got.UID, want.UID},
		{"Controller", fmt.Sprint(got.Controller), "true"},
	} {
		if field.got != field.want {
			differ = append(differ, fmt.Sprintf("its %s is %q and should be %q", field.name, field.got, field.want))
		}
	}
	return strings.Join(differ, ", ")
}

// listed are calls in words.
func listed(calls []fake.CloudCall) string {
	var texts []string
	for _, c := range calls {
		texts = append(texts, fmt.Sprintf("%s(%s) at %v", c.Verb, c.Name, c.At.Round(time.Millisecond)))
	}
	return conform.Listed(texts)
}
