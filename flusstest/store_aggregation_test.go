package flusstest

import "testing"

var aggregationOnly = map[string]string{mergeEngine: "aggregation"}

// aggregationWith is the engine with more properties, name and value by turns.
func aggregationWith(more ...string) map[string]string {
	p := map[string]string{mergeEngine: "aggregation"}
	for i := 0; i < len(more); i += 2 {
		p[more[i]] = more[i+1]
	}
	return p
}

var aggregationScripts = []script{
	{
		name: "sum", props: aggregationOnly,
		columns: "k INT, a TINYINT sum, b SMALLINT sum, c INT sum, d BIGINT sum, e FLOAT sum, f DOUBLE sum",
		steps: []string{
			"put 1,100,30000,2147483647,9223372036854775807,1.5,0.1 => 1", "put 1,100,30000,1,1,0.25,0.2 => 3",
			"put 1,~,~,~,~,~,~ => 5", "put 2,~,~,~,~,~,~ => 6", "put 2,1,2,3,4,5,6 => 8",
		},
		log:  "0+I(1,100,30000,2147483647,9223372036854775807,1.5,0.1) 1-U(1,100,30000,2147483647,9223372036854775807,1.5,0.1) 2+U(1,-56,-5536,-2147483648,-9223372036854775808,1.75,0.30000000000000004) 3-U(1,-56,-5536,-2147483648,-9223372036854775808,1.75,0.30000000000000004) 4+U(1,-56,-5536,-2147483648,-9223372036854775808,1.75,0.30000000000000004) 5+I(2,~,~,~,~,~,~) 6-U(2,~,~,~,~,~,~) 7+U(2,1,2,3,4,5,6)",
		rows: "1(1,-56,-5536,-2147483648,-9223372036854775808,1.75,0.30000000000000004) 1(2,1,2,3,4,5,6)", stats: "2",
	},
	{
		name: "sum of decimals", columns: "k INT, a DECIMAL(5;2) sum, b DECIMAL(20;1) sum", props: aggregationOnly,
		steps: []string{
			"put 1,999.98,9999999999999999999.8 => 1", "put 1,0.01,0.1 => 3", "put 1,0.01,~ => E-1", "put 1,~,0.1 => 5", "put 1,-999.99,-1.0 => 7",
			"put 1,~,5.0 => 9",
		},
		log:  "0+I(1,999.98,9999999999999999999.8) 1-U(1,999.98,9999999999999999999.8) 2+U(1,999.99,9999999999999999999.9) 3-U(1,999.99,9999999999999999999.9) 4+U(1,999.99,~) 5-U(1,999.99,~) 6+U(1,0.00,-1.0) 7-U(1,0.00,-1.0) 8+U(1,0.00,4.0)",
		rows: "1(1,0.00,4.0)", stats: "1",
	},
	{
		name: "product", props: aggregationOnly,
		columns: "k INT, a TINYINT product, b INT product, c BIGINT product, d FLOAT product, e DOUBLE product",
		steps:   []string{"put 1,100,65536,3,1.5,0.1 => 1", "put 1,3,65536,-7,2,3 => 3", "put 1,~,~,~,~,~ => 5"},
		log:     "0+I(1,100,65536,3,1.5,0.1) 1-U(1,100,65536,3,1.5,0.1) 2+U(1,44,0,-21,3,0.30000000000000004) 3-U(1,44,0,-21,3,0.30000000000000004) 4+U(1,44,0,-21,3,0.30000000000000004)",
		rows:    "1(1,44,0,-21,3,0.30000000000000004)", stats: "1",
	},
	{
		name: "product of decimals", columns: "k INT, a DECIMAL(5;2) product, b DECIMAL(20;3) product, c DECIMAL(4;0) product", props: aggregationOnly,
		steps: []string{
			"put 1,1.05,1.005,99 => 1", "put 1,1.10,-1.500,99 => 3", "put 1,-0.50,1.001,2 => 5", "put 1,~,99999999999999999.000,1 => 7",
			"put 1,999.00,99999999999999999.000,1 => 9", "put 1,3.00,1.000,1 => 11",
		},
		log:  "0+I(1,1.05,1.005,99) 1-U(1,1.05,1.005,99) 2+U(1,1.16,-1.508,9801) 3-U(1,1.16,-1.508,9801) 4+U(1,-0.58,-1.510,~) 5-U(1,-0.58,-1.510,~) 6+U(1,-0.58,~,1) 7-U(1,-0.58,~,1) 8+U(1,-579.42,99999999999999999.000,1) 9-U(1,-579.42,99999999999999999.000,1) 10+U(1,~,99999999999999999.000,1)",
		rows: "1(1,~,99999999999999999.000,1)", stats: "1",
	},
	{
		name: "max and min", props: aggregationOnly,
		columns: "k INT, a INT max, b INT min, c STRING max, d STRING min, e DOUBLE max, f DOUBLE min, g DECIMAL(20;1) max, h DECIMAL(4;1) min",
		steps: []string{
			"put 1,5,5,b,b,0,0,5.0,5.0 => 1", "put 1,4,4,a,a,-0,-0,-6.0,-6.0 => 3", "put 1,6,6,ba,ba,NaN,NaN,7.0,7.0 => 5",
			"put 1,~,~,~,~,~,~,~,~ => 7", "put 1,-1,-1,é,é,Inf,-Inf,-7.0,~ => 9",
		},
		log:  "0+I(1,5,5,b,b,0,0,5.0,5.0) 1-U(1,5,5,b,b,0,0,5.0,5.0) 2+U(1,5,4,b,a,0,-0,5.0,-6.0) 3-U(1,5,4,b,a,0,-0,5.0,-6.0) 4+U(1,6,4,ba,a,NaN,-0,7.0,-6.0) 5-U(1,6,4,ba,a,NaN,-0,7.0,-6.0) 6+U(1,6,4,ba,a,NaN,-0,7.0,-6.0) 7-U(1,6,4,ba,a,NaN,-0,7.0,-6.0) 8+U(1,6,-1,é,a,NaN,-Inf,7.0,-6.0)",
		rows: "1(1,6,-1,é,a,NaN,-Inf,7.0,-6.0)", stats: "1",
	},
	{
		name: "max and min of times", props: aggregationOnly,
		columns: "k INT, a DATE max, b TIME(3) min, c TIMESTAMP(6) max, d TIMESTAMP_LTZ(3) min, e CHAR(3) max",
		steps:   []string{"put 1,5,5,5+1000,5+0,b => 1", "put 1,6,6,5+2000,4+0,a => 3", "put 1,-6,-6,4+9000,6+0,bb => 5"},
		log:     "0+I(1,5,5,5+1000,5+0,b) 1-U(1,5,5,5+1000,5+0,b) 2+U(1,6,5,5+2000,4+0,b) 3-U(1,6,5,5+2000,4+0,b) 4+U(1,6,-6,5+2000,4+0,bb)",
		rows:    "1(1,6,-6,5+2000,4+0,bb)", stats: "1",
	},
	{
		name: "first and last", props: aggregationOnly,
		columns: "k INT, a STRING last_value, b STRING last_value_ignore_nulls, c STRING first_value, d STRING first_value_ignore_nulls, e STRING, f BOOLEAN bool_and, g BOOLEAN bool_or",
		steps: []string{
			"put 1,~,~,~,~,~,~,~ => 1", "put 1,a,a,a,a,a,true,false => 3", "put 1,b,b,b,b,b,false,true => 5", "put 1,~,~,~,~,~,~,~ => 7",
			"put 1,c,c,c,c,c,true,false => 9",
		},
		log:  "0+I(1,~,~,~,~,~,~,~) 1-U(1,~,~,~,~,~,~,~) 2+U(1,a,a,a,a,a,true,false) 3-U(1,a,a,a,a,a,true,false) 4+U(1,b,b,a,a,b,false,true) 5-U(1,b,b,a,a,b,false,true) 6+U(1,~,b,a,a,b,false,true) 7-U(1,~,b,a,a,b,false,true) 8+U(1,c,c,a,a,c,false,true)",
		rows: "1(1,c,c,a,a,c,false,true)", stats: "1",
	},
	{
		name: "listagg", columns: "k INT, a STRING listagg, b STRING string_agg |, c STRING listagg --", props: aggregationOnly,
		steps: []string{"put 1,x,x,x => 1", "put 1,y,y,y 1,,~, => 5", "put 1,~,z,~ => 7"},
		log:   "0+I(1,x,x,x) 1-U(1,x,x,x) 2+U(1,x,y,x|y,x--y) 3-U(1,x,y,x|y,x--y) 4+U(1,x,y,,x|y,x--y--) 5-U(1,x,y,,x|y,x--y--) 6+U(1,x,y,,x|y|z,x--y--)",
		rows:  "1(1,x,y,,x|y|z,x--y--)", stats: "1",
	},
	{
		name: "listagg of CHAR", columns: "k INT, a CHAR(4) listagg", props: aggregationOnly,
		steps: []string{"put 1,x => 1", "put 1,y => E-1", "put@0,1 2,x => E-1"},
		log:   "0+I(1,x)",
		rows:  "1(1,x)", stats: "1",
	},
	{
		name: "deletes are ignored", columns: "k INT, n INT sum", props: aggregationOnly,
		steps: []string{"put 1,5 => 1", "put !1 => 2", "put !1 1,2 => 4", "over 1,1 => 6", "over !1 => 7", "put 1,9 => 8"},
		log:   "0+I(1,5) 1. 2-U(1,5) 3+U(1,7) 4-U(1,7) 5+U(1,1) 6-D(1,1) 7+I(1,9)",
		rows:  "1(1,9)", stats: "1",
	},
	{
		name: "deletes are allowed", columns: "k INT, n INT sum, v STRING", props: aggregationWith(deleteBehavior, "allow"),
		steps: []string{"put 1,5,a => 1", "put !1 => 2", "put 1,2,b => 3", "put@0,1 !1 => 5", "put 1,7,~ => 7", "put@0,2 !1 => 9", "put@0,1 !1 => 10", "put !1 => 11"},
		log:   "0+I(1,5,a) 1-D(1,5,a) 2+I(1,2,b) 3-U(1,2,b) 4+U(1,~,b) 5-U(1,~,b) 6+U(1,7,b) 7-U(1,7,b) 8+U(1,7,~) 9-D(1,7,~) 10.",
		rows:  "", stats: "0",
	},
	{
		name: "deletes are refused", columns: "k INT, n INT sum", props: aggregationWith(deleteBehavior, "disable"),
		steps: []string{"put 1,5 => 1", "put !1 => E57"}, log: "0+I(1,5)",
		rows: "1(1,5)", stats: "1",
	},
	{
		name: "partial update", columns: "k INT, n INT sum, v STRING, m INT max", props: aggregationOnly,
		steps: []string{
			"put@0,1 1,5,junk,9 => 1", "put@0,1 1,5,junk,99 => 3", "put@0,2,3 1,7,x,1 => 5", "put@0 1,1,y,2 => 7", "put@0 2,1,y,2 => 8",
			"put@1,2 1,1,y,2 => E35", "put@0,9 1,1,y,2 => E-1", "over@0,1 1,100,junk,0 => 10",
		},
		log:  "0+I(1,5,junk,9) 1-U(1,5,junk,9) 2+U(1,10,junk,9) 3-U(1,10,junk,9) 4+U(1,10,x,9) 5-U(1,10,x,9) 6+U(1,10,x,9) 7+I(2,1,y,2) 8-U(1,10,x,9) 9+U(1,100,x,9)",
		rows: "1(1,100,x,9) 1(2,1,y,2)", stats: "2",
	},
	{
		name: "partial update, NOT NULL", columns: "k INT, n INT sum NOT NULL", props: aggregationOnly,
		steps: []string{"put@0,1 1,5 => E35", "put 1,5 => 1", "put 1,5 => 3"}, log: "0+I(1,5) 1-U(1,5) 2+U(1,10)",
		rows: "1(1,10)", stats: "1",
	},
	{
		name: "NULL in a NOT NULL column", columns: "k INT, d DECIMAL(5;2) product NOT NULL", props: aggregationOnly,
		steps: []string{"put 1,100.00 => 1", "put 1,100.00 => E-1", "put 1,2.00 => 3"},
		log:   "0+I(1,100.00) 1-U(1,100.00) 2+U(1,200.00)", rows: "1(1,200.00)", stats: "1",
	},
	{
		name: "added columns", columns: "k INT, n INT sum", props: aggregationOnly,
		steps: []string{
			"put 1,5 => 1", "add v STRING", "put#1 1,6 => 3", "put 1,7,a => 5", "put#1 1,8 => 7", "put#1 2,1 => 8", "put@0,2 2,50,b => 10",
			"put@0,1#1 3,1 => 11", "put@0,1#1 3,1 => 13",
		},
		log:  "0+I(1,5) 1-U(1,5,~) 2+U(1,11,~) 3-U(1,11,~) 4+U(1,18,a) 5-U(1,18,a) 6+U(1,26,a) 7+I(2,1,~) 8-U(2,1,~) 9+U(2,1,b) 10+I(3,1,~) 11-U(3,1,~) 12+U(3,2,~)",
		rows: "2(1,26,a) 2(2,1,b) 2(3,2,~)", stats: "3",
	},
}

func TestAggregation(t *testing.T) {
	for i := range aggregationScripts {
		s := &aggregationScripts[i]
		t.Run(s.name, func(t *testing.T) { s.run(t) })
	}
	t.Logf("%d scripts", len(aggregationScripts))
}

// Functions that are not served must not be served by half.
func TestBitmapsAreRefused(t *testing.T) {
	for _, f := range []string{"rbm32", "rbm64"} {
		s := script{columns: "k INT, b BYTES " + f, props: aggregationOnly}
		m := newMemoryTarget(t, s.descriptor(t))
		if got := runStep(t, m, "put 1,0102"); got != "E-1" {
			t.Errorf("%s: put answers %s", f, got)
		}
		if got := logText(t, m, nil); got != "" {
			t.Errorf("%s: log %s", f, got)
		}
	}
}
