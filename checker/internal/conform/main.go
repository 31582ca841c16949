package conform

import (
	"os"
	"testing"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// Main is the main function of a program that the checker builds instead of a test binary: it
// runs the bridge at the place that the checker asks for. It does not return.
//
// The go command's main function has what go test offers, fuzzing with its encoders and
// parsers among it, and the linker would read forty more packages for that.
func Main(bridges map[int]func(*testing.T)) {
	config, attached := wire.Attached()
	if !attached {
		os.Stderr.WriteString("controllerbook: the checker runs this program; go test runs the bridge by itself\n")
		os.Exit(2)
	}
	bridge, there := bridges[config.Place]
	if !there {
		os.Stderr.WriteString("controllerbook: the program has no bridge at that place\n")
		os.Exit(3)
	}
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "TestCases", F: bridge}}, nil, nil)
}
