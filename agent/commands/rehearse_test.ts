import assert from "node:assert/strict";
import { rehearsalSocket } from "../rehearsal/socket_path.ts";
import { type ProcessSite, startProcessSite } from "../testing/process_site.ts";
import { numbers } from "../testing/site.ts";

const OWN = "+972501234567";
const PAGE = "/sdcard/Download/shigur-identify.html";

async function withSite(test: (site: ProcessSite) => Promise<void>, options = {}): Promise<void> {
  await using site = await startProcessSite(options);
  await test(site);
}

async function withAgent(test: (site: ProcessSite) => Promise<void>, options = {}): Promise<void> {
  await withSite(async (site) => {
    site.launch();
    await site.until(() => site.lines.some((line) => line.includes("device_here")));
    await test(site);
  }, options);
}

/** Returns the code on the phone's page, or null. */
function codeOn({ phone }: ProcessSite): string | null {
  const page = new TextDecoder().decode(phone.files.read(PAGE)?.bytes);
  return phone.page === null ? null : /">(\d{4})\n…\d{4}<\/body>/.exec(page)?.[1] ?? null;
}

/** Runs a rehearsal with a real message, typing the code that the phone shows. `act` may interfere after that. */
async function rehearseWithCode(site: ProcessSite, act: (child: Deno.ChildProcess) => Promise<void> | void) {
  const child = site.begin("rehearse", "--phone", "SIM0001", "--to", OWN, "--json");
  const output = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await site.until(() => codeOn(site) !== null);
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(`${codeOn(site)}\n`));
  await act(child);
  await input.close().catch(() => {});
  const { code } = await child.status;
  const [out, errors] = await output;
  return { code, out, errors };
}

