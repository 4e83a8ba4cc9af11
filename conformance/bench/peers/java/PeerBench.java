// Contestant "java": org.apache.fluss:fluss-client:0.9.1-incubating through its public API only.
// One process = one workload run; prints one JSON line. The workloads are those of ../../workloads.md.
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.*;
import java.time.Duration;
import java.time.LocalDate;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import org.apache.fluss.client.*;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.*;
import org.apache.fluss.client.table.scanner.batch.BatchScanner;
import org.apache.fluss.client.table.scanner.log.*;
import org.apache.fluss.client.table.writer.*;
import org.apache.fluss.client.metadata.*;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.*;
import org.apache.fluss.row.*;
import org.apache.fluss.types.DataTypes;
import org.apache.fluss.utils.CloseableIterator;

public class PeerBench {
    static final String[] PRIO = {"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"};
    static Configuration conf = new Configuration();
    static String boot = System.getenv().getOrDefault("BOOT", "127.0.0.1:9123");
    static String variant = "default";

    // ---- data, the same function of the row number for every contestant ----
    static GenericRow kvRow(long i) {
        GenericRow r = new GenericRow(4);
        r.setField(0, i);
        r.setField(1, BinaryString.fromString(Gen.format9(i)));
        r.setField(2, Decimal.fromUnscaledLong((i * 7919) % 10_000_000L, 15, 2));
        r.setField(3, (int) (8035 + i % 2500));
        return r;
    }
    static class Gen { // cheap zero-padded formatting, so that the generator stays off the profile
        static String format9(long i) { return pad("customer#", i); }
        static String pad(String p, long i) {
            char[] c = new char[p.length() + 9];
            p.getChars(0, p.length(), c, 0);
            for (int k = c.length - 1; k >= p.length(); k--) { c[k] = (char) ('0' + i % 10); i /= 10; }
            return new String(c);
        }
    }
    static GenericRow logRow(long i) {
        GenericRow r = new GenericRow(6);
        r.setField(0, i);
        r.setField(1, (int) (i % 150000));
        r.setField(2, Decimal.fromUnscaledLong((i * 104729) % 50_000_000L, 15, 2));
        r.setField(3, (int) (8035 + i % 2406));
        r.setField(4, BinaryString.fromString(PRIO[(int) (i % 5)]));
        r.setField(5, BinaryString.fromString(Gen.pad("Clerk#", i % 1000)));
        return r;
    }
    static long mix(long z) { // splitmix64: key k of a run = mix(seed + k) mod N
        z += 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
    static long key(long seed, long k, long n) { return Long.remainderUnsigned(mix(seed * 1_000_003L + k), n); }

    // ---- measuring ----
    static long cpu0, srv0, t0, alloc0;
    static com.sun.management.OperatingSystemMXBean os = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    static long srvTicks() {
        String pid = System.getenv("TS_PID");
        if (pid == null) return 0;
        try {
            String s = new String(Files.readAllBytes(Paths.get("/proc/" + pid + "/stat")));
            String[] f = s.substring(s.lastIndexOf(')') + 2).split(" ");
            return Long.parseLong(f[11]) + Long.parseLong(f[12]);
        } catch (Exception e) { return 0; }
    }
    static void begin() { System.gc(); cpu0 = os.getProcessCpuTime(); srv0 = srvTicks(); t0 = System.nanoTime(); }
    static void end(String w, long ops, long[] lat, String extra) {
        double s = (System.nanoTime() - t0) / 1e9, cpu = (os.getProcessCpuTime() - cpu0) / 1e9, srv = (srvTicks() - srv0) / 100.0;
        StringBuilder b = new StringBuilder();
        b.append(String.format("{\"peer\":\"java\",\"w\":\"%s\",\"variant\":\"%s\",\"ops\":%d,\"secs\":%.4f,\"per_s\":%.1f,\"cpu_s\":%.3f,\"cpu_per_m\":%.3f,\"srv_cpu_s\":%.2f", w, variant, ops, s, ops / s, cpu, cpu * 1e6 / ops, srv));
        if (lat != null) {
            Arrays.sort(lat);
            b.append(String.format(",\"p50_us\":%.1f,\"p99_us\":%.1f", lat[lat.length / 2] / 1e3, lat[(int) (lat.length * 0.99)] / 1e3));
        }
        if (extra != null) b.append(",").append(extra);
        System.out.println(b.append("}"));
    }
    static TablePath tp(String t) { return TablePath.of("bench", t); }

    static void createKv(Admin a, String name) throws Exception {
        Schema s = Schema.newBuilder().column("id", DataTypes.BIGINT()).column("name", DataTypes.STRING())
            .column("balance", DataTypes.DECIMAL(15, 2)).column("d", DataTypes.DATE()).primaryKey("id").build();
        a.createTable(tp(name), TableDescriptor.builder().schema(s).distributedBy(8, "id").build(), false).get();
    }
    static void createLog(Admin a, String name, int buckets, boolean none) throws Exception {
        Schema s = Schema.newBuilder().column("order_id", DataTypes.BIGINT()).column("customer_id", DataTypes.INT())
            .column("total_price", DataTypes.DECIMAL(15, 2)).column("ordered_on", DataTypes.DATE())
            .column("order_priority", DataTypes.STRING()).column("clerk", DataTypes.STRING()).build();
        TableDescriptor.Builder b = TableDescriptor.builder().schema(s).distributedBy(buckets).logFormat(LogFormat.ARROW);
        if (none) b.property("table.log.arrow.compression.type", "NONE");
        a.createTable(tp(name), b.build(), false).get();
    }
    static void fresh(Admin a, String name, ThrowingRun create) throws Exception {
        a.dropTable(tp(name), true).get();
        for (int i = 0; ; i++) try { create.run(); break; } catch (Exception e) { if (i > 100) throw e; Thread.sleep(50); }
        // wait until every bucket has a leader
        Thread.sleep(1500);
    }
    interface ThrowingRun { void run() throws Exception; }

    public static void main(String[] a) throws Exception {
        conf.setString("bootstrap.servers", boot);
        String w = a[0];
        Map<String, String> o = new HashMap<>();
        for (int i = 1; i < a.length; i++) { int e = a[i].indexOf('='); o.put(a[i].substring(0, e), a[i].substring(e + 1)); }
        for (Map.Entry<String, String> e : o.entrySet()) if (e.getKey().startsWith("client.")) conf.setString(e.getKey(), e.getValue());
        variant = o.getOrDefault("variant", "default");
        long n = Long.parseLong(o.getOrDefault("n", "0")), warm = Long.parseLong(o.getOrDefault("warm", "0"));
        String table = o.getOrDefault("table", "kv");
        if (w.equals("w9")) { w9(table, (int) n); return; }
        try (Connection c = ConnectionFactory.createConnection(conf)) {
            Admin admin = c.getAdmin();
            switch (w) {
                case "setup": setup(c, admin); break;
                case "fresh-kv": fresh(admin, table, () -> createKv(admin, table)); break;
                case "fresh-log": { int b = Integer.parseInt(o.get("buckets")); boolean none = o.containsKey("none");
                    fresh(admin, table, () -> createLog(admin, table, b, none)); break; }
                case "drop": admin.dropTable(tp(table), true).get(); break;
                case "w1": w1(c, table, n, warm); break;
                case "w2": w2(c, table, n, warm, Integer.parseInt(o.getOrDefault("c", "64"))); break;
                case "w3": w3(c, table, n, warm); break;
                case "w4": w4(c, table, n, warm); break;
                case "w5": w5(c, table, n, warm, 64); break;
                case "w6": w6(c, table, n, warm); break;
                case "w7": w7(c, admin, table, n, o.containsKey("proj"), o.containsKey("bounded")); break;
                case "w8": w8(c, table, n, warm); break;
                default: throw new IllegalArgumentException(w);
            }
        }
        System.exit(0);
    }

    static void setup(Connection c, Admin admin) throws Exception {
        admin.createDatabase("bench", DatabaseDescriptor.EMPTY, true).get();
        fresh(admin, "kv", () -> createKv(admin, "kv"));
        fresh(admin, "kv5", () -> createKv(admin, "kv5"));
        for (String t : new String[] {"kv", "kv5"}) try (Table table = c.getTable(tp(t))) {
            UpsertWriter wr = table.newUpsert().createWriter();
            for (long i = 0; i < 200_000; i++) wr.upsert(kvRow(i));
            wr.flush();
        }
        Object[][] logs = {{"log1", 1, false}, {"log8", 8, false}, {"log8n", 8, true}};
        for (Object[] l : logs) {
            fresh(admin, (String) l[0], () -> createLog(admin, (String) l[0], (Integer) l[1], (Boolean) l[2]));
            try (Table table = c.getTable(tp((String) l[0]))) {
                AppendWriter wr = table.newAppend().createWriter();
                for (long i = 0; i < 2_000_000; i++) wr.append(logRow(i));
                wr.flush();
            }
            System.err.println("loaded " + l[0]);
        }
    }

    static long sink;
    static void useKv(InternalRow r) {
        sink += r.getLong(0) + r.getString(1).toString().length() + r.getDecimal(2, 15, 2).toBigDecimal().signum() + LocalDate.ofEpochDay(r.getInt(3)).getYear();
    }
    static void one(Lookuper l, long id) throws Exception {
        InternalRow r = l.lookup(GenericRow.of(id)).get().getSingletonRow();
        if (r == null || r.getLong(0) != id) throw new IllegalStateException("lost " + id);
        useKv(r);
    }
    static void w1(Connection c, String t, long n, long warm) throws Exception {
        try (Table table = c.getTable(tp(t))) {
            Lookuper l = table.newLookup().createLookuper();
            for (long i = 0; i < warm; i++) one(l, key(7, i, 200_000));
            long[] lat = new long[(int) n];
            begin();
            for (int i = 0; i < n; i++) { long s = System.nanoTime(); one(l, key(1, i, 200_000)); lat[i] = System.nanoTime() - s; }
            end("w1", n, lat, null);
        }
    }
    interface Op { void run(long i) throws Exception; }
    static void parallel(int threads, long n, IntFunctionX mk) throws Exception {
        AtomicLong next = new AtomicLong(); List<Thread> ts = new ArrayList<>(); AtomicReference<Throwable> err = new AtomicReference<>();
        for (int k = 0; k < threads; k++) { Op op = mk.make(k); Thread th = new Thread(() -> { try { for (long i; (i = next.getAndIncrement()) < n; ) op.run(i); } catch (Throwable e) { err.set(e); } }); ts.add(th); th.start(); }
        for (Thread th : ts) th.join();
        if (err.get() != null) throw new RuntimeException(err.get());
    }
    interface IntFunctionX { Op make(int k) throws Exception; }
    static void w2(Connection c, String t, long n, long warm, int threads) throws Exception {
        Table[] tabs = new Table[threads]; Lookuper[] ls = new Lookuper[threads];
        for (int k = 0; k < threads; k++) { tabs[k] = c.getTable(tp(t)); ls[k] = tabs[k].newLookup().createLookuper(); }
        parallel(threads, warm, k -> i -> one(ls[k], key(7, i, 200_000)));
        begin();
        parallel(threads, n, k -> i -> one(ls[k], key(2, i, 200_000)));
        end("w2", n, null, null);
    }
    static void w3(Connection c, String t, long n, long warm) throws Exception {
        try (Table table = c.getTable(tp(t))) {
            Lookuper l = table.newLookup().createLookuper();
            for (long i = 0; i < warm; i++) batch(l, i, 7);
            begin();
            for (long i = 0; i < n; i++) batch(l, i, 3);
            end("w3", n * 1000, null, null);
        }
    }
    @SuppressWarnings("unchecked")
    static void batch(Lookuper l, long b, long seed) throws Exception {
        CompletableFuture<org.apache.fluss.client.lookup.LookupResult>[] f = new CompletableFuture[1000];
        for (int k = 0; k < 1000; k++) f[k] = l.lookup(GenericRow.of(key(seed, b * 1000 + k, 200_000)));
        for (int k = 0; k < 1000; k++) useKv(f[k].get().getSingletonRow());
    }
    static void w4(Connection c, String t, long n, long warm) throws Exception {
        try (Table table = c.getTable(tp(t))) {
            UpsertWriter wr = table.newUpsert().createWriter();
            for (long i = 0; i < warm; i++) wr.upsert(kvRow(10_000_000 + i % 1000));
            wr.flush();
            begin();
            for (long i = 0; i < n; i++) wr.upsert(kvRow(i));
            wr.flush();
            end("w4", n, null, null);
        }
    }
    static void w5(Connection c, String t, long n, long warm, int threads) throws Exception {
        UpsertWriter[] ws = new UpsertWriter[threads];
        for (int k = 0; k < threads; k++) ws[k] = c.getTable(tp(t)).newUpsert().createWriter();
        parallel(threads, warm, k -> i -> ws[k].upsert(kvRow(key(7, i, 200_000))).get());
        begin();
        parallel(threads, n, k -> i -> ws[k].upsert(kvRow(key(5, i, 200_000))).get());
        end("w5", n, null, null);
    }
    static void w6(Connection c, String t, long n, long warm) throws Exception {
        try (Table table = c.getTable(tp(t))) {
            AppendWriter wr = table.newAppend().createWriter();
            for (long i = 0; i < warm; i++) wr.append(logRow(i));
            wr.flush();
            begin();
            for (long i = 0; i < n; i++) wr.append(logRow(i));
            wr.flush();
            end("w6", n, null, null);
        }
    }
    static void w7(Connection c, Admin admin, String t, long n, boolean proj, boolean bounded) throws Exception {
        for (int pass = 0; pass < 2; pass++) { // the first pass warms the JIT, the second is measured
            try (Table table = c.getTable(tp(t))) {
                int nb = table.getTableInfo().getNumBuckets();
                if (pass == 1) begin();
                Scan sc = table.newScan();
                if (proj) sc = sc.project(new int[] {0, 2});
                LogScanner s = sc.createLogScanner();
                for (int b = 0; b < nb; b++) s.subscribeFromBeginning(b);
                Map<Integer, Long> ends = null;
                if (bounded) { // what a bounded reader can do: drop a bucket once its end offset was reached
                    List<Integer> ids = new ArrayList<>();
                    for (int b = 0; b < nb; b++) ids.add(b);
                    ends = admin.listOffsets(tp(t), ids, new org.apache.fluss.client.admin.OffsetSpec.LatestSpec()).all().get();
                }
                long got = 0;
                while (got < n) {
                    ScanRecords rs = s.poll(Duration.ofSeconds(1));
                    for (TableBucket tb : rs.buckets()) {
                        long last = -1;
                        for (ScanRecord r : rs.records(tb)) {
                            InternalRow row = r.getRow();
                            sink += row.getLong(0);
                            if (proj) sink += row.getDecimal(1, 15, 2).toBigDecimal().signum();
                            else sink += row.getInt(1) + row.getDecimal(2, 15, 2).toBigDecimal().signum() + LocalDate.ofEpochDay(row.getInt(3)).getYear() + row.getString(4).toString().length() + row.getString(5).toString().length();
                            got++;
                            last = r.logOffset();
                        }
                        if (ends != null && last + 1 == ends.get(tb.getBucket())) s.unsubscribe(tb.getBucket());
                    }
                }
                if (pass == 1) end("w7", got, null, "\"sink\":" + sink);
                s.close();
            }
        }
    }
    static void w8(Connection c, String t, long n, long warm) throws Exception {
        try (Table table = c.getTable(tp(t))) {
            TableBucket tb = new TableBucket(table.getTableInfo().getTableId(), 0);
            for (long i = 0; i < warm; i++) limit(table, tb);
            long[] lat = new long[(int) n];
            begin();
            for (int i = 0; i < n; i++) { long s = System.nanoTime(); limit(table, tb); lat[i] = System.nanoTime() - s; }
            end("w8", n, lat, null);
        }
    }
    static void limit(Table table, TableBucket tb) throws Exception {
        int got = 0;
        try (BatchScanner s = table.newScan().limit(1000).createBatchScanner(tb)) {
            CloseableIterator<InternalRow> it;
            while ((it = s.pollBatch(Duration.ofSeconds(5))) != null) { while (it.hasNext()) { useKv(it.next()); got++; } it.close(); }
        }
        if (got != 1000) throw new IllegalStateException("limit gave " + got);
    }
    static void w9(String t, int n) throws Exception {
        long[] lat = new long[n];
        begin();
        for (int i = 0; i < n; i++) {
            long s = System.nanoTime();
            Connection c = ConnectionFactory.createConnection(conf);
            Table table = c.getTable(tp(t));
            one(table.newLookup().createLookuper(), key(9, i, 200_000));
            lat[i] = System.nanoTime() - s;
            table.close(); c.close();
        }
        end("w9", n, lat.clone(), "\"first_us\":" + lat[0] / 1000);
        System.exit(0);
    }
}
