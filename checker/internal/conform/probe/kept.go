package probe

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// Kept says where what is left in use after work was allocated: at the line in directory dir of
// the module that has left the most bytes. "9600 bytes in 100 objects, made by time.AfterFunc,
// called at labs/11/loop.go:7" is an example. It is "" if nothing is left that code in dir has allocated.
// All of the process is slow meanwhile, so it is for failures only.
func Kept(dir string, work func()) string {
	defer func(rate int) { runtime.MemProfileRate = rate }(runtime.MemProfileRate)
	runtime.MemProfileRate = 1
	before := inUse()
	work()
	var most usage
	where := ""
	for stack, now := range inUse() {
		grown := usage{now.bytes - before[stack].bytes, now.objects - before[stack].objects}
		if at := site(stack, dir); at != "" && grown.bytes > most.bytes {
			most, where = grown, at
		}
	}
	if where == "" {
		return ""
	}
	objects := fmt.Sprintf("%d objects", most.objects)
	if most.objects == 1 {
		objects = "1 object"
	}
	return fmt.Sprintf("%d bytes in %s, %s", most.bytes, objects, where)
}

// usage is what is in use of what was allocated at one place.
type usage struct{ bytes, objects int64 }

// inUse is the heap profile, by stacks. A profile is complete only when what was allocated before
// it has lived through two collections.
func inUse() map[[32]uintptr]usage {
	for range 3 {
		runtime.GC()
	}
	records := make([]runtime.MemProfileRecord, 1<<10)
	for {
		n, ok := runtime.MemProfile(records, false)
		if ok {
			records = records[:n]
			break
		}
		records = make([]runtime.MemProfileRecord, 2*n)
	}
	all := map[[32]uintptr]usage{}
	for _, r := range records {
		sum := all[r.Stack0]
		all[r.Stack0] = usage{sum.bytes + r.InUseBytes(), sum.objects + r.InUseObjects()}
	}
	return all
}

// site is the innermost line of dir on a stack, and what was called there; "" if there is none.
func site(stack [32]uintptr, dir string) string {
	n := 0
	for n < len(stack) && stack[n] != 0 {
		n++
	}
	frames := runtime.CallersFrames(stack[:n])
	called := ""
	for more := n > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if i := strings.Index(f.File, dir+"/"); i >= 0 {
			at := fmt.Sprintf("%s:%d", f.File[i:], f.Line)
			if called == "" {
				return "made at " + at
			}
			return "made by " + called + ", called at " + at
		}
		if !strings.HasPrefix(f.Function, "runtime.") {
			called = path.Base(f.Function)
		}
	}
	return ""
}
