package watchhttp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
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
	typ     kit.Type[T]
	server  string
	options Options
}

var _ kit.ListerWatcher[*kit.Pod] = (*Client[*kit.Pod])(nil)

// NewClient returns a Client for objects of the type typ on a server: its URL,
// "http://127.0.0.1:8080", which may have a path before that of the API.
func NewClient[T kit.Object](typ kit.Type[T], server string, options Options) *Client[T] {
	if options.HTTP == nil {
		options.HTTP = http.DefaultClient
	}
	if options.MaxEvent == 0 {
		options.MaxEvent = 16 << 20
	}
	return &Client[T]{typ, strings.TrimSuffix(server, "/"), options}
}

// ask sends a request. The body of an answer without error is the caller's to close.
func (c *Client[T]) ask(ctx context.Context, options kit.ListOptions, more ...string) (io.ReadCloser, error) {
	var address strings.Builder
	address.WriteString(c.server + strings.Join(basePath(c.typ.APIVersion), "/"))
	if options.Namespace != "" {
		address.WriteString("/namespaces/" + url.PathEscape(options.Namespace))
	}
	address.WriteString("/" + c.typ.Resource)
	if options.ResourceVersion != "" {
		more = append(more, "resourceVersion="+url.QueryEscape(options.ResourceVersion))
	}
	if options.TimeoutSeconds != 0 {
		more = append(more, fmt.Sprint("timeoutSeconds=", options.TimeoutSeconds))
	}
	if options.AllowWatchBookmarks {
		more = append(more, "allowWatchBookmarks=1")
	}
	if options.SendInitialEvents {
		more = append(more, "sendInitialEvents=1", "resourceVersionMatch=NotOlderThan")
	}
	if len(more) > 0 {
		address.WriteString("?" + strings.Join(more, "&"))
	}
	request, err := http.NewRequestWithContext(ctx, "GET", address.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	answer, err := c.options.HTTP.Do(request)
	if err != nil {
		return nil, because(ctx, err)
	}
	if answer.StatusCode == 200 {
		return answer.Body, nil
	}
	defer answer.Body.Close()
	var text strings.Builder
	if _, err := io.CopyN(&text, answer.Body, 1<<20+1); err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil && !errors.Is(err, io.EOF) { // it broke off
		text.Reset()
	}
	var said kit.Status
	if err := json.Unmarshal([]byte(text.String()), &said); err != nil || said.Kind != "Status" {
		said = kit.Status{Code: answer.StatusCode, Message: answer.Status}
		switch answer.StatusCode {
		case 404:
			said.Reason = kit.ReasonNotFound
		case 410:
			said.Reason = kit.ReasonExpired
		case 429:
			said.Reason = kit.ReasonTooManyRequests
		}
	}
	return nil, &kit.StatusError{ErrStatus: said}
}

func because(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// List returns the objects and the version of that moment.
func (c *Client[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	var none kit.List[T]
	body, err := c.ask(ctx, options)
	if err != nil {
		return none, err
	}
	defer body.Close()
	defer io.Copy(io.Discard, body) // to its end in any case
	var list struct {
		Kind     string
		Metadata struct{ ResourceVersion string }
		Items    []*json.RawMessage
	}
	decoder := json.NewDecoder(body)
	if err := decoder.Decode(&list); err != nil {
		return none, because(ctx, fmt.Errorf("list: %w", err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return none, because(ctx, fmt.Errorf("list: something comes after it: %w", errors.Join(err, io.ErrUnexpectedEOF)))
	}
	if list.Kind != c.typ.Kind+"List" {
		return none, fmt.Errorf("list: its kind is %q", list.Kind)
	}
	out := kit.List[T]{ResourceVersion: list.Metadata.ResourceVersion}
	for _, raw := range list.Items {
		if raw == nil {
			return none, errors.New("list: an item is null")
		}
		obj := c.typ.New()
		if err := json.Unmarshal(*raw, obj); err != nil {
			return none, err
		}
		out.Items = append(out.Items, obj)
	}
	return out, nil
}

// Watch begins a watch.
func (c *Client[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	ctx, cancel := context.WithCancel(ctx)
	body, err := c.ask(ctx, options, "watch=1")
	if err != nil {
		cancel()
		return nil, err
	}
	s := &stream[T]{stop: sync.OnceFunc(cancel), done: ctx.Done(), result: make(chan kit.Event[T], 256)}
	raw := make(chan line)
	var both sync.WaitGroup
	both.Go(func() {
		defer close(raw)
		cutLines(body, c.options.MaxEvent, func(l line) bool {
			select {
			case raw <- l:
				return !l.tooLong
			case <-ctx.Done():
				return false
			}
		})
	})
	both.Go(func() {
		s.decode(c.typ.New, raw)
		cancel()
		for range raw { // let the other one go
		}
	})
	go func() {
		both.Wait()
		body.Close()
		close(s.result)
	}()
	return s, nil
}

// ListAndWatch lists, hands the list to replace, and from then on every change to apply:
// each Added, Modified and Deleted event above the list's version once, in order.
func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	list, err := c.List(ctx, kit.ListOptions{Namespace: options.Namespace, ResourceVersion: options.ResourceVersion})
	if err != nil {
		return err
	}
	replace(list)
	from := kit.ListOptions{Namespace: options.Namespace, ResourceVersion: list.ResourceVersion, AllowWatchBookmarks: true, TimeoutSeconds: options.TimeoutSeconds}
	for {
		brought, err := c.once(ctx, &from, apply)
		if err != nil {
			return err
		}
		if !brought {
			pause, cancel := context.WithTimeout(ctx, time.Second)
			<-pause.Done()
			cancel()
		}
		if ctx.Err() != nil {
			return fmt.Errorf("list and watch %s: %w", c.typ.Resource, ctx.Err())
		}
	}
}

func (c *Client[T]) once(ctx context.Context, from *kit.ListOptions, apply func(event kit.Event[T])) (brought bool, err error) {
	watch, err := c.Watch(ctx, *from)
	if err != nil {
		return false, err
	}
	defer func() {
		for watch.Stop(); ; {
			if _, more := <-watch.ResultChan(); !more {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return brought, ctx.Err()
		case event, ok := <-watch.ResultChan():
			if !ok {
				return brought, nil
			}
			if event.Type == kit.Error {
				return brought, &kit.StatusError{ErrStatus: *event.Status}
			}
			if event.Type != kit.Bookmark {
				apply(event)
			}
			brought, from.ResourceVersion = true, event.Object.GetResourceVersion()
		}
	}
}
