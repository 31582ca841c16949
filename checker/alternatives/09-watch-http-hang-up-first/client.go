package watchhttp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options of a Client. The zero value is good for use.
type Options struct {
	// HTTP sends the requests. NewClient may copy it. nil is http.DefaultClient. If it
	// has a Timeout, every watch is cut off after that time.
	HTTP *http.Client
	// MaxEvent is the length in bytes of the longest event that a watch takes, without
	// the newline at its end.
	// 0 is 16 MiB, as in client-go.
	MaxEvent int
}

// Client lists and watches the objects that a Handler, or an API server, serves.
type Client[T kit.Object] struct {
	typ      kit.Type[T]
	root     string // of the API, "http://127.0.0.1:8080/api/v1"
	http     *http.Client
	maxEvent int
}

var _ kit.ListerWatcher[*kit.Pod] = (*Client[*kit.Pod])(nil)

// NewClient returns a Client for objects of the type typ on a server: its URL,
// "http://127.0.0.1:8080", which may have a path before that of the API.
func NewClient[T kit.Object](typ kit.Type[T], server string, options Options) *Client[T] {
	return &Client[T]{
		typ:      typ,
		root:     strings.TrimRight(server, "/") + root(typ.APIVersion),
		http:     cmp.Or(options.HTTP, http.DefaultClient),
		maxEvent: cmp.Or(options.MaxEvent, 16<<20),
	}
}

// get makes a request and returns the answer if it is a 200.
func (c *Client[T]) get(ctx context.Context, options kit.ListOptions, watch bool) (*http.Response, error) {
	target := c.root
	if options.Namespace != "" {
		target += "/namespaces/" + url.PathEscape(options.Namespace)
	}
	target += "/" + c.typ.Resource
	if query := parameters(options, watch).Encode(); query != "" {
		target += "?" + query
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", contentType)
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, interrupted(ctx, err)
	}
	if answer.StatusCode == http.StatusOK {
		return answer, nil
	}
	defer answer.Body.Close()
	const most = 1 << 20
	body, err := io.ReadAll(io.LimitReader(answer.Body, most+1))
	if err != nil && ctx.Err() != nil {
		return nil, interrupted(ctx, err)
	}
	if err != nil {
		body = nil
	}
	return nil, refusal(answer, body)
}

// interrupted is err, or the end of ctx where that is the cause.
func interrupted(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil && !errors.Is(err, ended) {
		return fmt.Errorf("%w: %w", ended, err)
	}
	return err
}

func parameters(options kit.ListOptions, watch bool) url.Values {
	query := url.Values{}
	if watch {
		query.Set("watch", "true")
	}
	if options.ResourceVersion != "" {
		query.Set("resourceVersion", options.ResourceVersion)
	}
	if options.AllowWatchBookmarks {
		query.Set("allowWatchBookmarks", "true")
	}
	if options.SendInitialEvents {
		query.Set("sendInitialEvents", "true")
		query.Set("resourceVersionMatch", "NotOlderThan")
	}
	if options.TimeoutSeconds != 0 {
		query.Set("timeoutSeconds", strconv.FormatInt(options.TimeoutSeconds, 10))
	}
	return query
}

// refusal makes an error of an answer that is not 200.
func refusal(answer *http.Response, body []byte) error {
	var status kit.Status
	if json.Unmarshal(body, &status) == nil && status.Kind == "Status" {
		return &kit.StatusError{ErrStatus: status}
	}
	reasons := map[int]kit.Reason{
		http.StatusNotFound:        kit.ReasonNotFound,
		http.StatusGone:            kit.ReasonExpired,
		http.StatusTooManyRequests: kit.ReasonTooManyRequests,
	}
	err := kit.NewStatusError(reasons[answer.StatusCode], "the server answered %s: %.200q", answer.Status, body)
	err.ErrStatus.Code = answer.StatusCode
	return err
}

// List returns the objects and the version of that moment.
func (c *Client[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	answer, err := c.get(ctx, options, false)
	if err != nil {
		return kit.List[T]{}, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return kit.List[T]{}, interrupted(ctx, fmt.Errorf("reading the list of %s: %w", c.typ.Resource, err))
	}
	var list objectList[json.RawMessage]
	if err := json.Unmarshal(body, &list); err != nil {
		return kit.List[T]{}, fmt.Errorf("the list of %s is not JSON: %w", c.typ.Resource, err)
	}
	if want := c.typ.Kind + "List"; list.Kind != want {
		return kit.List[T]{}, fmt.Errorf("the answer is a %q and not a %q", list.Kind, want)
	}
	out := kit.List[T]{ResourceVersion: list.Metadata.ResourceVersion, Items: make([]T, len(list.Items))}
	for i, raw := range list.Items {
		if out.Items[i], err = c.decode(raw); err != nil {
			return kit.List[T]{}, fmt.Errorf("item %d of the list of %s: %w", i, c.typ.Resource, err)
		}
	}
	return out, nil
}

// Watch begins a watch.
func (c *Client[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	running, cancel := context.WithCancel(ctx)
	answer, err := c.get(running, options, true)
	if err != nil {
		cancel()
		return nil, err
	}
	s := &stream[T]{cancel: cancel, result: make(chan kit.Event[T])}
	go s.run(running, answer.Body, c)
	return s, nil
}

// decode makes an object of its JSON.
func (c *Client[T]) decode(raw json.RawMessage) (T, error) {
	obj := c.typ.New()
	if len(raw) == 0 || string(raw) == "null" {
		return obj, errors.New("there is no object")
	}
	err := json.Unmarshal(raw, obj)
	return obj, err
}

// ListAndWatch lists, hands the list to replace, and from then on every change to apply:
// each Added, Modified and Deleted event above the list's version once, in order.
func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	list, err := c.List(ctx, kit.ListOptions{Namespace: options.Namespace, ResourceVersion: options.ResourceVersion})
	if err != nil {
		return err
	}
	version := list.ResourceVersion
	replace(list)
	for {
		newest, err := c.follow(ctx, kit.ListOptions{
			Namespace:           options.Namespace,
			ResourceVersion:     version,
			AllowWatchBookmarks: true,
			TimeoutSeconds:      options.TimeoutSeconds,
		}, apply)
		if err != nil {
			return err
		}
		if newest != "" {
			version = newest
			continue
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// follow is one watch, from its beginning to its end. It returns the version of the
// last event or bookmark, "" if there was none.
func (c *Client[T]) follow(ctx context.Context, options kit.ListOptions, apply func(event kit.Event[T])) (newest string, err error) {
	watch, err := c.Watch(ctx, options)
	if err != nil {
		return "", err
	}
	defer func() {
		watch.Stop()
		for range watch.ResultChan() { // until nothing is left of it
		}
	}()
	for event := range watch.ResultChan() {
		switch event.Type {
		case kit.Error:
			return newest, &kit.StatusError{ErrStatus: *event.Status}
		case kit.Bookmark:
		default:
			apply(event)
		}
		newest = event.Object.GetResourceVersion()
	}
	return newest, ctx.Err()
}
