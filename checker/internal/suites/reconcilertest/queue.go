package reconcilertest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// queue is a queue with priorities, and what the cases ask of it in words.
type queue struct {
	*fake.WorkQueue[kit.Request]
	limits *fake.Limiter[kit.Request]
	t      *conform.T
}

// newQueue has a rate limiter that answers limit; nil is no delay at all.
func newQueue(t *conform.T, limit func(failures int) time.Duration) queue {
	limits := fake.Always[kit.Request](0)
	if limit != nil {
		limits = fake.NewLimiter(func(_ kit.Request, before int) time.Duration { return limit(before) })
	}
	return queue{fake.NewWorkQueue(t, limits), limits, t}
}

// doubling is a rate limiter: base, and twice as much after each failure.
func doubling(base time.Duration) func(int) time.Duration {
	return func(failures int) time.Duration { return base << failures }
}

// level is a queue that does not know priorities.
type level struct {
	kit.RateLimitingQueue[kit.Request]
}

// plain is q without its priorities.
func (q queue) plain() Queue { return level{q} }

// as is q with its priorities or without.
func (q queue) as(priorities bool) Queue {
	if priorities {
		return q
	}
	return q.plain()
}

// kindOfQueue is as in words.
func kindOfQueue(priorities bool) string {
	if priorities {
		return "a queue with priorities"
	}
	return "a queue without priorities"
}

// put is how the suite itself adds requests.
func (q queue) put(names ...string) {
	for _, name := range names {
		q.t.Note("adds %v to the queue", named(name))
		q.Put(0, named(name))
	}
}

// contains takes out all that waits, and requires exactly these. The sentence says which rule
// anything else breaks.
func (q queue) contains(sentence string, want ...string) {
	if wrong := q.differs(want); wrong != "" {
		q.t.Fatalf("%s %s", wrong, sentence)
	}
}

// differs takes out all that waits, and says how it differs from want; "" if it does not.
func (q queue) differs(want []string) string {
	got := []string{}
	for r, priority := range q.Take() {
		got = append(got, request{r, priority}.String())
	}
	slices.Sort(got)
	missing := slices.DeleteFunc(slices.Clone(want), func(r string) bool { return slices.Contains(got, r) })
	extra := slices.DeleteFunc(got, func(r string) bool { return slices.Contains(want, r) })
	switch {
	case len(missing) > 0 && len(extra) > 0:
		return fmt.Sprintf("The queue did not get %s, and got %s instead.", strings.Join(missing, ", "), strings.Join(extra, ", "))
	case len(missing) > 0:
		return fmt.Sprintf("The queue did not get %s.", strings.Join(missing, ", "))
	case len(extra) > 0:
		return fmt.Sprintf("The queue got %s, which was not due.", strings.Join(extra, ", "))
	}
	return ""
}

// row is a row of events that do not depend on each other. All of them come before any fails the
// case: which ones a handler gets wrong, and which not, is what names the mistake.
type row struct {
	t     *conform.T
	wrong []look
	right int
	rule  string // what all looks stand for; "" if each sentence says it
}

// look is what one look at the queue found, and the sentence that says when that was.
type look struct{ finding, sentence string }

// contains is that of the queue, and leaves the verdict to judged.
func (r *row) contains(q queue, sentence string, want ...string) {
	wrong := q.differs(want)
	if wrong == "" {
		r.right++
		return
	}
	r.t.Breaks("%s", wrong)
	r.wrong = append(r.wrong, look{wrong, sentence})
}

// judged requires that all was right.
func (r *row) judged() {
	if len(r.wrong) > 0 {
		first := strings.TrimSpace(r.wrong[0].finding + " " + r.wrong[0].sentence + " " + r.rule)
		r.t.Fatalf("%s Of %s at the queue, %d found what was due.%s", first, conform.Count(len(r.wrong)+r.right, "look"), r.right, r.others())
	}
}

// others is what else was wrong: behind the first, because a screen may end before it.
func (r *row) others() string {
	if len(r.wrong) == 1 {
		return ""
	}
	var others []string
	for n, l := range r.wrong[1:] {
		if l.finding != r.wrong[n].finding {
			others = append(others, l.finding)
		}
		others = append(others, l.sentence)
	}
	return " Wrong were also: " + strings.Join(others, " ")
}