Deno.test("rehearse without an agent takes the journal itself, prints each step in two languages, and taps nothing", () =>
  withSite(async (site) => {
    const { code, out } = await site.command("rehearse", "--phone", "SIM0001");
    assert.equal(code, 0, out);
    assert.match(out, /✓ צ'אט עם המספר הזה.* · the chat with this number.*\n {4}תקין · ok; .*; \d+\.\d s\n/);
    assert.match(out, /The phone passed: every step up to the tap was seen\./);
    assert.deepEqual(site.taps(), []);
    assert.equal((await site.command("rehearse", "--phone", "SIM0404")).code, 69);
    assert.equal((await site.command("rehearse")).code, 2);
    assert.equal((await site.command("rehearse", "--phone", "SIM0001", "--to", "050")).code, 2);
  }));

Deno.test("the running agent lends the phone between two deliveries, and the site does not stop", () =>
  withAgent(async (site) => {
    site.edge.queue(1, { text: "שלום" }, numbers(40));
    await site.until(() => site.taps().length > 0);
    const { code, out } = await site.command("rehearse", "--phone", "SIM0001", "--json");
    assert.equal(code, 0, out);
    const report = JSON.parse(out);
    assert.equal(report.result, "passed");
    assert.equal(
      report.steps[3].words.lookedFor.en,
      "the chat with this number, and the number in its title",
    );
    await site.until(() => site.taps().length === 40);
    assert.equal(new Set(site.taps().map(({ phone }) => phone)).size, 40);
  }, {
    edge: { settings: { rateLimit: 0 } },
    phones: { devices: 2, traits: () => ({ language: "he", confirmsShare: false }) },
  }));

Deno.test("rehearse sends one real message through the running agent after the phone's code, and the edge hears nothing", () =>
  withAgent(async (site) => {
    const { code, out } = await rehearseWithCode(site, () => {});
    assert.equal(code, 0, out);
    assert.equal(JSON.parse(out).message, "sent");
    assert.deepEqual(site.taps().map(({ phone }) => phone), [OWN]);
    assert.ok(!site.edge.received.some((frame) => JSON.stringify(frame).includes(OWN.slice(1))));
    assert.ok(!site.lines.some((line) => line.includes(OWN.slice(1))));
  }));

Deno.test("a rehearsal whose command is killed after the code taps nothing later", () =>
  withAgent(async (site) => {
    await rehearseWithCode(site, (child) => child.kill("SIGKILL"));
    await site.until(() => site.lines.some((line) => line.includes('"rehearsal"')));
    assert.deepEqual(site.taps(), []);
    assert.deepEqual([...site.phone.accounts[0]!.drafts.values()], []);
    // The phone is free again.
    site.edge.queue(1, { text: "שלום" }, numbers(1));
    await site.until(() => site.taps().length === 1);
  }));

Deno.test("a rehearsal whose agent is killed taps nothing later, and the next agent takes orders again", () =>
  withAgent(async (site) => {
    const { code, errors } = await rehearseWithCode(site, () => site.kill());
    assert.equal(code, 69);
    assert.match(errors, /The connection to the agent ended/);
    site.launch();
    await site.until(() => site.lines.filter((line) => line.includes("device_here")).length === 2);
    const again = await site.command("rehearse", "--phone", "SIM0001");
    assert.equal(again.code, 0, again.out);
    assert.deepEqual(site.taps(), []);
  }));

Deno.test("a rehearsal beyond those that the agent serves at once is refused as busy, and goes when one has ended", () =>
  withAgent(async (site) => {
    const served = await Promise.all(
      Array.from(
        { length: 4 },
        () => Deno.connect({ transport: "unix", path: rehearsalSocket(site.agentDir) }),
      ),
    );
    const { code, errors } = await site.command("rehearse", "--phone", "SIM0001");
    assert.equal(code, 75, errors);
    assert.match(errors, /אין חזרה: .*ארבע.* · Cannot rehearse: .*at once/);
    for (const socket of served) socket.close();
    assert.equal((await site.command("rehearse", "--phone", "SIM0001")).code, 0);
    assert.deepEqual(site.taps(), []);
  }));

Deno.test("a second rehearsal of one phone is refused as busy", () =>
  withAgent(async (site) => {
    await rehearseWithCode(site, async (child) => {
      const { code, errors } = await site.command("rehearse", "--phone", "SIM0001");
      assert.equal(code, 75, errors);
      assert.match(errors, /another rehearsal has this phone/);
      child.kill("SIGKILL");
    });
  }));

Deno.test("an agent that is killed while the rehearsal's draft stands in its chat clears it when it is back", () =>
  withAgent(async (site) => {
    const drafts = () => [...site.phone.accounts[0]!.drafts.values()];
    const child = site.begin("rehearse", "--phone", "SIM0001");
    await site.until(() => drafts().length > 0);
    await site.kill();
    await Promise.all([child.status, child.stdout.cancel(), child.stderr.cancel(), child.stdin.close()]);
    assert.equal(drafts().length, 1);
    site.launch();
    await site.until(() => drafts().length === 0);
    await site.until(() => site.lines.some((line) => line.includes("draft_gone")));
    assert.deepEqual(site.taps(), []);
  }));

Deno.test("the agent's socket is its own user's, and refuses what is no order within its bounds", () =>
  withAgent(async (site) => {
    const path = rehearsalSocket(site.agentDir);
    assert.equal(Deno.statSync(path).mode! & 0o777, 0o600);
    for (
      const line of [
        "{}\n",
        "not json\n",
        '{"device":"../../x","account":null,"to":null,"picture":null}\n',
        '{"device":"SIM0001","account":null,"to":null,"picture":null,"tap":true}\n',
        "x".repeat(8 * 1024 * 1024),
      ]
    ) {
      const socket = await Deno.connect({ transport: "unix", path });
      const answer = new Response(socket.readable).text().catch(() => "");
      await (async () => {
        const bytes = new TextEncoder().encode(line);
        for (let at = 0; at < bytes.length;) at += await socket.write(bytes.subarray(at));
      })().catch(() => {});
      assert.ok(["", '{"type":"refused","why":"bad_order"}\n'].includes(await answer), line.slice(0, 40));
    }
    assert.deepEqual(site.taps(), []);
    assert.equal((await site.command("rehearse", "--phone", "SIM0001")).code, 0);
  }));
