package upstream

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	batchv1 "k8s.io/api/batch/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

const scaleDir = "../../docs/scale/"

// TestManifestsAreWhatTheAPIServerTakes decodes the manifests of docs/scale as strictly as
// `kubectl apply --validate=strict`: an unknown or doubled field is an error.
func TestManifestsAreWhatTheAPIServerTakes(t *testing.T) {
	objects := decode(t, "job.yaml")
	require.Len(t, objects, 2)
	policy := objects[0].(*networkingv1.NetworkPolicy)
	assert.Empty(t, policy.Spec.Egress, "a grader has nobody to talk to")
	job := objects[1].(*batchv1.Job)
	assert.Equal(t, policy.Spec.PodSelector.MatchLabels, job.Spec.Template.Labels)
	assert.Equal(t, batchv1.IndexedCompletion, *job.Spec.CompletionMode)
	shards := int(*job.Spec.Completions)
	assert.EqualValues(t, shards, *job.Spec.Parallelism)
	assert.EqualValues(t, shards, *job.Spec.MaxFailedIndexes)
	for k := 1; k <= shards; k++ {
		graded(t, containerRun(t, job, fmt.Sprintf("JOB_COMPLETION_INDEX=%d", k-1)), k, shards)
	}

	merge := decode(t, "merge.yaml")[0].(*batchv1.Job)
	merged(t, containerRun(t, merge), shards)
	for _, j := range []*batchv1.Job{job, merge} {
		pod := j.Spec.Template.Spec
		assert.False(t, *pod.AutomountServiceAccountToken, "submissions must not meet a token")
		assert.True(t, *pod.SecurityContext.RunAsNonRoot)
		assert.False(t, *pod.Containers[0].SecurityContext.AllowPrivilegeEscalation)
	}
}

func decode(t *testing.T, name string) []runtime.Object {
	text, err := os.ReadFile(scaleDir + name)
	require.NoError(t, err)
	decoder := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	var objects []runtime.Object
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return objects
		}
		require.NoError(t, err)
		object, _, err := decoder.Decode(document, nil, nil)
		require.NoError(t, err, "%s:\n%s", name, document)
		objects = append(objects, object)
	}
}

// containerRun runs the command of a Job's container with a stand-in for the checker.
func containerRun(t *testing.T, job *batchv1.Job, env ...string) string {
	c := job.Spec.Template.Spec.Containers[0]
	return standIn(t, t.TempDir(), env, append(c.Command[:len(c.Command):len(c.Command)], c.Args...)...)
}

// standIn runs a command with a checker that only says what it was asked for.
func standIn(t *testing.T, dir string, env []string, command ...string) string {
	bin := filepath.Join(dir, "bin")
	require.NoError(t, os.MkdirAll(bin, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "checker"), []byte("#!/bin/sh\necho \"$*\"\n"), 0o755))
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + bin + ":" + os.Getenv("PATH")}, env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return strings.TrimSpace(string(out))
}

// graded and merged want the arguments of one command.
func graded(t *testing.T, args string, k, n int) {
	assert.Regexp(t, `^grade \S*submissions `, args)
	assert.Contains(t, args, fmt.Sprintf("shard-%d ", k), "each shard writes to a directory of its own")
	assert.Contains(t, args, fmt.Sprintf("--shard %d/%d ", k, n))
}

func merged(t *testing.T, args string, n int) {
	var shards []string
	for k := 1; k <= n; k++ {
		shards = append(shards, fmt.Sprintf("shard-%d", k))
	}
	assert.Equal(t, shards, regexp.MustCompile(`shard-\d+`).FindAllString(args, -1))
	assert.Regexp(t, `^merge \S*class `, args)
}

func TestSlurmArrayGradesEveryShardOnce(t *testing.T) {
	script, err := filepath.Abs(scaleDir + "slurm.sh")
	require.NoError(t, err)
	text, err := os.ReadFile(script)
	require.NoError(t, err)
	array := regexp.MustCompile(`(?m)^#SBATCH --array=1-(\d+)$`).FindSubmatch(text)
	require.NotNil(t, array)
	n := 0
	_, err = fmt.Sscan(string(array[1]), &n)
	require.NoError(t, err)
	run := func(k int) string {
		return standIn(t, t.TempDir(), []string{fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", k)}, "sh", script)
	}
	for k := 1; k <= n; k++ {
		graded(t, run(k), k, n)
	}
	merged(t, run(0), n)
}

func TestMatrixGradesEveryShardOnce(t *testing.T) {
	text, err := os.ReadFile(scaleDir + "ci-matrix.yml")
	require.NoError(t, err)
	var workflow struct {
		Jobs struct {
			Shard struct {
				Strategy struct{ Matrix struct{ Shard []int } }
				Steps    []struct{ Run string }
			}
			Merge struct {
				Needs string
				Steps []struct{ Run string }
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &workflow))
	matrix := workflow.Jobs.Shard.Strategy.Matrix.Shard
	require.NotEmpty(t, matrix)
	for i, k := range matrix {
		assert.Equal(t, i+1, k)
		command := strings.ReplaceAll(workflow.Jobs.Shard.Steps[3].Run, "${{ matrix.shard }}", fmt.Sprint(k))
		graded(t, strings.TrimPrefix(command, "bin/checker "), k, len(matrix))
	}
	assert.Equal(t, "shard", workflow.Jobs.Merge.Needs)
	merged(t, strings.TrimPrefix(workflow.Jobs.Merge.Steps[4].Run, "bin/checker "), len(matrix))
}
