package differential

import (
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// answer is what a server said, as a tree of map[string]any, []any and string that is equal for equal servers.
type answer struct {
	err  error
	msg  proto.Message // nil with an error
	tree any
}

// reader turns the answers of one server into trees.
type reader struct {
	server  *server
	world   *world
	request *step
}

// refusal is the tree of an error.
func (r *reader) refusal(err error) (any, error) {
	var refused *wire.ServerError
	switch {
	case errors.As(err, &refused):
		return map[string]any{"code": fmt.Sprint(int(refused.Code)), "text": r.text(int(refused.Code), refused.Message)}, nil
	case errors.Is(err, errSilent):
		return errSilent.Error(), nil
	}
	return nil, fmt.Errorf("%s: %w", r.server.name, err)
}

// Parts of messages that name ids and times.
var (
	idInText      = regexp.MustCompile(`(tableId=|partitionId=|table id: |partition id '|partition '|table_id=|fetch timestamp |current timestamp |tableId |table id )\d+`)
	offsetOfBatch = regexp.MustCompile(` at offset \d+ in table-bucket`)
)

// javaWords is how many words of a Java exception's text are compared, its class being the first.
const javaWords = 6

// classOnly are exceptions whose texts are addresses and indexes of the moment, or which a JVM throws without a text once
// it has compiled the method (OmitStackTraceInFastThrow).
var classOnly = []string{"java.lang.IndexOutOfBoundsException", "java.lang.ArrayIndexOutOfBoundsException", "java.lang.NegativeArraySizeException",
	"java.lang.NullPointerException"}

// text takes the ids out of an error's message. Of a stack trace it keeps the beginning.
func (r *reader) text(code int, message string) string {
	message, _, _ = strings.Cut(strings.TrimSpace(message), "\n")
	message = offsetOfBatch.ReplaceAllString(message, " in table-bucket")
	message = idInText.ReplaceAllString(message, "${1}N")
	message = strings.TrimSuffix(message, "...")
	if code == int(wire.CodeUnknownServerError) {
		if class, _, _ := strings.Cut(message, ":"); slices.Contains(classOnly, class) {
			return class
		}
		words := strings.Fields(message)
		message = strings.Join(words[:min(len(words), javaWords)], " ")
	}
	return message
}

// message is the tree of an answer's message.
func (r *reader) message(m protoreflect.Message) map[string]any {
	tree := map[string]any{}
	code := 0
	if f := m.Descriptor().Fields().ByName("error_code"); f != nil {
		code = int(m.Get(f).Int())
	}
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		name := string(f.Name())
		switch {
		case slices.Contains(ofServer, name):
		case name == "error_message":
			tree[name] = r.text(code, v.String())
		case f.IsList():
			tree[name] = r.list(name, f, v.List())
		default:
			tree[name] = r.value(name, f, v)
		}
		return true
	})
	return tree
}

// ofServer are fields in which servers differ by nature.
var ofServer = []string{"host", "port", "created_time", "modified_time", "writer_id"}

// ordered are lists in the order of the request. The others are sets.
var ordered = []string{"values", "value_lists", "partition_key_values", "replica_id"}

func (r *reader) list(name string, f protoreflect.FieldDescriptor, v protoreflect.List) any {
	list := []any{}
	for i := range v.Len() {
		x := r.value(name, f, v.Get(i))
		if s, ok := x.(string); ok && name == "database_name" && !strings.HasPrefix(s, r.world.database) {
			continue
		}
		if m, ok := x.(map[string]any); ok && name == "database_summary" && !strings.HasPrefix(m["database_name"].(string), r.world.database) {
			continue
		}
		list = append(list, x)
	}
	if !slices.Contains(ordered, name) {
		slices.SortStableFunc(list, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	return list
}

func (r *reader) value(name string, f protoreflect.FieldDescriptor, v protoreflect.Value) any {
	if f.Kind() == protoreflect.MessageKind {
		return r.message(v.Message())
	}
	switch name {
	case "table_id":
		return symbolText(r.server.tables, v.Int(), "table")
	case "partition_id":
		return symbolText(r.server.partitions, v.Int(), "partition")
	case "table_json":
		return descriptorText(v.Bytes())
	case "records":
		return r.records(v.Bytes())
	case "values":
		return r.storedValue(v.Bytes())
	}
	if f.Kind() == protoreflect.BytesKind {
		if strings.HasSuffix(name, "_json") {
			return string(v.Bytes())
		}
		return hex.EncodeToString(v.Bytes())
	}
	return v.String()
}

func symbolText(symbols map[int64]int64, id int64, what string) string {
	if symbol, ok := symbols[id]; ok {
		return fmt.Sprint(what, " ", symbol%firstTable)
	}
	if id >= firstTable {
		return fmt.Sprint("strange ", id)
	}
	return what + " unknown"
}

// descriptorText puts the properties in order.
func descriptorText(text []byte) string {
	d, err := catalog.DecodeDescriptor(text)
	if err != nil {
		return string(text)
	}
	return string(catalog.EncodeDescriptor(&d))
}
