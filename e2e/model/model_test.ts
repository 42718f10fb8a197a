/** The small model, required for every change. The large one is thousand_e2e_test.ts. */
import assert from "node:assert/strict";
import { START } from "../../edge/testing/fleet.ts";
import { openGround } from "./ground.ts";
import {
  checkHistories,
  erasedHistories,
  fullDayHistories,
  loadedAgainHistories,
  play,
  putBackHistories,
  severalTextsHistories,
  takenBackHistories,
  writtenAgainHistories,
} from "./histories.ts";
import { WARNINGS } from "./reached.ts";
import type { Step } from "./steps.ts";
import { SEED } from "shared/testing/seed.ts";

/** Another seed than the large model's. */
const seed = SEED - 1;

Deno.test("edges, sites and phones keep I1 to I7 in random histories, and end when the faults end", async () => {
  await checkHistories({ runs: 40, steps: 300, seed });
});

Deno.test("the same on a remote database", async () => {
  await checkHistories({ runs: 5, steps: 100, seed, remote: true });
});

Deno.test("a database that was put back by hand sends to nobody twice (rule 19)", async () => {
  await checkHistories({ runs: 60, steps: 40, seed, made: putBackHistories });
});

Deno.test("a number erased or blocked in a lost time gets no message after a backup replaced it (I2, I5)", async () => {
  await checkHistories({ runs: 40, steps: 20, seed, made: erasedHistories });
});

Deno.test("a send is taken back only before its first lease, and nothing is leased during its wait (I2, I3)", async () => {
  const tally = await checkHistories({ runs: 40, steps: 40, seed, made: takenBackHistories });
  const needed = ["taken back while processing", "refused take back", "entry release", "tap"];
  assert.deepEqual(needed.filter((what) => !tally.has(what)), []);
});

Deno.test("a person who is written to again is never leased while the message is under way, or has reached them (I2)", async () => {
  const tally = await checkHistories({ runs: 60, steps: 60, seed, made: writtenAgainHistories });
  const needed = ["done write again", "leased beside unknown", "leased beside failed", "tap"];
  assert.deepEqual(needed.filter((what) => !tally.has(what)), []);
});

Deno.test("of several texts each person gets the one that the first claim set, whatever is chosen later (I2)", async () => {
  const tally = await checkHistories({ runs: 60, steps: 60, seed, made: severalTextsHistories });
  const needed = [
    "done choose text",
    "refused choose text",
    "tap of text 1",
    "tap of text 2",
    "tap of text 3",
  ];
  assert.deepEqual(needed.filter((what) => !tally.has(what)), []);
});

Deno.test("messages of a lost time take their day's room by the edge's clock (rule 17, I6)", async () => {
  await checkHistories({ runs: 40, steps: 20, seed, made: fullDayHistories });
});

Deno.test("a client who sends a list again is warned of exactly the people reached in a lost time (rule 17)", async () => {
  const tally = await checkHistories({ runs: 40, steps: 20, seed, made: loadedAgainHistories });
  assert.deepEqual(WARNINGS.filter((what) => !tally.has(what)), []);
});

for (const isWrittenOff of [true, false]) {
  const whose = isWrittenOff ? "that was written off covers nobody" : "that has reported covers its people";
  Deno.test(`the warning before a list is sent again: a site ${whose} (rule 17)`, async () => {
    await using ground = await openGround();
    const tally = new Map<string, number>();
    // The campaign that site 2 sends is `ready` in the backup: none of it is leased again.
    const steps: Step[] = [
      ["serve", 0, 0, "answer", 20],
      ["backup"],
      ["send", 0, 0, "ask"],
      // Site 0 wrote to the same people, and has not answered since: nothing is left for it.
      ["leap", 600_001],
      ["serve", 2, 0, "answer", 20],
      ["restore"],
      isWrittenOff ? ["writeOff", 2] : ["greet", 2, 0],
      ["greet", 0, 0],
      ["addCampaign", 0],
      ["send", 0, 2, "ask"],
      ["greet", 1, 0],
      ["send", 0, 2, "ask"],
    ];
    await play(ground, { startsAt: START, steps }, tally);
    assert.equal(tally.get("send refused while sites owe"), 1);
    assert.equal(tally.get("send refused by the warning"), isWrittenOff ? undefined : 1);
    assert.equal(tally.get("done send"), isWrittenOff ? 3 : 2);
  });
}

