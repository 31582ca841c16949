// Package bench measures the solutions beside what they are modelled on, in one
// process: make bench-upstream.
//
// A row is a benchmark with two children, impl=upstream and impl=solution, which
// benchstat makes two columns of. Where a part has to be put under an interface so
// that both can run the same code, both are; there is no adapter on either side.
package bench
