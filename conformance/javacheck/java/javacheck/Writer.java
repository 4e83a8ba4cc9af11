package javacheck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.client.table.writer.Upsert;
import org.apache.fluss.client.table.writer.UpsertWriter;
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
    static void write(Table table, List<String> columns, List<JsonNode> lines) throws Exception {
        RowType type = table.getTableInfo().getRowType();
        if (table.getTableInfo().hasPrimaryKey()) {
            upsert(table, type, columns, lines);
        } else {
            append(table, type, lines);
        }
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
                acks.add(writer.delete(Values.parseRow(type, line.get("delete"))));
            } else {
                acks.add(writer.upsert(Values.parseRow(type, line)));
            }
        }
        writer.flush();
        await(acks);
    }

    private static void append(Table table, RowType type, List<JsonNode> lines) throws Exception {
        AppendWriter writer = table.newAppend().createWriter();
        List<CompletableFuture<?>> acks = new ArrayList<>();
        for (JsonNode line : lines) {
            GenericRow row = Values.parseRow(type, line);
            acks.add(writer.append(row));
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
