package cli

import (
	"context"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/cachedir"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/memo"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/stress"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// memory is what is remembered of earlier verdicts: nothing, where that cannot be. What is
// wrong with the machine then the build says better. To open it takes a tenth of a second,
// in which something else may be done: only what it returns blocks.
func memory(ctx context.Context, kit *gotest.Kit) func() *memo.Memo {
	known := sync.OnceValue(func() *memo.Memo {
		dir, err := cachedir.Of("verdicts")
		if err != nil {
			return nil
		}
		opened, err := memo.Open(ctx, dir, kit)
		if err != nil {
			return nil
		}
		return opened
	})
	go known()
	return known
}

// ruling is a verdict on a subject: of now, or remembered of the very same code.
type ruling struct {
	memo.Verdict
	remembered bool
	wavering   []string // cases that have ended in more than one way with this code

	known func() *memo.Memo
	kit   *gotest.Kit
	order judge.Order
}

// rule has an order carried out, unless its verdict is remembered and again is false. Then
// it calls remembered, with the time of the verdict, before it hands the results on. The
// build has begun by then: most code that is judged has changed.
func rule(ctx context.Context, known func() *memo.Memo, kit *gotest.Kit, order judge.Order, again bool, remembered func(time.Time)) (*ruling, error) {
	begun := judge.Begin(ctx, kit, order)
	r := &ruling{known: known, kit: kit, order: order}
	if !again {
		if r.Verdict, r.remembered = known().Recall(order); r.remembered {
			begun.Drop()
			remembered(r.At)
			for _, result := range r.Results {
				order.Done(result)
			}
			return r, nil
		}
	}
	var err error
	if r.Judgement, err = begun.Finish(); err != nil {
		return r, err
	}
	r.At = time.Now()
	r.wavering = known().Keep(order, r.Verdict)
	return r, nil
}

// ruleAnew has an order carried out, and its verdict remembered.
func ruleAnew(ctx context.Context, known func() *memo.Memo, kit *gotest.Kit, order judge.Order) (*ruling, error) {
	return rule(ctx, known, kit, order, true, nil)
}

// blame is the step to the part of the lab that is at fault for the failure to begin with,
// as the function blame finds it, or as it did before.
func (r *ruling) blame(ctx context.Context, trying func(what string)) (explain.Step, error) {
	i := explain.First(r.order.Cases, r.Results)
	if i < 0 {
		return explain.Step{}, nil
	}
	name := r.Results[i].Case
	if step, asked := r.Steps[name]; asked && r.remembered {
		return step, nil
	}
	step, err := blame(ctx, r.kit, r.order, r.Judgement, trying)
	if err == nil && len(r.order.Subject.Parts) > 0 {
		r.Steps = map[string]explain.Step{name: step}
		r.wavering = r.known().Keep(r.order, r.Verdict)
	}
	return step, err
}

// noteEnds notes which cases stress has seen fail: of one that fails at times, or that
// passed before, no verdict is shown again.
func noteEnds(ctx context.Context, kit *gotest.Kit, s stressed, counts []stress.Count) {
	var results []outcome.Result
	for _, c := range counts {
		switch {
		case c.Failures == 0:
		case c.Failures < c.Runs:
			results = append(results, outcome.Result{Case: c.Case, Verdict: verdict.Unstable})
		default:
			results = append(results, c.Kept[0].Result)
		}
	}
	if len(results) == 0 {
		return
	}
	several := judge.Order{Subject: s.Subject, Cases: s.cases, Stability: 2} // more than once, however often
	memory(context.WithoutCancel(ctx), kit)().Keep(several, memo.Verdict{Judgement: judge.Judgement{Results: results}})
}
