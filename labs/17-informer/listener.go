package informer

// What lies between the informer and one handler goes here: a method that adds a
// notification and never waits, a buffer that grows, and a goroutine that calls the
// handler. Nothing in this file is prescribed.
