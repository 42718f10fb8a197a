import assert from "node:assert/strict";
import { type AgentFrame, agentFrameSchema, edgeFrameSchema } from "./agent_protocol.ts";
import { toVersion1 } from "./agent_protocol_v1.ts";
import { decodeFrame } from "./cbor.ts";
import recorded from "./testdata/protocol_v1_frames.json" with { type: "json" };

interface Recorded {
  frame: Record<string, unknown>;
  /** As it travelled, in hexadecimal. */
  cbor: string;
}
const agent: Recorded[] = recorded.agent;
const edge: Recorded[] = recorded.edge;
const bytesOf = ({ cbor }: Recorded) => Uint8Array.from(cbor.match(/../g)!, (byte) => parseInt(byte, 16));

Deno.test("decodeFrame() reads every frame recorded under version 1 as it was meant", () => {
  for (const one of agent) holds(decodeFrame(bytesOf(one), agentFrameSchema), one.frame);
  for (const one of edge) holds(decodeFrame(bytesOf(one), edgeFrameSchema), one.frame);
});

Deno.test("toVersion1() says to an old edge what an agent of version 1 would have said", () => {
  for (const one of agent) {
    assert.deepEqual(toVersion1(decodeFrame(bytesOf(one), agentFrameSchema)), one.frame);
  }
  const inventory = agent.find(({ frame }) => frame.type === "inventory")!;
  const decoded = decodeFrame(bytesOf(inventory), agentFrameSchema);
  assert.ok(decoded.type === "inventory");
  const full: AgentFrame = {
    type: "inventory",
    devices: decoded.devices.map((device) => ({
      ...device,
      addresses: ["usb:1"],
      stateDetail: "device unauthorized",
    })),
    accounts: decoded.accounts.map((account) => ({
      ...account,
      userKind: "work",
      captions: true,
      ownNumber: "+972541234567",
    })),
  };
  assert.deepEqual(toVersion1(full), inventory.frame);
});

Deno.test("toVersion1() says hello without the mark that came since", () => {
  const one = agent.find(({ frame }) => frame.type === "hello")!;
  const decoded = decodeFrame(bytesOf(one), agentFrameSchema);
  assert.ok(decoded.type === "hello");
  const mark = { generation: "g", event: 1, hmac: "0".repeat(64) };
  assert.deepEqual(toVersion1({ ...decoded, mark }), one.frame);
});

Deno.test("toVersion1() puts a word that version 1 has not into one that it has", () => {
  const later = {
    type: "inventory",
    devices: [{ state: "on_fire" }],
    accounts: [{ state: "on_holiday" }],
  } as unknown as AgentFrame;
  const { devices, accounts } = toVersion1(later) as {
    devices: { state: string }[];
    accounts: { state: string }[];
  };
  assert.deepEqual([devices[0]!.state, accounts[0]!.state], ["not_answering", "unreachable"]);
  const report = { type: "report", items: [{ reason: "eaten_by_dog" }] } as unknown as AgentFrame;
  assert.deepEqual((toVersion1(report) as { items: unknown[] }).items, [{ reason: null }]);
});

/** Everything recorded is still said; fields that came since may stand beside it. */
function holds(decoded: unknown, recorded: unknown): void {
  if (typeof recorded !== "object" || recorded === null) return assert.equal(decoded, recorded);
  for (const [key, value] of Object.entries(recorded)) {
    holds((decoded as Record<string, unknown>)[key], value);
  }
}
