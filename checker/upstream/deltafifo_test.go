package upstream

import (
	"errors"
	"testing"

	"k8s.io/client-go/tools/cache"

	"github.com/controllerbook/controllerbook/checker/internal/suites/deltafifotest"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// The adapter of lab 14 gives objects their type. What client-go wraps in a
// DeletedFinalStateUnknown is a mark on the delta here.
func TestDeltaFIFO(t *testing.T) {
	run(t, deltafifotest.Lab(), deltafifotest.Cases(), func() deltafifotest.Subject {
		return deltafifotest.Subject{New: func(o deltafifotest.Options) deltafifotest.Queue {
			theirs := cache.DeltaFIFOOptions{KeyFunction: podKey, EmitDeltaTypeReplaced: true}
			if o.KnownObjects != nil {
				theirs.KnownObjects = known{o.KnownObjects}
			}
			if o.Transformer != nil {
				theirs.Transformer = func(obj any) (any, error) { return o.Transformer(obj.(*kit.Pod)) }
			}
			return fifo{cache.NewDeltaFIFOWithOptions(theirs)}
		}}
	})
}

// podKey is a cache.KeyFunc; kit's pods are no metav1.Objects.
func podKey(obj any) (string, error) { return kit.Key(obj.(*kit.Pod)), nil }

type fifo struct{ *cache.DeltaFIFO }

func (f fifo) Add(p *kit.Pod) error    { return f.DeltaFIFO.Add(p) }
func (f fifo) Update(p *kit.Pod) error { return f.DeltaFIFO.Update(p) }
func (f fifo) Delete(p *kit.Pod) error { return f.DeltaFIFO.Delete(p) }

func (f fifo) Replace(list []*kit.Pod, resourceVersion string) error {
	return f.DeltaFIFO.Replace(anys(list), resourceVersion)
}

func (f fifo) Pop(process kit.PopProcessFunc[*kit.Pod]) (kit.Deltas[*kit.Pod], error) {
	var popped kit.Deltas[*kit.Pod]
	_, err := f.DeltaFIFO.Pop(func(obj any, isInInitialList bool) error {
		popped = deltas(obj.(cache.Deltas))
		return process(popped, isInInitialList)
	})
	if errors.Is(err, cache.ErrFIFOClosed) {
		err = kit.ErrFIFOClosed
	}
	return popped, err
}

// deltas are client-go's deltas in the kit's words.
func deltas(theirs cache.Deltas) kit.Deltas[*kit.Pod] {
	ours := make(kit.Deltas[*kit.Pod], len(theirs))
	for i, d := range theirs {
		p, unknown := lastState(d.Object)
		ours[i] = kit.Delta[*kit.Pod]{Type: kit.DeltaType(d.Type), Object: p, FinalStateUnknown: unknown}
	}
	return ours
}

// lastState is the pod that a deletion is about, or any other delta, and whether it is
// a tombstone.
func lastState(obj any) (p *kit.Pod, unknown bool) {
	tombstone, unknown := obj.(cache.DeletedFinalStateUnknown)
	if unknown {
		obj = tombstone.Obj
	}
	return podOf(obj), unknown
}

// known is a cache.KeyListerGetter.
type known struct{ kit.KnownObjects[*kit.Pod] }

func (k known) GetByKey(key string) (any, bool, error) {
	p, exists := k.KnownObjects.GetByKey(key)
	return p, exists, nil
}

func anys(pods []*kit.Pod) []any {
	all := make([]any, len(pods))
	for i, p := range pods {
		all[i] = p
	}
	return all
}
