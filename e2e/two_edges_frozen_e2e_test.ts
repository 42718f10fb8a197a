/**
 * An edge frozen for a minute during a campaign, then thawed after its sites moved away, and given work again:
 * with a local file and with a remote database, side by side.
 */
import assert from "node:assert/strict";
import { MOVED_BY } from "shared/delivery.ts";
import { SEED } from "shared/testing/seed.ts";
import { doubleLeases } from "./two_edges_witness.ts";
import { type DatabaseKind, withWorld } from "./two_edges_world.ts";
import { type Findings, freezeInTheMiddle } from "./two_edges_frozen.ts";
import { mulberry32 } from "shared/random.ts";

const FROZEN_MS = 60_000;
const CONTACTS = 900;
const SETTINGS = { rateLimit: 1, maxMessagesPerDay: 10_000 };

Deno.test(`an edge frozen for 60 s wakes up among sites that moved on, and changes nothing of theirs (seed ${SEED})`, async (t) => {
  const random = mulberry32(SEED);
  const cutsOn = random() < 0.5 ? "file" : "remote";
  const kinds: DatabaseKind[] = ["file", "remote"];
  // Wait for both: an abandoned world would leave its frozen process running.
  const results = await Promise.allSettled(kinds.map(async (kind) => {
    const plan = { contacts: CONTACTS, frozenMs: FROZEN_MS, cut: kind === cutsOn, random };
    return await withWorld(kind, SETTINGS, (world) => freezeInTheMiddle(world, plan));
  }));
  for (const [index, kind] of kinds.entries()) {
    await t.step(`over a ${kind} database`, async (t) => {
      const result = results[index];
      if (result.status === "rejected") throw result.reason;
      await judge(t, kind, result.value);
    });
  }
});

/** RFC 6455 section 7.4.1, "internal error". */
const GAVE_UP = 1011;
/**
 * The code without a close frame. Deno's server ends the connection like this when a frame arrives after it began to
 * close; unread bytes then reset the connection, and its last frames are lost.
 */
const CUT = 0;

async function judge(t: Deno.TestContext, kind: DatabaseKind, findings: Findings): Promise<void> {
  const { rows, taps, moves, abandoned, lastBefore } = findings;
  const during = moves.filter(({ seq }) => seq > lastBefore.freeze && seq <= lastBefore.thaw);
  const after = moves.filter(({ seq }) => seq > lastBefore.thaw);
  assert.ok(during.length > 50 && after.length > 20, "the campaign ran on, during and after");
  const tapped = Map.groupBy(taps, ({ phone, text }) => `${phone} ${text}`);

  await t.step(
    `stale frames accepted: ${sum(findings.staleTraces)} of ${findings.staleFrames}; on their connections ${
      JSON.stringify(findings.staleAnswers)
    }`,
    () => {
      assert.deepEqual(findings.staleTraces, { moves: 0, attempts: 0, devices: 0, counters: 0, draining: 0 });
      for (
        const [site, { superseded, closed, workWaiting: _, ...taken }] of Object.entries(
          findings.staleAnswers,
        )
      ) {
        // A remote database may have run the statement before the site moved. Then its response comes late, or the
        // edge gives up and ends the connection without one. These two sites sent a second frame, so their
        // connection may also be cut.
        const wasOnItsWay = { "pull on its way": "lease", "report on its way": "reportAck" }[site];
        const endings = kind === "remote" ? [GAVE_UP, CUT] : [CUT];
        const wasEnded = wasOnItsWay !== undefined && endings.includes(closed);
        assert.ok(
          superseded === 1 || wasEnded,
          `${site} gets the superseded frame; it was closed with ${closed}`,
        );
        const answered = Object.keys(taken).filter((type) => kind === "file" || type !== wasOnItsWay);
        assert.deepEqual(answered, [], site);
      }
    },
  );
  const { staleChanges } = findings;
  if (staleChanges) {
    await t.step(
      `statements by which the thawed edge changed data reported by sites: ${staleChanges.length}`,
      () => {
        assert.deepEqual(staleChanges, []);
      },
    );
  }
  const twice = doubleLeases(moves);
  await t.step(`double leases: ${twice.length} in ${moves.length} moves`, () => assert.deepEqual(twice, []));
  const doubled = [...tapped].filter(([, own]) => own.length > 1).map(([key]) => key);
  const phones = new Set(taps.map(({ phone }) => phone));
  const lost = rows.filter(({ phone, state }) =>
    state !== "unknown" && !(state === "sent" && phones.has(`+${phone}`))
  );
  await t.step(
    `doubled: ${doubled.length} in ${taps.length} taps; lost: ${lost.length} of ${rows.length}`,
    () => {
      assert.deepEqual(doubled, []);
      assert.deepEqual(lost, []);
      assert.equal(rows.length, CONTACTS);
    },
  );
  const back = moves.filter(({ oldToken, oldState, state }) =>
    oldToken === abandoned.token && oldState === "leased" && state === "queued"
  );
  const seconds = (abandoned.backAfterMs / 1000).toFixed(1);
  await t.step(
    `the other edge took over the duties: abandoned offers back after ${seconds} s, once`,
    () => {
      assert.deepEqual(back.map(({ phone }) => phone).toSorted(), abandoned.phones.toSorted());
      assert.ok(back.every(({ by, seq }) => by === MOVED_BY.edge && seq <= lastBefore.thaw));
    },
  );
  await t.step(`ledger and every rule exact; ${findings.quota.held} held`, () => {
    assert.equal(findings.quota.left + findings.quota.held, 10_000);
    assert.deepEqual(findings.broken, []);
  });
  await t.step(
    `the other edge answered ${JSON.stringify(findings.answers)}, slowest ${
      Math.round(findings.slowestMs)
    } ms`,
    () => {
      assert.deepEqual(Object.keys(findings.answers), ["200"], findings.failures.join("\n"));
    },
  );
  await t.step(
    `browsers received events again ${
      Math.round(findings.eventsAgainMs)
    } ms after the thaw, and only their own`,
    () => {
      assert.notEqual(findings.newestFigures[0], undefined);
      assert.equal(findings.newestFigures[0], findings.newestFigures[1]);
      assert.equal(findings.strangers.foreign, 0);
      assert.ok(findings.strangers.own > 0);
    },
  );
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
