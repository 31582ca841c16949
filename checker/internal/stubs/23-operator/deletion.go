package operator

// This file is yours: the end of a Database.
//
// A Database that is being deleted and does not have Finalizer is none of our business: the
// cloud is not called, and nothing is written.
//
// Otherwise GetDatabase is asked about CloudName. If there is a database whose Owner is not
// CloudOwner, none of ours can exist: DeleteDatabase is not called, and Finalizer is taken off.
// In every other case DeleteDatabase decides. GetDatabase may be behind, and so its
// CloudNotFound proves nothing. If GetDatabase fails with another error, nobody knows whose
// the database is, and DeleteDatabase is not called.
//
//   - Finalizer is taken off when DeleteDatabase has answered CloudNotFound, and not before.
//   - When it has succeeded or is CloudBusy, the Database waits. While GetDatabase says that the
//     State is CloudCreating, CloudModifying or CloudDeleting, it may wait without calling
//     DeleteDatabase.
//   - With every other error Finalizer stays, and what Reconcile says about errors holds.
//
// Taking Finalizer off is an Update, and other finalizers stay. The status of a Database need not
// be written once nothing but the finalizer is left to do. The Secret with the connection is
// not deleted: it has an owner, and the garbage collector does that.
