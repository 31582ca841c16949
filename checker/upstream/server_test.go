package upstream

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// object is a kit.Pod in the form that client-go wants its objects in.
type object struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	pod *kit.Pod
}

func objectOf(p *kit.Pod) *object {
	if p == nil {
		return nil
	}
	meta := metav1.ObjectMeta{Namespace: p.Namespace, Name: p.Name, ResourceVersion: p.ResourceVersion, Annotations: p.Annotations}
	return &object{ObjectMeta: meta, pod: p}
}

// podOf is the pod in what client-go hands out, nil if there is none.
func podOf(obj any) *kit.Pod {
	switch o := obj.(type) {
	case *kit.Pod:
		return o
	case *object:
		return o.pod
	}
	return nil
}

func (o *object) DeepCopyObject() runtime.Object { return objectOf(o.pod.DeepCopy()) }

// objects is a list of them.
type objects struct {
	metav1.TypeMeta
	metav1.ListMeta
	Items []runtime.Object
}

func (l *objects) DeepCopyObject() runtime.Object {
	c := &objects{TypeMeta: l.TypeMeta, ListMeta: l.ListMeta}
	for _, o := range l.Items {
		c.Items = append(c.Items, o.DeepCopyObject())
	}
	return c
}

// server is a suite's server as client-go sees one.
type server struct{ kit.ListerWatcher[*kit.Pod] }

var _ cache.ListerWatcherWithContext = server{}

// IsWatchListSemanticsUnSupported makes client-go list and then watch, as the lab does.
func (s server) IsWatchListSemanticsUnSupported() bool { return true }

func (s server) List(o metav1.ListOptions) (runtime.Object, error) {
	return s.ListWithContext(context.Background(), o)
}

func (s server) Watch(o metav1.ListOptions) (watch.Interface, error) {
	return s.WatchWithContext(context.Background(), o)
}

func (s server) ListWithContext(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	list, err := s.ListerWatcher.List(ctx, optionsOf(o))
	if err != nil {
		return nil, refusal(err)
	}
	all := &objects{ListMeta: metav1.ListMeta{ResourceVersion: list.ResourceVersion}}
	for _, p := range list.Items {
		all.Items = append(all.Items, objectOf(p))
	}
	return all, nil
}

func (s server) WatchWithContext(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	w, err := s.ListerWatcher.Watch(ctx, optionsOf(o))
	if err != nil {
		return nil, refusal(err)
	}
	return newRelay(w, eventOf), nil
}

func optionsOf(o metav1.ListOptions) kit.ListOptions {
	ours := kit.ListOptions{ResourceVersion: o.ResourceVersion, AllowWatchBookmarks: o.AllowWatchBookmarks}
	if o.TimeoutSeconds != nil {
		ours.TimeoutSeconds = *o.TimeoutSeconds
	}
	return ours
}

// refused is a kit.StatusError that apimachinery knows for one, too.
type refused struct{ *kit.StatusError }

func (r refused) Status() metav1.Status { return *statusOf(&r.ErrStatus) }
func (r refused) Unwrap() error         { return r.StatusError }

func refusal(err error) error {
	var s *kit.StatusError
	if errors.As(err, &s) {
		return refused{s}
	}
	return err
}

// statusOf is a Status in upstream's words, with the cause by which client-go
// knows a version that is ahead.
func statusOf(s *kit.Status) *metav1.Status {
	theirs := &metav1.Status{Status: s.Status, Message: s.Message, Reason: metav1.StatusReason(s.Reason), Code: int32(s.Code)}
	if kit.IsTooLargeResourceVersion(&kit.StatusError{ErrStatus: *s}) {
		theirs.Details = &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: metav1.CauseTypeResourceVersionTooLarge}}}
	}
	return theirs
}

func eventOf(e kit.Event[*kit.Pod]) watch.Event {
	if e.Type == kit.Error {
		return watch.Event{Type: watch.Error, Object: statusOf(e.Status)}
	}
	return watch.Event{Type: watch.EventType(e.Type), Object: objectOf(e.Object)}
}
