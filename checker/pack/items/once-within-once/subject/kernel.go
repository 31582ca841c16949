package kernel

import (
	"sync"
	"testing"
)

type config struct {
	once   sync.Once
	values map[string]string
}

func (c *config) get(key string) string {
	c.once.Do(c.load)
	return c.values[key]
}

// load asks get for the region, and get waits until load is done.
func (c *config) load() {
	c.values = map[string]string{"region": "eu"}
	c.values["endpoint"] = "https://" + c.get("region") + ".example"
}

func Kernel(t testing.TB) {
	c := &config{}
	if got := c.get("endpoint"); got != "https://eu.example" {
		t.Errorf("the endpoint is %q", got)
	}
}
