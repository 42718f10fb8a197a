/**
 * Thousands of malformed frames at the agents' door: nothing crashes, and nothing of another site changes. The suite
 * sends a twentieth of them, `deno task lies` all (HOSTILE).
 */
import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { type AgentFrame, agentFrameSchema, CLOSE, outcomeSchema } from "shared/agent_protocol.ts";
import { decodeFrame, encodeFrame } from "shared/cbor.ts";
import { auditQueue } from "../queue/audit.ts";
import { type AgentDoorTest, openAgentDoor } from "../testing/agent_door.ts";
import { type FakeAgent, type FakeSite, inventoryOf } from "../testing/fake_agent.ts";
import { sendNew } from "../testing/queue_acts.ts";
import { MOST_TOKENS } from "./authorize.ts";

const SHARE = Number(Deno.env.get("HOSTILE") ?? 0.05);
/** Each frame ends its connection, so each gets its own connection. */
const MALFORMED_RUNS = 2_000 * SHARE;
const FOREIGN_FRAMES = 8_000 * SHARE;
const FRAMES_A_RUN = 20;
/** Tests the decoder alone, the only step before a malformed frame is refused: 100,000 with the others. */
const DECODED_FRAMES = 90_000 * SHARE;
const heartbeat: AgentFrame = { type: "heartbeat", journalCounter: 0, at: 0 };

Deno.test(`agentRoutes() closes the connection after each of ${MALFORMED_RUNS} malformed frames, and changes nothing`, async () => {
  await using door = await openAgentDoor();
  const { victim } = await openVictim(door);
  await using _ = victim;
  // A site may connect only this often with new tokens.
  const sites = await Promise.all(
    Array.from({ length: Math.ceil(MALFORMED_RUNS / (MOST_TOKENS - 1)) }, () => door.enroll()),
  );
  const before = await everything(door);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(noFrame, wrongFields), fc.boolean(), async (bytes, sendsHello) => {
      const site = sites[run++ % sites.length]!;
      const agent = sendsHello ? await site.ready() : await site.connect();
      agent.socket.send(bytes);
      const { code } = await agent.closed;
      assert.equal(code, CLOSE.badFrame);
    }),
    { numRuns: MALFORMED_RUNS },
  );
  assert.deepEqual(await everything(door), before);
  assert.equal((await victim.ask(heartbeat))?.type, "heartbeatAck");
});

Deno.test(`decodeFrame() refuses each of ${DECODED_FRAMES} malformed frames in its own words`, () => {
  fc.assert(
    fc.property(wrongBytes, (bytes) => {
      try {
        decodeFrame(bytes, agentFrameSchema);
      } catch (error) {
        return assert.ok(error instanceof SyntaxError || error instanceof RangeError, String(error));
      }
      assert.fail("it was taken for a frame");
    }),
    { numRuns: DECODED_FRAMES },
  );
});

Deno.test(`agentRoutes() moves no row of another site for ${FOREIGN_FRAMES} frames that name such rows`, async () => {
  await using door = await openAgentDoor();
  const { victim, lease, campaign } = await openVictim(door);
  await using _ = victim;
  const site = await door.enroll();
  const before = await everything(door);
  let agent = await openHostile(site);
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(foreignFrames(lease, agent.generation), secondHello, async (frames, hello) => {
      for (const frame of [...frames, heartbeat]) agent.send(frame);
      for (let answer = await agent.read(); answer?.type !== "heartbeatAck"; answer = await agent.read()) {
        assert.ok(answer && answer.type !== "lease", "the connection goes on, and the row is the victim's");
        if (answer.type === "go") assert.deepEqual(answer.items, []);
        if (answer.type === "reportAck") {
          assert.deepEqual([...new Set(answer.items.map(({ result }) => result))], ["stale"]);
        }
        answered++;
      }
      if (hello === null) return;
      agent.send(hello);
      assert.equal((await agent.closed).code, CLOSE.badFrame);
      agent = await openHostile(site);
    }),
    { numRuns: FOREIGN_FRAMES / FRAMES_A_RUN },
  );
  await agent[Symbol.asyncDispose]();
  assert.ok(answered > FOREIGN_FRAMES / 4, `only ${answered} of the frames got past the door`);
  assert.deepEqual(await everything(door), before);
  assert.deepEqual(await auditQueue(door.fleet.ctx.db), []);

  const [{ phone, attempt, account }] = lease.items;
  victim.send({
    type: "report",
    seq: 1,
    journalCounter: 2,
    items: [{
      token: lease.token,
      campaign: lease.campaign,
      phone,
      attempt,
      account,
      outcome: "sent",
      temporary: false,
      reason: null,
      tappedAt: 1,
    }],
  });
  // It was also notified of waiting work.
  let answer = await victim.read();
  while (answer?.type === "workWaiting") answer = await victim.read();
  assert.ok(answer?.type === "reportAck" && answer.items[0]!.result === "applied");
  assert.deepEqual(await door.fleet.states(campaign.id), ["sent"]);
});

