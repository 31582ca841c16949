// Package watchhttp is lab 09: list and watch over HTTP, as the Kubernetes API
// server and its clients speak it: a stream of JSON that curl -N can follow, and a
// client that detects where a connection was cut.
package watchhttp

import (
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Handler serves the objects of source, which are of the type typ, as the API server
// does. Of pods:
//
//	GET /api/v1/pods                          all
//	GET /api/v1/namespaces/{namespace}/pods   those of one namespace
//
// "pods" is typ.Resource and "/api/v1" follows from typ.APIVersion: it is
// "/apis/apps/v1" for "apps/v1", and so for every other group. {namespace} is one
// segment of the path, unescaped. Any other path is answered with 404, and any method
// but GET with 405.
//
// Left open, because http.ServeMux decides it where it is used: whether HEAD is
// answered like GET, whether another method on another path gets 404 or 405, and what
// the answer is to a path with a "/" too many, or with a "." or "..", such as
// "/api//v1/pods". Also left open is what another method gets whose timeoutSeconds makes
// no sense: 405 or 400.
//
// # Parameters
//
// The query says what a kit.ListOptions says: resourceVersion, watch,
// allowWatchBookmarks, sendInitialEvents, timeoutSeconds. The version goes to the
// source as it stands, for only the source knows what its versions mean. A flag, such
// as watch, is set if the parameter is present, with any value or none ("watch=1",
// "watch=TRUE", "watch=yes", "watch=", "watch"), except "0" and "false", in upper or
// lower case. If a parameter is given more than once, the first counts.
//
// timeoutSeconds is a decimal number from 0 on that fits into an int64; anything else
// is answered with 400 and the reason BadRequest, with watch or without. (An empty one
// may count as none, and one with a sign in front, such as "+5" or "-0", as the number
// that it is.) Handler ignores parameters that it does not know. But for that 400, the
// parameters that are about watches change nothing in the answer to a list, and need
// not reach source.List. (An API server refuses a list with sendInitialEvents.) What
// the answer is to a query that can't be decoded, such as "x=%zz", is left open.
//
// source.List and source.Watch get the context of the request, or one that ends with
// it: List and Watch may each block until that context is done.
//
// # List
//
// Without watch the answer is source.List as one JSON object, with kind
// typ.Kind+"List", apiVersion, metadata.resourceVersion, and the items, which are []
// and not null if there are none.
//
// # Watch
//
// With watch the answer is an endless 200: each event of source.Watch as one JSON
// object on one line, ended by "\n":
//
//	{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{…},…}}
//
// The object of an ERROR is the event's Status, which is never nil; to Handler it is an
// event like the others, and not the end. (What Handler does with an event of a type
// that kit does not know is left open.) The header is sent before the first event, as
// soon as source.Watch has returned, and each event is sent before Handler waits for
// the next. It takes an event from the source only when it can begin to write it.
// (Another goroutine may hold one more, ready for the writer.) Handler flushes through
// http.ResponseController, so the ResponseWriter may be wrapped
// (http.ResponseController finds the real one through Unwrap). Handler works over
// HTTP/1.1 and HTTP/2 alike.
//
// The answer ends, as a complete answer ends, when the source's watch has ended and
// when the request's context is done. Handler does not wait for a source that notices
// the end of that context late, even if it goes on to bring events. It ends no watch
// because of timeoutSeconds, which the source does. The answer also ends when a write or
// a flush fails. By the time
// ServeHTTP has returned it has stopped the source's watch, with its Stop, whatever the
// reason: the source, the context, a client that is gone. (After a failed write ServeHTTP
// may panic with http.ErrAbortHandler instead. How long a write may wait for a client
// that does not read is left open.)
//
// # Refusals
//
// Every answer that is neither list nor watch is a metav1.Status in JSON: kind
// "Status", apiVersion "v1", status "Failure", and its code is that of the answer. The
// reason of the 405 is up to you. (What is left open above is left open here, too.)
// An error of source that is, or wraps, a *kit.StatusError is answered with that
// Status; if the code in it is below 400 or above 599, and for any other error, the
// answer is 500 with the reason InternalError and the error's words in the message.
// Where the source's Status lacks kind, apiVersion or status, the answer may lack it
// too, or have it.
//
// One refusal is different, as it is upstream: if source.Watch refuses with Expired
// (kit.IsResourceExpired), the answer is a 200 whose only event is an ERROR with that
// Status, and then it ends. A List that is Expired is answered with its code, which is
// 410. (What happens to an Expired whose code is below 400 or above 599 is left open.)
//
// The Content-Type of all answers is "application/json", with or without parameters.
// Handler never writes to what source gave it, objects and errors. It may serve any
// number of requests at once.
func Handler[T kit.Object](typ kit.Type[T], source kit.ListerWatcher[T]) http.Handler {
	panic(kit.TODO("Handler"))
}
