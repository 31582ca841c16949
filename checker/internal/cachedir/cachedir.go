// Package cachedir knows where the checker keeps what it can do without.
package cachedir

import (
	"os"
	"path/filepath"
)

// Of is the directory in the user's cache for what is remembered of something: "proofs",
// "mutants", "verdicts". It need not exist. The error says that the user has no cache.
func Of(something string) (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "controllerbook", something), err
}
