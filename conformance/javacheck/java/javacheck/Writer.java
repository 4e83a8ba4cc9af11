package javacheck;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.getter.PartitionGetter;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.client.table.writer.Upsert;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.ResolvedPartitionSpec;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.fluss.types.RowType;

/**
 * Writes rows in the order of the input and waits for every acknowledgement. A line is a row to upsert or append, or
 * {"delete": row} with the whole row's width, of which only the key counts.
 */
final class Writer {
    private Writer() {}

    /** With columns, upserts are partial updates of these columns; the rows still have the table's width. */
    static void write(Admin admin, Table table, List<String> columns, List<JsonNode> lines) throws Exception {
        RowType type = table.getTableInfo().getRowType();
        if (table.getTableInfo().isPartitioned()) {
            createPartitions(admin, table.getTableInfo(), lines);
        }
        if (table.getTableInfo().hasPrimaryKey()) {
            upsert(table, type, columns, lines);
        } else {
            append(table, type, lines);
        }
    }

    /** The client would make them itself, but then its writer was seen to hang on a busy machine. */
    private static void createPartitions(Admin admin, TableInfo info, List<JsonNode> lines) throws Exception {
        PartitionGetter getter = new PartitionGetter(info.getRowType(), info.getPartitionKeys());
        Set<String> names = new TreeSet<>();
        for (JsonNode line : lines) {
            names.add(getter.getPartition(row(info.getRowType(), line)));
        }
        for (String name : names) {
            ResolvedPartitionSpec spec = ResolvedPartitionSpec.fromPartitionName(info.getPartitionKeys(), name);
            admin.createPartition(info.getTablePath(), spec.toPartitionSpec(), true).get();
        }
    }

    private static GenericRow row(RowType type, JsonNode line) {
        return Values.parseRow(type, line.isObject() ? line.get("delete") : line);
    }

    private static void upsert(Table table, RowType type, List<String> columns, List<JsonNode> lines) throws Exception {
        Upsert upsert = table.newUpsert();
        if (columns != null) {
            upsert = upsert.partialUpdate(columns.toArray(new String[0]));
        }
        UpsertWriter writer = upsert.createWriter();
        List<CompletableFuture<?>> acks = new ArrayList<>();
        for (JsonNode line : lines) {
            if (line.isObject()) {
                acks.add(writer.delete(row(type, line)));
            } else {
                acks.add(writer.upsert(row(type, line)));
            }
        }
        writer.flush();
        await(acks);
    }

    private static void append(Table table, RowType type, List<JsonNode> lines) throws Exception {
        AppendWriter writer = table.newAppend().createWriter();
        List<CompletableFuture<?>> acks = new ArrayList<>();
        for (JsonNode line : lines) {
            acks.add(writer.append(row(type, line)));
        }
        writer.flush();
        await(acks);
    }

    private static void await(List<CompletableFuture<?>> acks) throws Exception {
        for (CompletableFuture<?> ack : acks) {
            ack.get();
        }
    }
}
