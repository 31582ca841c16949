package grade

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Shard is one part of a class that is graded by several machines. The zero Shard is
// all of it.
type Shard struct {
	K, N int // the Kth of N, from 1
}

// ParseShard reads "2/7".
func ParseShard(s string) (Shard, error) {
	first, second, ok := strings.Cut(s, "/")
	k, err1 := strconv.Atoi(first)
	n, err2 := strconv.Atoi(second)
	if !ok || err1 != nil || err2 != nil || n < 1 || k < 1 || k > n {
		return Shard{}, fmt.Errorf("--shard is K/N, the Kth of N parts from 1/N to N/N, not %q", s)
	}
	return Shard{k, n}, nil
}

// Has reports whether a student is in the shard. It hangs on the student's ID alone,
// so that a student who comes later moves nobody.
func (s Shard) Has(id string) bool {
	if s.N <= 1 {
		return true
	}
	h := fnv.New64a()
	h.Write([]byte(id))
	return int(h.Sum64()%uint64(s.N)) == s.K-1
}
