// Package cloud is the cloud behind the operator of `checker play`: slow, stingy with calls,
// behind in what it shows, and down when somebody wants it to be.
//
// The suite of lab 23 has a cloud of its own, which belongs to a case and does what the
// case asks. This one is to be watched, and its times are a person's.
package cloud

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// How long things take.
const (
	onTheWay = 100 * time.Millisecond // for a call to arrive, and for its answer
	lag      = 2 * time.Second        // that GetDatabase is behind; less than kit.CloudLag

	creationTakes     = 10 * time.Second
	modificationTakes = 6 * time.Second
	deletionTakes     = 6 * time.Second
)

// MaxSize is the largest database that can be had, in GiB.
const MaxSize = 30

// Cloud is a kit.Cloud. New makes one.
type Cloud struct {
	mu      sync.Mutex // guards everything below
	down    bool
	outages int
	sights  map[string][]sight // by name, in the order of their times
	made    int                // how many databases there have been
	meter   meter
	journal journal
}

var _ kit.Cloud = (*Cloud)(nil)

// sight is how a database looks from a moment on; has is nil if there is none.
//
// What is to come stands there as soon as it is certain: a creation is two sights, one of
// now and one of when it will be available. Nothing overlaps, because a database at work is busy.
type sight struct {
	from time.Time
	has  *kit.CloudDatabase
}

// New makes a cloud without databases.
func New() *Cloud { return &Cloud{sights: map[string][]sight{}} }

// Toggle takes the cloud down, or brings it back, and says which. Only its API is down:
// the work that was begun goes on.
func (c *Cloud) Toggle() (down bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = !c.down
	if c.down {
		c.outages++
	}
	return c.down
}

// CreateDatabase begins to create a database.
func (c *Cloud) CreateDatabase(ctx context.Context, name, owner string, spec kit.CloudSpec) error {
	return c.exchange(ctx, "CreateDatabase", name, func(now time.Time) (string, error) {
		if c.at(name, now) != nil {
			return "", c.refuse(kit.CloudAlreadyExists)
		}
		if spec.Size > MaxSize {
			return "", c.refuse(kit.CloudInvalid)
		}
		c.made++
		db := kit.CloudDatabase{Name: name, Owner: owner, Engine: spec.Engine, Size: spec.Size, PasswordVersion: spec.PasswordVersion}
		c.will(now, db, kit.CloudCreating)
		db.Endpoint = fmt.Sprintf("%d.cloud.example:5432", c.made)
		c.will(now.Add(creationTakes), db, kit.CloudAvailable)
		return "begins", nil
	})
}

// GetDatabase returns a database as it was a while ago.
func (c *Cloud) GetDatabase(ctx context.Context, name string) (kit.CloudDatabase, error) {
	var found kit.CloudDatabase
	err := c.exchange(ctx, "GetDatabase", name, func(now time.Time) (string, error) {
		has := c.at(name, now.Add(-lag))
		if has == nil {
			return "", c.refuse(kit.CloudNotFound)
		}
		found = *has
		return string(has.State), nil
	})
	if err != nil {
		return kit.CloudDatabase{}, err
	}
	return found, nil
}

// ModifyDatabase begins to change a database.
func (c *Cloud) ModifyDatabase(ctx context.Context, name string, spec kit.CloudSpec) error {
	return c.exchange(ctx, "ModifyDatabase", name, func(now time.Time) (string, error) {
		has := c.at(name, now)
		switch {
		case has == nil:
			return "", c.refuse(kit.CloudNotFound)
		case has.State != kit.CloudAvailable:
			return "", c.refuse(kit.CloudBusy)
		case has.Engine != spec.Engine || spec.Size > MaxSize:
			return "", c.refuse(kit.CloudInvalid)
		}
		db := *has
		db.Size, db.PasswordVersion = spec.Size, spec.PasswordVersion
		c.will(now, db, kit.CloudModifying)
		c.will(now.Add(modificationTakes), db, kit.CloudAvailable)
		return "begins", nil
	})
}

// DeleteDatabase begins to delete a database.
func (c *Cloud) DeleteDatabase(ctx context.Context, name string) error {
	return c.exchange(ctx, "DeleteDatabase", name, func(now time.Time) (string, error) {
		has := c.at(name, now)
		switch {
		case has == nil:
			return "", c.refuse(kit.CloudNotFound)
		case has.State == kit.CloudCreating || has.State == kit.CloudModifying:
			return "", c.refuse(kit.CloudBusy)
		case has.State == kit.CloudDeleting:
			return "under way", nil
		}
		c.will(now, *has, kit.CloudDeleting)
		c.sights[name] = append(c.sights[name], sight{from: now.Add(deletionTakes)})
		return "begins", nil
	})
}

// will notes how a database looks from a moment on. The lock is held.
func (c *Cloud) will(from time.Time, db kit.CloudDatabase, state kit.CloudState) {
	db.State = state
	c.sights[db.Name] = append(c.sights[db.Name], sight{from, &db})
}

// at is how a database looked at a moment; nil if there was none. The lock is held.
func (c *Cloud) at(name string, moment time.Time) *kit.CloudDatabase {
	var has *kit.CloudDatabase
	for _, s := range c.sights[name] {
		if !s.from.After(moment) {
			has = s.has
		}
	}
	return has
}

// Held is a database as it is, and how long until the work on it is done, 0 if there is none.
type Held struct {
	kit.CloudDatabase
	Left time.Duration
}

// Holds are all databases as they are, by name.
func (c *Cloud) Holds() []Held {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	var all []Held
	for _, name := range slices.Sorted(maps.Keys(c.sights)) {
		if has := c.at(name, now); has != nil {
			last := c.sights[name][len(c.sights[name])-1]
			all = append(all, Held{*has, max(0, last.from.Sub(now))})
		}
	}
	return all
}
