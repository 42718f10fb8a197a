import assert from "node:assert/strict";
import { MOVED_IDS } from "../testing/moved_ids.ts";
import { numbers } from "../testing/site.ts";
import { type ProcessSite, startProcessSite } from "../testing/process_site.ts";

const GIVE_UP_MS = 60_000;
const CONTACTS = { "972501112233": "דנה", "972501112234": "נועה" };

async function withSite(test: (site: ProcessSite) => Promise<void>, options = {}): Promise<void> {
  await using site = await startProcessSite(options);
  await test(site);
}

/** Asks until the answer is right. Fails with the last answer after a minute. */
async function statusBecomes(
  site: ProcessSite,
  isRight: (answer: { code: number; out: string }) => boolean,
): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (let answer = await site.command("status"); !isRight(answer); answer = await site.command("status")) {
    assert.ok(performance.now() < giveUpAt, answer.out);
  }
}

async function findings(site: ProcessSite): Promise<{ code: number; levels: Record<string, string> }> {
  const { code, out } = await site.command("doctor", "--json");
  const found: { level: string; code: string }[] = JSON.parse(out);
  return { code, levels: Object.fromEntries(found.map((one) => [one.code, one.level])) };
}

Deno.test("status and doctor report a healthy site while the agent runs, and the reason after a kill", () =>
  withSite(async (site) => {
    assert.equal((await site.command("status")).code, 1);
    site.launch();
    await site.until(() => site.lines.some((line) => line.includes("device_here")));
    await statusBecomes(site, ({ code }) => code === 0);
    const { out } = await site.command("status", "--json");
    const { status, unwell } = JSON.parse(out);
    assert.equal(unwell, null);
    assert.deepEqual(status.site, { id: 7, name: "test" });
    assert.deepEqual(status.worksite.devices.map(({ state }: { state: string }) => state), ["online"]);
    assert.match((await site.command("status")).out, /\n {2}phones: +1 online\n/);

    const { code, levels } = await findings(site);
    assert.deepEqual(levels, {
      disk_ok: "ok",
      enrolled: "ok",
      agent_runs: "ok",
      edge_ok: "ok",
      clock_ok: "ok",
      site_known: "ok",
      adb_answers: "ok",
      phone_ok: "ok",
      account_ok: "ok",
      contacts_saved: "warning",
      settings_right: "ok",
      setting_wrong: "warning",
      setting_unseen: "unseen",
      desk_page: "ok",
    });
    assert.equal(code, 0);

    await site.kill();
    site.phone.availability = "unauthorized";
    await site.edge.leave();
    const after = await findings(site);
    assert.equal(after.code, 1);
    assert.equal(after.levels.agent_not_running, "problem");
    assert.equal(after.levels.edge_refused, "problem");
    assert.equal(after.levels.phone_unauthorized, "problem");
  }, { phones: { traits: () => ({ language: "he", contacts: CONTACTS }) } }));

Deno.test("status, doctor and the log say which side to update when edge and agent share no version", () =>
  withSite(async (site) => {
    site.launch();
    const advice = "this agent is too old for its edge: install it again with the edge's install line";
    await site.until(() => site.lines.some((line) => line.includes(advice)));
    await statusBecomes(site, ({ out }) => out.includes(advice));
    const { code, levels } = await findings(site);
    assert.equal(code, 1);
    assert.equal(levels.agent_older, "problem");
  }, { edge: { subprotocol: "shigur.agent.v99" } }));

Deno.test("doctor prints each finding in Hebrew and in English, with what to do", () =>
  withSite(async (site) => {
    await Deno.remove(`${site.agentDir}/identity.json`);
    const both = (await site.command("doctor")).out;
    assert.match(both, /✗ בעיה: האתר עוד לא נרשם בשרת → להריץ שוב את פקודת ההתקנה/);
    assert.match(both, /✗ problem: this site is not enrolled → run the install line/);
    assert.match(both, /! אזהרה: טלפון SIM0001: המסך נכבה גם כשהטלפון בטעינה \(נראה: 0\) → הגדרות ← /);
    assert.match(both, /\? לא נראה: טלפון SIM0001: אי אפשר לראות מכאן: בלי עדכון אוטומטי של אפליקציות/);
    assert.match(both, /\/desk\?lang=he\n/);
    const english = (await site.command("doctor", "--lang", "en")).out;
    assert.match(english, /\? not seen: phone SIM0001: cannot be seen from here: No automatic app updates/);
    assert.doesNotMatch(english, /[א-ת]/);
    assert.equal((await site.command("doctor", "--lang", "fr")).code, 2);
  }));

