package watchhttp

import (
	"cmp"
	"context"
	"encoding/json"
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
	// MaxEvent is the length in bytes of the longest event that a watch takes.
	// 0 is 16 MiB, as in client-go.
	MaxEvent int
}

const (
	maxEvent  = 16 << 20    // if Options say nothing
	maxStatus = 1 << 20     // how much of an answer that is no success is read
	pause     = time.Second // before the watch that follows one which brought nothing
)

// Client lists and watches the objects that a Handler, or an API server, serves.
// The stub's documentation is the contract. Nothing in it is written after
// NewClient, so its methods need no lock.
type Client[T kit.Object] struct {
	typ      kit.Type[T]
	server   string
	http     *http.Client
	maxEvent int
}

var _ kit.ListerWatcher[*kit.Pod] = (*Client[*kit.Pod])(nil)

// NewClient returns a Client for objects of the type typ on a server.
func NewClient[T kit.Object](typ kit.Type[T], server string, options Options) *Client[T] {
	return &Client[T]{
		typ:      typ,
		server:   strings.TrimRight(server, "/"),
		http:     cmp.Or(options.HTTP, http.DefaultClient),
		maxEvent: cmp.Or(options.MaxEvent, maxEvent),
	}
}

// List returns the objects and the version of that moment. The answer is read to
// its end, newline and all: a connection with something left in it can't be used again.
func (c *Client[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	res, err := c.get(ctx, options, false)
	if err != nil {
		return kit.List[T]{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return kit.List[T]{}, fmt.Errorf("list %s: %w", c.typ.Resource, endOr(ctx, err))
	}
	list, err := decodeList(c.typ, text)
	if err != nil {
		return kit.List[T]{}, fmt.Errorf("list %s: %w", c.typ.Resource, err)
	}
	return list, nil
}

func decodeList[T kit.Object](typ kit.Type[T], text []byte) (kit.List[T], error) {
	var raw objectList[json.RawMessage]
	if err := json.Unmarshal(text, &raw); err != nil {
		return kit.List[T]{}, err
	}
	if raw.Kind != typ.Kind+"List" {
		return kit.List[T]{}, fmt.Errorf("the answer is a %q", raw.Kind) // to take it for an empty list would empty the caller's cache
	}
	list := kit.List[T]{ResourceVersion: raw.Metadata.ResourceVersion, Items: make([]T, len(raw.Items))}
	for i, item := range raw.Items {
		list.Items[i] = typ.New()
		if err := json.Unmarshal(item, list.Items[i]); err != nil {
			return kit.List[T]{}, err
		}
	}
	return list, nil
}

// Watch begins a watch. The request gets a context of its own, so that Stop can
// end what ctx does not: cancelling it interrupts a read that waits for the server
// and tells the server, by closing the connection (HTTP/1.1) or with a RST_STREAM
// frame (HTTP/2). It is tempting to close the body instead; that is right only as
// long as nobody reads from it.
func (c *Client[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	ctx, cancel := context.WithCancel(ctx)
	res, err := c.get(ctx, options, true)
	if err != nil {
		cancel()
		return nil, err
	}
	s := newStream(ctx, cancel, c.typ)
	go s.run(res.Body, c.maxEvent)
	return s, nil
}

// get asks, and returns the answer if it is a 200.
func (c *Client[T]) get(ctx context.Context, options kit.ListOptions, watch bool) (*http.Response, error) {
	address := c.server + collection(c.typ, url.PathEscape(options.Namespace))
	if query := encode(options, watch).Encode(); query != "" {
		address += "?" + query
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return nil, endOr(ctx, err)
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		return nil, refusal(ctx, res)
	}
	return res, nil
}

// endOr returns ctx.Err() if ctx is done, and err if not. net/http's own error would
// wrap the cause of ctx, and nothing that a caller could recognise.
func endOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// encode is the other half of parse.
func encode(options kit.ListOptions, watch bool) url.Values {
	query := url.Values{}
	set := func(name, value string, wanted bool) {
		if wanted {
			query.Set(name, value)
		}
	}
	set("watch", "true", watch)
	set("resourceVersion", options.ResourceVersion, options.ResourceVersion != "")
	set("allowWatchBookmarks", "true", options.AllowWatchBookmarks)
	set("sendInitialEvents", "true", options.SendInitialEvents)
	set("resourceVersionMatch", "NotOlderThan", options.SendInitialEvents)
	set("timeoutSeconds", strconv.FormatInt(options.TimeoutSeconds, 10), options.TimeoutSeconds != 0)
	return query
}

// reasons are those of answers that carry no Status.
var reasons = map[int]kit.Reason{
	http.StatusNotFound:        kit.ReasonNotFound,
	http.StatusGone:            kit.ReasonExpired,
	http.StatusTooManyRequests: kit.ReasonTooManyRequests,
}

// refusal makes an error of an answer that is not 200. The body may be anything: a
// proxy between us and the server says what it likes.
func refusal(ctx context.Context, res *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(res.Body, maxStatus))
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		text = nil // it broke off: what has come of it may not be what was meant
	}
	var status kit.Status
	if json.Unmarshal(text, &status) == nil && status.Kind == "Status" && status.Code != 0 {
		return &kit.StatusError{ErrStatus: status}
	}
	unknown := kit.NewStatusError(reasons[res.StatusCode], "the server answered %s", res.Status)
	unknown.ErrStatus.Code = res.StatusCode
	return unknown
}

// ListAndWatch lists once and then follows the changes over as many watches as it
// takes. The version is all there is to remember: it rises only when an event has
// come whole, so the next watch begins where this one has ended, however it has ended.
func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	list, err := c.List(ctx, kit.ListOptions{Namespace: options.Namespace, ResourceVersion: options.ResourceVersion})
	if err != nil {
		return err
	}
	replace(list)
	version := list.ResourceVersion
	for {
		next, err := c.follow(ctx, kit.ListOptions{
			Namespace:           options.Namespace,
			ResourceVersion:     version,
			AllowWatchBookmarks: true,
			TimeoutSeconds:      options.TimeoutSeconds,
		}, apply)
		if err != nil {
			return err
		}
		if next == "" {
			sleep(ctx, pause) // a server that ends every watch at once is not asked in a loop
			continue
		}
		version = next
	}
}

// follow hands the events of one watch to apply. When the watch has ended by itself
// it returns the version it has come to, "" if it brought nothing.
func (c *Client[T]) follow(ctx context.Context, options kit.ListOptions, apply func(event kit.Event[T])) (version string, err error) {
	watch, err := c.Watch(ctx, options)
	if err != nil {
		return "", err
	}
	defer func() {
		watch.Stop()
		for range watch.ResultChan() { // closed when nothing is left of the watch
		}
	}()
	for event := range watch.ResultChan() {
		switch event.Type {
		case kit.Error:
			return "", &kit.StatusError{ErrStatus: *event.Status}
		case kit.Bookmark:
		default:
			apply(event)
		}
		version = event.Object.GetResourceVersion()
	}
	return version, ctx.Err()
}

// sleep waits for d or for ctx.
func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
