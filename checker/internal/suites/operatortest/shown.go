package operatortest

import (
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what the history shows of a world.

func showSpec(spec kit.CloudSpec) string {
	return fmt.Sprintf("%s %d GiB, password %s", spec.Engine, spec.Size, spec.PasswordVersion)
}

func showCloud(has kit.CloudDatabase) string {
	text := fmt.Sprintf("%s{%s, of %s, %s %d GiB, password %s", has.Name, has.State, has.Owner, has.Engine, has.Size, has.PasswordVersion)
	return text + "}"
}

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
		text += "{of " + owner.Name + "}"
	}
	return text
}

// listed are calls in words.
func listed(calls []call) string {
	var texts []string
	for _, c := range calls {
		texts = append(texts, fmt.Sprintf("%s(%s) at %v", c.Verb, c.Name, c.At.Round(time.Millisecond)))
	}
	return conform.Listed(texts)
}
