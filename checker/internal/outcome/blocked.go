package outcome

import (
	"reflect"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// group lists the goroutines of a dump that run the learner's code or were started by it.
// Goroutines that do the same at the same place are one entry.
func (f *folder) group(dump string, want func(goroutine.Goroutine) bool) []Goroutine {
	var all []stopped
	for _, g := range goroutine.Parse(dump) {
		if (want == nil || want(g)) && g.Touches(f.pkgs()...) {
			all = append(all, f.stopped(g))
		}
	}
	var groups []Goroutine
	for i := range all {
		one := all[i].Goroutine
		one.HeldBy = f.holder(all, i)
		j := slices.IndexFunc(groups, func(o Goroutine) bool {
			o.Count = one.Count
			return reflect.DeepEqual(o, one)
		})
		if j >= 0 {
			groups[j].Count++
		} else {
			groups = append(groups, one)
		}
	}
	return ByCause(groups)
}

// stopped is a goroutine and what its stack says about locks.
type stopped struct {
	Goroutine
	wants string // the key of the lock that it waits for
	at    int    // its innermost frame of the learner's
	recv  string // the receiver of that
	held  []held
	kept  []held // of a goroutine in Wait of a sync.Cond: it has released one of them, if there are several
}

// held is a lock that a function on the stack has taken.
type held struct {
	syntax.Held
	at    Location // the line that has taken it
	frame int      // of the function
	recv  string   // the receiver of the function
}

// stopped reads where a goroutine stands, and what it waits for there.
func (f *folder) stopped(g goroutine.Goroutine) stopped {
	s := stopped{Goroutine: Goroutine{State: g.State, Started: f.begun(g), Count: 1}}
	frame, ok := f.innermost(g.Frames)
	if !ok {
		return s
	}
	s.At, s.at = f.locate(frame), slices.Index(g.Frames, frame)
	s.Via = f.callers(g.Frames[s.at+1:])
	s.Within = within(g.Frames[:s.at])
	if op, ok := f.op(s); ok {
		s.On, s.Ways, s.wants = op.On, op.Ways, op.Key
	}
	s.recv = frame.Recv
	if all := f.locked(g.Frames); !relocks(g) {
		s.held = all
	} else if len(all) > 1 {
		s.kept = all
	}
	for _, h := range s.held {
		s.Holds = append(s.Holds, Lock{Name: h.On, At: h.at, Read: h.Read})
	}
	return s
}

// maxCallers is how many calls are kept that led a goroutine to where it runs.
const maxCallers = 3

// callers are the learner's calls among frames. Where a goroutine runs, the loop that does not
// end may be in any of them; where it waits in a helper, the caller may be what is wrong.
func (f *folder) callers(frames []goroutine.Frame) []Location {
	var path []Location
	for _, frame := range frames {
		if len(path) < maxCallers && frame.In(f.pkgs()...) && strings.HasPrefix(frame.File, Module+"/") {
			path = append(path, f.locate(frame))
		}
	}
	return path
}

// relocks reports whether a goroutine is in Wait of a sync.Cond, which has released the lock.
func relocks(g goroutine.Goroutine) bool {
	return slices.ContainsFunc(g.Frames, func(f goroutine.Frame) bool { return f.Func == "sync.(*Cond).Wait" })
}

// own are the packages in which a goroutine is that waits at the learner's line itself.
var own = []string{"runtime", "sync", "time", "internal/sync", "internal/runtime", "internal/synctest", "internal/race"}

// within says in whose function a goroutine waits, given the frames above the learner's line.
func within(above []goroutine.Frame) string {
	if slices.ContainsFunc(above, func(f goroutine.Frame) bool { return strings.HasPrefix(f.Func, Module+"/checker/") }) {
		return InCase
	}
	if len(above) == 0 {
		return ""
	}
	called := above[len(above)-1].Func
	if strings.HasPrefix(called, Module+"/") { // a literal that was inlined into the learner's code
		return ""
	}
	if slices.ContainsFunc(own, func(pkg string) bool { return strings.HasPrefix(called, pkg+".") || strings.HasPrefix(called, pkg+"/") }) {
		return ""
	}
	pkg, fn, _ := strings.Cut(called[strings.LastIndexByte(withoutTypes(called), '/')+1:], ".")
	return pkg + "." + written(fn, func(string) bool { return false })
}

// does are the operations in which a goroutine can be in a state.
var does = map[string][]string{
	"chan send": {"send"}, "chan receive": {"receive", "range"}, "chan send (nil chan)": {"send"}, "chan receive (nil chan)": {"receive", "range"},
	"select": {"select"}, "sync.Mutex.Lock": {"Lock"}, "sync.RWMutex.Lock": {"Lock"}, "sync.RWMutex.RLock": {"RLock"},
	"sync.Cond.Wait": {"Wait"}, "sync.WaitGroup.Wait": {"Wait"},
}

// op is the operation at which a goroutine waits, if its line leaves no doubt.
func (f *folder) op(s stopped) (syntax.Op, bool) {
	if s.Within != "" {
		return syntax.Op{}, false
	}
	for _, does := range does[s.State] {
		var found []syntax.Op
		for _, op := range f.Sources[s.At.File].Ops {
			if op.Line == s.At.Line && op.Does == does {
				found = append(found, op)
			}
		}
		if len(found) > 0 {
			return found[0], len(found) == 1
		}
	}
	return syntax.Op{}, false
}

// locked are the locks that the learner's functions on a stack have taken, the innermost first.
func (f *folder) locked(frames []goroutine.Frame) []held {
	var all []held
	for i, frame := range frames {
		if !frame.In(f.pkgs()...) {
			continue
		}
		at := f.locate(frame)
		if putOff(at.Func) {
			continue
		}
		for _, h := range f.Sources[at.File].Held {
			if h.Holds(at.Line) && !f.literalWithin(h, at) {
				lock := Location{File: at.File, Line: h.Lock, Func: at.Func}
				all = append(all, held{Held: h, at: lock, frame: i, recv: frame.Recv})
			}
		}
	}
	return all
}

// literalWithin reports whether a place is in a function literal within the function of a lock.
func (t Target) literalWithin(h syntax.Held, at Location) bool {
	return slices.ContainsFunc(t.Lits, func(s Span) bool {
		return s.File == at.File && s.Start <= at.Line && at.Line <= s.End && // around the place,
			h.Func[0] <= s.Start && s.End <= h.Func[1] && [2]int{s.Start, s.End} != h.Func // and not the function itself
	})
}

// holder is who has the lock that one of the goroutines waits for. What the stacks show is that
// a function has locked a field of that name of that type: it is surely the same one only
// where receiver and goroutine are the same.
func (f *folder) holder(all []stopped, waiter int) *Holder {
	w := all[waiter]
	if w.wants == "" || !w.OnLock() {
		return nil
	}
	for _, h := range w.held {
		if h.Key == w.wants {
			return &Holder{At: w.At, Lock: h.at, Self: true, Sure: h.frame == w.at || h.recv != "" && h.recv == w.recv}
		}
	}
	for _, onLock := range []bool{false, true} {
		for i, o := range all {
			if i == waiter || o.OnLock() != onLock {
				continue
			}
			for _, h := range o.held {
				if h.Key == w.wants && !(h.Read && w.State == "sync.RWMutex.RLock") {
					return &Holder{At: o.At, Lock: h.at}
				}
			}
		}
	}
	for _, o := range all {
		if slices.ContainsFunc(o.kept, func(h held) bool { return h.Key == w.wants }) {
			return nil // held by the goroutine in Wait, unless it is the one lock that Wait has released
		}
	}
	return f.left(w)
}

// left is the holder of a lock that nobody seems to hold: somebody has left it locked. That can
// be said of a field that the source always locks and unlocks in one function, and locks by its
// receiver only.
func (f *folder) left(w stopped) *Holder {
	field := "." + w.wants[strings.LastIndexByte(w.wants, '.')+1:]
	locks, paired := 0, 0
	for _, source := range f.Sources {
		for _, op := range source.Ops {
			switch {
			case op.Does != "Lock" && op.Does != "RLock":
			case op.Key == w.wants:
				locks++
			case strings.HasSuffix(op.Key, field) && (strings.Contains(op.Key, ": ") || strings.Count(op.Key, ".") > 1):
				return nil // it may be the same lock by another name
			}
		}
		for _, h := range source.Held {
			if h.Key == w.wants {
				paired++
			}
		}
	}
	if paired == 0 || paired < locks || strings.Contains(w.wants, ": ") {
		return nil
	}
	return &Holder{}
}
