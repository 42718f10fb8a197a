import assert from "node:assert/strict";
import recorded from "shared/testdata/protocol_v1_frames.json" with { type: "json" };
import { listSites } from "../admin/list_sites.ts";
import { openAgentDoor } from "../testing/agent_door.ts";
import { FakeAgent } from "../testing/fake_agent.ts";
import { sendNew } from "../testing/queue_acts.ts";

/** The bytes an agent of version 1 sent, its first of this type. */
function bytesOf(type: string): Uint8Array<ArrayBuffer> {
  const { cbor } = recorded.agent.find(({ frame }) => frame.type === type)!;
  return Uint8Array.from(cbor.match(/../g)!, (byte) => parseInt(byte, 16));
}

Deno.test("agentRoutes() carries a delivery for an agent that speaks version 1 alone, and says that it is to be updated", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  const campaign = await sendNew(door.fleet, 1);
  const listed = async () => {
    const [{ protocol, needsUpdate }] = await listSites(door.fleet.ctx);
    return [protocol, needsUpdate];
  };
  assert.deepEqual(await listed(), [null, false]);
  await using agent = new FakeAgent(site, await site.sign(), ["shigur.agent.v1"]);
  assert.equal((await agent.read())?.type, "welcome");
  assert.equal(agent.socket.protocol, "shigur.agent.v1");
  assert.deepEqual(await listed(), ["shigur.agent.v1", true]);

  agent.socket.send(bytesOf("hello"));
  assert.equal((await agent.read())?.type, "helloAck");
  agent.socket.send(bytesOf("inventory"));
  agent.socket.send(bytesOf("heartbeat"));
  assert.equal((await agent.read())?.type, "heartbeatAck");
  assert.deepEqual(await door.fleet.one("SELECT state, addresses, state_detail FROM devices"), {
    state: "low_storage",
    addresses: "[]",
    state_detail: null,
  });
  agent.socket.send(bytesOf("pull"));
  const lease = await agent.read();
  assert.ok(lease?.type === "lease");
  const go = await agent.ask({ type: "leaseAck", token: lease.token, journalCounter: 3 });
  assert.deepEqual(go?.type === "go" && go.items.map(({ phone }) => phone), campaign.phones);
});

Deno.test("agentRoutes() speaks the best version both know", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await using agent = new FakeAgent(site, await site.sign(), [
    "shigur.agent.v3",
    "shigur.agent.v1",
    "shigur.agent.v2",
  ]);
  assert.equal((await agent.read())?.type, "welcome");
  assert.equal(agent.socket.protocol, "shigur.agent.v2");
  assert.equal((await listSites(door.fleet.ctx))[0]!.needsUpdate, false);
});

Deno.test("recordInventory() keeps what a newer agent told when an older one takes its place", async () => {
  await using door = await openAgentDoor();
  const site = await door.enroll();
  await using agent = await site.ready();
  agent.socket.send(bytesOf("inventory"));
  await agent.ask({ type: "heartbeat", journalCounter: 1, at: 1 });
  await door.fleet.ctx.db.execute(
    "UPDATE accounts SET user_kind = 'work', captions = 0, own_number = '+972541234567', label = 'דלפק'",
  );
  agent.socket.send(bytesOf("inventory"));
  await agent.ask({ type: "heartbeat", journalCounter: 1, at: 1 });
  assert.deepEqual(await door.fleet.one("SELECT user_kind, captions, own_number, label FROM accounts"), {
    user_kind: "work",
    captions: 0,
    own_number: "+972541234567",
    label: "דלפק",
  });
});
