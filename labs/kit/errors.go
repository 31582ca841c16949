package kit

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// Reason is the machine-readable cause of a failed request (metav1.StatusReason).
type Reason string

// The reasons this workbook uses, spelt as in apimachinery.
const (
	ReasonNotFound        Reason = "NotFound"
	ReasonAlreadyExists   Reason = "AlreadyExists"
	ReasonConflict        Reason = "Conflict"
	ReasonInvalid         Reason = "Invalid"
	ReasonBadRequest      Reason = "BadRequest"
	ReasonExpired         Reason = "Expired"
	ReasonTooManyRequests Reason = "TooManyRequests"
	ReasonTimeout         Reason = "Timeout"
	ReasonInternalError   Reason = "InternalError"
)

// codes are HTTP status codes. Their names in net/http would link a whole HTTP server into
// labs that have none.
var codes = map[Reason]int{
	ReasonNotFound:        404,
	ReasonAlreadyExists:   409,
	ReasonConflict:        409,
	ReasonInvalid:         422,
	ReasonBadRequest:      400,
	ReasonExpired:         410,
	ReasonTooManyRequests: 429,
	ReasonTimeout:         504,
	ReasonInternalError:   500,
}

// Status is a request's outcome as it stands on the wire (metav1.Status).
type Status struct {
	TypeMeta `json:",inline"`
	Status   string `json:"status,omitempty"` // "Failure"
	Message  string `json:"message,omitempty"`
	Reason   Reason `json:"reason,omitempty"`
	Code     int    `json:"code,omitempty"` // HTTP status code
}

// StatusError is the error of a request that the API refused (apimachinery
// api/errors.StatusError).
type StatusError struct{ ErrStatus Status }

// Error is the status's message.
func (e *StatusError) Error() string { return e.ErrStatus.Message }

// NewStatusError makes the error for a reason. The code follows from the reason.
func NewStatusError(reason Reason, format string, args ...any) *StatusError {
	return &StatusError{Status{
		TypeMeta: TypeMeta{Kind: "Status", APIVersion: "v1"},
		Status:   "Failure",
		Message:  fmt.Sprintf(format, args...),
		Reason:   reason,
		Code:     codes[reason],
	}}
}

// NewNotFound says that there is no such object.
func NewNotFound(resource, key string) *StatusError {
	return NewStatusError(ReasonNotFound, "%s %q not found", resource, key)
}

// NewAlreadyExists says that an object of that name stands already.
func NewAlreadyExists(resource, key string) *StatusError {
	return NewStatusError(ReasonAlreadyExists, "%s %q already exists", resource, key)
}

// NewConflict says that the object was changed since the caller read it.
func NewConflict(resource, key string) *StatusError {
	return NewStatusError(ReasonConflict, "Operation cannot be fulfilled on %s %q: the object has been modified; please apply your changes to the latest version and try again", resource, key)
}

// NewResourceExpired says that a resource version is older than what is kept (410 Gone).
func NewResourceExpired(format string, args ...any) *StatusError {
	return NewStatusError(ReasonExpired, format, args...)
}

// tooLarge is how every message about a version from the future begins. Upstream
// marks such an error with a status cause as well; old servers sent the words only,
// and client-go still looks for them (tools/cache isTooLargeResourceVersionError).
const tooLarge = "Too large resource version"

// NewTooLargeResourceVersion says that the caller asks for a resource version that
// this server has not reached: it read from one that is ahead (apiserver
// storage.NewTooLargeResourceVersionError). Its reason is Timeout.
func NewTooLargeResourceVersion(requested, current string) *StatusError {
	return NewStatusError(ReasonTimeout, "%s: %s, current: %s", tooLarge, requested, current)
}

// ReasonFor is the reason inside err, "" where err is not a StatusError
// (apimachinery errors.ReasonForError).
func ReasonFor(err error) Reason {
	var s *StatusError
	if errors.As(err, &s) {
		return s.ErrStatus.Reason
	}
	return ""
}

// IsNotFound reports whether err says that there is no such object.
func IsNotFound(err error) bool { return ReasonFor(err) == ReasonNotFound }

// IsAlreadyExists reports whether err says that the object stands already.
func IsAlreadyExists(err error) bool { return ReasonFor(err) == ReasonAlreadyExists }

// IsConflict reports whether err says that the object was changed meanwhile.
func IsConflict(err error) bool { return ReasonFor(err) == ReasonConflict }

// IsInvalid reports whether err says that the object makes no sense.
func IsInvalid(err error) bool { return ReasonFor(err) == ReasonInvalid }

// IsResourceExpired reports whether err says that a version is too old to watch from.
func IsResourceExpired(err error) bool { return ReasonFor(err) == ReasonExpired }

// IsTooManyRequests reports whether err asks the caller to come back later (429).
func IsTooManyRequests(err error) bool { return ReasonFor(err) == ReasonTooManyRequests }

// IsTooLargeResourceVersion reports whether err says that a version lies ahead of
// what the server has seen.
func IsTooLargeResourceVersion(err error) bool {
	var s *StatusError
	return errors.As(err, &s) && s.ErrStatus.Reason == ReasonTimeout && strings.HasPrefix(s.ErrStatus.Message, tooLarge)
}

// IsConnectionRefused reports whether err says that nothing listens where the API
// server should be: it is down, or not up again yet (apimachinery
// net.IsConnectionRefused). Such an error is no StatusError, since no server answered:
// it is the operating system's, wrapped by the client that made the request.
func IsConnectionRefused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
