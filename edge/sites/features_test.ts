import assert from "node:assert/strict";
import { CLOSE } from "shared/agent_protocol.ts";
import { encodeFrame } from "shared/cbor.ts";
import { EDGE_FEATURES } from "shared/features.ts";
import { openAgentDoor } from "../testing/agent_door.ts";
import { FakeAgent } from "../testing/fake_agent.ts";

Deno.test("agentRoutes() lists the edge's features in welcome, two also as flags for the previous release (rule 20)", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await using agent = new FakeAgent(site, await site.sign());
  const welcome = await agent.read();
  assert.ok(welcome?.type === "welcome");
  const { features, takesReplies, leasesWithReports } = welcome;
  assert.deepEqual(features, EDGE_FEATURES);
  assert.deepEqual([takesReplies, leasesWithReports], [true, true]);
});

const asLetters = (count: number) => String(count).replaceAll(/\d/g, (digit) => "abcdefghij"[Number(digit)]!);

/** Values that a site may send in place of its features. */
const LIES: Record<string, unknown> = {
  "10,000 words": Array.from({ length: 10_000 }, (_, index) => asLetters(index)),
  "10,000 times the same word": Array(10_000).fill("follows_stops"),
  "a word twice": ["follows_stops", "follows_stops"],
  "a long word": ["a".repeat(41)],
  "a number among words": ["follows_stops", 7],
  "one text": "follows_stops",
};

for (const [lie, features] of Object.entries(LIES)) {
  Deno.test(`agentRoutes() refuses a hello whose features are ${lie}, and changes nothing (rule 20)`, async () => {
    await using door = await openAgentDoor();
    const site = await door.enroll();
    await using agent = await site.connect();
    const hello = { type: "hello", epoch: agent.epoch, journalId: "a".repeat(32), counterAtOpen: 0 };
    const rest = { journalCounter: 0, open: [], agentVersion: "test", stopped: [], features };
    agent.socket.send(encodeFrame({ ...hello, ...rest }));
    assert.equal(await agent.read(), null, "no helloAck");
    assert.equal((await agent.closed).code, CLOSE.badFrame);
    assert.deepEqual(door.attempts.map(({ code }) => code), ["bad_frame"]);
    assert.deepEqual(await door.fleet.one("SELECT hello_epoch, journal_id FROM sites"), {
      hello_epoch: 0,
      journal_id: null,
    });
  });
}
