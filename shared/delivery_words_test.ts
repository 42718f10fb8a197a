import assert from "node:assert/strict";
import { DELIVERY_REASONS, DELIVERY_STATES, DELIVERY_STEPS, MOVED_BY } from "./delivery.ts";
import {
  DELIVERY_REASON_TEXT,
  DELIVERY_STATE_LABELS,
  DELIVERY_STEP_TEXT,
  MOVED_BY_TEXT,
} from "./delivery_words.ts";

const WORDS = {
  reason: { keys: DELIVERY_REASONS, text: DELIVERY_REASON_TEXT },
  state: { keys: DELIVERY_STATES, text: DELIVERY_STATE_LABELS },
  step: { keys: DELIVERY_STEPS, text: DELIVERY_STEP_TEXT },
  by: { keys: Object.values(MOVED_BY).map(String), text: MOVED_BY_TEXT },
};

for (const [name, { keys, text }] of Object.entries(WORDS)) {
  Deno.test(`every ${name} of a delivery has one Hebrew sentence of its own`, () => {
    assert.deepEqual(Object.keys(text).sort(), [...keys].sort());
    const sentences = Object.values(text);
    assert.equal(new Set(sentences).size, sentences.length);
    for (const sentence of sentences) assert.match(sentence, /^[\u05d0-\u05ea0-9 ,״׳־]+$/);
  });
}
