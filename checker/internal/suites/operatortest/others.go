package operatortest

import (
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what the suite asks of its cloud and does in it, as others do.

// put has a database of somebody else's appear, or one that was there before the case began.
func (c *cloud) put(has kit.CloudDatabase, password string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	c.real[has.Name] = &rented{CloudDatabase: has, password: password}
	c.seen[has.Name] = append(c.seen[has.Name], sight{has: &has})
	c.others.Note("there is a database %s", showCloud(has))
}

// vanish takes a database away behind everybody's back.
func (c *cloud) vanish(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	delete(c.real, name)
	c.look()
	c.others.Note("%s is gone, by somebody's hand", name)
}

// change changes a database behind everybody's back.
func (c *cloud) change(name string, edit func(has *kit.CloudDatabase)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	edit(&c.real[name].CloudDatabase)
	c.look()
	c.others.Note("%s is changed by somebody's hand: %s", name, showCloud(c.real[name].CloudDatabase))
}

// behind makes GetDatabase show how things stood so long ago.
func (c *cloud) behind(lag time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lag = lag
}

// failing makes creations fail in the end.
func (c *cloud) failing() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fails = true
}

// now is a database as it is, and its password. There may be none.
func (c *cloud) now(name string) (has kit.CloudDatabase, password string, exists bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.settle()
	if real := c.real[name]; real != nil {
		return real.CloudDatabase, real.password, true
	}
	return kit.CloudDatabase{}, "", false
}

// names are the databases that there are.
func (c *cloud) names() []string {
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

// created is how often a database of the name was created.
func (c *cloud) created(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.creations[name]
}

// calls are those of these verbs since the last forget, or all of them if there are none.
func (c *cloud) calls(verbs ...string) []call {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []call
	for _, asked := range c.journal {
		if len(verbs) == 0 || slices.Contains(verbs, asked.Verb) {
			found = append(found, *asked)
		}
	}
	return found
}

// forget starts the journal anew.
func (c *cloud) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.journal = nil
}
