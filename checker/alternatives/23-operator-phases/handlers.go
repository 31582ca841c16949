package operator

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type databaseHandler struct{ enqueue func(kit.Request) }

func (h databaseHandler) OnAdd(db *kit.Database, _ bool)    { h.enqueue(kit.RequestFor(db)) }
func (h databaseHandler) OnDelete(db *kit.Database, _ bool) {}
func (h databaseHandler) OnUpdate(a, b *kit.Database) {
	switch {
	case a.ResourceVersion == b.ResourceVersion, a.Generation != b.Generation, a.UID != b.UID,
		a.DeletionTimestamp == nil && b.DeletionTimestamp != nil, !slices.Equal(a.Finalizers, b.Finalizers):
		h.enqueue(kit.RequestFor(b))
	}
}

// DatabaseHandler is a type of its own.
func (r *DatabaseReconciler) DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database] {
	return databaseHandler{enqueue}
}

type secretHandler struct {
	databases kit.Indexer[*kit.Database]
	enqueue   func(kit.Request)
}

func (h secretHandler) OnAdd(s *kit.Secret, _ bool)    { h.about(s) }
func (h secretHandler) OnDelete(s *kit.Secret, _ bool) { h.about(s) }
func (h secretHandler) OnUpdate(a, b *kit.Secret) {
	if a.ResourceVersion == b.ResourceVersion {
		return
	}
	h.about(b)
	h.owner(a)
}

func (h secretHandler) about(s *kit.Secret) {
	h.owner(s)
	users, err := h.databases.ByIndex("phases", s.Namespace+"/"+s.Name)
	if err != nil {
		return
	}
	for _, user := range users {
		h.enqueue(kit.RequestFor(user))
	}
}

func (h secretHandler) owner(s *kit.Secret) {
	if ref := s.ControllerOf(); ref != nil && ref.Kind == kit.Databases.Kind {
		h.enqueue(kit.Request{Namespace: s.Namespace, Name: ref.Name})
	}
}

// SecretHandler is a type of its own.
func (r *DatabaseReconciler) SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret] {
	return secretHandler{databases: r.o.DatabaseCache, enqueue: enqueue}
}
