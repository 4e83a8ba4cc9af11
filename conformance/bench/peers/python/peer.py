# Contestant "pyfluss" (Rust core, Python binding): one process = one workload run, one JSON line out.
# The workloads are those of ../../workloads.md.
import asyncio, datetime, decimal, gc, json, os, resource, sys, time
import pyarrow as pa
import fluss

M = (1 << 64) - 1
PRIO = ["1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"]
EPOCH = datetime.date(1970, 1, 1)


def key(seed, k, n=200_000):
    z = (seed * 1_000_003 + k + 0x9E3779B97F4A7C15) & M
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & M
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & M
    return (z ^ (z >> 31)) % n


DAYS = [EPOCH + datetime.timedelta(days=8035 + i) for i in range(2500)]


def kv_row(i):
    return [i, "customer#%09d" % i, decimal.Decimal((i * 7919) % 10_000_000).scaleb(-2), DAYS[i % 2500]]


opt = dict(a.split("=", 1) for a in sys.argv[2:])
W = sys.argv[1]
N, WARM = int(opt.get("n", 0)), int(opt.get("warm", 0))
TABLE, VARIANT = opt.get("table", "kv"), opt.get("variant", "default")


def srv():
    try:
        f = open("/proc/%s/stat" % os.environ["TS_PID"]).read().rpartition(")")[2].split()
        return (int(f[11]) + int(f[12])) / 100
    except Exception:
        return 0


def cpu():
    r = resource.getrusage(resource.RUSAGE_SELF)
    return r.ru_utime + r.ru_stime


def begin():
    global t0, c0, s0
    gc.collect()
    c0, s0, t0 = cpu(), srv(), time.perf_counter()


