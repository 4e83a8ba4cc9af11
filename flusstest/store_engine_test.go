package flusstest

import "testing"

const (
	mergeEngine    = "table.merge-engine"
	deleteBehavior = "table.delete.behavior"
	changelogImage = "table.changelog.image"
)

var engineScripts = []script{
	{
		name: "none", columns: "k INT, v STRING",
		steps: []string{"put 1,a 2,b => 2", "put 1,c => 4", "put 1,c => 6", "put !2 => 7", "put !2 => 8", "put 3,x 3,y !3 3,z => 13"},
		log: "0+I(1,a) 1+I(2,b) 2-U(1,a) 3+U(1,c) 4-U(1,c) 5+U(1,c) 6-D(2,b) 7. " +
			"8+I(3,x) 9-U(3,x) 10+U(3,y) 11-D(3,y) 12+I(3,z)",
		rows: "1(1,c) 1(3,z)", stats: "2",
	},
	{
		name: "none, wal", columns: "k INT, v STRING", props: map[string]string{changelogImage: "wal"},
		steps: []string{"put 1,a 2,b => 2", "put 1,c => 3", "put !2 => 4", "put !2 => 5", "put@0,1 5,x => 6", "put@0,1 5,y => 7", "put !9 3,x 3,y !3 => 10"},
		log:   "0+U(1,a) 1+U(2,b) 2+U(1,c) 3-D(2,b) 4. 5+I(5,x) 6+U(5,y) 7+U(3,x) 8+U(3,y) 9-D(3,y)",
		rows:  "1(1,c) 1(5,y)", stats: "E15",
	},
	{
		name: "delete ignored", columns: "k INT, v STRING", props: map[string]string{deleteBehavior: "ignore"},
		steps: []string{"put 1,a => 1", "put !1 => 2", "put !1 1,b => 4"},
		log:   "0+I(1,a) 1. 2-U(1,a) 3+U(1,b)", rows: "1(1,b)", stats: "1",
	},
	{
		name: "delete disabled", columns: "k INT, v STRING", props: map[string]string{deleteBehavior: "disable"},
		steps: []string{"put 1,a => 1", "put !1 => E57", "put 2,b !1 => E57", "put !9 => E57", "over !1 => 2", "put 3,c => 3"},
		log:   "0+I(1,a) 1-D(1,a) 2+I(3,c)", rows: "1(3,c)", stats: "1",
	},
	{
		name: "partial update", columns: "k INT, a STRING, b STRING",
		steps: []string{
			"put@0,1 1,x,junk => 1", "put@0,2 1,junk,y => 3", "put@0 1,junk,junk => 4", "put@0 2,junk,junk => 5",
			"put@0,1,9 1,z,junk => 7", "put@1,2 1,a,b => E35", "put@0,-1 1,a,b => E-1", "put@0,9 2,~,~ => 9",
			"put@2,0,2 2,p,q => 11",
		},
		log:  "0+I(1,x,~) 1-U(1,x,~) 2+U(1,x,y) 3. 4+I(2,~,~) 5-U(1,x,y) 6+U(1,z,y) 7-U(2,~,~) 8+U(2,~,~) 9-U(2,~,~) 10+U(2,~,q)",
		rows: "1(1,z,y) 1(2,~,q)", stats: "2",
	},
	{
		name: "partial update, NOT NULL", columns: "k INT, a STRING NOT NULL, b STRING",
		steps: []string{"put@0,1 1,x,y => E35", "put@0,1,2 1,x,y => E35", "put 1,x,y => 1"},
		log:   "0+I(1,x,y)", rows: "1(1,x,y)", stats: "1",
	},
	{
		name: "partial delete", columns: "k INT, a STRING, b STRING",
		steps: []string{"put 1,x,y => 1", "put@0,1 !1 => 3", "put@0,1 !1 => 5", "put@0,2 !1 => 6", "put 2,x,y => 7", "put@0,1,2 !2 => 8", "put 3,x,y => 9", "put@0 !3 => 11"},
		log:   "0+I(1,x,y) 1-U(1,x,y) 2+U(1,~,y) 3-U(1,~,y) 4+U(1,~,y) 5-D(1,~,y) 6+I(2,x,y) 7-D(2,x,y) 8+I(3,x,y) 9-U(3,x,y) 10+U(3,x,y)",
		rows:  "1(3,x,y)", stats: "1",
	},
	{
		name: "first_row", columns: "k INT, v STRING", props: map[string]string{mergeEngine: "first_row"},
		steps: []string{
			"put 1,a 1,b => 1", "put 1,c => 2", "put 2,x 1,c 3,y => 4", "put !1 => 5", "put@0,1 1,z => E-1",
			"over 1,z => 7", "over !2 => 8", "over@0,1 3,w => 10",
		},
		log:  "0+I(1,a) 1. 2+I(2,x) 3+I(3,y) 4. 5-U(1,a) 6+U(1,z) 7-D(2,x) 8-U(3,y) 9+U(3,w)",
		rows: "1(1,z) 1(3,w)", stats: "2",
	},
	{
		name: "first_row, wal, disable", columns: "k INT, v STRING",
		props: map[string]string{mergeEngine: "first_row", changelogImage: "wal", deleteBehavior: "disable"},
		steps: []string{"put 1,a 1,b => 1", "put 1,c => 2", "put !1 => E57", "over 1,z => 3", "over 2,z => 4"},
		log:   "0+I(1,a) 1. 2+U(1,z) 3+U(2,z)", rows: "1(1,z) 1(2,z)", stats: "E15",
	},
	{
		name: "versioned", columns: "k INT, v STRING, ver BIGINT",
		props: map[string]string{mergeEngine: "versioned", versionColumn: "ver"},
		steps: []string{
			"put 1,a,5 => 1", "put 1,b,4 => 2", "put 1,c,5 => 4", "put 1,d,6 => 6", "put 1,e,~ => 7",
			"put 2,a,~ => 8", "put 2,b,~ => 10", "put 2,c,-9223372036854775808 => 12", "put 2,d,~ => 14",
			"put !1 => 15", "over 1,z,1 => 17", "put@0,1,2 1,a,9 => E-1",
		},
		log: "0+I(1,a,5) 1. 2-U(1,a,5) 3+U(1,c,5) 4-U(1,c,5) 5+U(1,d,6) 6. 7+I(2,a,~) 8-U(2,a,~) 9+U(2,b,~) " +
			"10-U(2,b,~) 11+U(2,c,-9223372036854775808) 12-U(2,c,-9223372036854775808) 13+U(2,d,~) 14. 15-U(1,d,6) 16+U(1,z,1)",
		rows: "1(1,z,1) 1(2,d,~)", stats: "2",
	},
	{
		name: "versioned by timestamp", columns: "k INT, ver TIMESTAMP(6)",
		props: map[string]string{mergeEngine: "versioned", versionColumn: "ver"},
		steps: []string{"put 1,5+10000 => 1", "put 1,5+9000 => 2", "put 1,5+11000 => 4", "put 1,4+999000 => 5"},
		log:   "0+I(1,5+10000) 1. 2-U(1,5+10000) 3+U(1,5+11000) 4.", rows: "1(1,5+11000)", stats: "1",
	},
	{
		name: "versioned by int", columns: "k INT, ver INT",
		props: map[string]string{mergeEngine: "versioned", versionColumn: "ver"},
		steps: []string{"put 1,-2147483648 => 1", "put 1,~ => 3", "put 1,-2147483648 => 5", "put 1,1 => 7", "put 1,~ => 8"},
		log:   "0+I(1,-2147483648) 1-U(1,-2147483648) 2+U(1,~) 3-U(1,~) 4+U(1,-2147483648) 5-U(1,-2147483648) 6+U(1,1) 7.",
		rows:  "1(1,1)", stats: "1",
	},
	{
		name: "added columns", columns: "k INT, v STRING",
		steps: []string{
			"put 1,a => 1", "add n INT", "put#1 1,b => 3", "put#1 2,c => 4", "put 1,b,7 => 6", "put#1 1,d => 8", "put@0,2 2,~,5 => 10", "put@0,2 3,~,6 => 11",
			"put#3 1,a => E9", "put#1 !2 => 12", "put#0 1,a => E9",
		},
		log: "0+I(1,a) 1-U(1,a,~) 2+U(1,b,~) 3+I(2,c,~) 4-U(1,b,~) 5+U(1,b,7) 6-U(1,b,7) 7+U(1,d,~) " +
			"8-U(2,c,~) 9+U(2,c,5) 10+I(3,~,6) 11-D(2,c,5)",
		rows: "1(1,d) 2(3,~,6)", stats: "2",
	},
	{
		name: "auto increment", columns: "k INT, n BIGINT, v STRING", auto: "n",
		steps: []string{
			"put 1,7,a => E35", "put@0,1,2 1,7,a => E35", "put@0,2 1,7,a => 1", "put@0,2 2,~,b 1,~,c => 4", "put@0 3,~,~ => 5",
			"insert 9 1 9 => 1(9,4,~) 1(1,1,c) 1(9,4,~)", "over 1,9,a => E35", "over@0,2 1,9,d => 8", "over@0,2 4,9,d => 9",
		},
		log:  "0+I(1,1,a) 1+I(2,2,b) 2-U(1,1,a) 3+U(1,1,c) 4+I(3,3,~) 5+I(9,4,~) 6-U(1,1,c) 7+U(1,1,d) 8+I(4,5,d)",
		rows: "1(1,1,d) 1(2,2,b) 1(3,3,~) 1(4,5,d) 1(9,4,~)", stats: "5",
	},
	{
		name: "auto increment, wal", columns: "k INT, n INT, v STRING", auto: "n", props: map[string]string{changelogImage: "wal"},
		steps: []string{"put@0,2 1,~,a => 1", "put@0,2 1,~,b => 2", "insert 1 2 => 1(1,1,b) 1(2,2,~)"},
		log:   "0+I(1,1,a) 1+U(1,1,b) 2+I(2,2,~)", rows: "1(1,1,b) 1(2,2,~)", stats: "E15",
	},
	{
		name: "insert if missing", columns: "k INT, g STRING, v STRING", keys: 2,
		steps: []string{"put 1,a,x => 1", "insert 1,a 2,b 3, => 1(1,a,x) 1(2,b,~) 1(3,,~)", "insert 2,b => 1(2,b,~)", "put !2,b => 4"},
		log:   "0+I(1,a,x) 1+I(2,b,~) 2+I(3,,~) 3-D(2,b,~)", rows: "1(1,a,x) 1(3,,~)", stats: "2",
	},
	{
		name: "insert if missing, refused", columns: "k INT, v STRING NOT NULL",
		steps: []string{"insert 1 => E35", "put 1,a => 1", "insert 1 => 1(1,a)"},
		log:   "0+I(1,a)", rows: "1(1,a)", stats: "1",
	},
	{
		name: "insert if missing, first_row", columns: "k INT, v STRING", props: map[string]string{mergeEngine: "first_row"},
		steps: []string{"insert 1 => E-1"}, log: "", rows: "", stats: "0",
	},
	{
		name: "partitioned", columns: "k INT, p STRING, v STRING", keys: 2, part: "p",
		steps: []string{"put 1,p,a => 1", "put@0,1 2,p,b => 2", "insert 1, => 1(1,p,a)", "insert 3, => E-1"}, log: "0+I(1,p,a) 1+I(2,p,~)",
		rows: "1(1,p,a) 1(2,p,~)", stats: "2",
	},
	{
		name: "partitioned, partition first", columns: "p STRING, k INT, v STRING", keys: 2, part: "p",
		steps: []string{"insert ,1 => E-1", "insert ,0 => E-1"}, log: "", rows: "", stats: "0",
	},
	{
		name: "paimon", columns: "k INT, g STRING, v STRING", keys: 2, props: map[string]string{"table.datalake.format": "paimon"},
		steps: []string{"put 1,a,x => 1", "insert 1,a 2,b => 1(1,a,x) 1(2,b,~)", "put !1,a => 3"}, log: "0+I(1,a,x) 1+I(2,b,~) 2-D(1,a,x)",
		rows: "1(2,b,~)", stats: "1",
	},
	{
		name: "paimon, own bucket key", columns: "k STRING, v STRING", props: map[string]string{"table.datalake.format": "paimon"},
		steps: []string{"put aaaaaaaaaaaa,x => 1", "insert bbbbbbbbbbbbbb => 1(bbbbbbbbbbbbbb,~)"}, log: "0+I(aaaaaaaaaaaa,x) 1+I(bbbbbbbbbbbbbb,~)",
		rows: "1(aaaaaaaaaaaa,x) 1(bbbbbbbbbbbbbb,~)", stats: "2",
	},
	{
		name: "iceberg", columns: "k INT, v STRING", props: map[string]string{"table.datalake.format": "iceberg"},
		steps: []string{"put 1,a => 1", "insert 1 2 => 1(1,a) 1(2,~)"}, log: "0+I(1,a) 1+I(2,~)",
		rows: "1(1,a) 1(2,~)", stats: "2",
	},
	{
		name: "compacted log", columns: "k INT, v STRING", props: map[string]string{"table.log.format": "compacted"},
		steps: []string{"put 1,a 2,b => 2", "put 1,c => 4", "put !2 => 5", "put !2 => 6"},
		log:   "0+I(1,a) 1+I(2,b) 2-U(1,a) 3+U(1,c) 4-D(2,b) 5.", rows: "1(1,c)", stats: "1",
	},
	{
		name: "indexed rows", columns: "k INT, v STRING, c CHAR(3), d DECIMAL(20;2)", props: map[string]string{"table.kv.format": "indexed"},
		steps: []string{"put 1,a,xy,1.00 2,b,~,~ => 2", "put@0,1 1,c,~,~ => 4", "put !2 => 5"},
		log:   `0+I(1,a,xy\u0000,1.00) 1+I(2,b,~,~) 2-U(1,a,xy\u0000,1.00) 3+U(1,c,xy\u0000,1.00) 4-D(2,b,~,~)`, rows: "1(1,c,xy,1.00)", stats: "1",
	},
	{
		name: "indexed rows, compacted log", columns: "k INT, v STRING", props: map[string]string{"table.kv.format": "indexed", "table.log.format": "compacted"},
		steps: []string{"put 1,a => 1", "put 1,b => 3", "put !1 => 4"}, log: "0+I(1,a) 1-U(1,a) 2+U(1,b) 3-D(1,b)", rows: "", stats: "0",
	},
	{
		name: "binary", columns: "k INT, b BINARY(2), c CHAR(2)",
		steps: []string{"put 1,0102,ab => 1", "put 1,010203,abc => 3", "put 1,01,a => E-1", "put 1,~,~ => 5"},
		log:   "0+I(1,0102,ab) 1-U(1,0102,ab) 2+U(1,0102,abc) 3-U(1,0102,abc) 4+U(1,~,~)", rows: "1(1,~,~)", stats: "1",
	},
	{
		name: "decimals that do not fit", columns: "k INT, a DECIMAL(3;1), b DECIMAL(20;0)",
		steps: []string{"put 1,99.9,99999999999999999999 => 1", "put 1,100.0,1 => E-1", "put 1,1.0,100000000000000000000 => E-1"},
		log:   "0+I(1,99.9,99999999999999999999)", rows: "1(1,99.9,99999999999999999999)", stats: "1",
	},
	{
		name: "indexed log", columns: "k INT, v STRING", props: map[string]string{"table.kv.format": "indexed", "table.log.format": "indexed"},
		steps: []string{"put 1,a => E-1", "put !1 => 1"}, log: "0.", rows: "", stats: "0",
	},
}

func TestEngines(t *testing.T) {
	for i := range engineScripts {
		s := &engineScripts[i]
		t.Run(s.name, func(t *testing.T) { s.run(t) })
	}
	t.Logf("%d scripts", len(engineScripts))
}
