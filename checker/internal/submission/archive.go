package submission

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// archive is an archive on disk.
type archive struct {
	path  string
	label string // its name without the ending: it may name a lab
}

func (a archive) each(m *meter, visit func(entry) error) error {
	f, err := openRegular(a.path)
	if err != nil {
		return unread(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return unread(err)
	}
	return unread(unpack(m, f, info.Size(), a.label, visit))
}

// unpack visits the entries of an archive. Its first bytes say of which kind it is, not
// its name, which a student chose.
func unpack(m *meter, r io.ReaderAt, size int64, label string, visit func(entry) error) error {
	if size > m.Packed {
		return reject(Size, "The archive is larger than %d MiB.", m.Packed>>20)
	}
	head := make([]byte, 512)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	below := func(e entry) error {
		e.name = path.Join(label, path.Clean(e.name))
		return visit(e)
	}
	whole := io.NewSectionReader(r, 0, size)
	switch head = head[:n]; {
	case bytes.HasPrefix(head, []byte("PK")):
		return unzip(m, r, size, below)
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return gunzip(m, whole, below)
	case n > 262 && string(head[257:262]) == "ustar":
		return untar(m, whole, below)
	case bytes.HasPrefix(head, []byte("Rar!")), bytes.HasPrefix(head, []byte("7z\xbc\xaf")),
		bytes.HasPrefix(head, []byte("BZh")), bytes.HasPrefix(head, []byte("\xfd7zXZ")), bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return reject(Format, "Only zip, tar and tar.gz are read.")
	}
	return reject(Corrupt, "It is no zip, tar or tar.gz, or its beginning is gone.")
}

func gunzip(m *meter, r io.Reader, visit func(entry) error) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return corrupt(err)
	}
	return untar(m, &metered{r: z, m: m}, visit)
}

// metered counts what comes out of a decompressor: reading a tar inflates all of its
// files, wanted or not.
type metered struct {
	r io.Reader
	m *meter
}

func (c *metered) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if over := c.m.unpack(int64(n)); over != nil {
		return n, over
	}
	return n, err
}

func untar(m *meter, r io.Reader, visit func(entry) error) error {
	whole := &ending{r: r}
	t := tar.NewReader(whole)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) && whole.reached { // before the blocks of zeros that end every tar
			err = io.ErrUnexpectedEOF
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return corrupt(err)
		}
		if err := tarEntry(m, t, h, visit); err != nil {
			return err
		}
	}
}

// ending notes whether a reader has reached its end. Package tar accepts an archive that
// was cut off between two files as complete.
type ending struct {
	r       io.Reader
	reached bool
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	e.reached = e.reached || n == 0 && errors.Is(err, io.EOF)
	return n, err
}

func tarEntry(m *meter, t *tar.Reader, h *tar.Header, visit func(entry) error) error {
	name := strings.TrimPrefix(h.Name, "./") // tar -C DIR . writes it before every name
	if h.Typeflag == tar.TypeXGlobalHeader || name == "" || name == "." {
		return nil
	}
	if err := m.admit(name); err != nil {
		return err
	}
	if ignored(strings.TrimSuffix(name, "/")) {
		return nil
	}
	e := entry{name: name, size: h.Size, mod: h.ModTime, open: func() (io.ReadCloser, error) { return io.NopCloser(t), nil }}
	switch h.Typeflag {
	case tar.TypeReg:
	case tar.TypeDir:
		e.kind = folder
	default:
		return reject(Irregular, "The entry %s is a link or a device.", printable.Quote(h.Name))
	}
	if h.Size > m.Unpacked { // a sparse file promises what it does not hold
		return reject(Size, "The entry %s is larger than %d MiB.", printable.Quote(h.Name), m.Unpacked>>20)
	}
	return visit(e)
}

// unzip reads the table of contents within its limit: it is held in memory.
func unzip(m *meter, r io.ReaderAt, size int64, visit func(entry) error) error {
	z, err := tableOfContents(r, size, m.Directory)
	if err != nil {
		return err
	}
	for _, f := range z.File {
		if err := zipEntry(m, f, f.Name, visit); err != nil {
			return err
		}
	}
	return nil
}

func tableOfContents(r io.ReaderAt, size, limit int64) (*zip.Reader, error) {
	guard := &limitedReaderAt{r: r, size: size, left: limit}
	z, err := zip.NewReader(guard, size)
	if err != nil {
		return nil, corrupt(err)
	}
	guard.left = -1
	return z, nil
}

