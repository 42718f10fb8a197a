import assert from "node:assert/strict";
import { startHranaServer } from "../testing/hrana_server.ts";
import { openRemote } from "./remote_client.ts";

Deno.test("reads of a remote database are repeated when their answer is lost; writes are sent once", async () => {
  const path = await Deno.makeTempFile({ suffix: ".db" });
  const server = startHranaServer({ path });
  using door = new LosingDoor(new URL(server.url));
  const db = openRemote(door.url);
  await db.execute("CREATE TABLE kept (n)");

  door.losesAnswersTo = "SELECT 1";
  assert.equal((await db.execute("SELECT 1 AS one")).rows[0].one, 1);
  door.losesAnswersTo = "SELECT 2";
  assert.equal((await db.batch(["SELECT 2 AS two"], "read"))[0].rows[0].two, 2);
  assert.equal(await countOf(db), 0);
  for (const write of [() => db.execute("INSERT INTO kept VALUES (1)"), () => batchOf(db)]) {
    // On a kept connection, where Deno by itself would repeat the request.
    const before = await countOf(db);
    door.losesAnswersTo = "INSERT";
    await assert.rejects(write(), TypeError);
    assert.equal(await countOf(db), before + 1);
  }
  await assert.rejects(db.execute("SELECT no_such_column"), { code: "SQLITE_ERROR" });
  db.close();
  await server.close();
  await Deno.remove(path);
});

Deno.test('a remote database that answers "elsewhere" is not followed there with its token', async () => {
  const heard: string[] = [];
  const onListen = () => {};
  const elsewhere = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, (request) => {
    heard.push(request.url);
    return new Response("{}");
  });
  const location = `http://127.0.0.1:${elsewhere.addr.port}`;
  const database = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen },
    () => new Response(null, { status: 307, headers: { location } }),
  );
  const db = openRemote(`http://127.0.0.1:${database.addr.port}`, "token");
  await assert.rejects(db.execute("SELECT 1"));
  await assert.rejects(db.execute("INSERT INTO kept VALUES (1)"));
  assert.deepEqual(heard, []);
  db.close();
  await Promise.all([elsewhere.shutdown(), database.shutdown()]);
});

Deno.test("reads of a remote database are repeated when no answer arrives in time; writes fail", async () => {
  const path = await Deno.makeTempFile({ suffix: ".db" });
  const server = startHranaServer({ path });
  using door = new LosingDoor(new URL(server.url));
  const limits: AbortController[] = [];
  const db = openRemote(door.url, undefined, () => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  const timeOut = async () => {
    await door.keptOne.promise;
    limits.at(-1)!.abort(new DOMException("Signal timed out.", "TimeoutError"));
  };
  await db.execute("CREATE TABLE kept (n)");

  door.keepAnswer("SELECT 1");
  const reading = db.execute("SELECT 1 AS one");
  await timeOut();
  assert.equal((await reading).rows[0].one, 1);

  const endless = assert.rejects(db.execute("SELECT 2"), { name: "TimeoutError" });
  for (let tries = 0; tries < 3; tries++) {
    door.keepAnswer("SELECT 2");
    await timeOut();
  }
  await endless;
  const before = await countOf(db);
  door.keepAnswer("INSERT");
  const writing = assert.rejects(batchOf(db), { name: "TimeoutError" });
  await timeOut();
  await writing;
  assert.equal(await countOf(db), before + 1);

  const transaction = await db.transaction("write");
  await transaction.execute("INSERT INTO kept VALUES (3)");
  const inOne = limits.length;
  await transaction.commit();
  assert.ok(limits.length > inOne, "each request of a transaction has its own limit");
  db.close();
  await server.close();
  await Deno.remove(path);
});

type Database = ReturnType<typeof openRemote>;

const batchOf = (db: Database) => db.batch(["INSERT INTO kept VALUES (2)"], "write");

async function countOf(db: Database): Promise<number> {
  return Number((await db.execute("SELECT count(*) AS count FROM kept")).rows[0].count);
}

const decoder = new TextDecoder();

/** Forwards connections to a server, which executes each request; the answer to one request is lost or held back. */
class LosingDoor implements Disposable {
  /** Words of the request whose answer is lost, once. */
  losesAnswersTo: string | null = null;
  /** Resolved when an answer was held back. */
  keptOne = Promise.withResolvers<void>();
  #keepsAnswersTo: string | null = null;
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Disposable>();

  constructor(private readonly behind: URL) {
    this.#serve();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
  }

  /** Lets the next request with these words be executed, and never answers it while its connection stays open. */
  keepAnswer(words: string): void {
    this.#keepsAnswersTo = words;
    this.keptOne = Promise.withResolvers();
  }

  [Symbol.dispose](): void {
    this.#listener.close();
    for (const one of this.#open) this.#end(one);
  }

  async #serve(): Promise<void> {
    for await (const near of this.#listener) this.#hand(near).catch(() => {});
  }

  async #hand(near: Deno.Conn): Promise<void> {
    const far = await Deno.connect({ hostname: this.behind.hostname, port: Number(this.behind.port) });
    for (const one of [near, far]) this.#open.add(one);
    let asked = "";
    const asking = (async () => {
      for await (const bytes of near.readable) {
        asked += decoder.decode(bytes);
        await far.write(bytes);
      }
    })();
    const answering = (async () => {
      for await (const bytes of far.readable) {
        if (this.#keepsAnswersTo !== null && asked.includes(this.#keepsAnswersTo)) {
          this.#keepsAnswersTo = null;
          this.keptOne.resolve();
          // Wait until the client of this request disconnects.
          await asking;
          break;
        }
        if (this.losesAnswersTo !== null && asked.includes(this.losesAnswersTo)) break;
        asked = "";
        await near.write(bytes);
      }
      this.losesAnswersTo = null;
    })();
    await Promise.race([asking, answering]).finally(() => [near, far].forEach((one) => this.#end(one)));
    await Promise.allSettled([asking, answering]);
  }

  #end(one: Disposable): void {
    this.#open.delete(one);
    try {
      one[Symbol.dispose]();
    } catch {
      // The stream has already closed the connection.
    }
  }
}
