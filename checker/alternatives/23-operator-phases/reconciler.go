package operator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DatabaseReconciler remembers nothing but how often it was called.
type DatabaseReconciler struct {
	o Options

	mu    sync.Mutex
	calls map[string]int
}

var _ kit.Reconciler = (*DatabaseReconciler)(nil)

// New returns a DatabaseReconciler.
func New(options Options) *DatabaseReconciler {
	if options.Poll <= 0 {
		options.Poll = 15 * time.Second
	}
	if options.Resync <= 0 {
		options.Resync = 10 * time.Minute
	}
	index := func(db *kit.Database) ([]string, error) {
		return []string{fmt.Sprintf("%s/%s", db.Namespace, db.Spec.PasswordSecret)}, nil
	}
	_ = options.DatabaseCache.AddIndexers(map[string]kit.IndexFunc[*kit.Database]{"phases": index})
	return &DatabaseReconciler{o: options, calls: map[string]int{}}
}

// Reconcile goes through the phases. Whatever a phase finds out it puts into next, and the
// status is written on the way out.
func (r *DatabaseReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	r.mu.Lock()
	r.calls[request.String()]++
	r.mu.Unlock()

	db, ok := r.o.DatabaseCache.GetByKey(request.String())
	if !ok {
		return kit.Result{}, nil
	}
	db = db.DeepCopy()
	deleting := db.DeletionTimestamp != nil
	fresh := false

	// Phase one: the finalizer.
	if !slices.Contains(db.Finalizers, Finalizer) {
		if deleting {
			return kit.Result{}, nil
		}
		db.Finalizers = append(db.Finalizers, Finalizer)
		stored, err := r.o.Databases.Update(ctx, db)
		if kit.IsConflict(err) || kit.IsNotFound(err) {
			return kit.Result{RequeueAfter: r.o.Poll}, nil
		} else if err != nil {
			return kit.Result{}, fmt.Errorf("finalizer: %w", err)
		}
		db, fresh = stored, true
	}

	// Phase two: what there is.
	name, owner := CloudName(db), CloudOwner(r.o.Cluster, db)
	has, err := r.o.Cloud.GetDatabase(ctx, name)
	missing := kit.CloudCodeOf(err) == kit.CloudNotFound
	if err != nil && !missing {
		return r.cloudFailed(ctx, db, err)
	}
	if !missing && has.Owner != owner {
		if deleting {
			return r.letGo(ctx, db)
		}
		return r.stuck(ctx, db, nil, NameTaken, "the name belongs to "+has.Owner)
	}

	// Phase three: the end.
	if deleting {
		if missing || has.State == kit.CloudAvailable || has.State == kit.CloudFailed {
			err = r.o.Cloud.DeleteDatabase(ctx, name)
		} else {
			err = nil
		}
		switch kit.CloudCodeOf(err) {
		case kit.CloudNotFound:
			return r.letGo(ctx, db)
		case kit.CloudBusy:
			err = nil
		}
		if err != nil {
			return r.cloudFailed(ctx, db, err)
		}
		return r.leave(ctx, db, r.o.Poll, nil, note{Ready, kit.ConditionFalse, Deleting, ""}, note{Synced, kit.ConditionTrue, InSync, ""})
	}

	// Phase four: the beginning.
	secret, _ := r.o.SecretCache.GetByKey(db.Namespace + "/" + db.Spec.PasswordSecret)
	password := []byte(nil)
	spec := kit.CloudSpec{Engine: db.Spec.Engine, Size: db.Spec.Size}
	if secret != nil {
		password = secret.Data[PasswordKey]
		spec.Password, spec.PasswordVersion = string(password), secret.ResourceVersion
	}
	if missing {
		now := db
		if !fresh {
			if now, err = r.o.Databases.Get(ctx, db.Namespace, db.Name); kit.IsNotFound(err) {
				return kit.Result{}, nil
			} else if err != nil {
				return kit.Result{}, err
			}
		}
		wanted := now.UID == db.UID && now.DeletionTimestamp == nil && slices.Contains(now.Finalizers, Finalizer)
		switch {
		case !wanted:
			return kit.Result{}, nil
		case now.Status.Endpoint != "" && now.Spec.OnLoss == kit.LossReport:
			return r.stuck(ctx, db, nil, Lost, "it was at "+now.Status.Endpoint)
		case len(password) == 0:
			return r.stuck(ctx, db, nil, PasswordMissing, "no password in "+db.Spec.PasswordSecret)
		}
		err = r.o.Cloud.CreateDatabase(ctx, name, owner, spec)
		var c *kit.CloudError
		if errors.As(err, &c) && c.Code == kit.CloudInvalid {
			return r.stuck(ctx, db, nil, Invalid, "the cloud says: "+c.Message)
		} else if err != nil && kit.CloudCodeOf(err) != kit.CloudAlreadyExists && kit.CloudCodeOf(err) != kit.CloudBusy {
			return r.cloudFailed(ctx, db, err)
		}
		return r.leave(ctx, db, r.o.Poll, nil, note{Ready, kit.ConditionFalse, Creating, ""}, note{Synced, kit.ConditionTrue, InSync, ""})
	}

	// Phase five: the middle.
	up := []note{{Ready, kit.ConditionTrue, Available, ""}, {Synced, kit.ConditionTrue, InSync, ""}}
	switch has.State {
	case kit.CloudFailed:
		return r.stuck(ctx, db, &has, Failed, "the cloud has given up")
	case kit.CloudModifying:
		return r.leave(ctx, db, r.o.Poll, &has, up...)
	case kit.CloudCreating, kit.CloudDeleting:
		return r.leave(ctx, db, r.o.Poll, &has, note{Ready, kit.ConditionFalse, Creating, ""}, up[1])
	}
	if has.Engine != spec.Engine {
		return r.stuck(ctx, db, &has, EngineChanged, has.Engine+" cannot become "+spec.Engine)
	}
	if len(password) == 0 {
		return r.stuck(ctx, db, &has, PasswordMissing, "no password in "+db.Spec.PasswordSecret)
	}
	if has.Size != spec.Size || has.PasswordVersion != spec.PasswordVersion {
		err := r.o.Cloud.ModifyDatabase(ctx, name, spec)
		var c *kit.CloudError
		if errors.As(err, &c) && c.Code == kit.CloudInvalid {
			return r.stuck(ctx, db, &has, Invalid, "the cloud says: "+c.Message)
		} else if err != nil && kit.CloudCodeOf(err) != kit.CloudBusy {
			return r.cloudFailed(ctx, db, err)
		}
		return r.leave(ctx, db, r.o.Poll, &has, up...)
	}

	// Phase six: the connection. The status comes first, for people who wait for Ready. If it could not
	// be written because the cache is behind, so is what is known of the rest.
	if result, err := r.leave(ctx, db, 0, &has, up[0]); err != nil || result.RequeueAfter > 0 {
		return result, err
	}
	if taken, err := r.connect(ctx, db, has.Endpoint, password); taken {
		return r.stuck(ctx, db, &has, SecretTaken, "the Secret has another owner")
	} else if err != nil {
		return kit.Result{}, err
	}
	return r.leave(ctx, db, r.o.Resync, &has, up...)
}
