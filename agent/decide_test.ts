import assert from "node:assert/strict";
import fc from "fast-check";
import { decide, type RowEvent, type RowState } from "./decide.ts";

const events: fc.Arbitrary<RowEvent> = fc.oneof(
  fc.constantFrom<RowEvent>(
    { type: "goListed" },
    { type: "goOmitted" },
    { type: "connectionOver" },
    { type: "processStarted" },
    { type: "readyToTap" },
    { type: "provenSent" },
    { type: "reportAcked" },
  ),
  fc.constantFrom<RowEvent>(
    { type: "givenBack", reason: "recalled" },
    { type: "tryFailed", reason: "chat_not_opened" },
    { type: "failedForGood", reason: "not_on_app" },
    { type: "lookedBack", found: "sent", reason: "send_not_verified" },
    { type: "lookedBack", found: "draft", reason: "send_not_verified" },
    { type: "lookedBack", found: null, reason: "send_not_verified" },
  ),
);

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
    // `go` lives in memory only.
    if (event.type === "processStarted") life.hasGo = false;
  }
  return life;
}

Deno.test("decide() lets a row be tapped once at most, and never before its go", () => {
  fc.assert(fc.property(fc.array(events, { maxLength: 30 }), (sequence) => {
    const life = live(sequence);
    assert.ok(life.taps <= 1);
    const tapAt = sequence.findIndex((_, i) => live(sequence.slice(0, i + 1)).taps === 1);
    if (tapAt >= 0) assert.ok(sequence.slice(0, tapAt).some(({ type }) => type === "goListed"));
  }));
});

Deno.test("decide() never taps what was given up, and never gives up what may have been tapped unseen", () => {
  fc.assert(fc.property(fc.array(events, { maxLength: 30 }), (sequence) => {
    const { visited } = live(sequence);
    const voidAt = visited.indexOf("void");
    if (voidAt < 0) return;
    assert.equal(visited.indexOf("tapping", voidAt), -1);
    if (visited[voidAt - 1] === "tapping") {
      assert.ok(sequence.some((event) => event.type === "lookedBack" && event.found === "draft"));
    }
  }));
});

Deno.test("decide() forgets an outcome on nothing but its acknowledgement", () => {
  for (const state of ["sent", "failed", "unknown", "void"] as const) {
    fc.assert(fc.property(events, fc.boolean(), (event, hasGo) => {
      const decision = decide({ state, hasGo }, event);
      assert.equal(decision.do, event.type === "reportAcked" ? "forget" : "nothing");
    }));
  }
});

Deno.test("decide() ignores a recall while the tap is on its way", () => {
  assert.deepEqual(
    decide({ state: "tapping", hasGo: true }, { type: "givenBack", reason: "recalled" }),
    { do: "nothing" },
  );
});
