/** The table of the lease protocol, every message on every kind of row: one test per line. */
import assert from "node:assert/strict";
import { type MessageName, MESSAGES, type RowName, ROWS, World } from "../testing/protocol_world.ts";
import { countsAndEvents } from "../testing/counts_and_events.ts";
import { auditQueue } from "./audit.ts";
import { flipCancelled } from "./flip_cancelled.ts";
import { pauseCampaign } from "./pause.ts";

interface Line {
  on: MessageName;
  row: RowName;
  /** Event in its campaign before the message; running by default. An ended campaign had no other contact. */
  campaign?: "cancelled" | "paused" | "ended";
  /**
   * State (`offered` = leased and not acknowledged) and its origin.
   * 0 edge, 1 site, 2 person, 3 clock, 4 journal lost, 5 earlier doubt, 6 journal doubted.
   */
  to: string;
  answer?: string;
  /** Units that the client gets back (1) or pays (-1). */
  money?: -1 | 0 | 1;
  /** Change of the used room in the account's day: 1 = one more used, -1 = one returned. */
  cap?: -1 | 0 | 1;
  recall?: true;
  alert?: true;
}

/**
 * By rule: lines of the table. Several rules may apply to one row; a line belongs to the first that decides its
 * state.
 */
const TABLE: Record<string, readonly Line[]> = {
  "rule 1": [
    { on: "hello of an older connection", row: "offered", to: "offered by 0", answer: "superseded" },
    { on: "hello of an older connection", row: "acked", to: "leased by 0", answer: "superseded" },
  ],
  "rule 3": [
    { on: "hello that lists it", row: "acked", to: "leased by 0", answer: "keep" },
    { on: "hello that lists it", row: "acked", campaign: "cancelled", to: "leased by 0", answer: "drop" },
    { on: "hello that lists it", row: "acked", campaign: "paused", to: "leased by 0", answer: "drop" },
    { on: "hello that lists it", row: "unknown by 3", to: "unknown by 3", answer: "drop" },
  ],
  "rule 4": [
    { on: "hello that lists it", row: "offered", to: "queued by 0", answer: "drop", cap: -1 },
    { on: "hello that does not list it", row: "offered", to: "queued by 0", answer: "keep", cap: -1 },
  ],
  "rule 5": [
    { on: "report void", row: "offered", to: "queued by 1", answer: "applied", cap: -1 },
    { on: "report void", row: "acked", to: "queued by 1", answer: "applied", cap: -1 },
  ],
  "rule 7": [
    { on: "leaseAck", row: "offered", to: "leased by 0", answer: "go" },
    { on: "leaseAck", row: "acked", to: "leased by 0", answer: "go" },
    { on: "leaseAck", row: "offered, suppressed since", to: "offered by 0", answer: "go without it" },
    { on: "leaseAck", row: "offered", campaign: "paused", to: "queued by 0", answer: "go without it" },
    { on: "leaseAck", row: "offered", campaign: "cancelled", to: "cancelled by 0", answer: "go without it" },
    { on: "leaseAck", row: "offer run out", to: "queued by 0", answer: "go without it" },
    { on: "leaseAck", row: "unknown by 3", to: "unknown by 3", answer: "go without it" },
    { on: "leaseAck by another site", row: "offered", to: "offered by 0", answer: "go without it" },
    { on: "leaseAck by another site", row: "acked", to: "leased by 0", answer: "go without it" },
  ],
  "rule 8": [
    { on: "report sent", row: "offered", to: "sent by 1", answer: "applied" },
    { on: "report sent", row: "acked", to: "sent by 1", answer: "applied" },
    { on: "report sent", row: "acked", campaign: "cancelled", to: "sent by 1", answer: "applied" },
    { on: "report failed", row: "offered", to: "failed by 1", answer: "applied", money: 1 },
    { on: "report failed", row: "acked", to: "failed by 1", answer: "applied", money: 1 },
    {
      on: "report failed",
      row: "acked",
      campaign: "cancelled",
      to: "failed by 1",
      answer: "applied",
      money: 1,
    },
    { on: "report failed", row: "acked", campaign: "paused", to: "failed by 1", answer: "applied", money: 1 },
    { on: "suppress", row: "queued", campaign: "paused", to: "skipped by 0", money: 1 },
    { on: "report void", row: "acked", campaign: "paused", to: "queued by 1", answer: "applied", cap: -1 },
    {
      on: "report void",
      row: "acked",
      campaign: "cancelled",
      to: "cancelled by 1",
      answer: "applied",
      money: 1,
      cap: -1,
    },
    { on: "report unknown", row: "offered", to: "unknown by 1", answer: "applied" },
    { on: "report unknown", row: "acked", to: "unknown by 1", answer: "applied" },
    { on: "report unknown", row: "acked", campaign: "cancelled", to: "unknown by 1", answer: "applied" },
    { on: "report sent by another site", row: "acked", to: "leased by 0", answer: "stale", alert: true },
    {
      on: "report sent by another site",
      row: "unknown by 3",
      to: "unknown by 3",
      answer: "stale",
      alert: true,
    },
    { on: "report void of a token of nobody", row: "acked", to: "leased by 0", answer: "stale" },
    { on: "report of a number that is no contact", row: "acked", to: "leased by 0", answer: "stale" },
    { on: "tick after the offer's time", row: "offered", to: "queued by 0", cap: -1 },
    { on: "tick after the offer's time", row: "acked", to: "leased by 0" },
    { on: "tick just before 24 h", row: "acked", to: "leased by 0" },
    { on: "tick after 24 h", row: "acked", to: "unknown by 3" },
    { on: "tick after 24 h", row: "acked", campaign: "cancelled", to: "unknown by 3" },
    { on: "cancel", row: "queued", to: "cancelled by 0", money: 1 },
    { on: "cancel", row: "offered", to: "cancelled by 0", money: 1, cap: -1 },
    { on: "cancel", row: "acked", to: "leased by 0", recall: true },
    { on: "cancel", row: "unknown by 3", to: "unknown by 3" },
    { on: "clear", row: "queued", to: "cancelled by 0", money: 1 },
    { on: "clear", row: "offered", to: "cancelled by 0", money: 1, cap: -1 },
    { on: "clear", row: "acked", to: "leased by 0", recall: true },
    { on: "pause", row: "queued", to: "queued by 0" },
    { on: "pause", row: "offered", to: "queued by 0", cap: -1 },
    { on: "pause", row: "acked", to: "leased by 0", recall: true },
    { on: "suppress", row: "queued", to: "skipped by 0", money: 1 },
    { on: "suppress", row: "offered", to: "skipped by 0", money: 1, cap: -1 },
    { on: "suppress", row: "acked", to: "leased by 0", recall: true },
    { on: "suppress", row: "unknown by 3", to: "unknown by 3" },
    { on: "resolve sent", row: "acked", to: "leased by 0", answer: "409" },
    { on: "resolve failed", row: "acked", to: "leased by 0", answer: "409" },
    { on: "resolve resend", row: "acked", to: "leased by 0", answer: "409" },
  ],
  "rule 9": [
    { on: "hello that does not list it", row: "acked", to: "unknown by 4", answer: "keep" },
    {
      on: "hello that does not list it",
      row: "acked",
      campaign: "cancelled",
      to: "unknown by 4",
      answer: "keep",
    },
  ],
  "rule 11": [
    { on: "report sent", row: "unknown by 1", to: "sent by 1", answer: "applied" },
    { on: "report sent", row: "unknown by 3", to: "sent by 1", answer: "applied" },
    { on: "report sent", row: "unknown by 4", to: "sent by 1", answer: "applied" },
    { on: "report sent", row: "sent by 2", to: "sent by 1", answer: "applied" },
    { on: "report sent", row: "failed by 2", to: "sent by 1", answer: "applied", money: -1 },
    {
      on: "report sent",
      row: "failed by 2",
      campaign: "ended",
      to: "sent by 1",
      answer: "applied",
      money: -1,
    },
    { on: "report sent", row: "sent by 1", to: "sent by 1", answer: "known" },
    { on: "report sent", row: "void", to: "sent by 1", answer: "applied", cap: 1, alert: true },
    { on: "report sent", row: "offer run out", to: "sent by 1", answer: "applied", cap: 1, alert: true },
    { on: "report sent", row: "failed by 1", to: "sent by 1", answer: "applied", money: -1, alert: true },
    {
      on: "report sent",
      row: "unknown by 3, void in an ended campaign",
      campaign: "ended",
      to: "sent by 1",
      answer: "applied",
      money: -1,
      cap: 1,
      alert: true,
    },
    {
      on: "report sent",
      row: "void, then suppressed",
      to: "sent by 1",
      answer: "applied",
      money: -1,
      cap: 1,
      alert: true,
    },
    {
      on: "report sent",
      row: "void, then cancelled",
      to: "sent by 1",
      answer: "applied",
      money: -1,
      cap: 1,
      alert: true,
    },
    {
      on: "report sent",
      row: "void",
      campaign: "cancelled",
      to: "sent by 1",
      answer: "applied",
      money: -1,
      cap: 1,
      alert: true,
    },
    { on: "report failed", row: "unknown by 1", to: "failed by 1", answer: "applied", money: 1 },
    { on: "report failed", row: "unknown by 3", to: "failed by 1", answer: "applied", money: 1 },
    { on: "report failed", row: "unknown by 4", to: "failed by 1", answer: "applied", money: 1 },
    { on: "report failed", row: "sent by 2", to: "failed by 1", answer: "applied", money: 1 },
    { on: "report failed", row: "failed by 2", to: "failed by 2", answer: "known" },
    { on: "report failed", row: "sent by 1", to: "sent by 1", answer: "known" },
    { on: "report failed", row: "failed by 1", to: "failed by 1", answer: "known" },
    { on: "report failed", row: "void", to: "queued by 1", answer: "known" },
    { on: "report failed", row: "void, then suppressed", to: "skipped by 0", answer: "known" },
    { on: "report failed", row: "void, then cancelled", to: "cancelled by 0", answer: "known" },
    { on: "report void", row: "unknown by 1", to: "queued by 1", answer: "applied", cap: -1 },
    { on: "report void", row: "unknown by 3", to: "queued by 1", answer: "applied", cap: -1 },
    { on: "report void", row: "unknown by 4", to: "queued by 1", answer: "applied", cap: -1 },
    {
      on: "report void",
      row: "unknown by 3",
      campaign: "cancelled",
      to: "cancelled by 1",
      answer: "applied",
      money: 1,
      cap: -1,
    },
    {
      on: "report void",
      row: "unknown by 3",
      campaign: "ended",
      to: "failed by 1",
      answer: "applied",
      money: 1,
      cap: -1,
    },
    { on: "report void", row: "sent by 2", to: "failed by 1", answer: "applied", money: 1 },
    { on: "report void", row: "failed by 2", to: "failed by 2", answer: "known" },
    { on: "report void", row: "sent by 1", to: "sent by 1", answer: "known" },
    { on: "report void", row: "failed by 1", to: "failed by 1", answer: "known" },
    { on: "report void", row: "void", to: "queued by 1", answer: "known" },
    { on: "report void", row: "offer run out", to: "queued by 0", answer: "known" },
    { on: "report unknown", row: "unknown by 1", to: "unknown by 1", answer: "known" },
    { on: "report unknown", row: "unknown by 3", to: "unknown by 1", answer: "applied" },
    { on: "report unknown", row: "unknown by 4", to: "unknown by 1", answer: "applied" },
    { on: "report unknown", row: "sent by 2", to: "sent by 2", answer: "known" },
    { on: "report unknown", row: "failed by 2", to: "failed by 2", answer: "known" },
    { on: "report unknown", row: "void", to: "queued by 1", answer: "known" },
    { on: "report unknown", row: "void, then suppressed", to: "skipped by 0", answer: "known" },
    { on: "report unknown", row: "void, then cancelled", to: "cancelled by 0", answer: "known" },
  ],
  "rule 12": [
    { on: "pull", row: "resent, suppressed", to: "unknown by 5", answer: "nothing" },
    { on: "report sent", row: "unknown by 5", to: "sent by 1", answer: "applied" },
    { on: "report failed", row: "unknown by 5", to: "unknown by 5", answer: "applied" },
    { on: "report failed", row: "resent, acked", to: "unknown by 5", answer: "applied" },
    {
      on: "report failed",
      row: "resent, acked, earlier one known untapped",
      to: "failed by 1",
      answer: "applied",
      money: 1,
    },
    { on: "report void", row: "unknown by 5", to: "unknown by 5", answer: "known" },
    { on: "report void", row: "resent, acked", to: "queued by 1", answer: "applied", cap: -1 },
    { on: "report void", row: "resent, acked", campaign: "cancelled", to: "unknown by 5", answer: "applied" },
    { on: "report unknown", row: "unknown by 5", to: "unknown by 5", answer: "known" },
    { on: "late report sent", row: "resent", to: "sent by 1", answer: "applied" },
    { on: "late report sent", row: "resent, offered", to: "sent by 1", answer: "applied" },
    { on: "late report sent", row: "resent, acked", to: "leased by 0", answer: "applied", recall: true },
    { on: "late report sent", row: "resent, sent", to: "sent by 1", answer: "applied" },
    { on: "late report sent", row: "unknown by 5", to: "sent by 1", answer: "applied" },
    {
      on: "late report sent",
      row: "unknown by 5, then failed by 2",
      to: "sent by 1",
      answer: "applied",
      money: -1,
    },
    { on: "late report failed", row: "unknown by 5", to: "failed by 1", answer: "applied", money: 1 },
    { on: "late report void", row: "unknown by 5", to: "failed by 1", answer: "applied", money: 1 },
    { on: "late report unknown", row: "unknown by 5", to: "unknown by 5", answer: "known" },
    { on: "late report failed", row: "resent", to: "queued by 2", answer: "applied" },
    { on: "late report void", row: "resent", to: "queued by 2", answer: "applied" },
    { on: "late report void", row: "resent, acked", to: "leased by 0", answer: "applied" },
    { on: "late report unknown", row: "resent", to: "queued by 2", answer: "known" },
    {
      on: "late report sent by another site",
      row: "resent",
      to: "queued by 2",
      answer: "stale",
      alert: true,
    },
    {
      on: "report sent of a token of nobody",
      row: "resent",
      to: "queued by 2",
      answer: "stale",
      alert: true,
    },
    { on: "tick after the offer's time", row: "resent, offered", to: "queued by 0", cap: -1 },
    { on: "cancel", row: "resent", to: "unknown by 5" },
    { on: "cancel", row: "resent, offered", to: "unknown by 5" },
    { on: "cancel", row: "resent, acked", to: "leased by 0", recall: true },
    { on: "clear", row: "resent", to: "unknown by 5" },
    { on: "cancel", row: "resent, earlier one known untapped", to: "cancelled by 0", money: 1 },
    { on: "clear", row: "resent, earlier one known untapped", to: "cancelled by 0", money: 1 },
    { on: "suppress", row: "resent, earlier one known untapped", to: "skipped by 0", money: 1 },
    { on: "suppress", row: "resent", to: "unknown by 5" },
    { on: "suppress", row: "resent, offered", to: "unknown by 5" },
    { on: "report unknown", row: "resent, acked", to: "unknown by 1", answer: "applied" },
    { on: "tick after 24 h", row: "resent, acked", to: "unknown by 3" },
  ],
  "rule 13": [
    { on: "resolve sent", row: "unknown by 3", to: "sent by 2" },
    { on: "resolve failed", row: "unknown by 3", to: "failed by 2", money: 1 },
    { on: "resolve resend", row: "unknown by 3", to: "queued by 2" },
    { on: "resolve resend", row: "unknown by 3", campaign: "ended", to: "queued by 2" },
    { on: "resolve resend", row: "unknown by 5", to: "queued by 2" },
    { on: "resolve resend", row: "unknown by 3", campaign: "cancelled", to: "unknown by 3", answer: "409" },
    { on: "resolve failed", row: "unknown by 3", campaign: "cancelled", to: "failed by 2", money: 1 },
    { on: "resolve resend", row: "sent by 1", to: "sent by 1", answer: "409" },
    { on: "resolve resend", row: "failed by 1", to: "failed by 1", answer: "409" },
    { on: "resolve resend", row: "sent by 2", to: "sent by 2", answer: "409" },
  ],
  "rule 14": [
    { on: "hello with a counter that fell", row: "acked", to: "unknown by 6", answer: "drop", alert: true },
    {
      on: "hello with a counter that fell",
      row: "offered",
      to: "queued by 0",
      answer: "drop",
      cap: -1,
      alert: true,
    },
    {
      on: "hello with a counter that fell",
      row: "unknown by 1",
      to: "unknown by 6",
      answer: "drop",
      alert: true,
    },
    {
      on: "hello with a counter that fell",
      row: "unknown by 3",
      to: "unknown by 6",
      answer: "drop",
      alert: true,
    },
    {
      on: "hello with a counter that fell",
      row: "unknown by 4",
      to: "unknown by 6",
      answer: "drop",
      alert: true,
    },
    { on: "hello with a counter that fell", row: "sent by 2", to: "sent by 2", answer: "drop", alert: true },
    { on: "hello of a foreign journal", row: "acked", to: "unknown by 6", answer: "drop", alert: true },
    { on: "report sent", row: "unknown by 6", to: "sent by 1", answer: "applied" },
    { on: "report failed", row: "unknown by 6", to: "unknown by 6", answer: "known" },
    { on: "report void", row: "unknown by 6", to: "unknown by 6", answer: "known" },
    { on: "report unknown", row: "unknown by 6", to: "unknown by 6", answer: "known" },
    { on: "late report void", row: "unknown by 6, resent, failed", to: "unknown by 5", answer: "known" },
    { on: "late report failed", row: "unknown by 6, resent, failed", to: "unknown by 5", answer: "known" },
    { on: "late report sent", row: "unknown by 6, resent, failed", to: "sent by 1", answer: "applied" },
    {
      on: "late report void",
      row: "unknown by 3, resent, then its journal doubted",
      to: "queued by 2",
      answer: "known",
    },
  ],
  "rule 16": [
    { on: "revoke", row: "offered", to: "queued by 0", cap: -1 },
    { on: "revoke", row: "acked", to: "unknown by 3" },
  ],
  "rule 20": [
    { on: "hello without features that lists it", row: "acked", to: "leased by 0", answer: "keep" },
    {
      on: "hello without features that lists it",
      row: "offered",
      to: "queued by 0",
      answer: "drop",
      cap: -1,
    },
    { on: "hello without features that does not list it", row: "acked", to: "unknown by 4", answer: "keep" },
  ],
  caps: [
    { on: "pull", row: "queued", to: "offered by 0", answer: "lease", cap: 1 },
    { on: "pull", row: "void", to: "offered by 0", answer: "lease", cap: 1 },
    { on: "pull", row: "resent", to: "offered by 0", answer: "lease", cap: 1 },
  ],
  pull: [
    { on: "pull", row: "queued, suppressed", to: "skipped by 0", answer: "nothing", money: 1 },
    { on: "pull", row: "queued", campaign: "paused", to: "queued by 0", answer: "nothing" },
    { on: "pull", row: "queued", campaign: "cancelled", to: "cancelled by 0", answer: "nothing" },
    { on: "pull", row: "offered", to: "offered by 0", answer: "nothing" },
    { on: "pull", row: "void, to be retried", to: "queued by 1", answer: "nothing" },
    { on: "pull", row: "unknown by 3", to: "unknown by 3", answer: "nothing" },
  ],
  settle: [
    {
      on: "hello that does not list it",
      row: "resent, acked, earlier one known sent",
      to: "sent by 1",
      answer: "keep",
    },
    { on: "report failed", row: "resent, acked, earlier one known sent", to: "sent by 1", answer: "applied" },
    { on: "report void", row: "resent, acked, earlier one known sent", to: "sent by 1", answer: "applied" },
    {
      on: "report unknown",
      row: "resent, acked, earlier one known sent",
      to: "sent by 1",
      answer: "applied",
    },
    {
      on: "late report sent",
      row: "resent, acked, earlier one known sent",
      to: "leased by 0",
      answer: "known",
    },
    {
      on: "late report void",
      row: "resent, acked, earlier one known sent",
      to: "leased by 0",
      answer: "known",
    },
    { on: "tick after 24 h", row: "resent, acked, earlier one known sent", to: "sent by 1" },
    { on: "revoke", row: "resent, acked, earlier one known sent", to: "sent by 1" },
    { on: "report sent", row: "resent, acked, earlier one known sent", to: "sent by 1", answer: "applied" },
    {
      on: "leaseAck",
      row: "resent, offered, earlier one known sent",
      to: "sent by 1",
      answer: "go without it",
    },
    { on: "pull", row: "resent, earlier one known sent", to: "sent by 1", answer: "nothing" },
  ],
  tries: [
    { on: "report void, temporary", row: "acked", to: "queued by 1", answer: "applied", cap: -1 },
    {
      on: "report void, temporary",
      row: "acked, three tries over",
      to: "failed by 1",
      answer: "applied",
      money: 1,
    },
    {
      on: "report void, temporary",
      row: "acked, three tries over",
      campaign: "cancelled",
      to: "cancelled by 1",
      answer: "applied",
      money: 1,
      cap: -1,
    },
    { on: "report void", row: "acked, three tries over", to: "queued by 1", answer: "applied", cap: -1 },
  ],
};

