package backpressure

import "testing"

func TestCases(t *testing.T) { Cases(t) }
