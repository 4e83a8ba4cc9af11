package javacheck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.lookup.Lookup;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.client.table.scanner.log.ScanRecords;
import org.apache.fluss.metadata.PartitionInfo;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.fluss.shaded.jackson2.com.fasterxml.jackson.databind.node.ArrayNode;
import org.apache.fluss.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.fluss.types.RowType;

/** Reads by key and from the log. */
final class Reader {
    /** Silence after which a scan ends short of an end offset: empty batches have offsets and no records. */
    private static final long QUIET_MILLIS = 3000;

    private Reader() {}

    /**
     * Prints for each key (an array of its columns' values, in their order in the primary key) the array of the rows
     * found, none or one. With columns it is a prefix lookup by these, and there may be more.
     */
    static void lookup(Table table, List<String> columns, List<JsonNode> keys) throws Exception {
        TableInfo info = table.getTableInfo();
        Lookup lookup = table.newLookup();
        if (columns != null) {
            lookup = lookup.lookupBy(columns);
        }
        RowType keyType = info.getRowType().project(columns != null ? columns : info.getPrimaryKeys());
        Lookuper lookuper = lookup.createLookuper();
        for (JsonNode key : keys) {
            ArrayNode rows = Main.JSON.createArrayNode();
            for (InternalRow row : lookuper.lookup(Values.parseRow(keyType, key)).get().getRowList()) {
                rows.add(Values.formatRow(info.getRowType(), row));
            }
            Main.print(rows);
        }
    }

    /**
     * Prints every record of the log, or of the change log, from the earliest offset up to what is the end at the start:
     * {"partition": name, "bucket": n, "offset": n, "change": "+I", "timestamp": millis, "row": [...]}, in order within
     * a bucket; "partition" only where there are any.
     */
    static void scan(Admin admin, Table table) throws Exception {
        TableInfo info = table.getTableInfo();
        Map<Long, String> partitions = new HashMap<>();
        Map<TableBucket, Long> ends = new HashMap<>();
        if (info.isPartitioned()) {
            for (PartitionInfo p : admin.listPartitionInfos(info.getTablePath()).get()) {
                partitions.put(p.getPartitionId(), p.getPartitionName());
                addEnds(ends, info, p.getPartitionId(), admin.listOffsets(info.getTablePath(), p.getPartitionName(),
                        buckets(info), new OffsetSpec.LatestSpec()).all().get());
            }
        } else {
            addEnds(ends, info, null, admin.listOffsets(info.getTablePath(),
                    buckets(info), new OffsetSpec.LatestSpec()).all().get());
        }
        LogScanner scanner = table.newScan().createLogScanner();
        for (TableBucket b : ends.keySet()) {
            if (b.getPartitionId() == null) {
                scanner.subscribeFromBeginning(b.getBucket());
            } else {
                scanner.subscribeFromBeginning(b.getPartitionId(), b.getBucket());
            }
        }
        drain(scanner, info.getRowType(), partitions, ends);
    }

    private static List<Integer> buckets(TableInfo info) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < info.getNumBuckets(); i++) {
            all.add(i);
        }
        return all;
    }

    /** Empty buckets are left out: nothing is to be read there. */
    private static void addEnds(Map<TableBucket, Long> ends, TableInfo info, Long partition, Map<Integer, Long> offsets) {
        offsets.forEach((bucket, end) -> {
            if (end > 0) {
                ends.put(new TableBucket(info.getTableId(), partition, bucket), end);
            }
        });
    }

    private static void drain(LogScanner scanner, RowType type, Map<Long, String> partitions, Map<TableBucket, Long> ends) {
        long last = System.currentTimeMillis();
        while (!ends.isEmpty() && System.currentTimeMillis() - last < QUIET_MILLIS) {
            ScanRecords records = scanner.poll(Duration.ofMillis(200));
            for (TableBucket bucket : records.buckets()) {
                for (ScanRecord record : records.records(bucket)) {
                    last = System.currentTimeMillis();
                    Long end = ends.get(bucket);
                    if (end == null) {
                        continue;
                    }
                    if (record.logOffset() < end) {
                        print(type, partitions, bucket, record);
                    }
                    if (record.logOffset() >= end - 1) {
                        ends.remove(bucket);
                    }
                }
            }
        }
    }

    private static void print(RowType type, Map<Long, String> partitions, TableBucket bucket, ScanRecord record) {
        ObjectNode line = Main.JSON.createObjectNode();
        if (bucket.getPartitionId() != null) {
            line.put("partition", partitions.get(bucket.getPartitionId()));
        }
        line.put("bucket", bucket.getBucket());
        line.put("offset", record.logOffset());
        line.put("change", record.getChangeType().shortString());
        line.put("timestamp", record.timestamp());
        line.set("row", Values.formatRow(type, record.getRow()));
        Main.print(line);
    }
}
