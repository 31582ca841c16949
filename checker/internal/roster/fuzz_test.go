package roster

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzRead: whatever a roster holds, IDs can be file names and are nobody else's.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"id,name,group\ns1,\"Doe, Jane\",a\n",
		"\xef\xbb\xbfID;Name\n1;x\n1;y\n",
		"id\tname\n../../evil\t=HYPERLINK(1)\n",
		"id,submitted\ns1,2026-10-01T23:59+02:00\ns2,Monday\\, 2 January 2006\\, 3:04 PM\n",
		"email address,first name,surname\na@b,\x1b[2J,\u202e\n",
		"id\n\"\n", "id\nCON\n.\n..\n-rf\n", "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, s := range r.Students {
			assert.Equal(t, s.ID, SafeID(s.ID), "an ID that is not safe")
			assert.NotContains(t, s.ID, "/")
			assert.False(t, seen[strings.ToLower(s.ID)], "%q is there twice", s.ID)
			seen[strings.ToLower(s.ID)] = true
			if found, ok := r.Find([]string{s.ID}); ok {
				assert.Equal(t, s.ID, found.ID, "an ID finds somebody else")
			}
		}
	})
}

// FuzzParseTime: a moment is in UTC, and what is written of it is read as the same.
func FuzzParseTime(f *testing.F) {
	for _, text := range []string{
		"2026-10-01T23:59+02:00", "2026-10-01", "Monday, 2 January 2006, 3:04 PM", "0000-01-01", "9999-12-31T23:59:59Z", "2026-02-30", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := ParseTime(text)
		if err != nil {
			return
		}
		assert.Equal(t, time.UTC, at.Location())
		if at.Year() < 0 || at.Year() > 9999 {
			return // RFC 3339 has no such years
		}
		again, err := ParseTime(at.Format(time.RFC3339Nano))
		require.NoError(t, err)
		assert.True(t, at.Equal(again), "%s became %s", at, again)
	})
}
