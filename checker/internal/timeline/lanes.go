package timeline

import (
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// given are the names of what the checker puts around the subject, in the order in which
// work flows through a controller. They come after the actors that call the subject.
var given = []string{
	"cluster", "server", "watch ", "reflector", "store", "fifo", "indexer", "cache", "informer", "handler", "recorder", "queue", "worker", "reconciler",
	"cloud",
}

// rename takes the number from a name, as in "worker #2", where no other lane has that name.
func (c *Chart) rename() {
	wire.Unnumber(len(c.Lanes), func(i int) *string { return &c.Lanes[i].Who })
}

// rank is where a lane stands: the scenario itself first, then who calls the subject, then
// the parts around it.
func (l Lane) rank() int {
	if l.Who == wire.Scenario {
		return -1
	}
	for i, name := range given {
		if strings.HasPrefix(l.Who, name) || strings.HasSuffix(l.Who, " "+name) {
			return 1 + i
		}
	}
	return 0
}
