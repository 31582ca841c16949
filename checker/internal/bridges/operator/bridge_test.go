package operator

import "testing"

func TestCases(t *testing.T) { Cases(t) }
