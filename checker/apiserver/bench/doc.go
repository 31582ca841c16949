// Package bench measures the solution of lab 08 beside the API server's watch cache, in one
// process: make bench-cacher.
//
// It is in this module because the watch cache is. The rows are of the same form as those of
// checker/upstream/bench.
package bench
