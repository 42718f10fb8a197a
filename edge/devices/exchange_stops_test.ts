import assert from "node:assert/strict";
import { renewGeneration } from "../sites/generation.ts";
import { showCampaign } from "../campaigns/view.ts";
import { type AgentDoorTest, openAgentDoor } from "../testing/agent_door.ts";
import { type FakeAgent, type FakeSite, inventoryOf } from "../testing/fake_agent.ts";
import { openFleet } from "../testing/fleet.ts";
import { sendNew } from "../testing/queue_acts.ts";
import { readAdbStatus } from "./adb_status.ts";
import { readDeviceDetail } from "./device_detail.ts";
import { COMMAND_TIMEOUT_MS, timeOutCommands } from "./finish_commands.ts";
import { readCommand } from "./read_commands.ts";
import { sendCommand } from "./send_command.ts";

const boss = { person: 1, username: "boss" };

/**
 * Connects and reports the phones that the site holds stopped; null = an agent of the previous release. Returns the
 * answer.
 */
async function greet(site: FakeSite, stopped: string[] | null) {
  const agent = await site.connect();
  agent.hello([], stopped ?? undefined);
  const ack = await agent.read();
  assert.ok(ack?.type === "helloAck");
  return { agent, wanted: ack.stopped };
}

/** Sends the inventory and waits until the edge has stored it. */
async function report(agent: FakeAgent, stopped?: boolean) {
  const frame = inventoryOf("R58M");
  const devices = frame.devices.map((device) => ({ ...device, ...(stopped !== undefined && { stopped }) }));
  agent.send({ ...frame, devices });
  await agent.ask({ type: "heartbeat", journalCounter: 1, at: 1 });
}

async function cut({ socket, closed }: FakeAgent) {
  socket.close();
  await closed;
}

/** Returns the wanted and the reported state of the first phone. */
async function shown({ fleet: { ctx } }: AgentDoorTest) {
  const { stopped, siteStopped } = await readDeviceDetail(ctx, 1);
  const { devices: [listed] } = await readAdbStatus(ctx);
  assert.deepEqual([listed!.stopped, listed!.siteStopped], [stopped, siteStopped]);
  return { stopped, siteStopped };
}

/** Returns a site whose one phone was stopped, and which knows it. */
async function openStopped(door: AgentDoorTest) {
  const { ctx } = door.fleet;
  const site = await door.enroll();
  const { agent, wanted } = await greet(site, []);
  assert.deepEqual(wanted, []);
  await report(agent, false);
  const { id } = await sendCommand(ctx, boss, 1, "stop");
  assert.equal((await agent.read())?.type, "command");
  assert.deepEqual(await shown(door), { stopped: true, siteStopped: false }, "it has not followed yet");
  agent.send({ type: "commandResult", id, ok: true, detail: "" });
  await report(agent, true);
  assert.deepEqual(await shown(door), { stopped: true, siteStopped: true });
  return { site, agent };
}

Deno.test("a start requested while the site is offline is in its helloAck, and its command is sent again", async () => {
  await using door = await openAgentDoor();
  const { ctx } = door.fleet;
  const { site, agent } = await openStopped(door);
  await cut(agent);
  const pressed = await sendCommand(ctx, boss, 1, "start");
  assert.deepEqual(await shown(door), { stopped: false, siteStopped: true });

  const back = await greet(site, ["R58M"]);
  await using again = back.agent;
  assert.deepEqual(back.wanted, []);
  const command = await again.read();
  assert.deepEqual(command, { type: "command", id: pressed.id, kind: "start", device: "R58M" });
  again.send({ type: "commandResult", id: pressed.id, ok: true, detail: "" });
  await report(again, false);
  assert.equal((await readCommand(ctx, pressed.id)).status, "done");
  assert.deepEqual(await shown(door), { stopped: false, siteStopped: false });
});

