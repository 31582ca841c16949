package operatortest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// How long the work of the cloud takes.
const (
	creationTakes     = 4 * time.Minute
	modificationTakes = 2 * time.Minute
	deletionTakes     = 3 * time.Minute
)

// The calls of a cloud.
const (
	create = "CreateDatabase"
	get    = "GetDatabase"
	modify = "ModifyDatabase"
	remove = "DeleteDatabase"
)

// call is one call of the cloud, as its journal has it.
type call struct {
	Verb, Name, Owner string
	Spec              kit.CloudSpec
	At                time.Duration
	Err               error // what the caller got
}

// interceptor stands before the cloud: it calls next to have the call carried out, and what it
// returns is the answer.
type interceptor func(ctx context.Context, c *call, next func() error) error

// cloud is a kit.Cloud whose work takes virtual time, and whose GetDatabase may be behind.
type cloud struct {
	t      *conform.T
	actor  *conform.Actor // what is called and answered
	others *conform.Actor // what happens there beside

	mu        sync.Mutex // guards everything below
	lag       time.Duration
	between   []interceptor
	journal   []*call
	real      map[string]*rented
	seen      map[string][]sight
	creations map[string]int // how often a database of the name was created
	requests  int
	fails     bool // creations end in CloudFailed
}

// rented is a database as it is.
type rented struct {
	kit.CloudDatabase
	password string
	ready    time.Duration // when the work under way ends
}

// sight is how a database looked from a moment on; nil if there was none.
type sight struct {
	from time.Duration
	has  *kit.CloudDatabase
}

func newCloud(t *conform.T) *cloud {
	return &cloud{
		t: t, actor: t.Named("cloud"), others: t.Named("others in the cloud"),
		real: map[string]*rented{}, seen: map[string][]sight{}, creations: map[string]int{},
	}
}

// intercept puts interceptors before the cloud, the first outermost, in the place of those that
// were there.
func (c *cloud) intercept(between ...interceptor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.between = between
}

// answer is an interceptor that answers calls of these verbs with an error of the code, or all
// calls if there are no verbs.
func (c *cloud) answer(code kit.CloudCode, verbs ...string) interceptor {
	return func(_ context.Context, asked *call, next func() error) error {
		if len(verbs) == 0 || slices.Contains(verbs, asked.Verb) {
			return c.refusal(code)
		}
		return next()
	}
}

// throttle is an interceptor that answers calls of these verbs with CloudThrottled.
func (c *cloud) throttle(retryAfter time.Duration, verbs ...string) interceptor {
	return func(_ context.Context, asked *call, next func() error) error {
		if !slices.Contains(verbs, asked.Verb) {
			return next()
		}
		err := c.refusal(kit.CloudThrottled)
		err.RetryAfter = retryAfter
		return err
	}
}

// lose is an interceptor that carries calls of a verb out and loses the answers.
func (c *cloud) lose(verb string) interceptor {
	return func(_ context.Context, asked *call, next func() error) error {
		err := next()
		if asked.Verb == verb {
			return c.refusal(kit.CloudTimeout)
		}
		return err
	}
}

var messages = map[kit.CloudCode]string{
	kit.CloudThrottled: "rate exceeded", kit.CloudUnavailable: "service unavailable", kit.CloudTimeout: "no answer in time",
	kit.CloudInvalid: "a size of 7 GiB is not offered", kit.CloudNotFound: "there is no such database",
	kit.CloudAlreadyExists: "there is a database of that name", kit.CloudBusy: "the database is at work",
}

// refusal is an error of the cloud.
func (c *cloud) refusal(code kit.CloudCode) *kit.CloudError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refuse(code)
}

// refuse is refusal where the lock is held.
func (c *cloud) refuse(code kit.CloudCode) *kit.CloudError {
	c.requests++
	return &kit.CloudError{Code: code, Message: messages[code], RequestID: fmt.Sprintf("r-%04d", c.requests)}
}

// exchange takes a call, has it carried out by do, which has the lock, and answers it.
func (c *cloud) exchange(ctx context.Context, asked call, shown string, do func() error) error {
	recorded := &asked
	c.mu.Lock()
	asked.At = c.t.Elapsed()
	c.journal = append(c.journal, recorded)
	between := c.between
	c.mu.Unlock()
	noted := c.actor.Call("%s(%s)", asked.Verb, shown)
	next := func() error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.settle()
		err := do()
		c.look()
		return err
	}
	for _, i := range slices.Backward(between) {
		inner := next
		next = func() error { return i(ctx, recorded, inner) }
	}
	err := next()
	c.mu.Lock()
	recorded.Err = err
	c.mu.Unlock()
	if err != nil {
		noted.Returned("%s", outcome(err))
	} else if asked.Verb != get {
		noted.Returned("")
	} else {
		noted.Returned("%s", c.glance(asked.Name))
	}
	return err
}

