package real

import "flag"

// Servers is whether tests that start an API server run.
var Servers = flag.Bool("server", false, "start an API server, which is built first: make test-real")
