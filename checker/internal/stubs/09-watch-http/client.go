package watchhttp

import (
	"context"
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options of a Client. The zero value is good for use.
type Options struct {
	// HTTP sends the requests. nil is http.DefaultClient. One with a Timeout cuts
	// every watch off after that time.
	HTTP *http.Client
	// MaxEvent is the length in bytes of the longest event that a watch takes, without
	// the newline at its end. 0 is 16 MiB, as in client-go.
	MaxEvent int
}

// Client lists and watches the objects that a Handler, or an API server, serves.
// Make one with NewClient. All methods may be called from any goroutine.
//
// A Client does what its options say and nothing more: the fields of a
// kit.ListOptions become the path and the parameters that Handler knows, and a field
// that is zero becomes none. Characters that have a meaning in a URL, such as "?" or
// "&", are escaped. With SendInitialEvents, and only then, there is one more parameter:
// resourceVersionMatch=NotOlderThan, without which an API server refuses a watch list.
//
// Objects are filled into what Type.New gives: where the answer has neither kind nor
// apiVersion, as in the lists of an API server, those of Type.New stay. Fields that
// the type does not have are ignored.
//
// # Refusals
//
// An answer that is not 200 is an error: the Status in its body, as a
// *kit.StatusError. If the body is no Status, as from a proxy in between, or breaks
// off, it is a *kit.StatusError with the code of the answer, and with the reason that
// belongs to the code for 404 (NotFound), 410 (Expired) and 429 (TooManyRequests). If
// ctx is done before the answer is there, the error is ctx.Err() or wraps it. The
// answer to List is there when all of it has come; if ctx is done in the middle of a
// refusal, either error will do.
//
// List, and a Watch that is refused, read the answer to its end (a refusal of more
// than a megabyte may be cut short) and leave the connection to the next request.
// When they have returned they leave nothing else behind: no goroutine, no open body,
// nothing that waits for the end of ctx.
type Client[T kit.Object] struct {
	// yours
}

var _ kit.ListerWatcher[*kit.Pod] = (*Client[*kit.Pod])(nil)

// NewClient returns a Client for objects of the type typ on a server: its URL,
// "http://127.0.0.1:8080", which may have a path before that of the API, with or
// without a "/" at its end.
func NewClient[T kit.Object](typ kit.Type[T], server string, options Options) *Client[T] {
	panic(kit.TODO("NewClient"))
}

// List returns the objects and the version of that moment. An answer that can't be
// read whole, or whose kind is not that of a list of the type, is an error.
func (c *Client[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	panic(kit.TODO("Client.List"))
}

// Watch begins a watch. It returns when the header of the answer is there, and does
// not wait for an event. The ResultChan delivers the events of the answer in order,
// and then it is closed:
//
//   - When the answer ends, when the connection is cut or breaks in whatever way, and
//     when it ends in the middle of an event, after all events that came whole. An
//     event is whole when its line is ended; one that lacks nothing but the "\n" may
//     be delivered or not. There is no Error then, whatever stands behind the last
//     "\n": a caller that wants to go on watches
//     from the version of the last event that was delivered.
//   - After an ERROR: it is delivered as an Error with its Status, and it is the end,
//     whatever may follow.
//   - After a line that is no event: not JSON, of a type that kit does not know,
//     without an object, or longer than MaxEvent. One Error is delivered, whose Status
//     has code 500 and the reason InternalError. Of a line that is too long, at most a
//     few times MaxEvent bytes are read, or 64 KiB if that is more. (An empty line may
//     be passed over.)
//   - Soon after Stop and when ctx is done, whether anybody reads or not. Events that
//     were not delivered by then are dropped, and no Error is sent for them. (What lies in the
//     buffer of the ResultChan may count as delivered.)
//
// By then the request is over, too: it is cancelled, and no goroutine is left.
//
// A slow reader slows the stream: at most 1000 events are held for a reader.
// Stop never blocks and may be called any number of times, from any goroutine.
func (c *Client[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	panic(kit.TODO("Client.Watch"))
}

// ListAndWatch lists, hands the list to replace, and from then on every change to
// apply: each Added, Modified and Deleted event above the list's version once, in
// order. It compares no versions, which only the server understands: each watch brings
// what came after the version that it began from. Both functions are called from the
// caller's goroutine.
//
// The list is of options.Namespace and ResourceVersion. The watches are of the same
// namespace, ask for bookmarks, and have options.TimeoutSeconds. When a watch ends
// without an Error, another is begun from the version of the last event or bookmark;
// after a watch that brought neither, a second later. Bookmarks are not handed to
// apply.
//
// ListAndWatch returns soon after ctx is done (ctx.Err(), or an error that wraps it), when
// the list or a watch is refused or the server can't be reached (that error), and at
// an Error event (its Status as a *kit.StatusError). By then its
// watches have left nothing behind. Expired means: begin anew.
func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	panic(kit.TODO("Client.ListAndWatch"))
}
