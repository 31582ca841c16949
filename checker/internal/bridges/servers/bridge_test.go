package servers

import "testing"

func TestCases(t *testing.T) { Cases(t) }
