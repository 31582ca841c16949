package operatortest

import (
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what the history shows of a world.

// showDatabase is a Database with what it asks for and what it reports.
func showDatabase(db *kit.Database) string {
	words := []string{db.UID, fmt.Sprintf("%s %d GiB", db.Spec.Engine, db.Spec.Size)}
	if len(db.Finalizers) > 0 {
		words = append(words, "finalizers "+strings.Join(db.Finalizers, " "))
	}
	if db.DeletionTimestamp != nil {
		words = append(words, "being deleted")
	}
	for _, c := range db.Status.Conditions {
		words = append(words, showCondition(c))
	}
	if db.Status.ObservedGeneration != 0 && db.Status.ObservedGeneration != db.Generation {
		words = append(words, fmt.Sprintf("observed generation %d of %d", db.Status.ObservedGeneration, db.Generation))
	}
	return fmt.Sprintf("%v{%s}", conform.Show(db), strings.Join(words, ", "))
}

func showCondition(c kit.Condition) string {
	return fmt.Sprintf("%s %s %s", c.Type, c.Status, c.Reason)
}

func showSecret(secret *kit.Secret) string {
	text := fmt.Sprint(conform.Show(secret))
	if owner := secret.ControllerOf(); owner != nil {
		text += fmt.Sprintf("{of %s/%s}", owner.Name, owner.UID)
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
