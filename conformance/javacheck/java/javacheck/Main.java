package javacheck;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.fluss.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The official client on a command line: MODE DATABASE TABLE [key=value ...].
 *
 * <p>Input and output are JSON, one value a line. Keys that start with "bootstrap." or "client." configure the client;
 * "columns" names columns, separated by commas. What each mode reads and prints is told at its method and in Reader and
 * Writer. Any exception ends the program with exit code 1 and a stack trace on standard error.
 */
public final class Main {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);

    private Main() {}

    public static void main(String[] args) {
        int code = 0;
        try {
            start(args);
        } catch (Throwable e) {
            e.printStackTrace();
            code = 1;
        }
        OUT.flush();
        System.exit(code); // the client may leave threads behind
    }

    private static void start(String[] args) throws Exception {
        Configuration conf = new Configuration();
        List<String> columns = null;
        for (int i = 3; i < args.length; i++) {
            String key = args[i].substring(0, args[i].indexOf('='));
            String value = args[i].substring(key.length() + 1);
            if (key.equals("columns")) {
                columns = List.of(value.split(","));
            } else {
                conf.setString(key, value);
            }
        }
        TablePath path = TablePath.of(args[1], args[2]);
        // Not closed: all writes are acknowledged, and closing waits two seconds for nothing.
        Connection connection = ConnectionFactory.createConnection(conf);
        run(connection, args[0], path, columns);
    }

    private static void run(Connection connection, String mode, TablePath path, List<String> columns) throws Exception {
        switch (mode) {
            case "create":
                create(connection, path);
                return;
            case "describe":
                describe(connection, path);
                return;
            default: // needs the table
        }
        Table table = connection.getTable(path);
        switch (mode) {
            case "write":
                Writer.write(connection.getAdmin(), table, columns, input());
                break;
            case "lookup":
                Reader.lookup(table, columns, input());
                break;
            case "scan":
                Reader.scan(connection.getAdmin(), table);
                break;
            default:
                throw new IllegalArgumentException("mode " + mode);
        }
    }

    /** Creates the table of the descriptor JSON on the first line, and its database where that is missing. */
    private static void create(Connection connection, TablePath path) throws Exception {
        TableDescriptor descriptor = TableDescriptor.fromJsonBytes(JSON.writeValueAsBytes(input().get(0)));
        connection.getAdmin().createDatabase(path.getDatabaseName(), DatabaseDescriptor.EMPTY, true).get();
        connection.getAdmin().createTable(path, descriptor, false).get();
    }

    /** Prints the descriptor JSON of a table, with all that the server filled in. */
    private static void describe(Connection connection, TablePath path) throws Exception {
        byte[] json = connection.getAdmin().getTableInfo(path).get().toTableDescriptor().toJsonBytes();
        print(JSON.readTree(json));
    }

    static void print(JsonNode line) {
        OUT.println(line);
    }

    private static List<JsonNode> input() throws Exception {
        List<JsonNode> lines = new ArrayList<>();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (!line.isEmpty()) {
                lines.add(JSON.readTree(line));
            }
        }
        return lines;
    }
}
