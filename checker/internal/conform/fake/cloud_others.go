package fake

import (
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what a suite asks of its Cloud and does in it, as others do.

const forever = 1 << 62 // nanoseconds: longer than any case

// Put has a database of somebody else's appear, or one that was there before the case began.
// It keeps its State.
func (c *Cloud) Put(has kit.CloudDatabase, password string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	c.real[has.Name] = &rented{CloudDatabase: has, password: password, ready: forever}
	c.seen[has.Name] = append(c.seen[has.Name], sight{has: &has})
	c.others.Note("there is a database %s", ShowCloudDatabase(has))
}

// Vanish takes a database away behind everybody's back.
func (c *Cloud) Vanish(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	delete(c.real, name)
	c.look()
	c.others.Note("%s is gone, by somebody's hand", name)
}

// Change changes a database behind everybody's back.
func (c *Cloud) Change(name string, edit func(has *kit.CloudDatabase)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	edit(&c.real[name].CloudDatabase)
	c.look()
	c.others.Note("%s is changed by somebody's hand: %s", name, ShowCloudDatabase(c.real[name].CloudDatabase))
}

// Behind makes GetDatabase show how things stood so long ago.
func (c *Cloud) Behind(lag time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lag = lag
}

// Failing makes creations fail in the end.
func (c *Cloud) Failing() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fails = true
}

// Now is a database as it is, and its password. There may be none.
func (c *Cloud) Now(name string) (has kit.CloudDatabase, password string, exists bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	if real := c.real[name]; real != nil {
		return real.CloudDatabase, real.password, true
	}
	return kit.CloudDatabase{}, "", false
}

// Names are the databases that there are.
func (c *Cloud) Names() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	names := []string{}
	for name := range c.real {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Created is how often a database of the name was created.
func (c *Cloud) Created(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.creations[name]
}

// Calls are those of these verbs since the last forget, or all of them if there are none.
func (c *Cloud) Calls(verbs ...string) []CloudCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []CloudCall
	for _, asked := range c.journal {
		if len(verbs) == 0 || slices.Contains(verbs, asked.Verb) {
			found = append(found, *asked)
		}
	}
	return found
}

// Forget starts the journal anew.
func (c *Cloud) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.journal = nil
}