Deno.test("a stop that timed out while the site was offline is in its helloAck, and its command is sent again", async () => {
  await using door = await openAgentDoor();
  const { ctx } = door.fleet;
  const site = await door.enroll();
  const { agent } = await greet(site, []);
  await report(agent, false);
  await cut(agent);
  const old = await sendCommand(ctx, boss, 1, "start");
  const pressed = await sendCommand(ctx, boss, 1, "stop");
  door.fleet.pass(COMMAND_TIMEOUT_MS.stop);
  await timeOutCommands(ctx);
  const back = await greet(site, []);
  await using again = back.agent;
  assert.deepEqual(back.wanted, ["R58M"]);
  const command = await again.read();
  assert.ok(command?.type === "command");
  assert.equal(command.id, pressed.id, "the last one alone");
  assert.equal((await readCommand(ctx, old.id)).status, "timed_out");
  again.send({ type: "commandResult", id: pressed.id, ok: true, detail: "" });
  await report(again, true);

  await cut(again);
  const third = await greet(site, ["R58M"]);
  await using last = third.agent;
  assert.deepEqual(third.wanted, ["R58M"]);
  assert.equal(
    (await last.ask({ type: "heartbeat", journalCounter: 1, at: 1 }))?.type,
    "heartbeatAck",
    "what was answered is not asked again",
  );
});

Deno.test("after a restore the database decides which phones are stopped, and the screen shows both sides", async () => {
  await using door = await openAgentDoor();
  const { ctx } = door.fleet;
  const { site, agent } = await openStopped(door);
  await cut(agent);
  // The state in a backup from before the stop.
  await ctx.db.batch(["UPDATE devices SET stopped = 0, site_stopped = 0", "DELETE FROM commands"], "write");
  await renewGeneration(ctx);
  const back = await greet(site, ["R58M"]);
  await using again = back.agent;
  assert.deepEqual(await shown(door), { stopped: false, siteStopped: true });
  assert.deepEqual(back.wanted, [], "which has it started");
  await report(again, false);
  assert.deepEqual(await shown(door), { stopped: false, siteStopped: false });
});

Deno.test("an agent of the previous release gets no stop list, and the screen shows the requested state (rule 20)", async () => {
  await using door = await openAgentDoor();
  const { ctx } = door.fleet;
  const { site, agent } = await openStopped(door);
  await cut(agent);
  const pressed = await sendCommand(ctx, boss, 1, "start");
  const back = await greet(site, null);
  await using older = back.agent;
  assert.equal(back.wanted, undefined);
  const command = await older.read();
  assert.ok(command?.type === "command" && command.id === pressed.id, "it hears the start as a command");
  assert.deepEqual(await shown(door), { stopped: false, siteStopped: null });
  await report(older);
  assert.deepEqual(await shown(door), { stopped: false, siteStopped: null });
});

Deno.test("a site lists and receives only the stops of its own phones", async () => {
  await using door = await openAgentDoor();
  const { agent } = await openStopped(door);
  await using _ = agent;
  const other = await greet(await door.enroll(), ["R58M"]);
  await using stranger = other.agent;
  assert.deepEqual(other.wanted, []);
  await report(stranger, false);
  assert.deepEqual(await shown(door), { stopped: true, siteStopped: true });
});

Deno.test("a phone that its site holds stopped cannot send, and the campaign's notice says so", async () => {
  await using fleet = await openFleet();
  const campaign = await sendNew(fleet, 1);
  const site = await fleet.addSite(1);
  const admin = {
    client: 0,
    person: 0,
    username: "",
    role: "admin",
    duty: "owner",
    sessionHash: "",
  } as const;
  const notices = async () =>
    (await showCampaign(fleet.ctx, admin, campaign.id)).notices.map(({ code }) => code);
  assert.deepEqual(await notices(), []);
  await fleet.reconnect(site, { stopped: site.devices });
  assert.deepEqual(await notices(), ["no_device"]);
  await fleet.reconnect(site, { stopped: [] });
  assert.deepEqual(await notices(), []);
});
