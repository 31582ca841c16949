package bench

import (
	"strconv"
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
	ratelimitingqueue "github.com/controllerbook/controllerbook/solutions/12-rate-limiting-queue"
)

// limiters are the rate limiters under test, by name.
func limiters() map[string]kit.RateLimiter[string] {
	return map[string]kit.RateLimiter[string]{
		"exponential": ratelimitingqueue.NewItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second),
		"fastslow":    ratelimitingqueue.NewItemFastSlowRateLimiter[string](5*time.Millisecond, 10*time.Second, 3),
		"bucket":      ratelimitingqueue.NewBucketRateLimiter[string](10, 100),
		"default":     ratelimitingqueue.DefaultControllerRateLimiter[string](),
	}
}

// BenchmarkRateLimiterWhen is one failure of one of 1000 items, each forgotten
// after four.
func BenchmarkRateLimiterWhen(b *testing.B) {
	items := podKeys(1000)
	for name, limiter := range limiters() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				item := items[i%len(items)]
				limiter.When(item)
				if i/len(items)%4 == 3 {
					limiter.Forget(item)
				}
			}
		})
	}
}

// BenchmarkRateLimiterWhenContended is the same from all processors at once.
func BenchmarkRateLimiterWhenContended(b *testing.B) {
	items := podKeys(1000)
	for name, limiter := range limiters() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for i := 0; pb.Next(); i++ {
					limiter.When(items[i%len(items)])
				}
			})
		})
	}
}

// BenchmarkAddRateLimited is the queue's own share: the delaying queue below it
// only counts.
func BenchmarkAddRateLimited(b *testing.B) {
	items := podKeys(1000)
	below := &counting{}
	q := ratelimitingqueue.NewRateLimitingQueue(limiters()["exponential"], kit.DelayingQueue[string](below))
	b.ReportAllocs()
	n := 0
	for ; b.Loop(); n++ {
		q.AddRateLimited(items[n%len(items)])
	}
	if below.n != n {
		b.Fatalf("%d of %d items reached the delaying queue", below.n, n)
	}
}

// counting is a delaying queue that keeps nothing. Its other methods are not called.
type counting struct {
	kit.DelayingQueue[string]
	n int
}

func (c *counting) AddAfter(string, time.Duration) { c.n++ }

// podKeys makes n keys that look like those of a controller.
func podKeys(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = "default/pod-" + strconv.Itoa(i)
	}
	return all
}
