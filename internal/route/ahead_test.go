package route

import (
	"testing"
	"time"

	"github.com/gofluss/fluss/internal/wire"
)

// The first lookup of a client waits for three answers one after the other: while the table is read, its leaders are
// asked for and connected to.
func TestFirstLookup(t *testing.T) {
	const answer = 10 * time.Millisecond
	for _, c := range []struct {
		name           string
		info, metadata time.Duration
		vain           bool // the first metadata request is refused
		want           time.Duration
		metadatas      int
	}{
		{name: "the table takes longest", info: 3 * answer, metadata: answer, want: 4 * answer, metadatas: 1},
		{name: "the leaders take longest", info: answer, metadata: 3 * answer, want: 4 * answer, metadatas: 1},
		{name: "the leaders come in vain", info: answer, metadata: answer, vain: true, want: 3 * answer, metadatas: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, 2, func(t *testing.T, f *fake) {
				path := f.create("t", 7, 4)
				first := true
				f.set(func() {
					f.parallel = true
					f.hook = func(n *fakeNode, r wire.Request) *fakeReply {
						switch r.API {
						case wire.APIGetTableInfo:
							time.Sleep(c.info)
						case wire.APIGetMetadata:
							refuse := c.vain && first
							first = false
							time.Sleep(c.metadata)
							if refuse {
								return &fakeReply{code: wire.CodeUnknownServerError}
							}
						case wire.APILookup:
							time.Sleep(answer)
						}
						return nil
					}
				})
				client := f.client(nil)
				defer client.Close()
				began := time.Now()
				mustFind(t, client, call(mustTable(t, client, path), 0, "a"))
				if d := time.Since(began); d != c.want {
					t.Errorf("took %v, want %v", d, c.want)
				}
				if n := f.count(wire.APIGetMetadata); n != c.metadatas {
					t.Errorf("%d metadata requests, want %d", n, c.metadatas)
				}
			})
		})
	}
}
