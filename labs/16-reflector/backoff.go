package reflector

// kit.Backoff knows how waits grow. It does not start over after a time without
// failures, and its waits cannot be interrupted. This file is for both; nothing in
// it is prescribed.
