package fuzzbound

import (
	"fmt"
	"hash/crc32"
	"iter"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// batchVariable is the environment variable that says how many inputs an execution of the fuzzing engine tries, itself
// included. Without it, and at 1, that is one.
const batchVariable = "FUZZBATCH"

// Fuzz is f.Fuzz, where the engine's share of an execution (a goroutine, a stack trace, a look at all counters of
// coverage: about ten times what a small decoder takes) can be spread over a batch: target gets the engine's input and
// then changes of it that are made here, the same ones for the same input. The engine does not see which of them reached
// new code, only that the batch did: those inputs are not guided one by one.
//
// What fails in a batch is logged as the text of a file for testdata/fuzz. The file that the engine writes has the input
// that the batch started from, and fails again under the same FUZZBATCH.
func Fuzz(f *testing.F, target any) {
	f.Helper()
	n := batchSize(f)
	if n <= 1 {
		f.Fuzz(target)
		return
	}
	fn := reflect.ValueOf(target)
	f.Fuzz(reflect.MakeFunc(fn.Type(), func(args []reflect.Value) []reflect.Value {
		runBatch(args[0].Interface().(testing.TB), args[1:], n, func(values []reflect.Value) {
			fn.Call(append(args[:1:1], values...))
		})
		return nil
	}).Interface())
}

func batchSize(tb testing.TB) int {
	text := os.Getenv(batchVariable)
	if text == "" {
		return 1
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		tb.Fatalf("%s=%s is not a number of inputs", batchVariable, text)
	}
	return n
}

// runBatch runs the inputs one after the other until one fails, and logs that one.
func runBatch(t testing.TB, first []reflect.Value, n int, run func([]reflect.Value)) {
	at, values, passed := 0, first, false
	defer func() { // also when run ends the goroutine, or panics
		if !passed && at > 0 {
			t.Logf("input %d of a batch of %d failed, which is, for a file in testdata/fuzz:\n%s", at, n, corpusText(values))
		}
	}()
	for at, values = range variations(first, n) {
		if run(values); t.Failed() {
			return
		}
	}
	passed = true
}

// variations gives n lists of values: the first is the one that it got, the others are changes of it.
func variations(first []reflect.Value, n int) iter.Seq2[int, []reflect.Value] {
	return func(yield func(int, []reflect.Value) bool) {
		m := mutator{newRandom(seedOf(first), uint64(len(first)))}
		for i := range n {
			values := append([]reflect.Value(nil), first...)
			for range min(i, 1+m.IntN(4)) {
				at := m.IntN(len(values))
				values[at] = m.value(values[at])
			}
			if !yield(i, values) {
				return
			}
		}
	}
}

func newRandom(seed, stream uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, stream)) }

// seedOf is the same for the same values.
func seedOf(values []reflect.Value) (seed uint64) {
	for _, v := range values {
		switch v.Kind() {
		case reflect.Slice:
			seed = seed<<7 ^ seed>>57 ^ uint64(crc32.ChecksumIEEE(v.Bytes()))
		case reflect.String:
			seed = seed<<7 ^ seed>>57 ^ uint64(crc32.ChecksumIEEE([]byte(v.String())))
		default:
			seed = seed<<7 ^ seed>>57 ^ uint64(crc32.ChecksumIEEE(fmt.Append(nil, v.Interface())))
		}
	}
	return seed
}

// corpusText writes values as the fuzzing engine reads them.
func corpusText(values []reflect.Value) string {
	var b strings.Builder
	b.WriteString("go test fuzz v1\n")
	for _, v := range values {
		switch v.Kind() {
		case reflect.Slice:
			fmt.Fprintf(&b, "[]byte(%q)\n", v.Bytes())
		case reflect.String:
			fmt.Fprintf(&b, "string(%q)\n", v.String())
		default:
			fmt.Fprintf(&b, "%s(%v)\n", v.Type(), v.Interface())
		}
	}
	return b.String()
}