func outcome(err error) string {
	if code := kit.CloudCodeOf(err); code != "" {
		return string(code)
	}
	return err.Error()
}

func (c *cloud) CreateDatabase(ctx context.Context, name, owner string, spec kit.CloudSpec) error {
	asked := call{Verb: create, Name: name, Owner: owner, Spec: spec}
	return c.exchange(ctx, asked, fmt.Sprintf("%s, of %s, %s", name, owner, showSpec(spec)), func() error {
		if c.real[name] != nil {
			return c.refuse(kit.CloudAlreadyExists)
		}
		c.creations[name]++
		c.real[name] = &rented{
			CloudDatabase: kit.CloudDatabase{Name: name, Owner: owner, Engine: spec.Engine, Size: spec.Size, PasswordVersion: spec.PasswordVersion, State: kit.CloudCreating},
			password:      spec.Password, ready: c.t.Elapsed() + creationTakes,
		}
		return nil
	})
}

func (c *cloud) GetDatabase(ctx context.Context, name string) (kit.CloudDatabase, error) {
	var found kit.CloudDatabase
	err := c.exchange(ctx, call{Verb: get, Name: name}, name, func() error {
		has := c.asOf(name, c.t.Elapsed()-c.lag)
		if has == nil {
			return c.refuse(kit.CloudNotFound)
		}
		found = *has
		return nil
	})
	if err != nil {
		return kit.CloudDatabase{}, err
	}
	return found, nil
}

func (c *cloud) ModifyDatabase(ctx context.Context, name string, spec kit.CloudSpec) error {
	return c.exchange(ctx, call{Verb: modify, Name: name, Spec: spec}, name+", "+showSpec(spec), func() error {
		has := c.real[name]
		switch {
		case has == nil:
			return c.refuse(kit.CloudNotFound)
		case has.State != kit.CloudAvailable:
			return c.refuse(kit.CloudBusy)
		case has.Engine != spec.Engine:
			return c.refuse(kit.CloudInvalid)
		}
		has.Size, has.PasswordVersion, has.password = spec.Size, spec.PasswordVersion, spec.Password
		has.State, has.ready = kit.CloudModifying, c.t.Elapsed()+modificationTakes
		return nil
	})
}

func (c *cloud) DeleteDatabase(ctx context.Context, name string) error {
	return c.exchange(ctx, call{Verb: remove, Name: name}, name, func() error {
		has := c.real[name]
		switch {
		case has == nil:
			return c.refuse(kit.CloudNotFound)
		case has.State == kit.CloudCreating, has.State == kit.CloudModifying:
			return c.refuse(kit.CloudBusy)
		case has.State != kit.CloudDeleting:
			has.State, has.ready = kit.CloudDeleting, c.t.Elapsed()+deletionTakes
		}
		return nil
	})
}

// settle ends the work that is due by now. The lock is held.
func (c *cloud) settle() {
	now := c.t.Elapsed()
	for _, name := range slices.Sorted(maps.Keys(c.real)) {
		has := c.real[name]
		if has.ready > now {
			continue
		}
		switch has.State {
		case kit.CloudCreating:
			has.State, has.Endpoint = kit.CloudAvailable, fmt.Sprintf("%s.%d.cloud.example:5432", name, c.creations[name])
			if c.fails {
				has.State, has.Endpoint = kit.CloudFailed, ""
			}
		case kit.CloudModifying:
			has.State = kit.CloudAvailable
		case kit.CloudDeleting:
			delete(c.real, name)
		default:
			continue
		}
		c.remember(name, has.ready)
	}
}

// look remembers how everything looks from now on. The lock is held.
func (c *cloud) look() {
	for name := range c.real {
		c.remember(name, c.t.Elapsed())
	}
	for name := range c.seen {
		c.remember(name, c.t.Elapsed())
	}
}

// remember notes how a database looks from a moment on, if it looks different. The lock is held.
func (c *cloud) remember(name string, from time.Duration) {
	var has *kit.CloudDatabase
	if real := c.real[name]; real != nil {
		copied := real.CloudDatabase
		has = &copied
	}
	if last := c.asOf(name, from); (last == nil) == (has == nil) && (has == nil || *last == *has) {
		return
	}
	c.seen[name] = append(c.seen[name], sight{from: from, has: has})
}

// asOf is how a database looked at a moment; nil if there was none. The lock is held.
func (c *cloud) asOf(name string, at time.Duration) *kit.CloudDatabase {
	var has *kit.CloudDatabase
	for _, s := range c.seen[name] {
		if s.from <= at {
			has = s.has
		}
	}
	return has
}

// glance is what GetDatabase shows, in words.
func (c *cloud) glance(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if has := c.asOf(name, c.t.Elapsed()-c.lag); has != nil {
		return showCloud(*has)
	}
	return string(kit.CloudNotFound)
}
