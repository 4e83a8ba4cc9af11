package route

import (
	"errors"

	"github.com/gofluss/fluss/internal/wire"
)

// What an answer proves about a batch:
//
//	success                              stored, once
//	success with base_offset < 0         not stored (a final refusal)
//	32                                   stored, by an earlier copy
//	final refusals                       not stored, if each copy was answered and none of the answers leaves it
//	                                     open; otherwise unknown
//	-1                                   once: send again; twice in a row: a final refusal
//	7, 21, 36                            send again after fresh metadata; a final refusal when that says that
//	                                     table or partition are gone
//	9, 12, 24, 29, 44                    send again. This copy was not stored, except that 12 (and 24) also comes from a
//	                                     leader that stored it and then lost the lead: so, once another leader or
//	                                     epoch got a copy, it counts as left open
//	10, 11, 25, 26, 28                   send again; left open
//	a code that is not known             final, and leaves it open: unknown
//	31, 33                               see choosePhase
//	no answer                            send again through fresh metadata; the copy is lost
//
// At the deadline a batch is unknown; not stored only if each copy was answered and the last with 29 or with a
// refusal. "Send again" always means the identical bytes, id and sequence, at the bucket's turn.

type answerKind uint8

const (
	answerStored answerKind = iota
	answerCode              // the server refused with a code
	answerFinal             // refused, and the same bytes will always be
	answerUnsent            // the frame did not leave whole
	answerLost              // left, and no answer will come
	answerSilent            // the same, and the connection lives on
)

// verdict is what is known of one copy.
type verdict struct {
	kind   answerKind
	code   wire.ErrorCode
	offset int64
	err    error // nil when stored
}

// verdictOf reads the error of a whole frame.
func verdictOf(err error) verdict {
	if refusal, ok := asServerError(err); ok {
		return verdict{kind: answerCode, code: refusal.Code, err: err}
	}
	if _, ok := errors.AsType[*wire.ErrRequestTooLarge](err); ok {
		return verdict{kind: answerFinal, err: err}
	}
	if _, ok := errors.AsType[*wire.UnsupportedError](err); ok {
		return verdict{kind: answerFinal, err: err}
	}
	if !wire.Whole(err) {
		return verdict{kind: answerUnsent, err: err}
	}
	if _, ok := errors.AsType[*wire.SilenceError](err); ok {
		return verdict{kind: answerSilent, err: err}
	}
	return verdict{kind: answerLost, err: err}
}

// codeClass says what to do about a code.
type codeClass uint8

const (
	classFinal    codeClass = iota
	classRow                // final, and another row of the batch may be to blame
	classAgain              // send again: this copy was not stored
	classOpen               // send again: this copy may be stored
	classLeader             // 12
	classGone               // 7, 21, 36
	classSequence           // 31, 33
	classMinus              // -1
	classStored             // 32
)

func classify(code wire.ErrorCode) codeClass {
	switch code {
	case wire.CodeDuplicateSequence:
		return classStored
	case wire.CodeOutOfOrderSequence, wire.CodeUnknownWriterID:
		return classSequence
	case wire.CodeUnknownServerError:
		return classMinus
	case wire.CodeUnknownTableOrBucket, wire.CodePartitionNotExists, wire.CodeTableNotExist:
		return classGone
	case wire.CodeNotLeaderOrFollower, wire.CodeFencedLeaderEpoch:
		return classLeader
	case wire.CodeSchemaNotExist, wire.CodeLeaderNotAvailable, wire.CodeNotEnoughReplicas:
		return classAgain
	case wire.CodeCorruptMessage, wire.CodeRecordTooLarge, wire.CodeCorruptRecord, wire.CodeDeletionDisabled:
		return classRow
	}
	if code.Retry() != wire.RetryNo {
		return classOpen
	}
	return classFinal
}
