package fake

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// CloudTimes are how long the work of a Cloud takes.
type CloudTimes struct{ Creation, Modification, Deletion time.Duration }

// The calls of a Cloud, as its journal names them.
const (
	CloudCreate = "CreateDatabase"
	CloudGet    = "GetDatabase"
	CloudModify = "ModifyDatabase"
	CloudDelete = "DeleteDatabase"
)

// CloudCall is one call of the cloud, as its journal has it.
type CloudCall struct {
	Verb, Name, Owner string
	Spec              kit.CloudSpec
	At                time.Duration
	Err               error // what the caller got
}

// CloudInterceptor stands before the cloud: it calls next to have the call carried out, and what it
// returns is the answer.
type CloudInterceptor func(ctx context.Context, asked *CloudCall, next func() error) error

// Cloud is a kit.Cloud whose work takes time, and whose GetDatabase may be behind. It keeps a
// journal. Its methods may be called from any goroutine.
type Cloud struct {
	t      *conform.T
	takes  CloudTimes
	actor  *conform.Actor // what is called and answered
	others *conform.Actor // what happens there beside

	mu        sync.Mutex // guards everything below
	lag       time.Duration
	between   []CloudInterceptor
	journal   []*CloudCall
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

// NewCloud makes a Cloud without a database. Time is that of t: virtual in a bubble.
func NewCloud(t *conform.T, takes CloudTimes) *Cloud {
	return &Cloud{
		t: t, takes: takes, actor: t.Named("cloud"), others: t.Named("others in the cloud"),
		real: map[string]*rented{}, seen: map[string][]sight{}, creations: map[string]int{},
	}
}

// Intercept puts interceptors before the cloud, the first outermost, in the place of those that
// were there.
func (c *Cloud) Intercept(between ...CloudInterceptor) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.between = between
}

// Answer returns an interceptor that answers calls of these verbs with an error of the code, or all
// calls if there are no verbs.
func (c *Cloud) Answer(code kit.CloudCode, verbs ...string) CloudInterceptor {
	return func(_ context.Context, asked *CloudCall, next func() error) error {
		if len(verbs) == 0 || slices.Contains(verbs, asked.Verb) {
			return c.Refusal(code)
		}
		return next()
	}
}

// Explain returns an interceptor that answers calls of these verbs with an error of the code and a
// Message of the case's own.
func (c *Cloud) Explain(code kit.CloudCode, message string, verbs ...string) CloudInterceptor {
	return c.refusing(code, func(err *kit.CloudError) { err.Message = message }, verbs)
}

// Throttle returns an interceptor that answers calls of these verbs with CloudThrottled.
func (c *Cloud) Throttle(retryAfter time.Duration, verbs ...string) CloudInterceptor {
	return c.refusing(kit.CloudThrottled, func(err *kit.CloudError) { err.RetryAfter = retryAfter }, verbs)
}

// refusing returns an interceptor that answers calls of these verbs with an error of the code, edited.
func (c *Cloud) refusing(code kit.CloudCode, edit func(err *kit.CloudError), verbs []string) CloudInterceptor {
	return func(_ context.Context, asked *CloudCall, next func() error) error {
		if !slices.Contains(verbs, asked.Verb) {
			return next()
		}
		err := c.Refusal(code)
		edit(err)
		return err
	}
}

// Lose returns an interceptor that carries calls of a verb out and loses the answers.
func (c *Cloud) Lose(verb string) CloudInterceptor {
	return func(_ context.Context, asked *CloudCall, next func() error) error {
		err := next()
		if asked.Verb == verb {
			return c.Refusal(kit.CloudTimeout)
		}
		return err
	}
}

// CloudWrap is an interceptor that wraps what fails, as a client of a cloud may.
func CloudWrap(_ context.Context, asked *CloudCall, next func() error) error {
	if err := next(); err != nil {
		return fmt.Errorf("%s of %s: %w", asked.Verb, asked.Name, err)
	}
	return nil
}

var cloudMessages = map[kit.CloudCode]string{
	kit.CloudThrottled: "rate exceeded", kit.CloudUnavailable: "service unavailable", kit.CloudTimeout: "no answer in time",
	kit.CloudInvalid: "a size of 7 GiB is not offered", kit.CloudNotFound: "there is no such database",
	kit.CloudAlreadyExists: "there is a database of that name", kit.CloudBusy: "the database is at work",
}

// CloudMessage is the Message of every error of that code, as a Cloud answers it.
func CloudMessage(code kit.CloudCode) string { return cloudMessages[code] }

// Refusal is an error of the cloud.
func (c *Cloud) Refusal(code kit.CloudCode) *kit.CloudError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refuse(code)
}

