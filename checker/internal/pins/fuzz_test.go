package pins

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// FuzzChanges: a subject's errors go through the compiler's text, and its source is read
// again to find the changed declaration. What is found stands in a file of the subject.
func FuzzChanges(f *testing.F) {
	const path = "checker/internal/bridges/lab/pins.go"
	pinned := []byte("package lab\n\nvar _ func() = lab.Close // Close\n\nvar _ int = lab.Max // Max\n")
	stub := map[string][]byte{"lab.go": []byte("package lab\n\nfunc Close() {}\n\nconst Max = 1\n")}
	f.Add(path+":3:17: undefined: lab.Close\n"+path+":5:13: cannot use lab.Max\n", "package lab\n\nfunc Close() int { return 1 }\n")
	f.Add(path+":99999999999999999999:1: x\n"+path+":0:0:\n"+path+":-1:", "package lab\n\nvar Max = 2\ntype Close struct{}\n")
	f.Add(path+":3:17: a\n\n", "not Go at all {{{")
	f.Add(path+":5:1: \x1b[2J", "package lab\n\nfunc (c) Close() {}\nfunc ([]T) Max() {}\n")
	f.Fuzz(func(t *testing.T, compiler, source string) {
		for _, v := range Changes(compiler, path, pinned, stub, map[string][]byte{"lab.go": []byte(source)}) {
			assert.Equal(t, "lab.go", v.File)
			assert.GreaterOrEqual(t, v.Line, 1)
			assert.NotEmpty(t, v.Message)
		}
	})
}
