package flusspb

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// TestDescriptorTable compares the generated descriptor with the table of every message a client meets:
// message, number, field, label, type ("packed" where it is). An entry in only one of the two fails.
func TestDescriptorTable(t *testing.T) {
	text, err := os.ReadFile("testdata/messages.tsv")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	messages := map[protoreflect.Name]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		col := strings.Split(line, "\t")
		messages[protoreflect.Name(col[0])] = true
		if col[1] != "" {
			want[strings.Join(col[:5], " ")] = true
		}
	}
	fields := 0
	all := File_gofluss_proto.Messages()
	for i := range all.Len() {
		m := all.Get(i)
		if !messages[m.Name()] {
			t.Errorf("message %s is not in the table", m.Name())
		}
		for j := range m.Fields().Len() {
			fields++
			if got := describe(m.Fields().Get(j)); !want[got] {
				t.Errorf("field %q is not in the table", got)
			}
		}
	}
	if all.Len() != len(messages) || fields != len(want) {
		t.Errorf("%d messages and %d fields, want %d and %d", all.Len(), fields, len(messages), len(want))
	}
	t.Logf("%d messages, %d fields", all.Len(), fields)
}

// describe gives a field as the table spells it.
func describe(f protoreflect.FieldDescriptor) string {
	kind := f.Kind().String()
	if f.Kind() == protoreflect.MessageKind {
		kind = string(f.Message().Name())
	}
	if f.IsPacked() {
		kind += " packed"
	}
	return strings.Join([]string{
		string(f.Parent().Name()), strconv.Itoa(int(f.Number())), string(f.Name()), f.Cardinality().String(), kind,
	}, " ")
}
