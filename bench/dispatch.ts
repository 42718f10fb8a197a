/** Lease, acknowledge and report through the real verbs, schema, triggers, ledger and events, fully synced. */
import { acknowledgeLease } from "../edge/queue/lease_ack.ts";
import { leaseDeliveries } from "../edge/queue/lease.ts";
import { reportOutcomes } from "../edge/queue/report.ts";
import type { EdgeContext } from "../edge/context.ts";
import { openTestDatabase } from "../edge/testing/test_db.ts";

export interface DispatchFigures {
  deliveries: number;
  batch: number;
  perSecond: number;
  /** Of one round: lease, leaseAck and report of a whole batch. */
  roundP50Ms: number;
  roundP99Ms: number;
}

const EPOCH = 1;
const SITE = 1;

/** Sends `deliveries` rows in batches of `batch` phones, one after another. */
export async function measureDispatch(deliveries: number, batch: number): Promise<DispatchFigures> {
  await using database = await openTestDatabase();
  const { db } = database;
  await db.executeMultiple(`
    INSERT INTO users (username, username_key, password_hash, role, created_at) VALUES ('b', 'b', '', 'client', 0);
    INSERT INTO quota_ledger (client, at, kind, delta) VALUES (1, 0, 'grant', ${deliveries});
    INSERT INTO campaigns (client, name, message, status, queued_count, reserved, created_at, updated_at, send_at)
      VALUES (1, 'b', 'b', 'processing', ${deliveries}, ${deliveries}, 0, 0, 0);
    INSERT INTO quota_ledger (client, at, kind, delta, campaign) VALUES (1, 0, 'reserve', -${deliveries}, 1);
    INSERT INTO deliveries (campaign, phone, updated_at)
      SELECT 1, 972540000000 + value, 0 FROM json_each('${numbers(deliveries)}');
    INSERT INTO sites (name, public_key, epoch, hello_epoch, created_at, answered_generation)
      VALUES ('b', 'k', ${EPOCH}, ${EPOCH}, 0, (SELECT value FROM system WHERE key = 'generation'));
    INSERT INTO settings (key, value, updated_at) VALUES ('maxMessagesPerDay', '100000000', 0);
    INSERT INTO devices (site, key, address, state, first_seen_at, updated_at)
      SELECT 1, 'D' || value, '', 'online', 0, 0 FROM json_each('${numbers(batch)}');
    INSERT INTO accounts (device, site, key, state, first_seen_at, updated_at)
      SELECT id, 1, key || '/com.whatsapp/0', 'ok', 0, 0 FROM devices;
  `);
  const ctx: EdgeContext = {
    db,
    now: Date.now,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    wakeOutbox() {},
    log: { debug() {}, info() {}, warn() {}, error() {} },
  };
  const devices = Array.from({ length: batch }, (_, index) => ({ id: `D${index + 1}`, room: 1 }));
  const roundsMs: number[] = [];
  const startedAt = performance.now();
  let sent = 0;
  for (let round = 1;; round++) {
    const roundAt = performance.now();
    const lease = await leaseDeliveries(ctx, { site: SITE, epoch: EPOCH, devices });
    if (!lease) break;
    const go = await acknowledgeLease(ctx, {
      site: SITE,
      epoch: EPOCH,
      token: lease.token,
      journalCounter: round,
    });
    await reportOutcomes(ctx, {
      site: SITE,
      epoch: EPOCH,
      seq: round,
      journalCounter: round,
      items: lease.items.map((item) => ({
        token: lease.token,
        campaign: lease.campaign,
        phone: item.phone,
        attempt: item.attempt,
        outcome: "sent" as const,
        temporary: false,
        reason: null,
        account: item.account,
        tappedAt: Date.now(),
      })),
    });
    sent += go.items.length;
    roundsMs.push(performance.now() - roundAt);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  roundsMs.sort((a, b) => a - b);
  const at = (share: number) => roundsMs[Math.floor(roundsMs.length * share)];
  return { deliveries: sent, batch, perSecond: sent / seconds, roundP50Ms: at(0.5), roundP99Ms: at(0.99) };
}

function numbers(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => index + 1));
}
