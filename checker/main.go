// Command checker runs the labs' hidden tests and says what went wrong.
package main

import (
	"os"

	"github.com/controllerbook/controllerbook/checker/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