for (const [rule, lines] of Object.entries(TABLE)) {
  for (const line of lines) {
    const { on, row, campaign, to, answer } = line;
    const given = campaign === undefined ? row : `${row}, campaign ${campaign}`;
    const outcome = [to, answer].filter(Boolean).join(", ");
    Deno.test(`${rule}: ${on} × ${given} → ${outcome}`, () => check(line));
  }
}

async function check(
  { on, row, campaign, to, answer, money = 0, cap = 0, recall, alert }: Line,
): Promise<void> {
  await using world = await World.open(campaign !== "ended");
  const { fleet } = world;
  await ROWS[row](world);
  if (campaign === "cancelled") await world.cancel();
  if (campaign === "paused") await pauseCampaign(fleet.ctx, world.owner, world.campaign.id);
  const before = await world.look();
  const { held: counted } = await countsAndEvents(fleet.ctx.db);

  const heard = await MESSAGES[on](world);
  if (answer !== undefined) assert.equal(heard, answer);
  // The next tick writes the rows that the cancellation counted.
  await flipCancelled(fleet.ctx);
  const after = await world.look();
  // Cancelling refunds the other contact too.
  const others = ["cancel", "clear"].includes(on) ? 1 : 0;
  assert.deepEqual(
    {
      row: after.row,
      money: after.balance - before.balance - others,
      cap: after.used - before.used,
      // A tick may delete old events.
      recalls: Math.max(0, after.recalls - before.recalls),
      alerts: Math.max(0, after.alerts - before.alerts),
    },
    { row: to, money, cap, recalls: recall ? 1 : 0, alerts: alert ? 1 : 0 },
  );
  assert.deepEqual(await auditQueue(fleet.ctx.db), []);
  const { held, sent } = await countsAndEvents(fleet.ctx.db);
  if (JSON.stringify(held) !== JSON.stringify(counted)) {
    assert.deepEqual(sent, held, "what screens were told last");
  }

  if (!on.includes("report")) return;
  const again = await MESSAGES[on](world);
  assert.ok(again === heard || again === "known", `again: ${again}`);
  const third = await world.look();
  assert.deepEqual({ ...third, alerts: 0 }, { ...after, alerts: 0 }, "the same again changes nothing");
}
