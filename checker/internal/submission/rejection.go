package submission

import "fmt"

// Kind says by which rule a submission was rejected. A Kind is part of the result format
// and never changes.
type Kind string

// The kinds of Rejection.
const (
	Path      Kind = "path"      // an absolute path, one that leaves its archive, or one that systems read differently
	Irregular Kind = "irregular" // a link, a device, a directory where a file belongs
	Size      Kind = "size"      // too many bytes, packed, unpacked or promised
	Count     Kind = "count"     // too many files
	Depth     Kind = "depth"     // folders too deep
	Duplicate Kind = "duplicate" // two entries of one name, with or without regard to case
	Corrupt   Kind = "corrupt"   // cut off, or not what it says it is
	Encrypted Kind = "encrypted" // needs a password
	Format    Kind = "format"    // an archive of a kind that is not read
	Ambiguous Kind = "ambiguous" // the same lab twice, and not the same
	Unread    Kind = "unread"    // the file system would not give it
)

// Rejection says why a submission, or one lab of it, is not read. It is the student's
// to fix, never a failure of the checker.
type Rejection struct {
	Kind Kind
	Why  string // one sentence
}

func (r *Rejection) Error() string { return fmt.Sprintf("%s: %s", r.Kind, r.Why) }

// reject makes a Rejection. The caller quotes names in it: a student chose them.
func reject(kind Kind, format string, args ...any) *Rejection {
	return &Rejection{Kind: kind, Why: fmt.Sprintf(format, args...)}
}