Deno.test("doctor names the damaged file, and its advice brings the site up again", () =>
  withSite(async (site) => {
    const identityPath = `${site.agentDir}/identity.json`;
    const identity = await Deno.readTextFile(identityPath);
    site.launch();
    await site.edge.untilReceived("hello");
    await site.kill();
    await Deno.writeTextFile(identityPath, "");
    // A killed agent leaves its last writes in a file beside the journal.
    for (const end of ["", "-wal"]) await Deno.writeTextFile(`${site.journalPath}${end}`, "x".repeat(4096));
    site.launch();
    assert.equal(await site.ended(), 2);

    const { levels } = await findings(site);
    assert.deepEqual([levels.identity_damaged, levels.journal_damaged], ["problem", "problem"]);
    assert.equal(levels.not_enrolled, undefined);
    for (const path of [identityPath, site.journalPath]) await Deno.rename(path, `${path}.damaged`);
    assert.equal((await findings(site)).levels.not_enrolled, "problem");
    await Deno.writeTextFile(identityPath, identity);
    site.launch();
    await statusBecomes(site, ({ code }) => code === 0);
    const well = await findings(site);
    assert.deepEqual([well.levels.agent_runs, well.levels.journal_damaged], ["ok", undefined]);
  }));

Deno.test("send-one sends to one number, and never while an agent runs", () =>
  withSite(async (site) => {
    const [to] = numbers(1);
    const send = (...more: string[]) => site.command("send-one", "--to", to!, "--text", "בדיקה", ...more);
    assert.deepEqual(await send(), {
      code: 2,
      out: `From SIM0001/com.whatsapp/0 to ${to}: "בדיקה"\n` +
        `${site.edge.url} does not know of this message: it counts towards no quota and no daily limit.\n`,
      errors: `Cannot ask "Type \\"yes\\" to send it:": no terminal\n`,
    });
    assert.deepEqual(site.taps(), []);
    const sent = await send("--yes");
    assert.equal(sent.code, 0, sent.errors);
    assert.match(sent.out, /\nSent, and visible in the chat\.\n$/);
    assert.deepEqual(site.taps().map(({ phone, text }) => [phone, text]), [[to, "בדיקה"]]);

    site.launch();
    await site.edge.untilReceived("hello");
    const refused = await send("--yes");
    assert.equal(refused.code, 73);
    assert.match(refused.errors, /the agent is running\. Stop it first/);
    assert.equal(site.taps().length, 1);
  }));

Deno.test("devices and accounts list what is plugged in, for people and for programs", () =>
  withSite(async (site) => {
    assert.match((await site.command("devices")).out, /^SIM0001\tdevice\t/);
    const [account] = JSON.parse((await site.command("accounts", "--json")).out);
    assert.equal(account.account, "SIM0001/com.whatsapp/0");
  }));

Deno.test("enroll refuses in one sentence, and reports an unreachable edge", () =>
  withSite(async (site) => {
    const again = await site.command("enroll", "another-token-of-the-test");
    assert.deepEqual([again.code, again.errors], [2, "Cannot enrol: this machine is already site 7\n"]);
    await Deno.remove(`${site.agentDir}/identity.json`);
    const refused = await site.command("enroll", "another-token-of-the-test");
    assert.deepEqual([refused.code, refused.errors], [
      1,
      "Cannot enrol: קוד ההצטרפות אינו תקף. (join_token_invalid)\n",
    ]);
    await site.edge.leave();
    assert.equal((await site.command("enroll", "another-token-of-the-test")).code, 69);
  }));

