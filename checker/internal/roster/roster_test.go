package roster

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRosterForms(t *testing.T) {
	for name, text := range map[string]string{
		"plain":      "id,name,group\nu1,Jane Doe,A\n",
		"BOM":        "\ufeffid,name,group\r\nu1,Jane Doe,A\r\n",
		"semicolons": "ID;Name;Group\nu1;Jane Doe;A\n",
		"tabs":       "id\tname\tgroup\nu1\tJane Doe\tA\n",
		"two names":  "First name,Surname,ID number,Groups\nJane,Doe,u1,A\n",
		"quotes":     "\"id\",\"name\",\"group\"\n\"u1\",\"Jane Doe\",\"A\"\n",
	} {
		r, err := Read(strings.NewReader(text))
		require.NoError(t, err, name)
		require.Len(t, r.Students, 1, name)
		assert.Equal(t, "u1 Jane Doe A", r.Students[0].ID+" "+r.Students[0].Name+" "+r.Students[0].Group, name)
	}
	for name, text := range map[string]string{"empty": "", "no ID": "colour\nred\n", "twice": "id\nu1\nU1\n", "time": "id,submitted\nu1,yesterday\n"} {
		_, err := Read(strings.NewReader(text))
		require.Error(t, err, name)
	}
	r, err := Read(strings.NewReader("id,submitted\nu1,2026-03-04T05:06+02:00\nu2,\"Wednesday, 4 March 2026, 11:59 PM\"\n"))
	require.NoError(t, err)
	assert.Equal(t, "2026-03-04 03:06:00 +0000 UTC", r.Submitted("u1").String())
	assert.Equal(t, "2026-03-04 23:59:00 +0000 UTC", r.Submitted("u2").String())
	assert.Zero(t, r.Submitted("u3"))
}

func TestSafeIDs(t *testing.T) {
	for in, want := range map[string]string{
		"jane": "jane", "Jane Doe": "Jane_Doe", "../../etc": "_.._.._etc", "": "_", "..": "_", "=1+1": "_1+1", "CON": "_CON",
		"a/b": "a_b", "\u202ejane": "_jane", "müller": "müller", strings.Repeat("x", 200): strings.Repeat("x", 80),
		strings.Repeat("x", 79) + " 0": strings.Repeat("x", 79), "-" + strings.Repeat("x", 90): "_-" + strings.Repeat("x", 78),
		strings.Repeat("ü", 41): strings.Repeat("ü", 40), "x" + strings.Repeat("ü", 40): "x" + strings.Repeat("ü", 39),
	} {
		assert.Equal(t, want, SafeID(in), "%q", in)
		assert.Equal(t, want, SafeID(want), "an ID that is safe stays as it is")
	}
}

func TestFind(t *testing.T) {
	r, err := Read(strings.NewReader("id,name\nu1,\"Doe, Jane\"\nu2,Ann Lee\nu3,Ann Lee\n"))
	require.NoError(t, err)
	for key, want := range map[string]string{"U1": "u1", "doejane": "u1", "u2": "u2", "Ann Lee": "", "nobody": ""} {
		got, ok := r.Find([]string{"unknown", key})
		assert.Equal(t, want, got.ID, key)
		assert.Equal(t, want != "", ok, key)
	}
}
