package result_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
)

// FuzzDecode: a result is refused, or it is one that can be written and read again.
func FuzzDecode(f *testing.F) {
	for _, g := range []result.Grade{resulttest.Ada(), resulttest.Broken(), resulttest.Refused()} {
		var b bytes.Buffer
		require.NoError(f, g.WriteJSON(&b))
		f.Add(b.Bytes())
	}
	for _, text := range []string{
		"", "{}", `{"schema":"` + result.GradeSchema + `"}`, `{"schema":"` + result.RunSchema + `","labs":[{"lab":"99"}]}`,
		`{"schema":"` + result.GradeSchema + `","cases":[{"verdict":"\u001b[2J","points":-9223372036854775808}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		grades, err := result.Decode(bytes.NewReader(text), resulttest.Book().CaseCount)
		if err != nil {
			return
		}
		for _, g := range grades {
			var b bytes.Buffer
			require.NoError(t, g.WriteJSON(&b))
			first := b.String()
			again, err := result.ReadGrade(&b)
			require.NoError(t, err)
			var second bytes.Buffer
			require.NoError(t, again.WriteJSON(&second))
			assert.Equal(t, first, second.String(), "a grade changes when it is written and read")
		}
	})
}