type Lease = Extract<Awaited<ReturnType<FakeAgent["read"]>>, { type: "lease" }>;

/** A site with one phone that holds the only delivery, confirmed. */
async function openVictim(door: AgentDoorTest) {
  const campaign = await sendNew(door.fleet, 1);
  const victim = await (await door.enroll()).ready();
  victim.send(inventoryOf("VICTIM"));
  const lease = await victim.ask({ type: "pull", devices: [{ id: "VICTIM", room: 1 }] });
  assert.ok(lease?.type === "lease");
  const go = await victim.ask({ type: "leaseAck", token: lease.token, journalCounter: 1 });
  assert.ok(go?.type === "go" && go.items.length === 1);
  await door.fleet.ctx.db.execute(
    "INSERT INTO commands (device, site, kind, user, created_at) SELECT id, site, 'restart', 1, 0 FROM devices",
  );
  return { victim, lease, campaign };
}

/** A connection that has reported everything to a restored database, as every site does when it first connects. */
async function openHostile(site: FakeSite): Promise<FakeAgent> {
  const agent = await site.ready();
  const { generation } = agent;
  const ack = await agent.ask({ type: "outcomes", generation, items: [], last: true });
  assert.equal(ack?.type, "outcomesAck");
  return agent;
}

/** Returns all rows of everybody except the hostile site, which is the last one. */
async function everything({ fleet }: AgentDoorTest): Promise<unknown> {
  const tables = [
    "SELECT * FROM deliveries",
    "SELECT id, status, queued_count, leased_count, sent_count, unknown_count FROM campaigns",
    "SELECT * FROM quota_ledger",
    "SELECT * FROM resends",
    "SELECT * FROM commands",
    "SELECT * FROM account_days",
    "SELECT * FROM devices WHERE site = 1",
    "SELECT * FROM accounts WHERE site = 1",
    "SELECT * FROM sites WHERE id = 1",
    "SELECT id, revoked, stopped FROM sites",
  ];
  return await Promise.all(
    tables.map(async (sql) => (await fleet.ctx.db.execute(sql)).rows.map((row) => ({ ...row }))),
  );
}

// CBOR (RFC 8949): heads that promise far more than follows, and arrays nested to any depth. Also a number whose
// digits are a list that holds the previous list twice, twelve times over: a decoder that reads it writes 4,096
// words.
const doubled = (index: number) => [0xd8, 0x1c, 0x82, 0xd8, 0x1d, index, 0xd8, 0x1d, index];
const bombs = fc.constantFrom(
  [
    0xc4,
    0x82,
    0x00,
    0x8d,
    0xd8,
    0x1c,
    0x82,
    0x01,
    0x01,
    ...Array.from({ length: 12 }, (_, i) => doubled(i)).flat(),
  ],
  [0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  [0x9a, 0x7f, 0xff, 0xff, 0xff],
  [0xba, 0xff, 0xff, 0xff, 0xff],
  [0x7a, 0xff, 0xff, 0xff, 0xff],
  [0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  Array(100_000).fill(0x81),
  Array(100_000).fill(0xd9),
  Array(1024 * 1024 + 1).fill(0),
).map((bytes) => new Uint8Array(bytes));
const noFrame = fc.oneof(
  { arbitrary: fc.uint8Array({ maxLength: 200 }), weight: 8 },
  { arbitrary: bombs, weight: 1 },
  { arbitrary: fc.string({ maxLength: 50 }), weight: 1 },
);

const TYPES = [
  "hello",
  "pull",
  "leaseAck",
  "report",
  "inventory",
  "outcomes",
  "commandResult",
  "stillPart",
  "noStill",
];
const FIELDS = [
  "epoch",
  "journalId",
  "open",
  "devices",
  "token",
  "items",
  "generation",
  "id",
  "ok",
  "accounts",
  "features",
  "at",
  "size",
  "data",
  "why",
];
const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
  fc.constantFrom(
    undefined,
    NaN,
    -1,
    2 ** 53,
    "__proto__",
    new Uint8Array(9),
    new Date(0),
    Array(9_999).fill(null),
  ),
);
/** At most its type is correct. */
const wrongFields = fc.record({
  type: fc.oneof(fc.constantFrom(...TYPES, "welcome", "__proto__"), strange),
  fields: fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.string({ maxLength: 9 })), strange, {
    maxKeys: 6,
  }),
}).map(({ type, fields }) => ({ ...fields, type }))
  .filter((frame) => !agentFrameSchema.safeParse(frame).success).map(encodeFrame);

