package operator

// This file is yours: the Secret with the connection.
//
// It is in the namespace of the Database and has the name ConnectionName. Its Data is the
// Endpoint of the cloud under EndpointKey and the password under PasswordKey, and nothing
// else. It has one owner reference, to the Database, which is its controller.
//
//   - If SecretCache has none, it is created.
//   - If its controller is not the Database, by UID, or if it has none, it is somebody else's:
//     it is not touched, and the Database is stuck, SecretTaken. That holds whatever its Data is.
//   - If its controller is the Database, and its Data is not as it should be, an Update puts
//     Data right and leaves the rest as it is.
//   - If its Data is as it should be, nothing is written.
//
// Where the API server refuses the write, what the comment on Reconcile says about errors
// of the API server holds. The status may be written all the same, as if the write had
// succeeded.