// refuse is Refusal where the lock is held.
func (c *Cloud) refuse(code kit.CloudCode) *kit.CloudError {
	c.requests++
	return &kit.CloudError{Code: code, Message: cloudMessages[code], RequestID: fmt.Sprintf("r-%04d", c.requests)}
}

// exchange takes a call, has it carried out by do, which has the lock, and answers it.
func (c *Cloud) exchange(ctx context.Context, asked CloudCall, shown string, do func() error) error {
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
		noted.Returned("%s", cloudOutcome(err))
	} else if asked.Verb != CloudGet {
		noted.Returned("")
	} else {
		noted.Returned("%s", c.glance(asked.Name))
	}
	return err
}

func cloudOutcome(err error) string {
	if code := kit.CloudCodeOf(err); code != "" {
		return string(code)
	}
	return err.Error()
}

// CreateDatabase begins to create a database, as kit.Cloud says.
func (c *Cloud) CreateDatabase(ctx context.Context, name, owner string, spec kit.CloudSpec) error {
	asked := CloudCall{Verb: CloudCreate, Name: name, Owner: owner, Spec: spec}
	return c.exchange(ctx, asked, fmt.Sprintf("%s, of %s, %s", name, owner, showSpec(spec)), func() error {
		if c.real[name] != nil {
			return c.refuse(kit.CloudAlreadyExists)
		}
		c.creations[name]++
		c.real[name] = &rented{
			CloudDatabase: kit.CloudDatabase{Name: name, Owner: owner, Engine: spec.Engine, Size: spec.Size, PasswordVersion: spec.PasswordVersion, State: kit.CloudCreating},
			password:      spec.Password, ready: c.t.Elapsed() + c.takes.Creation,
		}
		return nil
	})
}

// GetDatabase shows a database as it was before the lag.
func (c *Cloud) GetDatabase(ctx context.Context, name string) (kit.CloudDatabase, error) {
	var found kit.CloudDatabase
	err := c.exchange(ctx, CloudCall{Verb: CloudGet, Name: name}, name, func() error {
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

// ModifyDatabase begins to change a database, as kit.Cloud says.
func (c *Cloud) ModifyDatabase(ctx context.Context, name string, spec kit.CloudSpec) error {
	return c.exchange(ctx, CloudCall{Verb: CloudModify, Name: name, Spec: spec}, name+", "+showSpec(spec), func() error {
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
		has.State, has.ready = kit.CloudModifying, c.t.Elapsed()+c.takes.Modification
		return nil
	})
}

// DeleteDatabase begins to delete a database, as kit.Cloud says.
func (c *Cloud) DeleteDatabase(ctx context.Context, name string) error {
	return c.exchange(ctx, CloudCall{Verb: CloudDelete, Name: name}, name, func() error {
		has := c.real[name]
		switch {
		case has == nil:
			return c.refuse(kit.CloudNotFound)
		case has.State == kit.CloudCreating, has.State == kit.CloudModifying:
			return c.refuse(kit.CloudBusy)
		case has.State != kit.CloudDeleting:
			has.State, has.ready = kit.CloudDeleting, c.t.Elapsed()+c.takes.Deletion
		}
		return nil
	})
}

// settle ends the work that is due by now. The lock is held.
func (c *Cloud) settle() {
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
func (c *Cloud) look() {
	for name := range c.real {
		c.remember(name, c.t.Elapsed())
	}
	for name := range c.seen {
		c.remember(name, c.t.Elapsed())
	}
}

// remember notes how a database looks from a moment on, if it looks different. The lock is held.
func (c *Cloud) remember(name string, from time.Duration) {
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
func (c *Cloud) asOf(name string, at time.Duration) *kit.CloudDatabase {
	var has *kit.CloudDatabase
	for _, s := range c.seen[name] {
		if s.from <= at {
			has = s.has
		}
	}
	return has
}

// glance is what GetDatabase shows, in words.
func (c *Cloud) glance(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if has := c.asOf(name, c.t.Elapsed()-c.lag); has != nil {
		return ShowCloudDatabase(*has)
	}
	return string(kit.CloudNotFound)
}

func showSpec(spec kit.CloudSpec) string {
	return fmt.Sprintf("%s %d GiB, password %s", spec.Engine, spec.Size, spec.PasswordVersion)
}

// ShowCloudDatabase is a database of a Cloud as a history shows it.
func ShowCloudDatabase(has kit.CloudDatabase) string {
	return has.Name + "{" + string(has.State) + ", of " + has.Owner + ", " + has.Engine + " " + strconv.Itoa(has.Size) + " GiB, password " + has.PasswordVersion + "}"
}
