package debounce

import "testing"

func TestCases(t *testing.T) { Cases(t) }
