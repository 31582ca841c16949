package sandbox

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// The checker starts a confined process by running itself again with launchWord as the
// first argument. That launcher confines itself and then becomes the process by an exec.
// What was set up before the exec cannot be undone after it.
const (
	self       = "/proc/self/exe" // in the child, before it is anything else
	launchWord = "confine!"
	probeWord  = "confined!" // the trial of Choose
	probeExit  = 42
)

// The launcher's descriptors beside 3, which is the process's own.
const (
	statusFD  = 4 // the launcher says here how far it got; closed by the exec
	programFD = 5 // the program; closed by the exec
)

// order is what the launcher is to do. It travels as an argument; there is nothing
// secret in it.
type order struct {
	Mode     Mode
	Nobody   bool
	ABI      int
	Path     string // of the program, where the mode is None; the others have its descriptor only
	Dir      string
	Args     []string // of the process, with its name
	Env      []string
	Read     []string
	Write    []string
	Loopback bool
	Limits   Limits
}

// launch is a launcher about to be started.
type launch struct {
	mode   Mode
	status *os.File // read end
	ours   []*os.File
}

// wrap makes cmd start the launcher instead of the program. Where c has no Orders,
// descriptor 3 is the null device.
func wrap(cmd *exec.Cmd, c Command) (_ *launch, err error) {
	l := &launch{mode: c.Isolation.Mode}
	defer func() {
		if err != nil {
			l.close()
		}
	}()
	program, err := os.Open(c.Path)
	if err != nil {
		return nil, err
	}
	l.ours = append(l.ours, program)
	var needed []string
	if c.Isolation.Confined() { // otherwise it may read everything, and be a script: many a go command is one
		if needed, err = libraries(c.Path, program); err != nil {
			return nil, &ConfineError{l.mode, err.Error()}
		}
	}
	if c.Orders == nil {
		null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		l.ours = append(l.ours, null)
		cmd.ExtraFiles = []*os.File{null}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	l.status, l.ours = r, append(l.ours, w)
	text, err := json.Marshal(c.order(needed))
	if err != nil {
		return nil, err
	}
	cmd.ExtraFiles = append(cmd.ExtraFiles, w, program)
	cmd.Path, cmd.Args = self, []string{"checker", launchWord, string(text)}
	cmd.Dir, cmd.Env = "", []string{"GOMAXPROCS=1"}
	if l.mode == Namespaces {
		namespace(cmd.SysProcAttr, c.Isolation.nobody && !c.Own)
	}
	return l, nil
}

// order is the launcher's part of the command. The process may read the libraries beside
// what the command says.
func (c Command) order(libraries []string) order {
	path := ""
	if c.Isolation.Mode == None {
		path = c.Path
	}
	return order{
		Path: path, Mode: c.Isolation.Mode, Nobody: c.Isolation.nobody && !c.Own, ABI: c.Isolation.abi,
		Dir: c.Dir, Args: append([]string{filepath.Base(c.Path)}, c.Args...), Env: c.Env,
		Read: append(libraries, c.Read...), Write: c.Write,
		Loopback: c.Loopback && c.Isolation.Mode == Namespaces, Limits: c.Limits,
	}
}

// nobody is the user that has no files, by convention the same number everywhere.
const nobody = 65534

// namespace makes the launcher start in namespaces of its own, as their root. Outside its
// user is nobody, or the checker's own.
func namespace(attr *syscall.SysProcAttr, asNobody bool) {
	uid, gid := os.Geteuid(), os.Getegid()
	if asNobody {
		uid, gid = nobody, nobody
	}
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET |
		syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS | syscall.CLONE_NEWNS
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}}
	root := os.Geteuid() == 0
	attr.GidMappingsEnableSetgroups = root
	attr.Credential = &syscall.Credential{NoSetGroups: !root}
}

// candidates are the ways to try a mode. For a checker that runs as root, nobody comes
// first.
func candidates(mode Mode) []Isolation {
	i := Isolation{Mode: mode, abi: landlockABI()}
	switch {
	case mode == Landlock && i.abi == 0:
		return nil
	case os.Geteuid() != 0:
		return []Isolation{i}
	}
	asNobody := i
	asNobody.nobody = true
	return []Isolation{asNobody, i}
}

// failed is the error of a launcher that did not start. A machine that gives no more
// namespaces says "no space left on device".
func (l *launch) failed(err error) error {
	if l == nil {
		return err
	}
	return &ConfineError{l.mode, err.Error()}
}

// started closes what only the launcher needs.
func (l *launch) started() {
	if l == nil {
		return
	}
	for _, f := range l.ours {
		f.Close()
	}
	l.ours = nil
}

func (l *launch) close() {
	l.started()
	if l != nil && l.status != nil {
		l.status.Close()
	}
}

// exceeded says nothing here: the kernel keeps the limits.
func (*launch) exceeded() excess { return within }

// ready is what the launcher writes last, before it becomes the process. Everything
// after it, or anything else, says why it could not.
const ready = "ready "

// verify returns once the launcher is gone, with the reason if it did not become
// the process. It cannot be forged: the exec closes the descriptor.
func (l *launch) verify() error {
	if l == nil {
		return nil
	}
	defer l.status.Close()
	text, _ := io.ReadAll(io.LimitReader(l.status, 1<<12))
	if string(text) == ready {
		return nil
	}
	said := strings.TrimSpace(strings.TrimPrefix(string(text), ready))
	if said == "" {
		said = "the launcher ended before it was done"
	}
	return &ConfineError{l.mode, said}
}
