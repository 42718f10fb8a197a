/** Tests the agent's process when its disk fails: no room, an unreadable journal, a journal in use. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { TAP_DEADLINE_MS } from "shared/lease.ts";
import { EXIT_CODE } from "../exit_error.ts";
import { Journal } from "./journal.ts";
import { JournalDamagedError, JournalWriteError } from "./journal_file.ts";
import { type ProcessSite, startProcessSite } from "../testing/process_site.ts";
import { numbers } from "../testing/site.ts";

const TEXT = "שלום 'עולם' 🙂";
const [FIRST = "", TARGET = ""] = numbers(2);
/** SQLite's page size. */
const PAGE_BYTES = 4_096;
/** Makes a write past a limit of the process an error, instead of its end. */
const MAY_RUN_OUT_OF_ROOM = `trap '' XFSZ; exec "$@"`;

Deno.test("a full disk: a lease that cannot be journaled is refused and reported; work continues once there is room", async () => {
  await using site = await start({ rateLimit: 0 });
  await setRoom(site, "none");
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await untilLogged(site, "journal_not_writable");
  assert.equal(site.edge.received.some(({ type }) => type === "leaseAck"), false);
  assert.deepEqual(site.taps(), []);
  const logged = site.lines.map((line) => JSON.parse(line)).find(({ event }) =>
    event === "journal_not_writable"
  );
  assert.equal(logged.level, "error");
  assert.match(logged.why, /disk/);
  assert.match(logged.todo, /make room/);
  await setRoom(site, "again");
  await site.until(() => site.edge.states().sent === 1);
  assert.deepEqual(site.taps().map(({ phone }) => phone), [TARGET]);
});

Deno.test("a full disk: nothing is tapped without its intent on disk", async () => {
  await using site = await start({ rateLimit: 3 });
  site.edge.queue(1, { text: TEXT }, [FIRST, TARGET]);
  await site.freezeWhenSeen(TARGET);
  assert.ok(site.journal().some(({ phone, state }) => phone === TARGET && state === "leased"));
  await setRoom(site, "none");
  site.thaw();
  await untilLogged(site, "journal_not_writable");
  assert.deepEqual(site.taps().map(({ phone }) => phone), [FIRST]);
  await setRoom(site, "again");
  await site.until(() => site.edge.states().sent === 2);
  assert.deepEqual(site.taps().map(({ phone }) => phone), [FIRST, TARGET]);
  const [given, sent] = site.edge.deliveries.get(TARGET)!.reports;
  assert.deepEqual([given?.outcome, given?.reason, sent?.outcome], ["void", "agent_restarted", "sent"]);
});

Deno.test("a full disk: a tap whose outcome cannot be written is checked on the phone once there is room", async () => {
  await using site = await start({ rateLimit: 0 });
  site.lieWhile("dumpFails", () => site.taps().length > 0);
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.freezeWhen((rows) => rows[0]?.state === "tapping" && site.taps().length === 1);
  await setRoom(site, "none");
  site.lieWhile("dumpFails", () => false);
  // The look back comes no sooner.
  site.pass(TAP_DEADLINE_MS);
  site.thaw();
  await untilLogged(site, "journal_not_writable");
  await setRoom(site, "again");
  await site.until(() => site.edge.states().sent === 1);
  assert.equal(site.taps().length, 1);
  assert.deepEqual(site.edge.deliveries.get(TARGET)!.reports.map(({ outcome }) => outcome), ["sent"]);
});

Deno.test("a full disk at the start: the agent waits, says so, and runs once there is room", async () => {
  await using site = await start({ rateLimit: 0 });
  await endOnSignal(site);
  site.edge.received.length = 0;
  site.launch(`ulimit -S -f 0; ${MAY_RUN_OUT_OF_ROOM}`);
  await untilLogged(site, "journal_not_writable");
  assert.deepEqual(site.edge.received, []);
  await setRoom(site, "again");
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.until(() => site.edge.states().sent === 1);
});

Deno.test("an agent that waits for room stops on request", async () => {
  await using site = await startProcessSite();
  site.launch(`ulimit -S -f 0; ${MAY_RUN_OUT_OF_ROOM}`);
  await untilLogged(site, "journal_not_writable");
  assert.equal(await endOnSignal(site), 0);
});

