package reflector

// kit.Backoff knows how waits grow. That they start over after a time without
// failures, and that a wait can be interrupted, is not in it. This file is for
// that; nothing in it is prescribed.
