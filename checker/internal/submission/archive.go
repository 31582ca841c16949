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
)

// archive is an archive on disk.
type archive struct {
	path  string
	label string // what stood before the archive's ending: it may name a lab
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

// unpack visits the entries of an archive, whatever kind of archive its first bytes
// say it is. Its name is a student's word and decides nothing.
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

// metered counts what comes out of a decompressor: a tar is inflated whole, whether
// its files are wanted or not.
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

// ending notes that there was nothing left to read: package tar takes an archive that
// was cut off between two files for a whole one.
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
	if litter(strings.TrimSuffix(name, "/")) {
		return nil
	}
	e := entry{name: name, size: h.Size, mod: h.ModTime, open: func() (io.ReadCloser, error) { return io.NopCloser(t), nil }}
	switch h.Typeflag {
	case tar.TypeReg:
	case tar.TypeDir:
		e.kind = folder
	default:
		return reject(Irregular, "The entry %s is a link or a device.", quote(h.Name))
	}
	if h.Size > m.Unpacked { // a sparse file promises what it does not hold
		return reject(Size, "The entry %s is larger than %d MiB.", quote(h.Name), m.Unpacked>>20)
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
	guard := &rationed{r: r, left: limit}
	z, err := zip.NewReader(guard, size)
	if err != nil {
		return nil, corrupt(err)
	}
	guard.left = -1
	return z, nil
}

// rationed gives so many bytes and then refuses. Below zero it gives all.
type rationed struct {
	r    io.ReaderAt
	left int64
}

func (r *rationed) ReadAt(p []byte, off int64) (int, error) {
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
	if litter(strings.TrimSuffix(name, "/")) {
		return nil
	}
	e := entry{name: name, kind: kindOf(f.Mode()), size: int64(f.UncompressedSize64), mod: f.Modified, open: f.Open}
	if strings.HasSuffix(name, "/") {
		e.kind = folder
	}
	switch {
	case e.kind == irregular:
		return reject(Irregular, "The entry %s is a link or a device.", quote(name))
	case f.Flags&encryptedFlag != 0:
		return reject(Encrypted, "The entry %s needs a password.", quote(name))
	}
	if err := m.unpack(e.size); err != nil {
		return err
	}
	return visit(e)
}

// corrupt names what an archive's reader stumbled on, unless a limit stopped it.
func corrupt(err error) error {
	var known *Rejection
	if errors.As(err, &known) {
		return known
	}
	return reject(Corrupt, "The archive cannot be read to its end (%v).", err)
}

// inner is an archive that stands in another: in a student's folder, or in the
// LMS's export.
func inner(m *meter, e entry, label string, visit func(entry) error) error {
	if e.size > m.Packed {
		return reject(Size, "The archive %s is larger than %d MiB.", quote(e.name), m.Packed>>20)
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

// spooled unpacks an archive that can only be read in turn: a small one from memory,
// a large one from a file.
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
		return fmt.Errorf("keep an archive while it is read: %s", err.Error()) // ours: not to be taken for the student's
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

// endings are the names that archives go by.
var endings = []string{".tar.gz", ".tgz", ".zip", ".tar", ".rar", ".7z", ".tar.bz2", ".tar.xz", ".tar.zst", ".gz", ".bz2", ".xz"}

// cutEnding takes an archive's ending off its name, and says whether there was one.
func cutEnding(name string) (string, bool) {
	lower := strings.ToLower(name)
	for _, e := range endings {
		if len(name) > len(e) && strings.HasSuffix(lower, e) {
			return name[:len(name)-len(e)], true
		}
	}
	return name, false
}
