//go:build ignore

// Mistake: The random source is made anew for each name, with a fixed seed: the first name it comes up with
//   is the only one.
// Killed by: generated-names
// Verdict: wrong-answer

package store

import "math/rand/v2"

func (s *Store[T]) freeName(obj T) string {
	for {
		name := generateName(obj.GetGenerateName())
		if _, taken := s.objects[key{obj.GetNamespace(), name}]; !taken || name != "" {
			return name
		}
	}
}

func generateName(prefix string) string {
	suffix := make([]byte, suffixLength)
	for i := range suffix {
		suffix[i] = letters[rand.New(rand.NewPCG(1, uint64(i))).IntN(len(letters))]
	}
	return prefix[:min(len(prefix), prefixLength)] + string(suffix)
}
