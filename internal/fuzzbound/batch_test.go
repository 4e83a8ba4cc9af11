package fuzzbound

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func valuesOf(list ...any) (values []reflect.Value) {
	for _, v := range list {
		values = append(values, reflect.ValueOf(v))
	}
	return values
}

// texts are the corpus files of a batch.
func texts(first []reflect.Value, n int) (list []string) {
	for _, values := range variations(first, n) {
		list = append(list, corpusText(values))
	}
	return list
}

// A batch is the input and changes of it, which are the same again for the same input, and leave it as it was.
func TestVariations(t *testing.T) {
	first := valuesOf([]byte("0123456789"), "text", uint8(7), int64(math.MinInt64), int32(5), uint64(1), uint(3), true, []byte(nil), "")
	was := corpusText(first)
	list := texts(first, 2000)
	if list[0] != was || corpusText(first) != was || !slices.Equal(list, texts(first, 2000)) {
		t.Fatalf("%s\nafter it was %s", list[0], was)
	}
	if again := texts(valuesOf([]byte("0123456788")), 5); again[1] == texts(valuesOf([]byte("0123456789")), 5)[1] {
		t.Error("another input is changed in the same way")
	}
	seen := make([]map[string]bool, len(first))
	for _, text := range list {
		for i, line := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
			if seen[i] == nil {
				seen[i] = map[string]bool{}
			}
			seen[i][line] = true
		}
	}
	for i, lines := range seen {
		if want := 50; len(lines) < want && first[i].Kind() != reflect.Bool || len(lines) < 2 {
			t.Errorf("%s had %d values in 2000 inputs", first[i].Type(), len(lines))
		}
	}
}

// Bytes do not grow without end.
func TestVariationsStayShort(t *testing.T) {
	m := mutator{newRandom(1, 1)}
	v := reflect.ValueOf([]byte("0123456789"))
	for range 200_000 {
		v = m.value(v)
		if v.Len() > most+64 {
			t.Fatalf("%d bytes", v.Len())
		}
	}
}

// logged takes what a batch logs.
type logged struct {
	testing.TB
	failed bool
	text   string
}

func (l *logged) Failed() bool                    { return l.failed }
func (l *logged) Logf(format string, args ...any) { l.text += fmt.Sprintf(format, args...) }

// What fails in a batch is logged, whichever way it fails; what the engine made is not, as the engine keeps it.
func TestRunBatch(t *testing.T) {
	first := valuesOf("ab", uint8(1), []byte("\x00"))
	want := texts(first, 4)
	for name, fail := range map[string]func(*logged){
		"Error": func(l *logged) { l.failed = true },
		"panic": func(*logged) { panic("broken") },
	} {
		for at := range want {
			l, runs := &logged{TB: t}, 0
			func() {
				defer func() { _ = recover() }()
				runBatch(l, first, len(want), func([]reflect.Value) {
					if runs++; runs == at+1 {
						fail(l)
					}
				})
			}()
			if runs != at+1 || strings.HasSuffix(l.text, want[at]) != (at > 0) || (l.text == "") != (at == 0) {
				t.Errorf("%s at %d: %d runs, logged %s", name, at, runs, l.text)
			}
		}
	}
	l, runs := &logged{TB: t}, 0
	if runBatch(l, first, 100, func([]reflect.Value) { runs++ }); runs != 100 || l.text != "" {
		t.Errorf("%d runs, logged %q", runs, l.text)
	}
}

func TestCorpusText(t *testing.T) {
	got := corpusText(valuesOf([]byte("\x00\"a"), "b\n\xff", uint8(200), int64(-5), true))
	want := "go test fuzz v1\n[]byte(\"\\x00\\\"a\")\nstring(\"b\\n\\xff\")\nuint8(200)\nint64(-5)\nbool(true)\n"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
