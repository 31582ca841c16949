package cloud

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// exchange takes a call, has do carry it out, with the lock held, and answers it. What do
// returns is what there is to say of the answer.
//
// If the cloud goes down while an answer is on its way, what was asked is done all the same,
// and the answer is lost.
func (c *Cloud) exchange(ctx context.Context, verb, name string, do func(now time.Time) (string, error)) (err error) {
	said := ""
	defer func() { c.note(verb, name, said, err) }()
	if err := wait(ctx, onTheWay); err != nil {
		return err
	}
	said, outages, err := c.carryOut(do)
	if stopped := wait(ctx, onTheWay); stopped != nil {
		return stopped
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.outages != outages {
		return c.refuse(kit.CloudTimeout)
	}
	return err
}

func (c *Cloud) carryOut(do func(now time.Time) (string, error)) (said string, outages int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	switch {
	case c.down:
		return "", c.outages, c.refuse(kit.CloudUnavailable)
	case !c.meter.take(now):
		return "", c.outages, c.refuse(kit.CloudThrottled)
	}
	said, err = do(now)
	return said, c.outages, err
}

// wait waits for d, or returns the error of ctx when that is done.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return ctx.Err()
	}
}

var messages = map[kit.CloudCode]string{
	kit.CloudThrottled: "rate exceeded", kit.CloudUnavailable: "service unavailable", kit.CloudTimeout: "no answer in time",
	kit.CloudInvalid: fmt.Sprintf("more than %d GiB is not offered", MaxSize), kit.CloudNotFound: "there is no such database",
	kit.CloudAlreadyExists: "there is a database of that name", kit.CloudBusy: "the database is at work",
}

// refuse is an error of the cloud. The lock is held.
func (c *Cloud) refuse(code kit.CloudCode) *kit.CloudError {
	err := &kit.CloudError{Code: code, Message: messages[code], RequestID: fmt.Sprintf("r-%04d", c.journal.calls)}
	if code == kit.CloudThrottled {
		err.RetryAfter = retryAfter
	}
	return err
}

// The rate of calls that an account may make.
const (
	burst      = 5 // calls at once
	perCall    = 500 * time.Millisecond
	retryAfter = 2 * time.Second
)

// meter is a token bucket. Its zero value is full.
type meter struct {
	full time.Time // when it is, or was
}

func (m *meter) take(now time.Time) bool {
	if m.full.Before(now) {
		m.full = now
	}
	if m.full.Sub(now) > (burst-1)*perCall {
		return false
	}
	m.full = m.full.Add(perCall)
	return true
}

// Call is a call that was answered.
type Call struct {
	At         time.Time
	Verb, Name string
	Answer     string // in one or two words
	Refused    bool   // whatever was asked for has not been done, or may not have been
}

// kept is how many calls a journal keeps.
const kept = 50

// journal is what was called. The lock of its cloud guards it.
type journal struct {
	calls, throttled int
	last             []Call // the newest last
}

// note puts a call into the journal when it is answered.
func (c *Cloud) note(verb, name, said string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	call := Call{At: time.Now(), Verb: verb, Name: name, Answer: said}
	switch code := kit.CloudCodeOf(err); {
	case code == kit.CloudThrottled:
		c.journal.throttled++
		call.Answer, call.Refused = fmt.Sprintf("%s, not before %v", code, retryAfter), true
	case code != "":
		call.Answer, call.Refused = string(code), code == kit.CloudUnavailable || code == kit.CloudTimeout || code == kit.CloudInvalid
	case err != nil:
		call.Answer, call.Refused = "the caller has gone", true
	}
	c.journal.calls++
	c.journal.last = append(c.journal.last, call)
	c.journal.last = c.journal.last[max(0, len(c.journal.last)-kept):]
}

// Report is what a cloud says of itself.
type Report struct {
	Down             bool
	Calls, Throttled int    // so far
	Last             []Call // the newest first
}

// Report says how the cloud is, and what was asked of it lately.
func (c *Cloud) Report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := slices.Clone(c.journal.last)
	slices.Reverse(last)
	return Report{Down: c.down, Calls: c.journal.calls, Throttled: c.journal.throttled, Last: last}
}
