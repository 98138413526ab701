package assembly

// queue is a first-in first-out list whose members may also leave from the middle. Its links are
// part of the members, so moving one allocates nothing. A zero queue is empty.
type queue[T any] struct {
	first, last *link[T]
	n           int
}

// link is a member's place in at most one queue.
type link[T any] struct {
	prev, next *link[T]
	of         T // the member
}

// front returns the member that came first, or the zero T.
func (q *queue[T]) front() (m T) {
	if q.first != nil {
		m = q.first.of
	}
	return m
}

// push appends l, which must be in no queue.
func (q *queue[T]) push(l *link[T]) {
	l.prev = q.last
	if q.last == nil {
		q.first = l
	} else {
		q.last.next = l
	}
	q.last = l
	q.n++
}

// remove takes l out of q, which must be the queue it is in.
func (q *queue[T]) remove(l *link[T]) {
	if l.prev == nil {
		q.first = l.next
	} else {
		l.prev.next = l.next
	}
	if l.next == nil {
		q.last = l.prev
	} else {
		l.next.prev = l.prev
	}
	l.prev, l.next = nil, nil
	q.n--
}
