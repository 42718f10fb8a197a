import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { decide, type Decision, type RowEvent, type RowState } from "./decide.ts";

const STATES: readonly RowState[] = ["leased", "tapping", "sent", "failed", "unknown", "void"];
const OUTCOMES = ["sent", "failed", "unknown", "void"] as const;
const EVENTS = {
  goListed: { type: "goListed" },
  goOmitted: { type: "goOmitted" },
  connectionOver: { type: "connectionOver" },
  processStarted: { type: "processStarted" },
  givenBack: { type: "givenBack", reason: "recalled" },
  tryFailed: { type: "tryFailed", reason: "chat_not_opened" },
  failedForGood: { type: "failedForGood", reason: "not_on_app" },
  readyToTap: { type: "readyToTap" },
  provenSent: { type: "provenSent" },
  sawRow: { type: "lookedBack", evidence: "sent", reason: "send_not_verified" },
  sawDraft: { type: "lookedBack", evidence: "draft", reason: "send_not_verified" },
  sawNothing: { type: "lookedBack", evidence: null, reason: "send_not_verified" },
  reportAcked: { type: "reportAcked" },
} as const satisfies Record<string, RowEvent>;

interface Line {
  row: RowState;
  /** Both cases when it is not given. */
  hasGo?: boolean;
  on: keyof typeof EVENTS;
  does: Decision;
}

const to = (state: Exclude<RowState, "leased">, reason: string | null = null, temporary = false) =>
  ({ do: "move", to: state, reason, temporary }) as Decision;

/** The rows of the table in docs/protocol.md that `decide` covers. An event that is not listed does nothing. */
const TABLE: Record<string, readonly Line[]> = {
  "leased, no go × go lists it": [
    { row: "leased", hasGo: false, on: "goListed", does: { do: "takeGo" } },
  ],
  "leased, no go × go omits it": [
    { row: "leased", hasGo: false, on: "goOmitted", does: { do: "forget" } },
  ],
  "leased, no go × the connection ends or a new one opens": [
    { row: "leased", hasGo: false, on: "connectionOver", does: to("void", "no_go") },
  ],
  "leased, go × the connection ends": [
    { row: "leased", hasGo: true, on: "connectionOver", does: { do: "nothing" } },
  ],
  "leased × recall, drop, account lost, temporary failure, drain": [
    { row: "leased", on: "givenBack", does: to("void", "recalled") },
    { row: "leased", hasGo: true, on: "tryFailed", does: to("void", "chat_not_opened", true) },
  ],
  "leased, go × permanent failure before the tap": [
    { row: "leased", hasGo: true, on: "failedForGood", does: to("failed", "not_on_app") },
  ],
  "leased, go × chat and draft verified": [
    { row: "leased", hasGo: true, on: "readyToTap", does: to("tapping") },
  ],
  "leased × process starts": [
    { row: "leased", on: "processStarted", does: to("void", "agent_restarted") },
  ],
  "tapping × verified on screen": [
    { row: "tapping", on: "provenSent", does: to("sent") },
  ],
  "tapping × recall, drop": [
    { row: "tapping", on: "givenBack", does: { do: "nothing" } },
  ],
  "tapping × no proof, or process starts": [
    { row: "tapping", on: "processStarted", does: { do: "nothing" } },
    { row: "tapping", on: "sawRow", does: to("sent") },
    { row: "tapping", on: "sawDraft", does: to("void", "send_not_verified", true) },
    { row: "tapping", on: "sawNothing", does: to("unknown", "send_not_verified") },
  ],
  "an outcome × reportAck names it": OUTCOMES.map((row) => (
    { row, on: "reportAcked", does: { do: "forget" } }
  )),
};

for (const [row, lines] of Object.entries(TABLE)) {
  Deno.test(`decide(): ${row}`, () => {
    for (const { row: state, hasGo, on, does } of lines) {
      for (const go of hasGo === undefined ? [true, false] : [hasGo]) {
        assert.deepEqual(decide({ state, hasGo: go }, EVENTS[on]), does, `${state} × ${on}`);
      }
    }
  });
}

Deno.test("decide() does nothing on every other event in every other state", () => {
  const lines = Object.values(TABLE).flat();
  let others = 0;
  for (const state of STATES) {
    for (const hasGo of [true, false]) {
      for (const [on, event] of Object.entries(EVENTS)) {
        if (lines.some((line) => line.row === state && line.on === on && (line.hasGo ?? hasGo) === hasGo)) {
          continue;
        }
        others++;
        assert.deepEqual(decide({ state, hasGo }, event), { do: "nothing" }, `${state}, go ${hasGo} × ${on}`);
      }
    }
  }
  assert.equal(others, 125);
});

const events: fc.Arbitrary<RowEvent> = fc.constantFrom(...Object.values(EVENTS));

interface Life {
  state: RowState | "forgotten";
  hasGo: boolean;
  taps: number;
  visited: RowState[];
}

function live(sequence: RowEvent[]): Life {
  const life: Life = { state: "leased", hasGo: false, taps: 0, visited: ["leased"] };
  for (const event of sequence) {
    if (life.state === "forgotten") break;
    const decision = decide({ state: life.state, hasGo: life.hasGo }, event);
    if (decision.do === "takeGo") life.hasGo = true;
    if (decision.do === "forget") life.state = "forgotten";
    if (decision.do === "move") {
      if (decision.to === "tapping") life.taps++;
      life.state = decision.to;
      life.visited.push(decision.to);
    }
    // `go` is kept in memory only.
    if (event.type === "processStarted") life.hasGo = false;
  }
  return life;
}

Deno.test("decide() lets a row be tapped at most once, and never before its go", () => {
  fc.assert(fc.property(fc.array(events, { maxLength: 30 }), (sequence) => {
    const life = live(sequence);
    assert.ok(life.taps <= 1);
    const tapAt = sequence.findIndex((_, i) => live(sequence.slice(0, i + 1)).taps === 1);
    if (tapAt >= 0) assert.ok(sequence.slice(0, tapAt).some(({ type }) => type === "goListed"));
  }));
});

Deno.test("decide() never taps a row that was given up, and never gives up a row that may have been tapped", () => {
  fc.assert(fc.property(fc.array(events, { maxLength: 30 }), (sequence) => {
    const { visited } = live(sequence);
    const voidAt = visited.indexOf("void");
    if (voidAt < 0) return;
    assert.equal(visited.indexOf("tapping", voidAt), -1);
    if (visited[voidAt - 1] === "tapping") {
      assert.ok(sequence.some((event) => event.type === "lookedBack" && event.evidence === "draft"));
    }
  }));
});
