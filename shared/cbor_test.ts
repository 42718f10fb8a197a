import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { agentFrameSchema, edgeFrameSchema, MAX_FRAME_BYTES } from "./agent_protocol.ts";
import { decodeFrame, encodeFrame } from "./cbor.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";

const token = "0123456789abcdef0123456789abcdef";
const lease = {
  type: "lease",
  token,
  ttlMs: 60_000,
  campaign: 7,
  text: "שלום 🙂\nשורה שנייה",
  image: null,
  items: [{ phone: "+972543710968", attempt: 1, account: "SIM0001/com.whatsapp/0" }],
};

Deno.test("decodeFrame() gives back what encodeFrame() took, times above 2^32 included", () => {
  const welcome = {
    type: "welcome",
    epoch: 3,
    generation: "g1",
    serverTime: 1_795_000_000_123,
    settings: DEFAULT_SETTINGS,
    takesReplies: true,
    leasesWithReports: true,
    comparesMarks: false,
  };
  assert.deepEqual(decodeFrame(encodeFrame(welcome), edgeFrameSchema), welcome);
  assert.deepEqual(decodeFrame(encodeFrame(lease), edgeFrameSchema), lease);
});

Deno.test("decodeFrame() still reads a lease recorded under protocol version 1", async () => {
  const recorded = await Deno.readFile(new URL("./testdata/lease_v1.cbor", import.meta.url));
  assert.deepEqual(decodeFrame(recorded, edgeFrameSchema), lease);
});

Deno.test("decodeFrame() takes an older agent's inventory: what it does not say is not known", () => {
  const device = { device: "R58M", address: "usb:1", model: "Pixel", androidVersion: "14", state: "online" };
  const account = { account: "R58M/com.whatsapp/0", state: "ok", appVersion: "2.26", firstInstalledAt: 0 };
  const told = {
    type: "inventory",
    devices: [{ ...device, batteryPercent: 50, proofAt: 1 }],
    accounts: [account],
  };
  assert.deepEqual(decodeFrame(encodeFrame(told), agentFrameSchema), {
    ...told,
    devices: [{ ...told.devices[0], addresses: [], stateDetail: null }],
    accounts: [{ ...account, userKind: null, captions: null, ownNumber: null }],
  });
});

Deno.test("decodeFrame() refuses a frame that is too long before it reads it", () => {
  assert.throws(() => decodeFrame(new Uint8Array(MAX_FRAME_BYTES + 1), agentFrameSchema), RangeError);
});

Deno.test("decodeFrame() refuses a 64-bit integer, which arrives as a bigint", () => {
  // {"type":"leaseAck","token":<32 hex>,"journalCounter":1 as uint64}
  const good = encodeFrame({ type: "leaseAck", token, journalCounter: 1 });
  const asUint64 = new Uint8Array([...good.slice(0, -1), 0x1b, 0, 0, 0, 0, 0, 0, 0, 1]);
  assert.equal(decodeFrame(good, agentFrameSchema).type, "leaseAck");
  assert.throws(() => decodeFrame(asUint64, agentFrameSchema), SyntaxError);
});

Deno.test("decodeFrame() never crashes and pollutes no prototype, whatever bytes arrive", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      try {
        decodeFrame(bytes, agentFrameSchema);
      } catch (error) {
        assert.ok(error instanceof SyntaxError || error instanceof RangeError);
      }
    }),
    { numRuns: 5000 },
  );
  const hostile = encodeFrame(JSON.parse('{"type":"drain","__proto__":{"polluted":true}}'));
  decodeFrame(hostile, agentFrameSchema);
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

Deno.test("decodeFrame() refuses one changed byte or gives a frame that fits the schema", () => {
  const bytes = encodeFrame(lease);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }), (index, value) => {
      const changed = bytes.slice();
      changed[index] = value;
      try {
        assert.ok(edgeFrameSchema.safeParse(decodeFrame(changed, edgeFrameSchema)).success);
      } catch (error) {
        assert.ok(error instanceof SyntaxError || error instanceof RangeError);
      }
    }),
    { numRuns: 3000 },
  );
});