const wrongBytes = fc.oneof(
  { arbitrary: fc.uint8Array({ maxLength: 200 }), weight: 10 },
  { arbitrary: wrongFields, weight: 9 },
  { arbitrary: bombs, weight: 1 },
);

/** Frames that fit the schema and name the row, the phone and the command of another site. */
function foreignFrames(
  { token, campaign, items: [{ phone, attempt, account }] }: Lease,
  generation: string,
): fc.Arbitrary<AgentFrame[]> {
  const anyToken = fc.constantFrom(token, token, "f".repeat(32));
  const anyPhone = fc.constantFrom(phone, phone, "+972549999999");
  const anyCampaign = fc.constantFrom(campaign, campaign, 99, -1);
  const number = fc.nat(1_000_000);
  const row = {
    token: anyToken,
    campaign: anyCampaign,
    phone: anyPhone,
    attempt: fc.constantFrom(attempt, 2, 1e9),
  };
  const outcome = fc.constantFrom(...outcomeSchema.options);
  const account_ = fc.constantFrom(account, null);
  const frame: fc.Arbitrary<AgentFrame> = fc.oneof(
    fc.record({ type: fc.constant("leaseAck" as const), token: anyToken, journalCounter: fc.constant(0) }),
    fc.record({
      type: fc.constant("report" as const),
      seq: fc.integer({ min: 1, max: 9 }),
      journalCounter: fc.constant(0),
      items: fc.array(
        fc.record({
          ...row,
          outcome,
          temporary: fc.boolean(),
          reason: fc.constantFrom("not_on_app" as const, null),
          account: account_,
          tappedAt: fc.option(number),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
    fc.record({
      type: fc.constant("outcomes" as const),
      generation: fc.constantFrom(generation, "another"),
      items: fc.array(
        fc.record({
          ...row,
          outcome: fc.constantFrom(...outcomeSchema.options, "tapping" as const),
          account: account_,
          at: number,
        }),
        { maxLength: 5 },
      ),
      last: fc.boolean(),
    }),
    fc.record({
      type: fc.constant("commandResult" as const),
      id: fc.constantFrom(1, 2, -1),
      ok: fc.boolean(),
      detail: fc.string({ maxLength: 200 }),
    }),
    fc.record({
      type: fc.constant("pull" as const),
      devices: fc.array(
        fc.record({ id: fc.constantFrom("VICTIM", "MINE"), room: fc.integer({ min: 1, max: 10 }) }),
        { maxLength: 500 },
      ),
    }),
    fc.constantFrom(inventoryOf("VICTIM"), inventoryOf("MINE")),
  );
  return fc.array(frame, { minLength: FRAMES_A_RUN, maxLength: FRAMES_A_RUN });
}

const NOTHING = { token: "f".repeat(32), campaign: 1, phone: "+972549999999", attempt: 1 };
const secondHello = fc.option(
  fc.record({
    type: fc.constant("hello" as const),
    epoch: fc.nat(9),
    journalId: fc.constant("b".repeat(32)),
    counterAtOpen: fc.constant(null),
    journalCounter: fc.nat(1_000_000),
    open: fc.array(fc.constant({ ...NOTHING, at: "held" as const }), { maxLength: 3 }),
    agentVersion: fc.string({ maxLength: 40 }),
  }),
);
