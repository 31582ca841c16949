package realtest

import (
	"fmt"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// storm has client-go write: it creates, changes, deletes and creates again, by chance. between
// is called before each write, with how many there were.
func (s *scene) storm(kind resource, writes, names int, between func(n int)) {
	exists := map[string]bool{}
	for name := range s.list(kind) {
		exists[name] = true
	}
	for n := range writes {
		if between != nil {
			between(n)
		}
		name := fmt.Sprintf("storm-%02d", s.t.Rand().IntN(names))
		value := fmt.Sprintf("djE%dMTEx", n%10) // base64 too, for secrets
		switch {
		case !exists[name]:
			s.create(kind, name, entry(value))
			exists[name] = true
		case s.t.Rand().IntN(4) == 0:
			s.remove(kind, name)
			exists[name] = false
		default:
			s.merge(kind, name, "", object{"data": map[string]any{"value": value, "n": fmt.Sprintf("%08d", n)}})
		}
	}
}

// heard replays the calls of a handler, and looks for a change that it heard of twice or not at all.
type heard struct {
	a *conform.Actor

	mu      sync.Mutex // guards what follows
	objects map[string]*Entry
	wrong   string // the first that does not fit
}

func newHeard(t *conform.T) *heard {
	return &heard{a: t.Named("handler"), objects: map[string]*Entry{}}
}

func (h *heard) handler() kit.ResourceEventHandler[*Entry] {
	return kit.ResourceEventHandlerFuncs[*Entry]{
		AddFunc: func(e *Entry, _ bool) {
			defer h.a.Callback("OnAdd(%s@%s)", e.Name, e.ResourceVersion).Returned("")
			h.mu.Lock()
			defer h.mu.Unlock()
			if old, there := h.objects[e.Name]; there {
				h.breaks("OnAdd of %q at version %s, which the handler had heard of at %s: it was applied twice.", e.Name, e.ResourceVersion, old.ResourceVersion)
			}
			h.objects[e.Name] = e
		},
		UpdateFunc: func(old, e *Entry) {
			defer h.a.Callback("OnUpdate(%s@%s, @%s)", e.Name, old.ResourceVersion, e.ResourceVersion).Returned("")
			h.mu.Lock()
			defer h.mu.Unlock()
			if last, there := h.objects[e.Name]; !there || last.ResourceVersion != old.ResourceVersion {
				h.breaks("OnUpdate of %q from version %s, and that is not the version that the handler had heard of last.", e.Name, old.ResourceVersion)
			}
			h.objects[e.Name] = e
		},
		DeleteFunc: func(e *Entry, unknown bool) {
			defer h.a.Callback("OnDelete(%s@%s, finalStateUnknown=%t)", e.Name, e.ResourceVersion, unknown).Returned("")
			h.mu.Lock()
			defer h.mu.Unlock()
			if _, there := h.objects[e.Name]; !there {
				h.breaks("OnDelete of %q, of which the handler had not heard, or whose deletion it had heard of before.", e.Name)
			}
			delete(h.objects, e.Name)
		},
	}
}

func (h *heard) breaks(format string, args ...any) {
	if h.wrong == "" {
		h.wrong = fmt.Sprintf(format, args...)
		h.a.Breaks(format, args...)
	}
}

// now is what the handler believes there is, and what did not fit.
func (h *heard) now() (objects map[string]*Entry, wrong string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	objects = map[string]*Entry{}
	for name, e := range h.objects {
		objects[name] = e
	}
	return objects, h.wrong
}
