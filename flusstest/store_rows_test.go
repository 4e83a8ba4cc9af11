package flusstest

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestRowsModel does the same random things to a storeRows and to a map: puts, removals, commits, rollbacks, walks.
func TestRowsModel(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		rows, model := newStoreRows(), map[string]string{}
		before := map[string]string{}
		keys := 1 << (1 + r.IntN(11))
		for range 4000 {
			key := modelKey(r.IntN(keys))
			switch what := r.IntN(100); {
			case what < 60:
				value := strings.Repeat("v", r.IntN(200)*r.IntN(2)) + fmt.Sprint(r.Uint32())
				_, had := model[key]
				if rows.put([]byte(key), 3, []byte(value)) == had {
					t.Fatalf("seed %d: put of %q says new: %v", seed, key, !had)
				}
				model[key] = "\x03\x00" + value
			case what < 85:
				if _, had := model[key]; had {
					rows.remove([]byte(key))
					delete(model, key)
				}
			case what < 93:
				rows.commit()
				before = cloneModel(model)
			case what < 97:
				rows.rollback()
				model = cloneModel(before)
			default:
				rows.commit()
				before = cloneModel(model)
				checkWalk(t, seed, rows, model, modelKey(r.IntN(keys)))
			}
			if got := string(rows.get([]byte(key))); got != model[key] || rows.live != len(model) {
				t.Fatalf("seed %d: %q is %q in %d rows, want %q in %d", seed, key, got, rows.live, model[key], len(model))
			}
		}
		rows.commit()
		checkWalk(t, seed, rows, model, "")
		live := 0
		for key, value := range model {
			if string(rows.get([]byte(key))) != value {
				t.Fatalf("seed %d: %q differs", seed, key)
			}
			live += len(key) + len(value)
		}
		if used := rows.used - rows.dead; used < live || used > live+10*len(model) {
			t.Errorf("seed %d: %d bytes in use for %d bytes of rows", seed, used, live)
		}
	}
}

func modelKey(i int) string {
	if i == 0 {
		return ""
	}
	return strings.Repeat("k", i%3*100) + fmt.Sprint(i)
}

func cloneModel(m map[string]string) map[string]string {
	c := make(map[string]string, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

func checkWalk(t *testing.T, seed uint64, rows *storeRows, model map[string]string, from string) {
	t.Helper()
	var want []string
	for key := range model {
		if key >= from {
			want = append(want, key)
		}
	}
	slices.Sort(want)
	if rows.order.dirty() {
		rows.updateOrder()
	}
	var got []string
	rows.scan([]byte(from), func(key, value []byte) bool {
		got = append(got, string(key))
		if string(value) != model[string(key)] {
			t.Errorf("seed %d: walk: %q has %q, want %q", seed, key, value, model[string(key)])
		}
		return true
	})
	if !slices.Equal(got, want) {
		t.Fatalf("seed %d: walk from %q gives %d keys, want %d", seed, from, len(got), len(want))
	}
}

// TestRowsOrderMany: the walk stays right while recent keys are merged into the many.
func TestRowsOrderMany(t *testing.T) {
	rows := newStoreRows()
	key := make([]byte, 8)
	r := rand.New(rand.NewPCG(7, 7))
	n := 0
	for range 40 {
		for range 500 {
			binary.BigEndian.PutUint64(key, r.Uint64N(12000))
			if rows.put(key, 1, key) {
				n++
			} else if r.IntN(3) == 0 {
				rows.remove(key)
				n--
			}
		}
		rows.commit()
		rows.updateOrder()
		var last []byte
		count := 0
		rows.scan(nil, func(key, value []byte) bool {
			if last != nil && string(last) >= string(key) || string(value[2:]) != string(key) {
				t.Fatalf("%x comes behind %x with value %x", key, last, value)
			}
			last, count = key, count+1
			return true
		})
		if count != n {
			t.Fatalf("%d keys, want %d", count, n)
		}
	}
}

// TestRowsLarge: rows beyond a chunk's size have one of their own, and values that were handed out stay as they were.
func TestRowsLarge(t *testing.T) {
	rows := newStoreRows()
	big := make([]byte, 3*maxRowChunk)
	big[5] = 7
	rows.put([]byte("a"), 1, big)
	rows.put([]byte("b"), 1, []byte("small"))
	held := rows.get([]byte("a"))
	for i := range 200 {
		rows.put([]byte("b"), 1, make([]byte, 10000))
		rows.put([]byte("a"), 1, []byte{byte(i)})
		rows.commit()
	}
	if len(held) != len(big)+2 || held[7] != 7 {
		t.Error("a value that was handed out has changed")
	}
	if got := rows.get([]byte("a")); got[2] != 199 {
		t.Errorf("a is %x", got)
	}
	if size := rows.bytes(); size > 1<<20 {
		t.Errorf("%d bytes for two small rows: nothing was compacted", size)
	}
}
