package servers

import "github.com/controllerbook/controllerbook/labs/kit"

// Counters counts. Each of its series begins at zero when it is first counted, is not
// shown before that, and only ever grows. The zero value is empty and ready for use; a
// Counters must not be copied after its first use. All methods may be called by any number
// of goroutines at once, also while a metrics server shows the counts.
type Counters struct{}

// Inc adds one to a series. A series is named as the exposition format writes it:
// the name of a metric, alone or with labels after it in braces, such as
// http_requests_total{code="200"}. Spelling it correctly is up to the caller.
//
// A scrape that begins after Inc has returned shows it. Inc never waits for the
// client of a scrape: a client that reads slowly delays no caller of Inc.
func (c *Counters) Inc(series string) {
	panic(kit.TODO("Counters.Inc"))
}
