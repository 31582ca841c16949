package replicaset

import "testing"

func TestCases(t *testing.T) { Cases(t) }
