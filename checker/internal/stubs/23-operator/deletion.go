package operator

// This file is yours: the end of a Database.
//
// DeleteDatabase is called for a Database that is being deleted, and for no other.
//
// A Database that is being deleted and does not have Finalizer is none of our business: the
// cloud is not called, and nothing is written.
//
// Otherwise GetDatabase is asked about CloudName. If it fails with another error than
// CloudNotFound, nobody knows whose the database is, and DeleteDatabase is not called. If there is
// a database whose Owner is not CloudOwner, none of ours can exist: DeleteDatabase is not called,
// and Finalizer is taken off. In every other case DeleteDatabase decides. GetDatabase may be
// behind, and so its CloudNotFound proves nothing. What the spec asks for does not matter any longer.
//
//   - Finalizer is taken off when DeleteDatabase has answered CloudNotFound, and not before.
//   - When DeleteDatabase succeeds or answers CloudBusy, the Database waits. While GetDatabase
//     says that the State is CloudCreating, CloudModifying or CloudDeleting, it may wait without
//     calling DeleteDatabase.
//   - With every other error Finalizer stays, however long it takes, and what Reconcile says
//     about errors holds.
//
// Taking Finalizer off is an Update, and other finalizers stay. Where nothing is left to do but to
// take Finalizer off, or nothing at all because it is off already, the status need not be written,
// and unless that Update fails the Result is left open. The Secret with the connection is not
// deleted: it has an owner, and the garbage collector does that.
