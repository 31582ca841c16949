package judge

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// broken is a lab whose case passes once the references of these parts are in place.
func broken(tries *int, parts ...string) func([]string) (bool, error) {
	return func(replaced []string) (bool, error) {
		*tries++
		for _, p := range parts {
			if !slices.Contains(replaced, p) {
				return false, nil
			}
		}
		return true, nil
	}
}

func thirteen() []string {
	var parts []string
	for i := range 13 {
		parts = append(parts, fmt.Sprintf("lab-%02d", i+7))
	}
	return parts
}

func TestBlameFindsTheParts(t *testing.T) {
	parts := thirteen()
	for i, one := range parts {
		var tries int
		guilty, err := blame(parts, broken(&tries, one))
		require.NoError(t, err)
		assert.Equal(t, []string{one}, guilty)
		assert.LessOrEqual(t, tries, 6)
		for _, other := range parts[i+1:] {
			guilty, err := blame(parts, broken(&tries, one, other))
			require.NoError(t, err)
			assert.ElementsMatch(t, []string{one, other}, guilty)
		}
	}
}

func TestBlameOfTheLabItself(t *testing.T) {
	guilty, err := blame(thirteen(), func([]string) (bool, error) { return false, nil })
	require.NoError(t, err)
	assert.Empty(t, guilty)
}

func TestBlameGivesUpWhereTheMachineDoes(t *testing.T) {
	gone := errors.New("no space left on device")
	tries := 0
	_, err := blame(thirteen(), func([]string) (bool, error) {
		tries++
		if tries == 3 {
			return false, gone
		}
		return tries == 1, nil
	})
	assert.ErrorIs(t, err, gone)
}