Deno.test("an erased person who was messaged in a lost time is shown as sent, and charged", async () => {
  await using ground = await openGround();
  const steps: Step[] = [
    ["backup"],
    ["serve", 0, 0, "answer", 20],
    ["erase", 0, 2, false],
    ["restoreAlong"],
    ["eraseOn", 0],
  ];
  await play(ground, { startsAt: START, steps });
});

/** Sites with the present program, which waits with its reports, and with the older one; with a device of each. */
const TELLING = { "its program": [2, 3], "an older program": [1, 2] } as const;

for (const [whose, [site, device]] of Object.entries(TELLING)) {
  Deno.test(`rows that settle while a restored database receives outcomes are not lost: ${whose} (rule 17)`, async () => {
    await using ground = await openGround();
    // Two are sent in the lost time; the site begins to tap for the third, and its outcomes need several frames.
    const steps: Step[] = [
      ["backup"],
      ["serve", site, 0, "answer", 20],
      ["work", device, 6, "answer", "none"],
      ["restore"],
      ["connect", site, 0],
      ["trickle", site, 4],
      ["work", device, 20, "answer", "none"],
      ["report", site],
      ["flow", site],
    ];
    await play(ground, { startsAt: START, steps });
  });
}

Deno.test("a site ignores the time of a welcome that came a day late", async () => {
  await using ground = await openGround();
  const steps: Step[] = [["connect", 1, 1], ["leapADay"], ["flow", 1], ["serve", 1, 0, "answer", 10]];
  await play(ground, { startsAt: START, steps });
});

/** Steps of a site whose first hello comes in a lost time in which the database was restored as well. */
const FIRST_HELLO: Record<string, Step[]> = {
  "it sends of a campaign that the copy has sent": [
    ["greet", 0, 1],
    ["fetch", 2],
    ["work", 3, 7, "answer", "none"],
  ],
  "its tap ends after the copy was put back": [
    ["pull", 2],
    ["serve", 0, 1, "answer", 2],
    ["send", 1, 0],
    ["flow", 2],
    ["work", 3, 5, "late", "none"],
  ],
};

for (const [what, meanwhile] of Object.entries(FIRST_HELLO)) {
  Deno.test(`a copy from before a site's first hello and an earlier restore sends to nobody twice: ${what} (rule 19)`, async () => {
    await using ground = await openGround();
    const steps: Step[] = [
      ["backup"],
      ["restore"],
      ["greet", 1, 0],
      ["greet", 2, 0],
      ...meanwhile,
      ["putBackByHand"],
    ];
    await play(ground, { startsAt: START, steps });
  });
}

/** Acts of a person, or a loss of the database, while the site is disconnected from a phone that it holds stopped. */
const APART: Record<string, Step[]> = {
  "a start was pressed": [["order", 0, 3, "start"]],
  "the database was restored": [["restore"]],
};

for (const [what, meanwhile] of Object.entries(APART)) {
  Deno.test(`edge and site agree again which phones are stopped: ${what}`, async () => {
    await using ground = await openGround();
    const steps: Step[] = [
      ["backup"],
      ["greet", 2, 0],
      ["order", 0, 3, "stop"],
      ["lookAtOutbox", 0],
      ["flow", 2],
      ["cut", 2],
      ...meanwhile,
      ["lookAtOutbox", 0],
      ["greet", 2, 0],
    ];
    await play(ground, { startsAt: START, steps });
  });
}
