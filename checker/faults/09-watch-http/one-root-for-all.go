//go:build ignore

// Mistake: Every type is looked for under /api/v1: that holds for the core group alone.
// Killed by: lists-as-the-api-server
// Verdict: wrong-answer

package watchhttp

import (
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func collection[T kit.Object](typ kit.Type[T], namespace string) string {
	root := "/api/"
	if strings.HasPrefix(typ.APIVersion, "/") {
		root = "/apis/"
	}
	path := root + typ.APIVersion
	if namespace != "" {
		path += "/namespaces/" + namespace
	}
	return path + "/" + typ.Resource
}