// request is a request with a priority, as it stands in messages.
type request struct {
	kit.Request
	priority int
}

func (r request) String() string {
	if r.priority == 0 {
		return r.Request.String()
	}
	return fmt.Sprintf("%v with priority %d", r.Request, r.priority)
}

// handedOut is the priorities with which a request was handed out, in order.
func (q queue) handedOut(name string) []int {
	var priorities []int
	for _, c := range q.Calls() {
		if c.Method == "Get" && c.Item == named(name) {
			priorities = append(priorities, c.Priority)
		}
	}
	return priorities
}

// count is how often the workers have called a method about a request.
func (q queue) count(method, name string) int {
	n := 0
	for _, c := range q.Calls() {
		if c.Method == method && c.Item == named(name) {
			n++
		}
	}
	return n
}

// held is a queue that only workers call. It marks what one says about a request after Done.
type held struct {
	Queue
	q    queue
	late *[]string // the calls after Done
}

// holding is q as held sees it, with its priorities or without.
func (q queue) holding(late *[]string, priorities bool) Queue {
	h := held{q.plain(), q, late}
	if priorities {
		return heldWithPriorities{h}
	}
	return h
}

// heldWithPriorities is held in front of a queue that knows priorities.
type heldWithPriorities struct{ held }

// AddWithOpts is passed on.
func (h heldWithPriorities) AddWithOpts(o kit.AddOpts, items ...kit.Request) {
	for _, r := range items {
		h.check("AddWithOpts", r)
	}
	h.q.AddWithOpts(o, items...)
}

// GetWithPriority is passed on.
func (h heldWithPriorities) GetWithPriority() (kit.Request, int, bool) { return h.q.GetWithPriority() }

// Forget is passed on.
func (h held) Forget(r kit.Request) {
	h.check("Forget", r)
	h.Queue.Forget(r)
}

// AddRateLimited is passed on.
func (h held) AddRateLimited(r kit.Request) {
	h.check("AddRateLimited", r)
	h.Queue.AddRateLimited(r)
}

// AddAfter is passed on.
func (h held) AddAfter(r kit.Request, after time.Duration) {
	h.check("AddAfter", r)
	h.Queue.AddAfter(r, after)
}

// NumRequeues is passed on.
func (h held) NumRequeues(r kit.Request) int {
	h.check("NumRequeues", r)
	return h.Queue.NumRequeues(r)
}

func (h held) check(method string, r kit.Request) {
	if !slices.Contains(h.q.Held(), r) {
		h.q.t.Breaks("%s(%v) is called after Done(%v).", method, r, r)
		*h.late = append(*h.late, fmt.Sprintf("%s(%v)", method, r))
	}
}

// untouched is a queue that is asked for failures by nobody, or marks that.
type untouched struct {
	Queue
	t     *conform.T
	asked *bool
}

// NumRequeues is passed on.
func (u untouched) NumRequeues(r kit.Request) int {
	u.t.Breaks("NumRequeues(%v) of the queue is called.", r)
	*u.asked = true
	return u.Queue.NumRequeues(r)
}

// strayWords is what was said of requests that nobody was working on.
func (q queue) strayWords() []string {
	var strays []string
	for _, c := range q.Calls() {
		if !c.Held && c.Method != "Get" && c.Method != "ShutDown" {
			strays = append(strays, fmt.Sprintf("%s(%v) after %v", c.Method, c.Item, c.At))
		}
	}
	return strays
}

// shutOnce requires that the queue was shut down once. The sentence says what has happened.
func (q queue) shutOnce(sentence string) {
	if n := q.shut(); n != 1 {
		q.t.Fatalf("%s, and ShutDown of the queue was called %s. Once was due.", sentence, conform.Count(n, "time"))
	}
}

// shutAsItEnds demands that the queue was shut down once, or not more than once if Start has returned
// an error.
func (q queue) shutAsItEnds(err error, sentence string) {
	if err == nil {
		q.shutOnce(sentence)
		return
	}
	q.t.Require(q.shut() <= 1, "%s, and ShutDown of the queue was called %s. Once is enough.", sentence, conform.Count(q.shut(), "time"))
}

// shut is how often ShutDown was called.
func (q queue) shut() int {
	another := func(c fake.QueueCall[kit.Request]) bool { return c.Method != "ShutDown" }
	return len(slices.DeleteFunc(q.Calls(), another))
}