Deno.test("screens adds, lists and removes a site's files, and refuses a damaged one", () =>
  withSite(async (site) => {
    const path = `${site.agentDir}/moved.json`;
    await Deno.writeTextFile(path, MOVED_IDS);
    const added = await site.command("screens", "add", path);
    assert.equal(added.code, 0, added.errors);
    assert.match(
      added.out,
      /^נוסף · added: app-2-26 {2}any {2}2\.26 to below 2\.27 {2}\(1 of 1 never seen on a phone\)$/m,
    );
    assert.match(added.out, /this site has no recordings; those of the release pass/);
    assert.match((await site.command("screens", "list")).out, /^site {5}app-2-26 [^]*^shipped {2}he-2 /m);
    assert.equal((await findings(site)).levels.screens_ok, "ok");

    await Deno.writeTextFile(`${site.agentDir}/screens/broken.json`, "{");
    const listed = await site.command("screens", "list");
    assert.deepEqual([listed.code, /^ignored {2}broken\.json: it is not JSON$/m.test(listed.out)], [1, true]);
    assert.equal((await findings(site)).levels.screens_file_damaged, "warning");
    await Deno.writeTextFile(path, MOVED_IDS.replace("app-2-26", "../etc"));
    const refused = await site.command("screens", "add", path);
    assert.deepEqual([refused.code, /Cannot add .*name: must be small letters/.test(refused.errors)], [
      1,
      true,
    ]);

    assert.equal((await site.command("screens", "remove", "broken")).code, 0);
    assert.equal((await site.command("screens", "remove", "app-2-26")).code, 0);
    assert.equal((await site.command("screens", "remove", "app-2-26")).code, 1);
    assert.equal((await site.command("screens", "add")).code, 2);
  }));

Deno.test("commands that read a named file refuse a directory, a pipe and a device in one sentence", () =>
  withSite(async (site) => {
    const pipe = `${site.agentDir}/pipe`;
    await new Deno.Command("mkfifo", { args: [pipe] }).output();
    for (const path of [site.agentDir, pipe, "/dev/zero", `${site.agentDir}/nothing.json`]) {
      for (
        const words of [
          ["screens", "add", path],
          ["recording", "replay", path],
          ["recording", "make", path, `${site.agentDir}/made.json`],
          ["simulate", "--play", path],
          ["rehearse", "--phone", "SIM0001", "--picture", path],
          ["status", "--config", path],
        ]
      ) {
        const { code, errors } = await site.command(...words);
        assert.equal(code, 2, `${words}: ${errors}`);
        assert.match(errors, /^[^\n]*\n$/, `${words}: ${errors}`);
      }
    }
  }));

Deno.test("screens seen shows the parts of the unknown screen, as long as the agent waits on it", () =>
  withSite(async (site) => {
    assert.equal((await site.command("screens", "seen")).code, 69);
    site.phone.updateApps("2.26.1.5");
    site.launch();
    await site.until(() => site.lines.some((line) => line.includes("device_here")));
    assert.match((await site.command("screens", "seen")).out, /no account waits on an unknown screen/);
    site.edge.queue(1, { text: "שלום" }, numbers(1));
    await site.until(() => site.lines.some((line) => line.includes('"unknown_screen"')));
    const { out } = await site.command("screens", "seen");
    assert.match(
      out,
      /^SIM0001\/com\.whatsapp\/0 {2}[0-9a-f]{24} {2}screen {2}com\.whatsapp\/.*Conversation$/m,
    );
    assert.match(out, /^ {2}entry_n {2}EditText {2}\[\d+,\d+\]\[\d+,\d+\]$/m);
    assert.ok(!/שלום|97250/.test(out), out);
    const path = `${site.agentDir}/moved.json`;
    await Deno.writeTextFile(path, MOVED_IDS);
    assert.equal((await site.command("screens", "add", path)).code, 0);
    await site.until(() => site.taps().length === 1);
    assert.match((await site.command("screens", "seen")).out, /no account waits/);
  }));

Deno.test("status, doctor and the log name an unknown screen, and a damaged file while the agent runs", () =>
  withSite(async (site) => {
    await Deno.mkdir(`${site.agentDir}/screens`);
    await Deno.writeTextFile(`${site.agentDir}/screens/broken.json`, "{");
    site.phone.updateApps("2.26.1.5");
    site.launch();
    await site.until(() => site.lines.some((line) => line.includes("screens_file_ignored")));
    site.edge.queue(1, { text: "שלום" }, numbers(1));
    await site.until(() => site.lines.some((line) => line.includes('"unknown_screen"')));
    await statusBecomes(
      site,
      ({ out }) => /unknown screen: +SIM0001\/com\.whatsapp\/0 stopped: [0-9a-f]{24} in .*entry_n/.test(out),
    );
    assert.match((await site.command("status")).out, /ignored broken\.json: +it is not JSON/);
    const { code, levels } = await findings(site);
    assert.deepEqual([code, levels.account_unknown_screen, levels.screens_file_damaged], [
      1,
      "problem",
      "warning",
    ]);
    assert.deepEqual(site.taps(), []);
  }));
