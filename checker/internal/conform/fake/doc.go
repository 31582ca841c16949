// Package fake has the neighbours that suites put around a subject: an API server, caches
// that lag, a queue, a rate limiter, an event recorder, listeners, a cloud.
//
// A world is put together from them:
//
//	server := fake.NewServer(t)
//	sets, pods := fake.Serve(server, kit.ReplicaSets), fake.Serve(server, kit.Pods)
//	seen := fake.NewInformer(pods)
//	r := subject.New(Options{ReplicaSets: sets, Pods: pods, PodCache: seen.Cache})
//	seen.Handle(r.PodHandler(queue.Add))
//
//	sets.Put(web)                                 // somebody creates an object
//	pods.Intercept(fake.Refuse(err, fake.Create)) // from now on every creation is refused
//	_, err := r.Reconcile(ctx, request)
//	pods.Requests(fake.Create)                    // what was asked for
//	seen.CatchUp()                                // only now the cache hears of it
//
// Every request and every answer is an event of the case's history, by the actor "server", and
// so is every call of a handler, every look at an informer's cache, every call of a queue and
// every event that a watch hands over. What others do to the cluster stands there as well. A
// breach that a fake can see is marked when it happens: an object of a cache that was written to,
// a Done for an item that nobody has.
//
// A Server serializes: each request takes its lock when it comes, when it is carried out
// and when it is answered. So two requests that follow each other are ordered in the eyes
// of the race detector, together with all that their callers did before and after. A real
// server orders them, too: its store has one counter, and a connection's Read comes after
// the Write (package syscall says so to the race detector). The readers of a Cache take a
// lock for reading, as client-go's do, and order nobody. Nothing else in this package
// orders two goroutines of a subject.
//
// Everything here may be used in a synctest bubble, if it was made there.
package fake
