package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/real"
	"github.com/controllerbook/controllerbook/checker/internal/real/site"
	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// realOptions are the flags of real.
type realOptions struct {
	runOptions
	server real.Options
}

func newReal(a *app) *cobra.Command {
	var o realOptions
	cmd := &cobra.Command{
		Use:   "real [LAB…]",
		Short: "run your labs against a real Kubernetes API server",
		Long: `real runs your client (lab 09), informers (14 to 17), queues (10 to 13), controller
(19), ReplicaSet controller (20) and operator (23), unchanged, against a Kubernetes API
server, and compares what they hold in the end with what client-go lists there. The
operator's cloud is made up. With LAB it runs the cases that are about these labs only.

Without --kubeconfig it starts a server of its own on loopback: etcd and
kube-apiserver from PATH, or else ones that it builds from Kubernetes' source, once,
which takes some minutes. Nothing of that server is left behind.

With --kubeconfig it uses that cluster: in namespaces that it makes and removes, with a
CustomResourceDefinition of its own and, for lab 23, databases.book.example, which must
not be there; and without the cases that break the server. It refuses a cluster that looks like one that people depend on: one whose context,
cluster or address says production, and one that is not named as kind and its like
name theirs and has several nodes or a namespace of somebody's. --i-know uses it all
the same.`,
		Example: "  checker real\n  checker real 9 17\n  checker real --case the-server-restarts\n  checker real --kubeconfig ~/.kube/config --context kind-kind",
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.seed == 0 {
				o.seed = newSeed()
			}
			return a.real(cmd.Context(), args, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.server.Kubeconfig, "kubeconfig", "", "use the cluster of this kubeconfig")
	f.StringVar(&o.server.Context, "context", "", "the context of the kubeconfig; the current one if there is none")
	f.BoolVar(&o.server.Known, "i-know", false, "use the cluster although it looks like one that people depend on")
	f.StringSliceVar(&o.cases, "case", nil, "run only this case (may be given again)")
	f.StringVar(&o.subject, "subject", "learner", "whose code: learner or solution")
	f.StringSliceVar(&o.reference, "reference", nil, "use the reference in place of these labs of yours, or of all: 10,14")
	f.BoolVar(&o.raw, "raw", false, "print the original text of the runtime and the race detector")
	f.Uint64Var(&o.seed, "seed", 0, "replay the inputs of an earlier run")
	f.BoolVar(&o.timeline, "timeline", false, "draw the history of a failing case as lanes, one line for each thing that happened")
	return cmd
}

func checkReal(o realOptions) error {
	switch {
	case o.server.Kubeconfig == "" && (o.server.Context != "" || o.server.Known):
		return usageError{errors.New("--context and --i-know are about the cluster of a --kubeconfig")}
	case o.server.Kubeconfig != "":
		if _, err := os.Stat(o.server.Kubeconfig); err != nil {
			return usageError{fmt.Errorf("the kubeconfig cannot be read: %w", err)}
		}
	}
	return o.runOptions.check()
}

func (a *app) real(ctx context.Context, args []string, o realOptions) error {
	if err := checkReal(o); err != nil {
		return err
	}
	cases, skipped, err := chooseReal(o, args)
	if err != nil {
		return err
	}
	w, closeAll, err := a.open()
	if err != nil {
		return err
	}
	defer closeAll()
	lab, err := real.Lab(cases)
	if err != nil {
		return err
	}
	s, err := stackOf(o, w.Root, lab)
	if err != nil {
		return err
	}
	screen := a.screen(a.Out)
	o.server.Databases = real.NeedDatabases(cases)
	session, err := real.Open(ctx, real.Builder{Root: w.Root, Say: func(program string) { screen.Note(buildingReal(program)) }}, o.server, w.Temp)
	if err != nil {
		return a.noServer(ctx, err)
	}
	err = a.againstServer(ctx, w, screen, session, s, o)
	if left := a.noServer(context.Background(), session.Close()); err == nil {
		err = left
	}
	if len(skipped) > 0 && err == nil {
		screen.Note("Not run, because they break or restart the server, or need one without controllers of its own: " + strings.Join(skipped, ", ") + ". checker real without --kubeconfig runs them.")
	}
	return err
}

func buildingReal(program string) string {
	if program == "server" {
		return "Building etcd and kube-apiserver from source, once: this takes some minutes …"
	}
	return "Building the witness, client-go, once …"
}

// chooseReal are the cases that are meant, and the names of those that this server is not for.
func chooseReal(o realOptions, args []string) (cases []real.Case, skipped []string, err error) {
	var labs []catalog.Lab
	for _, name := range args {
		lab, err := catalog.Find(name)
		if err != nil {
			return nil, nil, err
		}
		labs = append(labs, lab)
	}
	all := real.About(labs)
	if len(all) == 0 {
		return nil, nil, usageError{fmt.Errorf("no case against a real server is about %s", strings.Join(args, " or "))}
	}
	for _, name := range o.cases {
		if !slices.ContainsFunc(all, func(c real.Case) bool { return c.Name == name }) {
			return nil, nil, usageError{fmt.Errorf("there is no case %q: there are %s", name, strings.Join(namesOfReal(all), ", "))}
		}
	}
	for _, c := range all {
		switch {
		case len(o.cases) > 0 && !slices.Contains(o.cases, c.Name):
		case c.Own && o.server.Kubeconfig != "":
			skipped = append(skipped, c.Name)
		default:
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return nil, nil, usageError{errors.New("these cases break or restart the server, or need one without controllers of its own: leave out --kubeconfig")}
	}
	return cases, skipped, nil
}

func namesOfReal(cases []real.Case) []string {
	var all []string
	for _, c := range cases {
		all = append(all, c.Name)
	}
	return all
}

// stackOf is the code that is meant: of all labs of the stack, the learner's or the reference.
func stackOf(o realOptions, root string, lab catalog.Lab) (subject.Subject, error) {
	if o.subject == "solution" || slices.Contains(o.reference, "all") {
		return subject.Solution(root, lab) // its parts are the reference's, too
	}
	s, err := subject.Learner(root, lab)
	if err != nil {
		return s, err
	}
	var parts []string
	for _, name := range o.reference {
		of, err := catalog.Find(strings.TrimSpace(name))
		if err != nil {
			return s, err
		}
		if of.Dir != lab.Dir {
			parts = append(parts, name)
			continue
		}
		learners := s.Parts
		if s, err = subject.Solution(root, lab); err != nil { // of the lab below the others
			return s, err
		}
		s.Parts = learners
	}
	return withReference(s, parts)
}

// noServer reports why there is no run. Where the machine or the cluster failed it is the
// checker that cannot do its work.
func (a *app) noServer(ctx context.Context, err error) error {
	var p *real.Problem
	if err == nil || ctx.Err() != nil || !errors.As(err, &p) {
		return err
	}
	if p.Usage {
		return usageError{errors.New(p.Message + ". " + p.Help)}
	}
	a.screen(a.Err).Problem(p.Message+".", p.Help)
	return errBroken
}

// againstServer runs the cases, those last and one by one that break the server or need it
// for themselves. The others wait most of the time, and have namespaces of their own.
func (a *app) againstServer(ctx context.Context, w *workshop, screen *render.Screen, session *real.Session, s subject.Subject, o realOptions) error {
	file := filepath.Join(w.Temp, "site.json")
	if err := session.Site.Write(file); err != nil {
		return err
	}
	w.Kit.Env = []string{site.Env + "=" + file}
	w.Kit.Budget = gotest.Budget{AtOnce: 2 * runtime.GOMAXPROCS(0)}
	screen.RealStart(s.Lab, aboutServer(session, o))
	noteExtra(screen, s)
	cases := s.Lab.Cases
	lines := inOrder(cases, func(c conform.Meta, r outcome.Result) { screen.CaseLine(c, r) })
	order := judge.Order{Subject: s, Cases: cases, Seed: o.seed, Isolate: true, Single: real.Single(), Done: func(r outcome.Result) {
		if !r.Verdict.Refused() {
			lines(r)
		}
	}}
	j, err := judge.Judge(ctx, w.Kit, order)
	if err != nil {
		return err
	}
	for i, r := range j.Results {
		if r.Verdict.Group() != verdict.NotBegun { // what is to be built has its lab's lesson
			j.Results[i].Lab = explain.Real
		}
	}
	showDetails(screen, s, j, cases, o.runOptions)
	step, err := a.blameReal(ctx, w, order, j, screen)
	if err != nil {
		return err
	}
	screen.NextStep(step)
	screen.RealEnd(s.Lab, j.Results, func(name string) string { return againReal(o, name) })
	total := result.NewRun(o.subject, o.seed)
	total.Add(s.Lab.Lab, j.Results, result.NewRefusal(j.Compiler, j.Refused, j.Violations))
	return answer(total)
}

// blameReal says which lab is at fault. Lab 09 is the one that the others are parts of.
func (a *app) blameReal(ctx context.Context, w *workshop, order judge.Order, j judge.Judgement, screen *render.Screen) (explain.Step, error) {
	if len(order.Subject.Parts) == 0 {
		return explain.Step{}, nil
	}
	return blame(ctx, w.Kit, order, j, screen.Note)
}

func aboutServer(session *real.Session, o realOptions) string {
	if o.server.Kubeconfig != "" {
		return fmt.Sprintf("Kubernetes %s, the cluster of %s. client-go is the witness.", session.Version, o.server.Kubeconfig)
	}
	return fmt.Sprintf("Kubernetes %s, started for this run on loopback. client-go is the witness.", session.Version)
}

// againReal is the command that runs one case again.
func againReal(o realOptions, name string) string {
	command := "checker real --case " + name
	if o.server.Kubeconfig != "" {
		command += " --kubeconfig " + o.server.Kubeconfig
	}
	return command
}

// checkServer says which server checker real would run against, without a kubeconfig.
func checkServer() render.Check {
	c := render.Check{Name: "real server"}
	if etcd, apiserver, ok := real.OnPath(); ok {
		c.Found = etcd + " and " + apiserver
		return c
	}
	root, err := findRoot()
	if err != nil {
		c.State, c.Found = render.Warn, "no repository, no server"
		return c
	}
	file, there, err := real.Builder{Root: root}.Cached("server")
	switch {
	case err != nil:
		c.State, c.Found = render.Warn, err.Error()
	case there:
		c.Found = "built from source: " + file
	default:
		c.Found = "none yet: checker real builds etcd and kube-apiserver from source, once, in some minutes"
	}
	return c
}
