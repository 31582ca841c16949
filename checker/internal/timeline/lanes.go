package timeline

import (
	"slices"
	"strings"
)

// given are the names of what the checker puts around the subject, in the order in which
// work flows through a controller. They come after the actors that call the subject.
var given = []string{
	"cluster", "server", "watch ", "reflector", "store", "fifo", "indexer", "informer", "handler", "recorder", "queue", "worker", "reconciler",
}

// rename takes the number from a name, as in "worker #2", where no other lane has that name.
func (c *Chart) rename() {
	base := func(l Lane) string { name, _, _ := strings.Cut(l.Who, " #"); return name }
	for i, l := range c.Lanes {
		namesake := func(o Lane) bool { return base(o) == base(l) && o.Who != l.Who }
		if !slices.ContainsFunc(c.Lanes, namesake) {
			c.Lanes[i].Who = base(l)
		}
	}
}

// rank is where a lane stands: the scenario itself first, then who calls the subject, then
// the parts around it.
func (l Lane) rank() int {
	if l.Who == "test" {
		return -1
	}
	for i, name := range given {
		if strings.HasPrefix(l.Who, name) || strings.HasSuffix(l.Who, " "+name) {
			return 1 + i
		}
	}
	return 0
}
