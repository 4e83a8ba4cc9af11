// Package wire talks to one Fluss server: frames, API keys and versions, error codes, and Conn, a connection that
// any number of goroutines share. Bodies pass through as bytes. Those of the five hot requests (LOOKUP,
// PREFIX_LOOKUP, PUT_KV, PRODUCE_LOG, FETCH_LOG) are written and read by hand, all others by the generated code in
// flusspb. It knows nothing of tables, rows or leaders, and repeats nothing.
//
// # The way of a call
//
//	Start   encodes the frame into a buffer of its own, then takes the lock: the call joins the queue,
//	        and while fewer than MaxInFlight await an answer, the first of the queue gets the next
//	        request id, moves to inflight, and its bytes move to the outbox.
//	flush   whoever finds no flusher becomes it, swaps the outbox for an empty one and writes it without
//	        the lock. A caller does so for one round, if the bytes are few enough not to block; else, and
//	        for what came meanwhile, a goroutine does until the outbox is empty. The read loop never
//	        writes: a server that waits until its answers are read would stop both ends.
//	answer  the read loop matches the id, takes the call out of inflight, lets the next one of the queue
//	        in, and calls Answered.
//
// Whoever takes a call out of inflight or of the queue, under the lock, answers it: that is how Answered comes
// exactly once. It may be the read loop, the timer of the silence limits, a Do that gives up, GiveUp, or whoever settles a
// broken connection.
//
// # How a call can end
//
//	answered      body, or a *ServerError
//	too large     *ErrResponseTooLarge or *ErrRequestTooLarge; the connection lives on
//	silent        *SilenceError; the connection lives on and drops a late answer
//	given up      a *CallError around the context's error (Do) or around the cause (GiveUp); likewise
//	broken        *CallError around the reason: the socket's error, ErrClosed, a *ServerFailure, a *ProtocolError
//
// Sent tells for each whether the request may have reached the server. In a broken connection a call was sent if the
// socket took at least one byte of its frame. This is known only when the last Write has returned, so that it is
// the flusher who settles a connection that breaks while one is at work.
//
// Request ids are given out in ascending order and never again. An answer to an id that is not in inflight was
// asked for by a call that is over, and is dropped; one to an id not given out yet breaks the connection.
//
// # Locks and goroutines
//
// There is one lock, Conn.mu, and nothing is done under it but moving calls: no I/O, no channel, no callback. A
// Conn has one goroutine, its read loop, and for a while a flusher; both end when the socket closes, and Close
// waits for them. Handlers may take locks of their own and call Start; so nobody may hold such a lock while
// calling Start, Do or Close.
package wire
