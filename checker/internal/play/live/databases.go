package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/assembly/operator"
	"github.com/controllerbook/controllerbook/checker/internal/play"
	"github.com/controllerbook/controllerbook/checker/internal/play/cloud"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// passwords is the Secret that all Databases have their password from.
const passwords = "passwords"

// most is how many Databases there may be.
const most = 8

func (r *rental) carryOut(ctx context.Context, action play.Action) string {
	switch action {
	case play.MakeDatabase:
		return r.create(ctx)
	case play.GrowDatabase:
		return r.grow(ctx)
	case play.DeleteDatabase:
		return r.remove(ctx)
	case play.ToggleCloud:
		return r.toggle()
	}
	return ""
}

// create makes a Database. No name comes twice: nothing here collects the Secret with the
// connection of the one before, and to the next that would be somebody else's.
func (r *rental) create(ctx context.Context) string {
	if all, err := r.list(ctx); err != nil {
		return refusal(err)
	} else if len(all) >= most {
		return fmt.Sprintf("%d are enough for one screen.", most)
	}
	secret := kit.Secrets.New()
	secret.Namespace, secret.Name = namespace, passwords
	secret.Data = map[string][]byte{operator.PasswordKey: []byte("correct horse battery staple")}
	if _, err := r.api.Secrets.Create(ctx, secret); err != nil && !kit.IsAlreadyExists(err) {
		return refusal(err)
	}
	r.made++
	db := kit.Databases.New()
	db.Namespace, db.Name = namespace, fmt.Sprintf("pg-%d", r.made)
	db.Spec = kit.DatabaseSpec{Engine: "postgres", Size: 10, PasswordSecret: passwords}
	db, err := r.api.Databases.Create(ctx, db)
	if err != nil {
		return refusal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[operator.CloudName(db)] = db.Name
	return db.Name + " is created: first its finalizer, then a call of the cloud, then polls."
}

// grow has the first Database that stays ask for more, and then for little again: what the
// cloud does not offer is one of the things to see.
func (r *rental) grow(ctx context.Context) string {
	return r.change(ctx, func(db *kit.Database) (string, error) {
		note := ""
		if db.Spec.Size += 10; db.Spec.Size > cloud.MaxSize {
			note = " That is more than the cloud offers."
		}
		if db.Spec.Size > cloud.MaxSize+10 {
			db.Spec.Size, note = 10, ""
		}
		_, err := r.api.Databases.Update(ctx, db)
		return fmt.Sprintf("%s is to have %d GiB.%s", db.Name, db.Spec.Size, note), err
	})
}

// remove deletes the first Database that stays.
func (r *rental) remove(ctx context.Context) string {
	return r.change(ctx, func(db *kit.Database) (string, error) {
		_, err := r.api.Databases.Delete(ctx, db.Namespace, db.Name, kit.DeleteOptions{})
		return db.Name + " is deleted: its finalizer keeps it until the cloud has let go, too.", err
	})
}

// change does something to the first Database that is not being deleted, and tries again
// while somebody else writes it, too.
func (r *rental) change(ctx context.Context, f func(db *kit.Database) (string, error)) string {
	var err error
	for range 100 {
		var all []*kit.Database
		if all, err = r.list(ctx); err != nil {
			break
		}
		i := slices.IndexFunc(all, func(db *kit.Database) bool { return db.DeletionTimestamp == nil })
		if i < 0 {
			return "There is no database: d makes one."
		}
		var did string
		if did, err = f(all[i]); !kit.IsConflict(err) {
			if err == nil {
				return did
			}
			break
		}
	}
	return refusal(err)
}

// list is all Databases, the oldest first.
func (r *rental) list(ctx context.Context) ([]*kit.Database, error) {
	list, err := r.api.Databases.List(ctx, kit.ListOptions{})
	slices.SortFunc(list.Items, func(a, b *kit.Database) int {
		return cmp.Or(cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name)) // pg-9, pg-10
	})
	return list.Items, err
}

func (r *rental) toggle() string {
	if r.cloud.Toggle() {
		return "The cloud is down: no call succeeds, finalizers stay, its databases run on."
	}
	return "The cloud answers again. When it is asked is up to the queue's backoff."
}
