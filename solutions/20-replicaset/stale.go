package replicaset

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// written remembers, for each ReplicaSet, the newest versions that this controller has
// written (upstream pkg/controller/util/consistency).
type written struct {
	podsAt, setsAt func() string // how far the caches are; nil if nobody knows

	mu    sync.Mutex // guards marks
	marks map[string]mark
}

// mark is a pair of resource versions, and the UID of the ReplicaSet that they were written
// for; zero is none.
type mark struct {
	uid        string
	pods, sets uint64
}

func newWritten(options Options) *written {
	return &written{podsAt: options.PodCacheVersion, setsAt: options.ReplicaSetCacheVersion, marks: map[string]mark{}}
}

// pod remembers that pod was written for rs. Creations of one batch return in any order,
// so only a larger version counts.
func (w *written) pod(rs *kit.ReplicaSet, pod *kit.Pod) {
	w.raise(kit.Key(rs), mark{uid: rs.UID, pods: number(pod.ResourceVersion)})
}

// set remembers that the status of rs was written.
func (w *written) set(rs *kit.ReplicaSet) {
	w.raise(kit.Key(rs), mark{uid: rs.UID, sets: number(rs.ResourceVersion)})
}

func (w *written) raise(key string, m mark) {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := w.marks[key]
	w.marks[key] = mark{uid: m.uid, pods: max(was.pods, m.pods), sets: max(was.sets, m.sets)}
}

// succeed forgets what was written for another ReplicaSet of that name. The handler has done
// so before, but for a request that was under way then and was answered afterwards.
func (w *written) succeed(rs *kit.ReplicaSet) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if key := kit.Key(rs); w.marks[key].uid != rs.UID {
		delete(w.marks, key)
	}
}

func (w *written) forget(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.marks, key)
}

// seen returns ErrStaleCache while a cache is older than what was written for key. The
// caches are asked without the lock: they belong to somebody else, who has locks too.
func (w *written) seen(key string) error {
	w.mu.Lock()
	m := w.marks[key]
	w.mu.Unlock()
	if behind(w.podsAt, m.pods) {
		return fmt.Errorf("%w: pods at version %d", ErrStaleCache, m.pods)
	}
	if behind(w.setsAt, m.sets) {
		return fmt.Errorf("%w: the ReplicaSet at version %d", ErrStaleCache, m.sets)
	}
	return nil
}

// behind reports whether a cache is known not to have come to version yet.
func behind(at func() string, version uint64) bool {
	if at == nil {
		return false
	}
	reached, err := strconv.ParseUint(at(), 10, 64)
	return err == nil && reached < version
}

// number is a version as a number: compared as strings, "10" comes before "9". What is
// no number is zero, and holds nobody up.
func number(version string) uint64 {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
