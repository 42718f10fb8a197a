/** Rule 1 for every kind of frame: an older connection, and one before its hello, moves no row anywhere. */
import assert from "node:assert/strict";
import type { ReportItem } from "shared/agent_protocol.ts";
import { SILENCE_LIMIT_MS } from "shared/lease.ts";
import { SupersededError } from "../queue/fence.ts";
import type { LeaseFrame } from "../queue/lease.ts";
import { resolveDeliveries } from "../queue/resolve.ts";
import { settleSilent } from "../queue/settle_silent.ts";
import { allRows } from "../testing/all_rows.ts";
import { type Fleet, openFleet, outcomesOf, type TestSite } from "../testing/fleet.ts";
import { openRows, pull, sendNew, take } from "../testing/queue_acts.ts";
import { connectSite } from "./connect.ts";
import { type HandledFrame, handleFrame } from "./handle_frame.ts";

interface House {
  fleet: Fleet;
  site: TestSite;
  /** Abandoned by a person, who sent it again. */
  earlier: LeaseFrame;
  acked: LeaseFrame;
  offered: LeaseFrame;
  generation: string;
}

type FrameOf = (house: House) => HandledFrame;

/** Each frame changes something when the site's present connection sends it, in addition to its time. */
const FRAMES: Record<string, FrameOf> = {
  "pull": ({ site }) => ({ type: "pull", devices: site.devices.map((id) => ({ id, room: 3 })) }),
  "leaseAck": ({ offered }) => ({ type: "leaseAck", token: offered.token, journalCounter: 1_000_000 }),
  "report sent": ({ acked }) => reportOf(outcomesOf(acked, "sent")),
  "report void of a banned account": ({ acked }) =>
    reportOf(outcomesOf(acked, "void", { reason: "account_banned" })),
  "report void of what was only offered": ({ offered }) => reportOf(outcomesOf(offered, "void")),
  "late report sent": ({ earlier }) => reportOf(outcomesOf(earlier, "sent")),
  "late report void": ({ earlier }) => reportOf(outcomesOf(earlier, "void")),
  "heartbeat": () => ({ type: "heartbeat", journalCounter: 1_000_900, at: 1 }),
  "inventory": () => ({ type: "inventory", devices: [], accounts: [] }),
  "outcomes": ({ generation, acked }) => ({
    type: "outcomes",
    generation,
    last: true,
    items: outcomesOf(acked, "sent").map((item) => ({ ...item, outcome: "sent" as const, at: 1 })),
  }),
  "commandResult": () => ({ type: "commandResult", id: 1, ok: true, detail: "" }),
  "erased": () => ({ type: "erased", items: [{ id: 1, removed: 1 }] }),
  "inbound": ({ acked, fleet }) => ({
    type: "inbound",
    items: acked.items.map(({ phone, account }) => ({
      id: "1".repeat(32),
      phone,
      account,
      decision: "remove" as const,
      excerpt: "הסר",
      at: fleet.ctx.now(),
    })),
  }),
  "drain": () => ({ type: "drain" }),
};

for (const [name, frame] of Object.entries(FRAMES)) {
  Deno.test(`handleFrame() changes nothing for ${name} of an ended connection or one without hello (rule 1)`, async () => {
    await using fleet = await openFleet();
    const house = await openHouse(fleet, name === "outcomes");
    const { site } = house;
    const older = { site: site.site, epoch: site.epoch };
    const newer = { site: site.site, epoch: await connect(fleet, site) };
    await sendsInVain(house, older, frame(house));
    await sendsInVain(house, newer, frame(house));
    await fleet.reconnect(site, { open: [...openRows(house.acked), ...openRows(house.offered)] });
    await sendsInVain(house, older, frame(house));
    await sendsInVain(house, newer, frame(house));
  });

  Deno.test(`handleFrame() handles ${name} of the present connection`, async () => {
    await using fleet = await openFleet();
    const house = await openHouse(fleet, name === "outcomes");
    const before = await allRows(fleet.ctx.db);
    await handleFrame(fleet.ctx, house.site, frame(house));
    assert.notDeepEqual(await allRows(fleet.ctx.db), before);
  });
}

/**
 * One row resent after a day of silence, one confirmed, one offered, others due; and rows that every frame can
 * change. `owes` = the site has not yet reported to a restored database.
 */
async function openHouse(fleet: Fleet, owes: boolean): Promise<House> {
  const campaign = await sendNew(fleet, 8);
  const site = await fleet.addSite();
  const earlier = await take(fleet, site, 1);
  fleet.pass(SILENCE_LIMIT_MS + 1);
  await settleSilent(fleet.ctx);
  await resolveDeliveries(fleet.ctx, campaign.client, campaign.id, { ids: "all", as: "resend" });
  const acked = await take(fleet, site, 1);
  const offered = await pull(fleet, site, 1);
  assert.ok(offered);
  await fleet.ctx.db.batch([
    "INSERT INTO suppressions (client, phone, source, at) SELECT 0, phone, 'test', 0 FROM deliveries WHERE id = 4",
    "INSERT INTO commands (device, site, kind, user, created_at) SELECT id, site, 'start', 1, 0 FROM devices",
    `INSERT INTO erasures (at, user, reason, mark, nonce, hash, blocked) VALUES (0, 1, '', '', '', '', 0)`,
    `INSERT INTO erasure_sites (erasure, site) VALUES (1, ${site.site})`,
  ], "write");
  if (owes) await fleet.ctx.db.execute("UPDATE sites SET told_generation = 'older'");
  // Time passes, so that every write shows.
  fleet.pass(1_000);
  const { value } = await fleet.one("SELECT value FROM system WHERE key = 'generation'");
  return { fleet, site, earlier, acked, offered, generation: String(value) };
}

/** Connects again without a hello. */
async function connect({ ctx }: Fleet, { site }: TestSite): Promise<number> {
  const welcome = await connectSite(ctx, site);
  assert.ok(welcome);
  return welcome.epoch;
}

async function sendsInVain(
  { fleet }: House,
  connection: { site: number; epoch: number },
  frame: HandledFrame,
): Promise<void> {
  fleet.pass(1_000);
  const before = await allRows(fleet.ctx.db);
  const handled = handleFrame(fleet.ctx, connection, frame);
  // An answer that erases nothing needs no refusal: the site is asked again.
  if (frame.type === "erased") await handled;
  else await assert.rejects(handled, SupersededError);
  assert.deepEqual(await allRows(fleet.ctx.db), before);
}

function reportOf(items: ReportItem[]): HandledFrame {
  return { type: "report", seq: 1, journalCounter: 1_000_000, items };
}
