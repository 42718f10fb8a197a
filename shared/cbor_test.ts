import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { agentFrameSchema, edgeFrameSchema, MAX_FRAME_BYTES } from "./agent_protocol.ts";
import { decodeFrame, encodeFrame } from "./cbor.ts";
import { AGENT_FRAMES, EDGE_FRAMES } from "./testing/example_frames.ts";

const token = "0123456789abcdef0123456789abcdef";
const lease = EDGE_FRAMES.find(({ type }) => type === "lease")!;

Deno.test("decodeFrame() returns every frame that encodeFrame() encoded, times above 2^32 included", () => {
  for (const frame of AGENT_FRAMES) {
    assert.deepEqual(decodeFrame(encodeFrame(frame), agentFrameSchema), frame);
  }
  for (const frame of EDGE_FRAMES) assert.deepEqual(decodeFrame(encodeFrame(frame), edgeFrameSchema), frame);
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
