package main

import (
	"context"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/assembly/operator"
	"github.com/controllerbook/controllerbook/checker/internal/play"
	"github.com/controllerbook/controllerbook/checker/internal/play/cloud"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// see adds the Databases and the cloud to a snapshot.
func (r *rental) see(ctx context.Context, s *play.Snapshot) {
	// The cloud first: what it creates or lets go of takes a call, so that no database is
	// taken for a leak between the two looks.
	held := r.cloud.Holds()
	all, err := r.list(ctx)
	if err != nil {
		return
	}
	for _, db := range all {
		name := operator.CloudName(db)
		i := slices.IndexFunc(held, func(h cloud.Held) bool { return h.Name == name })
		row := play.Database{
			Name: db.Name, Size: db.Spec.Size, Finalizer: slices.Contains(db.Finalizers, operator.Finalizer),
			Ready: condition(db, operator.Ready), Synced: condition(db, operator.Synced), Next: r.nextLook(kit.RequestFor(db)),
		}
		if i >= 0 {
			row.Rented = drawnRented(held[i])
			held = slices.Delete(held, i, i+1)
		}
		s.Databases = append(s.Databases, row)
	}
	for _, leaked := range held {
		s.Databases = append(s.Databases, play.Database{Rented: drawnRented(leaked)})
	}
	s.Cloud = r.report()
}

func condition(db *kit.Database, of string) play.Condition {
	c := kit.FindCondition(db.Status.Conditions, of)
	if c == nil {
		return play.Condition{}
	}
	return play.Condition{Set: true, Holds: c.Status == kit.ConditionTrue, Reason: c.Reason}
}

func drawnRented(h cloud.Held) play.Rented {
	return play.Rented{State: string(h.State), Size: h.Size, Left: h.Left}
}

// report is what the cloud says, with the names that the Databases have in the cluster.
func (r *rental) report() play.Cloud {
	report := r.cloud.Report()
	r.mu.Lock()
	defer r.mu.Unlock()
	c := play.Cloud{Down: report.Down, Calls: report.Calls, Throttled: report.Throttled}
	for _, call := range report.Last {
		name, known := r.names[call.Name]
		if !known {
			name = call.Name
		}
		c.Last = append(c.Last, play.CloudCall{
			Age: time.Since(call.At), Verb: call.Verb, Name: name, Answer: call.Answer, Refused: call.Refused,
		})
	}
	return c
}
