package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEveryRowIsWhole(t *testing.T) {
	seen := map[Verdict]bool{}
	for _, r := range table {
		assert.False(t, seen[r.verdict], "%s has two rows", r.verdict)
		seen[r.verdict] = true
		assert.NotEmpty(t, r.title, r.verdict)
		assert.NotEmpty(t, r.one, r.verdict)
		assert.NotEmpty(t, r.many, r.verdict)
		assert.NotEmpty(t, r.group, r.verdict)
		assert.Equal(t, r.verdict == Pass, r.group == Passed, "Pass alone earns points")
		assert.Equal(t, r.verdict == CheckerError, r.group == Undecided, "CheckerError alone says nothing about the submission")
	}
	assert.Equal(t, Pass, All[0])
}

func TestCount(t *testing.T) {
	assert.Equal(t, "1 data race", DataRace.Count(1))
	assert.Equal(t, "2 data races", DataRace.Count(2))
	assert.Equal(t, "3 passed", Pass.Count(3))
	assert.Equal(t, "1 not decided", CheckerError.Count(1))
	assert.Equal(t, "2 from-the-future", Verdict("from-the-future").Count(2))
}

func TestAFailureIsWorseThanNotKnowing(t *testing.T) {
	assert.Less(t, Pass.Standing(), CheckerError.Standing())
	for _, v := range All {
		if v.Standing() == Unknown {
			assert.False(t, v.Lasts(), v)
		}
		if v != Pass && v != CheckerError {
			assert.Less(t, CheckerError.Standing(), v.Standing(), v)
		}
	}
}

func TestAnUnknownNameIsNoVerdict(t *testing.T) {
	v := Verdict("from-the-future")
	assert.False(t, v.Valid())
	assert.Equal(t, "from-the-future", v.Title())
	assert.Equal(t, Unknown, v.Standing())
	assert.False(t, v.Refused())
	assert.False(t, v.OwnMessage())
	assert.False(t, v.Lasts())
}
