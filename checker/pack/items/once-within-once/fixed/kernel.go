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

func (c *config) load() {
	c.values = map[string]string{"region": "eu"}
	c.values["endpoint"] = "https://" + c.values["region"] + ".example"
}

func Kernel(t testing.TB) {
	c := &config{}
	if got := c.get("endpoint"); got != "https://eu.example" {
		t.Errorf("the endpoint is %q", got)
	}
}
