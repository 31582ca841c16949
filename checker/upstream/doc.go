// Package upstream puts the suites of the labs to the real thing: client-go,
// apimachinery and controller-runtime, at the versions that go.mod names, through
// the thinnest adapters that the API allows. It is what keeps a suite from asking
// more than Kubernetes itself holds.
//
// It is a module of its own, so that nobody who only wants to write labs has to
// fetch or build Kubernetes' libraries.
//
// A lab's test files are named as its subject: the adapter stands in the test.
// Where a lab builds more than upstream has, the rest of the subject is the
// lab's own solution, and the test says so.
//
// Cases that upstream deliberately does not hold stand in [Exceptions], each with
// its reason. Nothing else is left out, and a test proves of each that upstream
// does fail it.
package upstream
