package kernel

import (
	"sync"
	"testing"
)

// The prefix has room for one more, and all results end in the same place.
func commands(prefix []string, hosts []string) [][]string {
	out := make([][]string, len(hosts))
	var wg sync.WaitGroup
	for i, host := range hosts {
		wg.Go(func() {
			out[i] = append(prefix, host)
		})
	}
	wg.Wait()
	return out
}

func Kernel(t testing.TB) {
	prefix := append(make([]string, 0, 4), "ssh", "-q")
	hosts := []string{"a", "b", "c"}
	for i, cmd := range commands(prefix, hosts) {
		if cmd[2] != hosts[i] {
			t.Errorf("the command for %s goes to %s", hosts[i], cmd[2])
		}
	}
}
