package conformance

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ruleTests are the tests of each rule of writing (DESIGN.md names where they are told in full): on the embedded server, in
// the router against a model of servers, and on real ones.
var ruleTests = map[string][]string{
	"1 one writer id and connection for a bucket, five in order": {"TestRule01OneWriterPerBucket", "TestWriteCoalesce", "TestWriteBucketsAreIsolated"},
	"2 a sequence never carries other bytes":                     {"TestRule02SequenceKeepsItsBytes", "TestWriteModel", "TestStampLog"},
	"3 what did not leave whole is not stored":                   {"TestRule03CutRequest", "TestSent", "TestWriteGivesUpUnsent"},
	"4 a lost answer: the identical bytes first":                 {"TestRule04IdenticalFirst", "TestWriteLeftByCaller", "TestWriteConnectionLost", "TestFreeze"},
	"5 no resend by itself, after write_timeout, or elsewhere":   {"TestRule05NoResendByItself", "TestWriteUnknownFence"},
	"6 what an answer says": {
		"TestRule06WhatAnAnswerSays", "TestRule06NoBaseOffset", "TestRule06FirstOfFiveRefused", "TestRule06LeaderChangeAndRestart", "TestRule06TableDropped",
		"TestWriteOutcomes", "TestWriteFirstRefused", "TestWriteFirstRefusedForGood", "TestWriteLeaderMoved", "TestWriteLogCutBack", "TestWriteNoneRemembered",
		"TestWriteLaterAcknowledged", "TestWriteAckBeforeMoveProvesNothing", "TestWriteGone", "TestOpenBatches", "TestLeaderChangeWithOpenBatches"},
	"7 unknown for good, and the empty batch":           {"TestRule07EmptyBatchInFront", "TestWriteUnknownFence", "TestWriteNoFenceInEmptyLog"},
	"8 the error of an unknown outcome":                 {"TestRule08UnknownOutcome", "TestCancelMoments", "TestD07OneBucketFails"},
	"9 nothing for an empty bucket":                     {"TestRule09NothingForAnEmptyBucket", "TestTxCancelsOut", "TestWriteNoFenceInEmptyLog"},
	"10 what is never sent":                             {"TestRule10NotSent", "TestBadValues", "TestBadKeys", "TestRowTooLarge", "TestWriteTooLarge", "TestWriteNothing"},
	"11 shared batches and answers":                     {"TestRule11RefusedRow", "TestRule11CancelAndSize", "TestRule11LookupsOverTheCap", "TestWriteSharedBatchSplit", "TestWriteAllShareRefusal", "TestWriteBadRowFailsAlone", "TestWriteTargetsShareNothing", "TestLookupTooLargeTogether"},
	"12 bounds and back-pressure":                       {"TestRule12LeaderGone", "TestWriteBackPressure"},
	"13 definitions are sent once":                      {"TestRule13DefinitionsAreSentOnce", "TestDDL", "TestCancelDefinition"},
	"14 Commit is bounded, its counts stay readable":    {"TestRule14CommitIsBounded", "TestTxContextEnds", "TestTxStreamContextEnds"},
	"15 Close settles what is open, for a bounded time": {"TestRule15CloseIsBounded", "TestWriteClose"},
}

// faultTests are the tests of each kind of fault that was reported about other clients and drivers.
var faultTests = map[string][]string{
	"D01 decimals and rounding":        {"TestD01Decimals", "TestDecimalRandom"},
	"D02 local time zones":             {"TestD02LocalZone"},
	"D03 nothing and empty":            {"TestD03Empty"},
	"D04 silent hosts":                 {"TestD04NeverAnswers", "TestServerNotThere", "TestTimeoutsWithoutContext", "TestCloseWhileCallsWait", "TestSilentServer"},
	"D05 lost answers":                 {"TestD05LostAnswer", "TestWriteLaterAcknowledged", "TestWriteOutcomes"},
	"D06 prepared statements":          {"TestD06Prepared"},
	"D07 partly failed statements":     {"TestD07OneBucketFails", "TestD07SameKeyThrice", "TestTxPartlyStored"},
	"D08 column types":                 {"TestColumnTypes", "TestColumnTypesOfOthers"},
	"D09 odd names, comments, hints":   {"TestD09OddNames"},
	"D10 nested values":                {"TestD10Nested", "TestNestedGoValues"},
	"D11 dropped and recreated tables": {"TestD11Recreated", "TestD11DroppedUnderScan"},
	"D12 partitions":                   {"TestPartitionsOfKeyTable", "TestPartitionColumnTypes", "TestPartitionsOfLogTable", "TestAlterPartition"},
	"D13 offsets":                      {"TestD13Offsets", "TestLogOffsets", "TestScanOutOfRange"},
	"D14 damaged and empty batches":    {"TestD14DamagedBatch", "TestD14EmptyBatch", "TestScanDamage", "TestScanEmptyBatches", "TestNonsense", "TestReadRequestErrors", "TestEveryByteDamaged"},
	"D15 leaks":                        {"TestOpenAndClose", "TestMissingTableAgainAndAgain", "TestTwoPools", "TestNothingRetained", "TestHeapAfterClose"},
	"D16 authentication":               {"TestD16Authentication", "TestAuthenticate", "TestNoDowngrade", "TestPasswordEchoed", "TestSASL"},
	"D17 DSNs":                         {"TestHostilePassword", "TestDSNRoundTrip", "TestParseDSNErrors", "TestPasswordAnywhere"},
	"D18 large values":                 {"TestD18LargeValues", "TestD18ManyParameters", "TestRowTooLarge"},
	"D19 races":                        {"TestD19FirstUses", "TestD19Close"},
	"D20 query builders":               {"TestD20BuilderForms", "TestD20LastInsertID", "TestSqlx", "TestBun", "TestGorm"},
	"S1 numbers that do not fit":       {"TestS1Numbers"},
	"S3 partial updates":               {"TestS3PartialUpdate", "TestAddColumn"},
	"S4 scanned bytes":                 {"TestS4ScannedBytes"},
}

// TestEveryPromiseHasTests: no test of the two lists was renamed or deleted, and none that has a rule or a fault in its
// name is missing there.
func TestEveryPromiseHasTests(t *testing.T) {
	exist := testNames(t, "..")
	if len(ruleTests) != 15 || len(faultTests) != 23 {
		t.Errorf("%d rules and %d faults, want 15 and 23", len(ruleTests), len(faultTests))
	}
	listed := map[string]bool{}
	for _, list := range []map[string][]string{ruleTests, faultTests} {
		for what, tests := range list {
			for _, name := range tests {
				listed[name] = true
				if !exist[name] {
					t.Errorf("%s: there is no %s", what, name)
				}
			}
			if len(tests) == 0 {
				t.Errorf("%s has no test", what)
			}
		}
	}
	for name := range exist {
		named := slices.ContainsFunc([]string{"TestRule", "TestD0", "TestD1", "TestD2", "TestS1", "TestS3", "TestS4"}, func(p string) bool { return strings.HasPrefix(name, p) })
		if named && !listed[name] {
			t.Errorf("%s is in neither list", name)
		}
	}
}

// testNames are the tests of all packages below a folder.
func testNames(t *testing.T, root string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				names[f.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
