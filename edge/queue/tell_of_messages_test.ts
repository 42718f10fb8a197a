import assert from "node:assert/strict";
import { openMessageHouse, sent } from "../testing/message_acts.ts";
import { tellOfMessages } from "./tell_of_messages.ts";

Deno.test("sites hear of messages at once, at most once a second, and of the last one too", async () => {
  const { house, fleet, key } = await openMessageHouse();
  await using _ = house;
  const told = async () =>
    Number((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'workWaiting'")).n);
  const before = await told();
  await sent(key);
  assert.equal(await told() - before, 1);
  fleet.pass(500);
  await sent(key, { to: "0540000002" });
  await tellOfMessages(fleet.ctx);
  assert.equal(await told() - before, 1);
  fleet.pass(500);
  await tellOfMessages(fleet.ctx);
  assert.equal(await told() - before, 2);
  fleet.pass(5_000);
  await tellOfMessages(fleet.ctx);
  assert.equal(await told() - before, 2, "nothing came since");
});
