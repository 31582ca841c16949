package operator

// This file is yours: what the operator reports.
//
// The status is written by Status, and never by Databases. If nothing in it would change, nothing
// is written. ObservedGeneration, of the status and of each condition that is set, is the
// generation of the Database that this Reconcile acted on. Where the status has a larger one
// already, it may keep that.
//
// Somebody who reads nothing but the two conditions knows how it stands:
//
//   - Ready is False, Deleting, if the Database is being deleted. Otherwise it is True,
//     Available, if GetDatabase has shown a database with the Owner CloudOwner whose State is
//     CloudAvailable or CloudModifying. Otherwise it is False, and its reason is that for which
//     the Database is stuck, or else Creating.
//   - Synced is False if the Database is stuck, with that reason, and if a call of the
//     cloud has failed, CloudError. Otherwise it is True, InSync. A Database that is being
//     deleted is never stuck.
//   - If a call of the cloud has failed, Ready stays as it was, missing if it was missing, even if
//     GetDatabase has answered before. Its ObservedGeneration stays, too. While a Database is being
//     deleted, Ready is False, Deleting, even then. A call has failed if its error is a
//     kit.CloudError, or wraps one, and is one that Reconcile has to return. After any other error
//     the status need not be written.
//   - Both are set by SetCondition, on those that the object has, so that LastTransitionTime
//     moves only when Status does. No other condition is added, changed or taken away.
//
// The Message of a condition whose reason is CloudError or Invalid contains the Message of the
// kit.CloudError. It does not contain the RequestID, nor anything else that differs from one try
// to the next: each such status would be a write, and each write an event.
//
// Endpoint is that of the cloud once there is one, and then it stays until there is another. That
// of a stranger's database is never taken. In a Reconcile that fails or is throttled, and while
// the Database is being deleted, a new one need not be written.
//
// After a Conflict nothing is forced. Reconcile returns the Conflict (unless the cloud has
// throttled it), or comes again within Poll, or reads the Database afresh and, if the UID is the
// same, sets the conditions on those that it finds there. The ObservedGeneration stays that of what
// was acted on. A deletion that it finds there may be left to the next Reconcile.
