package controlplane

import "github.com/controllerbook/controllerbook/labs/kit"

// How far to scale which ReplicaSet is arithmetic: it needs no client and no cache, and is
// best kept away from both. It may go here. Except for ResolveFenceposts, nothing in this
// file is prescribed.

// ResolveFenceposts returns how many pods a rollout of desired replicas may have in
// excess (surge) and how many it may lack (unavailable). Each is a number, "3", or a
// percentage of desired, "25%"; "" is "25%". For percentages, surge is rounded up and
// unavailable down.
// If both come to 0, no rollout could ever take a step, so unavailable is 1
// (pkg/controller/deployment/util ResolveFenceposts).
//
// A number is one or more of the digits 0 to 9, without a sign. Anything but that, or that
// followed by %, is an error. What becomes of a number above a million is left open.
func ResolveFenceposts(maxSurge, maxUnavailable kit.IntOrPercent, desired int) (surge, unavailable int, err error) {
	panic(kit.TODO("ResolveFenceposts"))
}
