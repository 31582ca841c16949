package kit

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Cloud is where databases are rented: an API beside that of Kubernetes, with other
// habits. All methods may be called from any goroutine, and return early with ctx.Err()
// when ctx is done.
//
// Create, Modify and Delete return when the work has been accepted. It then takes minutes,
// and State says how far it is. They act on how things are. Get may show how things stood
// up to CloudLag ago: a database that was just created may be CloudNotFound, one that was
// just changed may look as before, and one that was just deleted may still be there.
//
// A call that fails while ctx is not done returns a *CloudError, or an error that wraps one.
type Cloud interface {
	// CreateDatabase begins to create a database. It is CloudAlreadyExists if there is one of
	// the name, whatever its Owner and its State.
	CreateDatabase(ctx context.Context, name, owner string, spec CloudSpec) error
	// GetDatabase returns a database, or CloudNotFound.
	GetDatabase(ctx context.Context, name string) (CloudDatabase, error)
	// ModifyDatabase begins to change the size and the password of a database. It is CloudBusy
	// while its State is not CloudAvailable, and CloudInvalid for another engine.
	ModifyDatabase(ctx context.Context, name string, spec CloudSpec) error
	// DeleteDatabase begins to delete a database. It is CloudNotFound if there is none, and
	// CloudBusy while it is being created or modified. A second call while it is being
	// deleted does nothing and succeeds.
	DeleteDatabase(ctx context.Context, name string) error
}

// CloudLag is how far GetDatabase may be behind. To create a database takes longer.
const CloudLag = 30 * time.Second

// CloudSpec is what a caller asks the cloud for.
type CloudSpec struct {
	Engine          string
	Size            int    // in GiB
	Password        string // the cloud never shows it
	PasswordVersion string // a mark of the caller's for the password, which the cloud does show
}

// CloudDatabase is a database as the cloud shows it.
type CloudDatabase struct {
	Name            string // unique among all that share the cloud
	Owner           string // as it was created with; nobody can change it
	Engine          string
	Size            int
	PasswordVersion string
	State           CloudState
	Endpoint        string // where it listens; "" until it is CloudAvailable for the first time
}

// CloudState is what the cloud is doing with a database.
type CloudState string

// The states of a CloudDatabase.
const (
	CloudCreating  CloudState = "creating"
	CloudAvailable CloudState = "available"
	CloudModifying CloudState = "modifying" // it serves meanwhile, and shows what it is going to be
	CloudDeleting  CloudState = "deleting"
	CloudFailed    CloudState = "failed" // it will never be available, and can only be deleted
)

// CloudCode is the machine-readable cause of a failed call.
type CloudCode string

// The codes of a CloudError.
const (
	CloudNotFound      CloudCode = "NotFound"
	CloudAlreadyExists CloudCode = "AlreadyExists"
	CloudThrottled     CloudCode = "Throttled"   // 429: too many calls; nothing was done
	CloudBusy          CloudCode = "Busy"        // not in the State that it has; later
	CloudInvalid       CloudCode = "Invalid"     // never, as long as this is asked for
	CloudUnavailable   CloudCode = "Unavailable" // the cloud is down; nothing was done
	CloudTimeout       CloudCode = "Timeout"     // no answer: it was done, or it was not
)

// CloudError is the error of a call that the cloud refused or did not answer.
type CloudError struct {
	Code       CloudCode
	Message    string        // what it is about: the same each time
	RequestID  string        // of this one call: another each time
	RetryAfter time.Duration // of CloudThrottled: no sooner
}

// Error is the message with its code and the request's ID.
func (e *CloudError) Error() string {
	return fmt.Sprintf("%s: %s (request %s)", e.Code, e.Message, e.RequestID)
}

// CloudCodeOf is the code inside err, "" where err is not a CloudError.
func CloudCodeOf(err error) CloudCode {
	var c *CloudError
	if errors.As(err, &c) {
		return c.Code
	}
	return ""
}
