//go:build ignore

// Mistake: Every group but apps is served, and asked for, where the core group is.
// Killed by: lists-as-the-api-server
// Verdict: wrong-answer

package watchhttp

import (
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func collection[T kit.Object](typ kit.Type[T], namespace string) string {
	root := "/api/"
	if strings.HasPrefix(typ.APIVersion, "apps/") {
		root = "/apis/"
	}
	path := root + typ.APIVersion
	if namespace != "" {
		path += "/namespaces/" + namespace
	}
	return path + "/" + typ.Resource
}
