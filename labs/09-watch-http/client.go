package watchhttp

import (
	"context"
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options of a Client. The zero value is good for use.
type Options struct {
	// HTTP sends the requests. NewClient may copy it. nil is http.DefaultClient. If it
	// has a Timeout, every watch is cut off after that time.
	HTTP *http.Client
	// MaxEvent is the length in bytes of the longest event that a watch takes, without
	// the newline at its end. 0 is 16 MiB, as in client-go. It is never negative.
	MaxEvent int
}

// Client lists and watches the objects that a Handler, or an API server, serves.
// Make one with NewClient. All methods may be called from any goroutine.
//
// A Client does what its options say and nothing more, in List as in Watch: the fields of
// a kit.ListOptions become the path and the parameters that Handler knows, and a field
// that is zero becomes none. Characters that have a meaning in a URL, such as "?" or
// "&", are escaped. A Watch adds watch and, with SendInitialEvents and only then,
// resourceVersionMatch=NotOlderThan, without which an API server refuses a watch list.
// (With SendInitialEvents a List may add that, too.)
//
// Objects are filled into what Type.New gives: where an object in the answer has
// neither kind nor apiVersion, as in the lists of an API server, those of Type.New
// stay. Fields that the type does not have are ignored, and so is the Content-Type of
// an answer.
//
// # Refusals
//
// An answer that is not 200 is an error: the Status in its body, as a
// *kit.StatusError. What makes a Status is its kind alone, whatever its apiVersion, and
// all of it stays as it stands.
// (A Status without a code may be treated as no Status.) If the body is no Status, as
// from a proxy in between, or breaks off, it is a *kit.StatusError with the code of the
// answer, and with the reason that belongs to the code for 404 (NotFound), 410 (Expired)
// and 429 (TooManyRequests). For other codes the reason is up to you.
//
// If ctx is done before the answer is there, the error is ctx.Err() or wraps it. (That of
// net/http wraps context.Cause(ctx), which may be another.) The answer to List is there
// when all of it has come; if ctx is done in the middle of a refusal, the error may be
// that of ctx or the refusal.
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
// read whole, that is not one JSON object, or whose kind is not that of a list of the
// type, is an error. (Its apiVersion need not be looked at.)
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
//     "\n": a caller that wants to go on watches from the version of the last event
//     that was delivered. (But an ERROR that lacks only the "\n" may be delivered, like
//     any event, and so may the Error for a line that is longer than MaxEvent already.)
//   - After an ERROR: it is delivered as an Error with its Status, and it is the end,
//     whatever may follow.
//   - After a line that is no event: not one JSON object, of a type that kit does not
//     know, without an object or with one that can't be read, or longer than MaxEvent.
//     One Error is delivered, whose Status has code 500 and the reason InternalError. Of
//     a line that is too long, at most a few times MaxEvent bytes are read, or 64 KiB if
//     that is more. (Nobody looks at the Object of an Error: it may be the zero value or
//     any other. Whether an ERROR whose object is no Status is such a line is left
//     open. An empty line, or one of white space, may be passed over if it is not longer
//     than MaxEvent. When a line goes on behind an event, that event may be delivered
//     before the Error.)
//   - Within a second of Stop, or of the end of ctx, whether anybody reads or not.
//     Events that were not delivered by then are dropped, and no Error is sent for
//     them. (What lies in the buffer of the ResultChan may count as delivered.)
//
// When the ResultChan is closed, the request is over as well: it is cancelled, its body
// is closed, and no goroutine is left.
//
// A slow reader slows the stream: at most 1000 events are held for a reader. (What lies
// undecoded in a buffer of a few KiB, or in net/http, does not count. Whether anything is
// read before the first call of ResultChan is left open.)
//
// Stop never blocks and may be called any number of times, from any goroutine.
func (c *Client[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	panic(kit.TODO("Client.Watch"))
}

// ListAndWatch lists, hands the list to replace, and from then on every change to
// apply: each Added, Modified and Deleted event that the watches bring, once, in order
// and as it came. It compares no versions, which only the server understands, and relies
// on each watch to bring what came after the version that it began from. Both functions are
// called from the caller's goroutine. They may keep what they get, and do not change
// its resourceVersion.
//
// The list is of options.Namespace and ResourceVersion. The watches are of the same
// namespace, ask for bookmarks, and have options.TimeoutSeconds. When a watch ends
// without an Error, another is begun from the version of the last event or bookmark
// (each has one); after a watch that brought neither, a second after its end. Bookmarks
// are not handed to apply.
//
// ListAndWatch returns soon after ctx is done, even if events lie ready (ctx.Err(), or
// an error that wraps it), when the list or a watch is refused or the server can't be
// reached (that error), and at an Error event (its Status as a *kit.StatusError). By
// then it has left nothing behind. If the Status is Expired, its caller calls
// ListAndWatch again.
func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	panic(kit.TODO("Client.ListAndWatch"))
}
