/** Tests what a site does around a tap without a known outcome, or with an unreliable time. */
import assert from "node:assert/strict";
import type { LieRates } from "../../simulator/phone/lies.ts";
import { numbers, startTestSite } from "../testing/site.ts";
import { GO_HOME } from "../phone/go_home.ts";
import { steadyClock } from "../testing/steady_clock.ts";

const TEXT = "שלום";

Deno.test("runWorker() keeps the pace after a tap that landed long after its answer was lost (I6)", async () => {
  const lies: LieRates = { tapHangs: 1 };
  await using site = await startTestSite({
    edge: { settings: { rateLimit: 10 } },
    phones: {
      devices: 1,
      lies,
      hangMs: { min: 22_000, max: 22_000 },
      onLie: () => lies.tapHangs = 0,
    },
  });
  site.edge.queue(1, { text: TEXT }, numbers(2));
  await site.edge.until(() => site.edge.states().sent === 2);
  const [landed = 0, next = 0] = site.taps().map((tap) => Date.parse(tap.at));
  assert.ok(next - landed >= 10_000 - 1, `${next - landed}`);
});

Deno.test("runWorker() reports an account that the app ends during a tap, though the tap stays unknown", async () => {
  await using site = await startTestSite({
    phones: { devices: 1 },
    edge: { queuesAgain: false },
    adb: (adb) => ({
      ...adb,
      shell(serial, command, options) {
        const [phone] = site.simulator.phones;
        if (command.includes("input tap")) phone!.setAccountState("com.whatsapp/0", "banned");
        return adb.shell(serial, command, options);
      },
    }),
  });
  const [delivery] = site.edge.queue(1, { text: TEXT }, numbers(1));
  await site.edge.until(() => delivery!.reports.length > 0);
  assert.deepEqual(delivery!.reports.map(({ outcome }) => outcome), ["unknown"]);
  const isReported = () =>
    site.edge.received.some((frame) => frame.type === "inventory" && frame.accounts[0]?.state === "banned");
  await Promise.race([site.edge.until(isReported), site.clock.sleep(60_000)]);
  assert.ok(isReported(), "else the next of its messages would go to it");
});

Deno.test("runWorker() waits at most the pace after a tap that lies in the future of a clock set back", async () => {
  using clock = steadyClock();
  let aheadMs = 3 * 86_400_000;
  await using site = await startTestSite({
    clock: { ...clock, now: () => clock.now() + aheadMs },
    edge: { now: clock.now, settings: { rateLimit: 10 } },
    phones: { devices: 1, now: clock.now },
  });
  const [first = "", second = ""] = numbers(2);
  site.edge.queue(1, { text: TEXT }, [first]);
  await site.edge.until(() => site.edge.states().sent === 1);
  await site.stop();
  aheadMs = 0;
  site.start();
  const [next] = site.edge.queue(2, { text: TEXT }, [second]);
  await Promise.race([site.edge.until(() => next!.state === "sent"), clock.sleep(120_000)]);
  assert.equal(next!.state, "sent");
});

Deno.test("runWorker() ends and leaves the screen of a tap in doubt as it is, for the look back of its next start", async () => {
  const commands: string[] = [];
  await using site = await startTestSite({
    phones: { devices: 1, lies: { tapHangs: 1 }, hangMs: { min: 3_000, max: 3_000 } },
    adb: (adb) => ({
      ...adb,
      shell(serial, command, options) {
        commands.push(command);
        return adb.shell(serial, command, options);
      },
    }),
  });
  const [phone] = site.simulator.phones;
  const [delivery] = site.edge.queue(1, { text: TEXT }, numbers(1));
  const isTapping = () => [...phone!.processes.values()].some((line) => line.startsWith("cmd input tap"));
  while (!isTapping()) await site.clock.sleep(25);
  // A locked phone cannot be looked at.
  phone!.isPinSet = true;
  phone!.lock();
  while (phone!.processes.size > 0) await site.clock.sleep(25);
  await site.clock.sleep(10_000);
  assert.equal(delivery!.state, "leased");
  const from = commands.length;
  await site.stop();
  assert.deepEqual(commands.slice(from).filter((command) => command.includes(GO_HOME)), []);
  phone!.isPinSet = false;
  site.start();
  await site.edge.until(() => delivery!.state === "sent");
  assert.equal(site.taps().length, 1);
});