// limitedReaderAt reads at most left bytes and then rejects. A negative left is no limit. It
// rejects what lies outside the archive, which a table of contents can name: a file would call
// that an error of the machine.
type limitedReaderAt struct {
	r    io.ReaderAt
	size int64
	left int64
}

func (r *limitedReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off > r.size {
		return 0, reject(Corrupt, "Its table of contents names something outside of it.")
	}
	if r.left >= 0 {
		if r.left < int64(len(p)) {
			return 0, reject(Size, "Its table of contents is too long.")
		}
		r.left -= int64(len(p))
	}
	return r.r.ReadAt(p, off)
}

// encryptedFlag is bit 0 of a zip entry's general purpose flags (APPNOTE 4.4.4).
const encryptedFlag = 1

func zipEntry(m *meter, f *zip.File, name string, visit func(entry) error) error {
	if err := m.admit(name); err != nil {
		return err
	}
	if ignored(strings.TrimSuffix(name, "/")) {
		return nil
	}
	e := entry{name: name, kind: kindOf(f.Mode()), size: int64(f.UncompressedSize64), mod: f.Modified, open: f.Open}
	if strings.HasSuffix(name, "/") {
		e.kind = folder
	}
	switch {
	case e.kind == irregular:
		return reject(Irregular, "The entry %s is a link or a device.", printable.Quote(name))
	case f.Flags&encryptedFlag != 0:
		return reject(Encrypted, "The entry %s needs a password.", printable.Quote(name))
	}
	if err := m.unpack(e.size); err != nil {
		return err
	}
	return visit(e)
}

// corrupt turns an error of an archive's reader into a Rejection. An error that is one
// already, because a limit was reached, stays as it is.
func corrupt(err error) error {
	var known *Rejection
	if errors.As(err, &known) {
		return known
	}
	return reject(Corrupt, "The archive cannot be read to its end (%v).", err)
}

// unpackInner unpacks an archive that is itself an entry: of a student's folder, or of the
// LMS's export.
func unpackInner(m *meter, e entry, label string, visit func(entry) error) error {
	if e.size > m.Packed {
		return reject(Size, "The archive %s is larger than %d MiB.", printable.Quote(e.name), m.Packed>>20)
	}
	r, err := e.open()
	if err != nil {
		return corrupt(err)
	}
	defer r.Close()
	if f, ok := r.(*os.File); ok {
		return unpack(m, f, e.size, label, visit)
	}
	return spooled(m, r, label, visit)
}

// spooled unpacks an archive that comes as a stream: a small one from memory, a large
// one from a temporary file.
func spooled(m *meter, r io.Reader, label string, visit func(entry) error) error {
	const small = 1 << 20
	var head bytes.Buffer
	n, err := io.CopyN(&head, r, small)
	if errors.Is(err, io.EOF) {
		return unpack(m, bytes.NewReader(head.Bytes()), n, label, visit)
	}
	if err != nil {
		return corrupt(err)
	}
	f, err := os.CreateTemp(m.temp, "archive-")
	if err != nil {
		return fmt.Errorf("keep an archive while it is read: %s", err.Error()) // not wrapped: it is our error, and must not count as the student's
	}
	defer os.Remove(f.Name())
	defer f.Close()
	n, err = io.Copy(f, io.LimitReader(io.MultiReader(&head, r), m.Packed+1))
	var disk *fs.PathError
	if errors.As(err, &disk) {
		return fmt.Errorf("keep an archive while it is read: %s", err.Error())
	}
	if err != nil {
		return corrupt(err)
	}
	return unpack(m, f, n, label, visit)
}

// endings are the file name extensions of archives.
var endings = []string{".tar.gz", ".tgz", ".zip", ".tar", ".rar", ".7z", ".tar.bz2", ".tar.xz", ".tar.zst", ".gz", ".bz2", ".xz"}

// cutEnding removes an archive's extension from its name, and reports whether it had one.
func cutEnding(name string) (string, bool) {
	lower := strings.ToLower(name)
	for _, e := range endings {
		if len(name) > len(e) && strings.HasSuffix(lower, e) {
			return name[:len(name)-len(e)], true
		}
	}
	return name, false
}
