package similarity

import (
	"hash/fnv"
	"maps"
	"slices"
)

// Fingerprints are taken of every run of gram words, and of each window of so many runs
// one is kept (winnowing: Schleimer, Wilkerson, Aiken, SIGMOD 2003). Two texts that
// share gram+window-1 words in a row are sure to share a fingerprint, and fewer than
// gram words in common leave no trace. The test that measures disguises chose both:
// longer runs lose the copies with swapped statements, shorter ones accuse the honest.
const (
	gram   = 10
	window = 4
)

// fingerprint is the hash of gram words, and where they stand.
type fingerprint struct {
	hash     uint64
	file     string
	from, to int // lines
	index    int // of the first word in its file
}

// maxCompared is how many bytes of a file are compared. No lab has a file near that size,
// and hostile ones must not fill the memory.
const maxCompared = 64 << 10

// fingerprints returns the fingerprints of a submission by their hashes, each where it
// stands first.
func fingerprints(files map[string][]byte) map[uint64]fingerprint {
	all := map[uint64]fingerprint{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		index := 0
		for _, words := range declarations(bounded(files[name])) {
			for _, p := range winnow(runs(name, words, index)) {
				if _, seen := all[p.hash]; !seen {
					all[p.hash] = p
				}
			}
			index += len(words)
		}
	}
	return all
}

func bounded(source []byte) []byte { return source[:min(len(source), maxCompared)] }

// runs hashes every run of gram words.
func runs(file string, words []word, index int) []fingerprint {
	var all []fingerprint
	for i := 0; i+gram <= len(words); i++ {
		h := fnv.New64a()
		for _, w := range words[i : i+gram] {
			_, _ = h.Write([]byte(w.text)) // it cannot fail
			_, _ = h.Write([]byte{0})
		}
		all = append(all, fingerprint{h.Sum64(), file, words[i].line, words[i+gram-1].line, index + i})
	}
	return all
}

// winnow keeps the smallest hash of every window, the rightmost of equals, so that the
// same words are chosen wherever they stand.
func winnow(all []fingerprint) []fingerprint {
	if len(all) <= window {
		return all[:min(len(all), 1)]
	}
	var kept []fingerprint
	last := -1
	for end := window; end <= len(all); end++ {
		smallest := end - window
		for i := smallest + 1; i < end; i++ {
			if all[i].hash <= all[smallest].hash {
				smallest = i
			}
		}
		if smallest != last {
			kept = append(kept, all[smallest])
			last = smallest
		}
	}
	return kept
}

// grams are the hashes of every run of a text that everybody was given.
func grams(files map[string][]byte) map[uint64]bool {
	all := map[uint64]bool{}
	for name, source := range files {
		for _, words := range declarations(source) {
			for _, p := range runs(name, words, 0) {
				all[p.hash] = true
			}
		}
	}
	return all
}
