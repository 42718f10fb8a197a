/** Kills the agent's process with SIGKILL at each step of a delivery, and compares its later reports with the taps. */
import assert from "node:assert/strict";
import type { AgentFrame, EdgeFrame } from "shared/agent_protocol.ts";
import { TAP_DEADLINE_MS } from "shared/lease.ts";
import { numbers } from "../testing/site.ts";
import type { FakeEdgeOptions } from "../testing/fake_edge.ts";
import { type ProcessSite, type SeenRow, startProcessSite } from "../testing/process_site.ts";

const TEXT = "שלום 'עולם' 🙂";
const [FIRST = "", TARGET = ""] = numbers(2);
/** Longer than an agent takes to start and to look twice. */
const HANG_MS = 6_000;

Deno.test("kill -9 when the lease is journaled and its leaseAck has not arrived: void, then sent once (rule 4)", async () => {
  const network = openNetwork();
  await using site = await start(network);
  network.loses = "leaseAck";
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.freezeWhen((rows) => stateOf(rows) === "leased");
  assert.equal(site.edge.deliveries.get(TARGET)?.isAcked, false);
  await killAndLaunch(site, network);
  await site.until(() => site.edge.states().sent === 1);
  await assertTruth(site, { [TARGET]: ["void agent_restarted", "sent"] });
});

Deno.test("kill -9 when the leaseAck was sent and its go has not arrived: void, then sent once (rule 4)", async () => {
  const network = openNetwork();
  await using site = await start(network);
  network.loses = "go";
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.freezeWhen((rows) => stateOf(rows) === "leased" && site.edge.deliveries.get(TARGET)!.isAcked);
  await killAndLaunch(site, network);
  await site.until(() => site.edge.states().sent === 1);
  await assertTruth(site, { [TARGET]: ["void agent_restarted", "sent"] });
});

Deno.test("kill -9 when the go is there and nothing was opened: void, then sent once (rule 4)", async () => {
  const network = openNetwork({ rateLimit: 60 });
  await using site = await start(network);
  site.edge.queue(1, { text: TEXT }, [FIRST]);
  await site.until(() => site.edge.states().sent === 1);
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.until(() => site.edge.deliveries.get(TARGET)!.isAcked);
  // Frames are handled in order: an agent that answers this command has taken the earlier `go`.
  site.edge.send({ type: "command", id: 1, kind: "start", device: "SIM0001" });
  await site.until(() => site.edge.received.some(({ type }) => type === "commandResult"));
  await site.freezeWhen((rows) => stateOf(rows) === "leased");
  await killAndLaunch(site, network);
  await site.until(() => site.edge.states().sent === 2);
  await assertTruth(site, { [FIRST]: ["sent"], [TARGET]: ["void agent_restarted", "sent"] });
});

Deno.test("kill -9 when the chat is open with its draft and the tap's pace slot has not come: void, then sent once (rule 4)", async () => {
  const network = openNetwork({ rateLimit: 3 });
  await using site = await start(network);
  site.edge.queue(1, { text: TEXT }, [FIRST, TARGET]);
  await site.freezeWhenSeen(TARGET);
  assert.equal(stateOf(site.journal()), "leased");
  assert.equal(site.phone.accounts[0]!.drafts.get(TARGET.slice(1)), TEXT);
  await killAndLaunch(site, network);
  await site.until(() => site.edge.states().sent === 2);
  await assertTruth(site, { [FIRST]: ["sent"], [TARGET]: ["void agent_restarted", "sent"] });
});

Deno.test("kill -9 when the tap is journaled and has not begun on the phone: it never begins, void, then sent once (rule 10)", async () => {
  const network = openNetwork();
  await using site = await start(network);
  // The command after the look is the tap.
  site.lieWhile("shellHangs", () => site.wasSeen(TARGET));
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.freezeWhen((rows) => stateOf(rows) === "tapping");
  await site.kill();
  site.pass(TAP_DEADLINE_MS);
  const begins = new Promise((done) => setTimeout(done, HANG_MS));
  site.lieWhile("shellHangs", () => false);
  site.launch();
  await site.until(() => site.edge.states().sent === 1);
  await begins;
  await assertTruth(site, { [TARGET]: ["void send_not_verified", "sent"] });
});

Deno.test("kill -9 when the tap hangs on the phone past all its checks: it is waited for, and sent (rule 10)", async () => {
  const network = openNetwork();
  await using site = await start(network);
  site.lieWhile("tapHangs", () => true);
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.freezeWhen((rows) => stateOf(rows) === "tapping" && isTapUnderWay(site));
  assert.deepEqual(site.taps(), []);
  site.lieWhile("tapHangs", () => false);
  await killAndLaunch(site, network);
  await site.until(() => site.edge.states().sent === 1);
  await assertTruth(site, { [TARGET]: ["sent"] });
});

