import assert from "node:assert/strict";
import fc from "./testing/fast_check.ts";
import { agentFrameSchema, edgeFrameSchema } from "./agent_protocol.ts";
import { decodeFrame, encodeFrame } from "./cbor.ts";
import { AGENT_FEATURES, EDGE_FEATURES, MAX_FEATURES } from "./features.ts";
import { AGENT_FRAMES, EDGE_FRAMES } from "./testing/example_frames.ts";

const hello = AGENT_FRAMES.find(({ type }) => type === "hello")!;
const welcome = EDGE_FRAMES.find(({ type }) => type === "welcome")!;

/** The other side's parsed result of a first frame with these features. */
const READ = {
  "hello": (features: unknown) => {
    const frame = decodeFrame(encodeFrame({ ...hello, features }), agentFrameSchema);
    return frame.type === "hello" ? frame.features : null;
  },
  "welcome": (features: unknown) => {
    const frame = decodeFrame(encodeFrame({ ...welcome, features }), edgeFrameSchema);
    return frame.type === "welcome" ? frame.features : null;
  },
};
const KNOWN = { hello: AGENT_FEATURES, welcome: EDGE_FEATURES } as const;

const name = fc.stringMatching(/^[a-z_]{1,40}$/);
const notAName = fc.oneof(
  fc.jsonValue().filter((value) => typeof value !== "string"),
  fc.string({ maxLength: 80 }).filter((text) => !/^[a-z_]{1,40}$/.test(text)),
  fc.constantFrom("", "a".repeat(41), "Takes_Replies", "takes replies", "takes_replies\n"),
);

for (const [type, read] of Object.entries(READ)) {
  const known: readonly string[] = KNOWN[type as keyof typeof KNOWN];
  const names = fc.uniqueArray(fc.oneof(name, fc.constantFrom(...known)), { maxLength: MAX_FEATURES });

  Deno.test(`decodeFrame() reads the known features of a ${type} and skips the others (rule 20)`, () => {
    fc.assert(fc.property(names, (given) => {
      assert.deepEqual(new Set(read(given)), new Set(given.filter((one) => known.includes(one))));
    }));
  });

  Deno.test(`decodeFrame() reads a ${type} of the previous release, which lists no features (rule 20)`, () => {
    assert.equal(read(undefined), undefined);
  });

  Deno.test(`decodeFrame() refuses a ${type} with too many features, a repeated one or one that is not a name (rule 20)`, () => {
    const refuses = (given: unknown) => assert.throws(() => read(given), SyntaxError, JSON.stringify(given));
    for (const given of [null, true, 7, "takes_replies", { 0: "takes_replies" }]) refuses(given);
    refuses(Array.from({ length: MAX_FEATURES + 1 }, (_, index) => "a".repeat(index + 1)));
    refuses(Array.from({ length: 10_000 }, () => known[0]));
    const spoilt = fc.tuple(names.filter(({ length }) => length < MAX_FEATURES), fc.nat());
    fc.assert(fc.property(spoilt, notAName, ([given, at], wrong) => {
      refuses(given.toSpliced(at % (given.length + 1), 0, wrong as string));
    }));
    fc.assert(fc.property(spoilt, fc.nat(), ([given, at], of) => {
      if (given.length > 0) refuses(given.toSpliced(at % (given.length + 1), 0, given[of % given.length]!));
    }));
  });
}
