package wire

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"github.com/gofluss/fluss/internal/fuzzbound"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// responseTypes are the generated messages that a server answers with, error answers among them.
func responseTypes(tb testing.TB) (types []protoreflect.MessageType) {
	messages := flusspb.File_gofluss_proto.Messages()
	for i := range messages.Len() {
		d := messages.Get(i)
		if !strings.HasSuffix(string(d.Name()), "Response") {
			continue
		}
		mt, err := protoregistry.GlobalTypes.FindMessageByName(d.FullName())
		if err != nil {
			tb.Fatal(err)
		}
		types = append(types, mt)
	}
	return types
}

// FuzzResponses reads a body as one of the messages a server answers with: no panic, no hang, memory in proportion; what is
// read is written to bytes that read as the same.
func FuzzResponses(f *testing.F) {
	types := responseTypes(f)
	for _, body := range responseSeeds(f) {
		for i, mt := range types {
			if m := mt.New(); proto.Unmarshal(body, m.Interface()) == nil && len(m.GetUnknown()) == 0 {
				f.Add(uint8(i), body)
			}
		}
	}
	fuzzbound.Fuzz(f, func(t *testing.T, pick uint8, body []byte) {
		var m proto.Message
		var err error
		mt := types[int(pick)%len(types)]
		fuzzbound.CheckTree(t, len(body), func() {
			m = mt.New().Interface()
			err = proto.Unmarshal(body, m)
		})
		if err == nil {
			readAgain(t, mt, m)
		}
		fuzzbound.Check(t, len(body), func() { parseErrorResponse(body) })
	})
}

func readAgain(t *testing.T, mt protoreflect.MessageType, m proto.Message) {
	t.Helper()
	written, err := proto.Marshal(m)
	if err != nil {
		t.Fatalf("%s was read and cannot be written: %v", mt.Descriptor().Name(), err)
	}
	again := mt.New().Interface()
	if err := proto.Unmarshal(written, again); err != nil {
		t.Fatalf("%s was written and cannot be read: %v", mt.Descriptor().Name(), err)
	}
	twice, err := proto.MarshalOptions{Deterministic: true}.Marshal(again)
	once, err1 := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil || err1 != nil || !bytes.Equal(once, twice) {
		t.Fatalf("%s: %x came back as %x, %v %v", mt.Descriptor().Name(), once, twice, err, err1)
	}
}

// responseSeeds are the recorded answers of every kind, and a full one of each message that was not recorded.
func responseSeeds(tb testing.TB) (seeds [][]byte) {
	for _, frame := range goldenFrames(tb) {
		raw, _ := hex.DecodeString(frame.Frame)
		if frame.Direction != "response" {
			continue
		}
		if r, err := ReadResponse(bytes.NewReader(raw), 1<<20); err == nil && len(r.Body) < 2000 {
			seeds = append(seeds, r.Body)
		}
	}
	for _, mt := range responseTypes(tb) {
		m := mt.New()
		fill(m, 4)
		b, err := proto.Marshal(m.Interface())
		if err != nil {
			tb.Fatal(err)
		}
		seeds = append(seeds, b)
	}
	return seeds
}

// fill sets every field, of nested messages too.
func fill(m protoreflect.Message, depth int) {
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		switch {
		case fd.IsMap():
			v := m.Mutable(fd).Map()
			v.Set(scalar(fd.MapKey()).MapKey(), scalar(fd.MapValue()))
		case fd.Message() != nil && depth == 0 && !fd.IsList():
			m.Mutable(fd)
		case fd.Message() != nil && fd.IsList() && depth > 0:
			fill(m.Mutable(fd).List().AppendMutable().Message(), depth-1)
		case fd.Message() != nil && depth > 0:
			fill(m.Mutable(fd).Message(), depth-1)
		case fd.Message() == nil && fd.IsList():
			m.Mutable(fd).List().Append(scalar(fd))
		case fd.Message() == nil:
			m.Set(fd, scalar(fd))
		}
	}
}

func scalar(fd protoreflect.FieldDescriptor) protoreflect.Value {
	switch fd.Kind() {
	case protoreflect.StringKind:
		return protoreflect.ValueOfString("x")
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes([]byte{1, 2})
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(true)
	case protoreflect.Int64Kind:
		return protoreflect.ValueOfInt64(300)
	}
	return protoreflect.ValueOfInt32(7)
}

// TestEveryResponseIsFuzzed fails when a message is added that FuzzResponses does not see.
func TestEveryResponseIsFuzzed(t *testing.T) {
	types := responseTypes(t)
	if len(types) < 47 {
		t.Errorf("%d response messages, the protocol has 47", len(types))
	}
	for _, mt := range types {
		m := mt.New()
		fill(m, 4)
		b, err := proto.Marshal(m.Interface())
		if err != nil || len(b) == 0 && mt.Descriptor().Fields().Len() > 0 {
			t.Errorf("%s: a seed of %d bytes, %v", mt.Descriptor().Name(), len(b), err)
		}
		readAgain(t, mt, m.Interface())
	}
}