Deno.test("a damaged journal: the agent says so in one sentence, sends the edge nothing, and does not change the file", async () => {
  await using site = await startProcessSite();
  const damaged = new TextEncoder().encode("this is no journal".repeat(1_000));
  Deno.writeFileSync(site.journalPath, damaged);
  site.launch();
  assert.equal(await site.ended(), EXIT_CODE.config);
  assert.match(
    site.lines.join("\n"),
    /^Cannot read journal ".+journal\.db": it is damaged .+ move it away .+ unknown$/,
  );
  assert.deepEqual(site.edge.received, []);
  assert.deepEqual(Deno.readFileSync(site.journalPath), damaged);
});

Deno.test("a second agent on one journal is refused in one sentence, and the first continues", async () => {
  await using site = await start({ rateLimit: 0 });
  await using second = await startProcessSite();
  await Deno.remove(second.agentDir, { recursive: true });
  await Deno.symlink(site.agentDir, second.agentDir);
  second.launch();
  assert.equal(await second.ended(), EXIT_CODE.locked);
  assert.match(second.lines.join("\n"), /^Cannot open journal ".+": another agent has it open$/);
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.until(() => site.edge.states().sent === 1);
});

Deno.test("Journal distinguishes a damaged file from one that cannot be written", async () => {
  const path = `${await Deno.makeTempDir()}/journal.db`;
  open(path).close();
  const whole = Deno.readFileSync(path);
  const rows = new DatabaseSync(path);
  const page = Number(
    rows.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'deliveries'").get()?.rootpage,
  );
  rows.close();
  const damages = [
    whole.slice(0, whole.length / 2),
    whole.map((byte, at) => at < 100 ? 0x41 : byte),
    // A page that SQLite does not read to open the file.
    whole.map((byte, at) => Math.floor(at / PAGE_BYTES) === page - 1 ? 0xff : byte),
  ];
  for (const bytes of damages) {
    Deno.writeFileSync(path, bytes);
    assert.throws(() => open(path), JournalDamagedError);
  }
  Deno.removeSync(path);
  Deno.mkdirSync(path);
  assert.throws(() => open(path), JournalWriteError);
});

Deno.test("Journal writes nothing after a failed write, and the failed change is absent when it is opened again", async () => {
  const path = `${await Deno.makeTempDir()}/journal.db`;
  const journal = open(path);
  const other = new DatabaseSync(":memory:");
  other.close();
  assert.throws(() =>
    journal.together(() => {
      journal.setStopped("SIM0001", true);
      other.exec("SELECT 1");
    }), JournalWriteError);
  assert.ok(journal.broken.aborted);
  assert.throws(() => journal.setStopped("SIM0002", true), JournalWriteError);
  journal.close();
  const again = open(path);
  assert.deepEqual([again.isStopped("SIM0001"), again.isStopped("SIM0002"), again.counter], [
    false,
    false,
    0,
  ]);
  again.close();
});

async function start(settings: { rateLimit: number }): Promise<ProcessSite> {
  const site = await startProcessSite({ edge: { settings } });
  site.launch(MAY_RUN_OUT_OF_ROOM);
  await site.until(() => site.edge.received.some(({ type }) => type === "inventory"));
  return site;
}

/** Takes all room for files from the agent's process, or gives it back. */
async function setRoom({ pid }: ProcessSite, room: "none" | "again"): Promise<void> {
  const limit = room === "none" ? "1:unlimited" : "unlimited:unlimited";
  const { success } = await new Deno.Command("prlimit", { args: ["--pid", `${pid}`, `--fsize=${limit}`] })
    .output();
  assert.ok(success);
}

async function endOnSignal(site: ProcessSite): Promise<number> {
  Deno.kill(site.pid, "SIGTERM");
  return await site.ended();
}

async function untilLogged(site: ProcessSite, event: string): Promise<void> {
  await site.until(() => site.lines.some((line) => line.includes(`"${event}"`)));
}

function open(path: string): Journal {
  return new Journal(path, { now: () => 0, newId: () => "1".repeat(32) });
}