Deno.test("kill -9 when the tap is out and its outcome is not written: looked back at, and sent (rule 10)", async () => {
  const network = openNetwork();
  await using site = await start(network);
  await tapUnseen(site);
  await killAndLaunch(site, network);
  await site.until(() => site.edge.states().sent === 1);
  await assertTruth(site, { [TARGET]: ["sent"] });
});

Deno.test("kill -9 when the tap is out and the phone shows neither row nor draft: unknown, and never again (rule 10)", async () => {
  const network = openNetwork();
  await using site = await start(network);
  await tapUnseen(site);
  site.phone.traits.contacts[TARGET.slice(1)] = "דנה";
  await killAndLaunch(site, network);
  await site.until(() => site.edge.states().unknown === 1);
  await assertTruth(site, { [TARGET]: ["unknown send_not_verified"] });
});

Deno.test("kill -9 when the outcome is written and no report has arrived: reported by the next process", async () => {
  const network = openNetwork();
  await using site = await start(network);
  network.loses = "report";
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.freezeWhen((rows) => stateOf(rows) === "sent");
  assert.equal(site.edge.deliveries.get(TARGET)?.state, "leased");
  await killAndLaunch(site, network);
  await site.until(() => site.edge.states().sent === 1);
  await assertTruth(site, { [TARGET]: ["sent"] });
});

Deno.test("kill -9 when the report was taken and its reportAck has not arrived: reported again, and forgotten", async () => {
  const network = openNetwork();
  await using site = await start(network);
  network.loses = "reportAck";
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.until(() => site.edge.states().sent === 1);
  await site.freezeWhen((rows) => stateOf(rows) === "sent");
  await killAndLaunch(site, network);
  await site.until(() => site.edge.deliveries.get(TARGET)!.reports.length === 2);
  await assertTruth(site, { [TARGET]: ["sent", "sent"] });
});

/** Opens a network that loses every frame of one kind. */
function openNetwork({ rateLimit = 0 } = {}) {
  const network = {
    loses: null as AgentFrame["type"] | EdgeFrame["type"] | null,
    settings: { rateLimit },
    lets: (frame: EdgeFrame) => frame.type !== network.loses,
    receives: (frame: AgentFrame) => frame.type !== network.loses,
  };
  return network;
}

async function start(network: FakeEdgeOptions): Promise<ProcessSite> {
  const site = await startProcessSite({
    edge: network,
    phones: { hangMs: { min: HANG_MS, max: HANG_MS } },
  });
  site.launch();
  await site.until(() => site.edge.received.some(({ type }) => type === "inventory"));
  return site;
}

/** Taps for the target and freezes the agent before it can see the result. From then on the phone shows everything. */
async function tapUnseen(site: ProcessSite): Promise<void> {
  site.lieWhile("dumpFails", () => site.taps().length > 0);
  site.edge.queue(1, { text: TEXT }, [TARGET]);
  await site.freezeWhen((rows) => stateOf(rows) === "tapping" && site.taps().length === 1);
  site.lieWhile("dumpFails", () => false);
}

function isTapUnderWay({ phone }: ProcessSite): boolean {
  return [...phone.processes.values()].some((commandLine) => commandLine.startsWith("cmd input tap"));
}

/** Kills the frozen agent. Starts it again, without losses and without a pace, when no tap may begin any more. */
async function killAndLaunch(site: ProcessSite, network: ReturnType<typeof openNetwork>): Promise<void> {
  await site.kill();
  site.pass(TAP_DEADLINE_MS);
  network.loses = null;
  network.settings = { rateLimit: 0 };
  site.launch();
}

/** Checks that the taps of every number match its sent reports, at most one each, and that the journal is empty. */
async function assertTruth(site: ProcessSite, reports: Record<string, string[]>): Promise<void> {
  await site.freezeWhen((rows) => rows.length === 0);
  const reported = [...site.edge.deliveries.values()].map((delivery) => [
    delivery.phone,
    delivery.reports.map(({ outcome, reason }) => reason === null ? outcome : `${outcome} ${reason}`),
  ]);
  assert.deepEqual(Object.fromEntries(reported), reports);
  assert.deepEqual(
    site.taps().map(({ phone, text }) => [phone, text]),
    Object.keys(reports).map((phone) => [phone, TEXT]),
  );
}

function stateOf(rows: SeenRow[]): string | undefined {
  return rows.find(({ phone }) => phone === TARGET)?.state;
}
