package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DatabaseReconciler sees to it that the cloud has a database for each Database, and none
// for those that are gone. It starts no goroutine that outlives a call. What it must not
// forget stands in the API server or in the cloud: it may be killed at any moment, and then
// a new one goes on.
type DatabaseReconciler struct {
	// yours
}

var _ kit.Reconciler = (*DatabaseReconciler)(nil)

// New returns a DatabaseReconciler. It may add indices to the caches, under names of its
// own; several reconcilers may be made over one cache, one after the other.
func New(options Options) *DatabaseReconciler {
	panic(kit.TODO("New"))
}

// Reconcile brings one Database nearer to what it asks for. It is never called twice at
// once for one request, but may be called at once for different requests. It reads Databases
// and Secrets from the caches, except where these files say otherwise. It waits for nothing but
// its own calls; for work that takes the cloud minutes it comes back later. Every call, of the
// cloud and of the API server, gets ctx, so that Reconcile ends soon after ctx does.
//
//  1. A Database that DatabaseCache does not have is gone. There is nothing to do: that is no
//     error, and the Result is zero.
//  2. What to do with one that is being deleted is said in deletion.go.
//  3. Finalizer is written, by an Update, before any call of CreateDatabase, ModifyDatabase or
//     DeleteDatabase. Other finalizers stay. An Update that fails ends the Reconcile. It is not
//     tried again in the same Reconcile, not even after a Conflict. GetDatabase may come first.
//  4. GetDatabase is asked about CloudName. From here the first that fits is done:
//     - The Owner is not CloudOwner: the Database is stuck, NameTaken. What is not ours is
//     never modified and never deleted.
//     - The State is CloudFailed: it is stuck, Failed.
//     - The State is CloudCreating, CloudModifying or CloudDeleting: it waits.
//     - CloudNotFound: it creates, as below.
//     - The Engine is not that of the spec: it is stuck, EngineChanged, and nothing is modified.
//     - There is no password: it is stuck, PasswordMissing, and nothing is modified.
//     - The Size is not that of the spec, or PasswordVersion not that of the Secret:
//     ModifyDatabase, and it waits.
//     - Otherwise the connection is written, as connection.go says, and it is in sync.
//  5. The status is written, as status.go says.
//
// Creating. A cache may show a Database that has been deleted long ago, and a database that
// is created for it stays for ever. So before CreateDatabase the Database is read from the API
// server itself, by Get or as the answer of an Update of the same Reconcile. If it is gone,
// has another UID, is being deleted or does not have Finalizer, nothing is created, and
// whether that is an error is left open. So are the Result, and whether the status is written.
// Again the first that fits is done:
//
//   - If its status, as it was just read, has an Endpoint, there was a database, and it is lost:
//     with kit.LossReport the Database is stuck, Lost, also if Finalizer was written just now.
//   - Without a password it is stuck, PasswordMissing.
//   - Otherwise CreateDatabase is called, with CloudName and CloudOwner, and it waits.
//     CloudAlreadyExists is no failure: GetDatabase is behind, and will show whose it is.
//
// If the spec that was read is not that of the cache, either may be acted on.
//
// The password is under PasswordKey in the Secret that the spec names, in SecretCache, and
// is not empty. It is used as it stands there, with all white space. PasswordVersion is the
// resource version of that Secret. Two of them are the same or not: their order says nothing.
//
// The Result says when to look again. Where there is no error,
//
//   - if it waits, RequeueAfter is at least a quarter of Poll and at most Poll;
//   - if it is in sync or stuck, RequeueAfter is greater than Poll and at most Resync. Stuck is
//     no error: to try again soon would help nobody.
//
// The cloud may refuse any call. Beside the CloudNotFound and CloudAlreadyExists that
// have their place above and in deletion.go, a refusal ends the Reconcile, but for the
// status:
//
//   - CloudThrottled is no failure: nothing is returned as an error, no condition changes, the
//     cloud is not called again in this Reconcile, and RequeueAfter is greater than zero, at
//     least the error's RetryAfter, and at most Poll more, or a second more if Poll is shorter.
//     The rest of the status may change. If writing it fails, that error may be returned, unless
//     it is a Conflict: then the Result is that of a throttled call all the same.
//   - CloudBusy is no failure: it waits. Any call but GetDatabase may answer it.
//   - CloudInvalid, from CreateDatabase or ModifyDatabase: it is stuck, Invalid.
//   - Every other error is returned, wrapped or not, but not as a kit.TerminalError, which nobody
//     would try again. If it is a kit.CloudError, the status says so.
//
// Errors of the API server are returned. Conflict, AlreadyExists and NotFound are the
// exceptions: a cache was behind, and whether that is an error or only a reason to come again
// within Poll is left open. If it is the Database that is NotFound, there need be no error,
// and nobody need come again.
func (r *DatabaseReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	panic(kit.TODO("DatabaseReconciler.Reconcile"))
}