def end(ops, lat=None, **extra):
    d, c, s = time.perf_counter() - t0, cpu() - c0, srv() - s0
    out = dict(peer="pyfluss", w=W, variant=VARIANT, ops=ops, secs=round(d, 4), per_s=round(ops / d, 1),
               cpu_s=round(c, 3), cpu_per_m=round(c * 1e6 / ops, 3), srv_cpu_s=round(s, 2))
    if lat:
        lat = sorted(lat)
        out["p50_us"], out["p99_us"] = round(lat[len(lat) // 2] * 1e6, 1), round(lat[int(len(lat) * .99)] * 1e6, 1)
    out.update(extra)
    print(json.dumps(out), flush=True)


def config():
    c = {"bootstrap.servers": os.environ.get("BOOT", "127.0.0.1:9123")}
    c.update({k: v for k, v in opt.items() if "." in k})
    return fluss.Config(c)


async def one(l, i):
    r = await l.lookup([i])
    if r is None or r["id"] != i:
        raise RuntimeError("lost %d" % i)
    return r


async def parallel(c, n, f):
    it = iter(range(n))

    async def worker():
        for i in it:
            await f(i)
    await asyncio.gather(*[worker() for _ in range(c)])


def log_batch(lo, hi, schema):
    r = range(lo, hi)
    cols = [
        pa.array(r, pa.int64()),
        pa.array([x % 150000 for x in r], pa.int32()),
        pa.array([(x * 104729) % 50_000_000 for x in r], pa.int64()),
        pa.array([8035 + x % 2406 for x in r], pa.int32()).cast(pa.date32()),
        pa.array([PRIO[x % 5] for x in r], pa.string()),
        pa.array(["Clerk#%09d" % (x % 1000) for x in r], pa.string()),
    ]
    # int64 unscaled -> decimal128(15,2) without per-value Python objects
    import numpy as np
    u = cols[2].to_numpy()
    b = np.zeros((len(u), 2), dtype=np.int64)
    b[:, 0] = u
    cols[2] = pa.Array.from_buffers(pa.decimal128(15, 2), len(u), [None, pa.py_buffer(b.tobytes())])
    return pa.RecordBatch.from_arrays(cols, schema=schema)


async def main():
    if W == "w9":
        lat = []
        begin()
        for i in range(N):
            s = time.perf_counter()
            c = await fluss.FlussConnection.create(config())
            t = await c.get_table(fluss.TablePath("bench", TABLE))
            await one(t.new_lookup().create_lookuper(), key(9, i))
            lat.append(time.perf_counter() - s)
            await c.close()
        end(N, lat, first_us=int(lat[0] * 1e6))
        return
    c = await fluss.FlussConnection.create(config())
    t = await c.get_table(fluss.TablePath("bench", TABLE))
    if W == "w1":
        l = t.new_lookup().create_lookuper()
        for i in range(WARM):
            await one(l, key(7, i))
        ks, lat = [key(1, i) for i in range(N)], []
        begin()
        for k in ks:
            s = time.perf_counter()
            await one(l, k)
            lat.append(time.perf_counter() - s)
        end(N, lat)
    elif W == "w2":
        # one lookuper serves one call at a time in this client, so every caller gets its own
        ls = [t.new_lookup().create_lookuper() for _ in range(64)]
        await parallel(64, WARM, lambda i: one(ls[i % 64], key(7, i)))
        begin()
        await parallel(64, N, lambda i: one(ls[i % 64], key(2, i)))
        end(N)
    elif W == "w3":
        ls = [t.new_lookup().create_lookuper() for _ in range(1000)]

        async def batch(seed, b):
            r = await asyncio.gather(*[ls[k].lookup([key(seed, b * 1000 + k)]) for k in range(1000)])
            assert all(r)
        for i in range(WARM):
            await batch(7, i)
        begin()
        for i in range(N):
            await batch(3, i)
        end(N * 1000)
    elif W == "w4":
        w = t.new_upsert().create_writer()
        for i in range(WARM):
            w.upsert(kv_row(10_000_000 + i % 1000))
        await w.flush()
        begin()
        for i in range(N):
            w.upsert(kv_row(i))
        await w.flush()
        end(N)
    elif W == "w5":
        w = t.new_upsert().create_writer()

        async def put(seed, i):
            await w.upsert(kv_row(key(seed, i))).wait()
        await parallel(64, WARM, lambda i: put(7, i))
        begin()
        await parallel(64, N, lambda i: put(5, i))
        end(N)
    elif W == "w6":
        w = t.new_append().create_writer()
        if opt.get("mode") == "rows":
            def row(i):
                return [i, i % 150000, decimal.Decimal((i * 104729) % 50_000_000).scaleb(-2), DAYS[i % 2406], PRIO[i % 5], "Clerk#%09d" % (i % 1000)]
            begin()
            for i in range(N):
                w.append(row(i))
            await w.flush()
            end(N)
            return
        # Arrow batches are built before the clock starts: Python's cost of making them is not the client's
        size = int(opt.get("batch", 8192))
        bs = [log_batch(i, min(i + size, N), t.arrow_schema) for i in range(0, N, size)]
        begin()
        for b in bs:
            w.write_arrow_batch(b)
        await w.flush()
        end(N)
    elif W == "w7":
        nb = t.get_table_info().num_buckets
        for p in range(2):
            if p:
                begin()
            s = t.new_scan()
            if opt.get("proj"):
                s = s.project([0, 2])
            got = 0
            if opt["mode"] == "rows":
                s = await s.create_log_scanner()
                s.subscribe_buckets({b: fluss.EARLIEST_OFFSET for b in range(nb)})
                while got < N:
                    for r in await s.poll(1000):
                        r.row
                        got += 1
            else:
                s = await s.create_record_batch_log_scanner()
                s.subscribe_buckets({b: fluss.EARLIEST_OFFSET for b in range(nb)})
                while got < N:
                    for b in await s.poll_record_batch(1000):
                        got += b.batch.num_rows
            if p:
                end(got)
            elif opt.get("mode") == "rows" and N > 500_000:
                pass
    elif W == "w8":
        tb = fluss.TableBucket(t.get_table_info().table_id, 0)

        async def limit():
            a = await t.new_scan().limit(1000).create_bucket_batch_scanner(tb).to_arrow()
            assert a.num_rows == 1000
            return a.to_pylist()
        for _ in range(WARM):
            await limit()
        lat = []
        begin()
        for _ in range(N):
            s = time.perf_counter()
            await limit()
            lat.append(time.perf_counter() - s)
        end(N, lat)


asyncio.run(main())
