package wire

// callList is a queue of calls linked through the calls themselves, so that one in the middle can leave.
type callList struct {
	first, last *call
	n           int
}

func (l *callList) push(k *call) {
	k.prev, k.next = l.last, nil
	if l.last == nil {
		l.first = k
	} else {
		l.last.next = k
	}
	l.last = k
	l.n++
}

func (l *callList) pop() *call {
	k := l.first
	l.remove(k)
	return k
}

func (l *callList) remove(k *call) {
	if k.prev == nil {
		l.first = k.next
	} else {
		k.prev.next = k.next
	}
	if k.next == nil {
		l.last = k.prev
	} else {
		k.next.prev = k.prev
	}
	k.prev, k.next = nil, nil
	l.n--
}
