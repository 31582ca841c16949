package overlay

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzRepositoryPaths: no message of the compiler leaves a path of the checker's own in it.
func FuzzRepositoryPaths(f *testing.F) {
	f.Add("/tmp/build-1/000/gather.go:3:1: x\n../tmp/build-1/000/gather.go:3: y\n/home/ada/book/labs/01/gather.go:1:1: z")
	f.Add("/tmp/build-1/000/gather.go/tmp/build-1/000/gather.go")
	f.Add("/home/ada/book//home/ada/book/\x00\xff")
	f.Add("/tmp/build/home/ada/book/-1/000/gather.go")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Set{"labs/01/gather.go": []byte("package lab")}.Layout("/home/ada/book", "/tmp/build-1")
		require.NoError(t, err)
		said := l.RepositoryPaths("/home/ada/book", text)
		assert.NotContains(t, said, "/tmp/build-1/000/gather.go")
	})
}
