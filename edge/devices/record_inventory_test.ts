import assert from "node:assert/strict";
import { MAX_SITE_DEVICES } from "shared/agent_protocol.ts";
import { isWithinCpu } from "shared/testing/cpu_bound.ts";
import { threadCpuMs } from "shared/testing/thread_cpu.ts";
import { openFleet } from "../testing/fleet.ts";
import { SupersededError } from "../queue/fence.ts";
import { readDeviceDetail } from "./device_detail.ts";
import { type InventoryFrame, recordInventory } from "./record_inventory.ts";

const DAY_MS = 24 * 60 * 60_000;

function inventory(over: Partial<InventoryFrame["devices"][number]> = {}): InventoryFrame {
  return {
    type: "inventory",
    devices: [{
      device: "R58M",
      address: "usb:1",
      model: "Pixel 7",
      androidVersion: "14",
      state: "online",
      batteryPercent: 80,
      proofAt: 5,
      addresses: [],
      stateDetail: null,
      ...over,
    }],
    accounts: [{
      account: "R58M/com.whatsapp/0",
      state: "ok",
      appVersion: "2.26",
      firstInstalledAt: 7,
      userKind: null,
      captions: null,
      ownNumber: null,
    }],
  };
}

Deno.test("recordInventory() recognises a phone by its serial at any adb address", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  await recordInventory(fleet.ctx, site, inventory());
  const unread = inventory({ address: "192.0.2.7:5555", proofAt: null });
  unread.accounts[0]!.firstInstalledAt = null;
  await recordInventory(fleet.ctx, site, unread);
  const { rows } = await fleet.ctx.db.execute("SELECT key, address, model, state, proof_at FROM devices");
  assert.deepEqual(rows.map((row) => ({ ...row })), [
    { key: "R58M", address: "192.0.2.7:5555", model: "Pixel 7", state: "online", proof_at: 5 },
  ]);
  const account = await fleet.one("SELECT device, state, app_version, first_installed_at FROM accounts");
  assert.deepEqual(account, { device: 1, state: "ok", app_version: "2.26", first_installed_at: 7 });
});

Deno.test("recordInventory() ignores a first install in the future: the account warms up from its first sight", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const ahead = inventory();
  ahead.accounts[0]!.firstInstalledAt = fleet.ctx.now() + 400 * DAY_MS;
  await recordInventory(fleet.ctx, site, ahead);
  assert.equal((await fleet.one("SELECT first_installed_at FROM accounts")).first_installed_at, null);
  const capPerDay = async () => (await readDeviceDetail(fleet.ctx, 1)).accounts[0]!.capPerDay;
  assert.equal(await capPerDay(), 20);
  fleet.pass(2 * DAY_MS);
  await recordInventory(fleet.ctx, site, ahead);
  assert.equal(await capPerDay(), 28);
});

Deno.test("recordInventory() marks phones no longer listed as offline, and keeps what it knows of them", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  await recordInventory(fleet.ctx, site, inventory());
  await recordInventory(fleet.ctx, site, { devices: [], accounts: [] });
  assert.deepEqual(await fleet.one("SELECT state, proof_at FROM devices"), { state: "offline", proof_at: 5 });
  assert.equal((await fleet.one("SELECT state FROM accounts")).state, "unreachable");
  await recordInventory(fleet.ctx, site, inventory());
  assert.equal((await fleet.one("SELECT state FROM accounts")).state, "ok");
});

Deno.test("recordInventory() keeps the notice of a draft in a phone that is gone, until the phone is reported again", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const detail = async () => (await readDeviceDetail(fleet.ctx, 1)).stateDetail;
  for (const stateDetail of ["draft_left", "draft_left: no messaging app is installed"]) {
    await recordInventory(fleet.ctx, site, inventory({ stateDetail }));
    assert.equal(await detail(), stateDetail);
    await recordInventory(fleet.ctx, site, { devices: [], accounts: [] });
    assert.equal(await detail(), "draft_left");
  }
  await recordInventory(fleet.ctx, site, inventory());
  assert.equal(await detail(), null);
  await recordInventory(fleet.ctx, site, inventory({ stateDetail: "draft_leftover" }));
  await recordInventory(fleet.ctx, site, { devices: [], accounts: [] });
  assert.equal(await detail(), null);
});

Deno.test("recordInventory() keeps the screen that a site does not know, with the time since it is this one", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const report = async (
    fingerprint: string | null | undefined,
    state: "ok" | "unreachable" = "unreachable",
  ) => {
    const said = inventory();
    Object.assign(said.accounts[0]!, { state });
    if (fingerprint !== undefined) {
      said.accounts[0]!.unknownScreen = fingerprint === null
        ? null
        : { fingerprint, kind: "screen", window: "com.whatsapp.Conversation", ids: ["entry_n"] };
    }
    await recordInventory(fleet.ctx, site, said);
    const [account] = (await readDeviceDetail(fleet.ctx, 1)).accounts;
    return account!;
  };
  const [first, second] = ["a".repeat(24), "b".repeat(24)] as const;
  const since = fleet.ctx.now();
  const found = await report(first);
  assert.deepEqual(found.unknownScreen, {
    fingerprint: first,
    kind: "screen",
    window: "com.whatsapp.Conversation",
    ids: ["entry_n"],
    since,
  });
  assert.deepEqual([found.standing, found.note], [
    "unknown_screen",
    "האפליקציה מציגה מסך שהמערכת לא מכירה, והחשבון נעצר.",
  ]);
  fleet.pass(5_000);
  assert.equal((await report(first)).unknownScreen?.since, since);
  assert.equal((await report(second)).unknownScreen?.since, since + 5_000);
  assert.deepEqual([(await report(null, "ok")).unknownScreen, (await report(second)).standing], [
    null,
    "unknown_screen",
  ]);
  const older = await report(undefined, "unreachable");
  assert.deepEqual(
    [older.unknownScreen, older.standing],
    [null, "unreachable"],
    "an older agent sends no notice",
  );
  await report(first);
  await recordInventory(fleet.ctx, site, { devices: [], accounts: [] });
  assert.equal((await fleet.one("SELECT unknown_screen FROM accounts")).unknown_screen, null);
});

Deno.test("recordInventory() forgets a phone known only by its address, and none that ever answered", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const [known] = inventory({ addresses: ["usb:1", "192.0.2.7:5555"] }).devices;
  const stranger = {
    ...known!,
    device: "192.0.2.7:5555",
    address: "192.0.2.7:5555",
    model: "",
    androidVersion: "",
    state: "unauthorized" as const,
    proofAt: null,
  };
  const recorded = async (...devices: InventoryFrame["devices"]) => {
    await recordInventory(fleet.ctx, site, { devices, accounts: [] });
    const { rows } = await fleet.ctx.db.execute("SELECT key, state FROM devices ORDER BY id");
    return rows.map(({ key, state }) => `${key} ${state}`);
  };
  assert.deepEqual(await recorded(stranger), ["192.0.2.7:5555 unauthorized"]);
  assert.deepEqual(await recorded(known!), ["R58M online"], "it has let this computer in");
  assert.deepEqual(await recorded(), ["R58M offline"]);
  await recorded(stranger);
  await fleet.ctx.db.execute(
    `INSERT INTO commands (device, site, kind, user, created_at)
      SELECT id, site, 'identify', 1, 1 FROM devices WHERE state = 'unauthorized'`,
  );
  assert.deepEqual(
    await recorded(known!),
    ["R58M online", "192.0.2.7:5555 offline"],
    "somebody asked it something",
  );
});

Deno.test("recordInventory() keeps whether an account shows captions until its app's version changes", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const recorded = (over: Partial<InventoryFrame["accounts"][number]>) => {
    const { devices, accounts } = inventory();
    return recordInventory(fleet.ctx, site, { devices, accounts: [{ ...accounts[0]!, ...over }] });
  };
  const captions = async () => (await fleet.one("SELECT captions FROM accounts")).captions;
  await recorded({ captions: false });
  await recorded({ captions: null });
  await recorded({ captions: null, appVersion: null });
  assert.equal(await captions(), 0);
  await recorded({ captions: null, appVersion: "2.27" });
  assert.equal(await captions(), null);
  await recorded({ captions: true, appVersion: "2.28" });
  assert.equal(await captions(), 1);
});

Deno.test("recordInventory() keeps what it knows of an account that its site cannot look at", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const { devices, accounts } = inventory();
  const known = { userKind: "work" as const, captions: false, ownNumber: "+972541234567" };
  await recordInventory(fleet.ctx, site, { devices, accounts: [{ ...accounts[0]!, ...known }] });
  await fleet.ctx.db.execute("UPDATE accounts SET label = 'דלפק'");
  await recordInventory(fleet.ctx, site, { devices, accounts });
  assert.deepEqual(await fleet.one("SELECT user_kind, captions, own_number, label FROM accounts"), {
    user_kind: "work",
    captions: 0,
    own_number: "+972541234567",
    label: "דלפק",
  });
});

Deno.test("recordInventory() notifies administrators of a changed state, not of every proof", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const recorded = async () =>
    Number((await fleet.one("SELECT count(*) AS n FROM events WHERE type = 'device_changed'")).n);
  await recordInventory(fleet.ctx, site, inventory());
  assert.equal(await recorded(), 1);
  await recordInventory(fleet.ctx, site, inventory({ proofAt: 9, batteryPercent: 79 }));
  assert.equal(await recorded(), 1);
  await recordInventory(fleet.ctx, site, inventory({ state: "hot" }));
  assert.equal(await recorded(), 2);
});

Deno.test("recordInventory() refuses a proof from the future, and an older connection", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  await recordInventory(fleet.ctx, site, inventory({ proofAt: fleet.ctx.now() + 60_000 }));
  assert.equal((await fleet.one("SELECT proof_at FROM devices")).proof_at, fleet.ctx.now());
  const old = { ...site };
  await fleet.reconnect(site);
  await assert.rejects(recordInventory(fleet.ctx, old, inventory({ state: "offline" })), SupersededError);
  assert.equal((await fleet.one("SELECT state FROM devices")).state, "online");
});

Deno.test("recordInventory() keeps 500 phones at most that never worked, however many a site invents", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const named = (round: number) => {
    const { devices: [device], accounts: [account] } = inventory();
    const keys = Array.from({ length: 500 }, (_, index) => `P${round}N${index}`);
    return {
      devices: keys.map((key) => ({ ...device!, device: key })),
      // Half of them are banned: that does not count as a past.
      accounts: keys.map((key, index) => ({
        ...account!,
        account: `${key}/com.whatsapp/0`,
        state: index % 2 === 0 ? "banned" as const : "ok" as const,
      })),
    };
  };
  await recordInventory(fleet.ctx, site, named(0));
  await fleet.ctx.db.execute("UPDATE accounts SET confirmed_at = 1 WHERE key = 'P0N7/com.whatsapp/0'");
  await fleet.ctx.db.execute(
    "INSERT INTO account_days (account, day, used) SELECT id, 20261121, 0 FROM accounts WHERE key LIKE 'P0N8/%'",
  );
  for (let round = 1; round < 4; round++) await recordInventory(fleet.ctx, site, named(round));
  assert.equal(
    (await fleet.one("SELECT count(*) AS n FROM devices")).n,
    502,
    "those named last, and two with a past",
  );
  assert.equal((await fleet.one("SELECT count(*) AS n FROM accounts")).n, 502);
});

Deno.test("recordInventory() writes several changes in one activity line, and a single one by name", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  await fleet.ctx.db.execute("DELETE FROM activity");
  const { devices: [device], accounts: [account] } = inventory();
  const both = (over: Partial<InventoryFrame["devices"][number]> = {}) => ({
    devices: ["A", "B"].map((key) => ({ ...device!, device: key, ...over })),
    accounts: ["A", "B"].map((key) => ({ ...account!, account: `${key}/com.whatsapp/0` })),
  });
  const lines = async () => {
    const { rows } = await fleet.ctx.db.execute("SELECT kind, code, data FROM activity ORDER BY id");
    await fleet.ctx.db.execute("DELETE FROM activity");
    return rows.map(({ kind, code, data }) => [kind, code, JSON.parse(String(data))]);
  };
  await recordInventory(fleet.ctx, site, both());
  assert.deepEqual(await lines(), [["info", "inventory_changed", { added: 2, site: "אתר 1" }]]);
  await recordInventory(fleet.ctx, site, both());
  assert.deepEqual(await lines(), []);
  await recordInventory(fleet.ctx, site, both({ state: "offline" }));
  assert.deepEqual(await lines(), [["warning", "inventory_changed", { offline: 2, site: "אתר 1" }]]);
  const one = both();
  one.devices[1]!.state = "offline";
  await recordInventory(fleet.ctx, site, one);
  assert.deepEqual((await lines()).map(([, code]) => code), ["device_online"]);
  const banned = both();
  banned.accounts[0]!.state = "banned";
  await recordInventory(fleet.ctx, site, banned);
  assert.deepEqual(await lines(), [["error", "inventory_banned", { banned: 1, online: 1, site: "אתר 1" }]]);
  assert.equal((await fleet.one("SELECT inventory_changes AS left FROM sites")).left, null);
});

Deno.test("recordInventory() of the most phones, all with new accounts, yields between its pieces", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const { devices: [device], accounts: [account] } = inventory();
  const worst: number[] = [];
  for (let round = 0; round < 4; round++) {
    const devices = Array.from({ length: MAX_SITE_DEVICES }, (_, no) => ({ ...device!, device: `D${no}` }));
    const accounts = devices.flatMap(({ device: key }) =>
      [0, 1, 2, 3].map((user) => ({ ...account!, account: `${key}/app.of.round${round}/${user}` }))
    );
    worst.push(await longestHoldMs(() => recordInventory(fleet.ctx, site, { devices, accounts })));
  }
  // Other work on the machine can only add time.
  assert.ok(isWithinCpu(Math.min(...worst), 50), `held for ${worst} ms of processor`);
  const { n } = await fleet.one("SELECT count(*) AS n FROM accounts WHERE key GLOB '*round3*'");
  assert.equal(n, 4 * MAX_SITE_DEVICES);
  const { lines } = await fleet.one("SELECT count(*) AS lines FROM activity WHERE code GLOB '*_*ed'");
  assert.ok(Number(lines) <= 8, `${lines} lines`);
  assert.equal((await fleet.one("SELECT inventory_changes AS left FROM sites")).left, null);
});

Deno.test("recordInventory() cut off between its pieces is completed by the next one", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const { devices: [device], accounts: [account] } = inventory();
  const many = {
    devices: Array.from({ length: 400 }, (_, no) => ({ ...device!, device: `D${no}` })),
    accounts: Array.from({ length: 800 }, (_, no) => ({
      ...account!,
      account: `D${no % 400}/com.whatsapp/${Math.floor(no / 400)}`,
    })),
  };
  const cut = recordInventory(fleet.ctx, site, many);
  // The first part is written, and then a newer connection arrives.
  const refused = assert.rejects(cut, SupersededError);
  await fleet.reconnect(site);
  await refused;
  assert.notEqual((await fleet.one("SELECT count(*) AS n FROM accounts")).n, 800);
  await recordInventory(fleet.ctx, site, many);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM accounts WHERE state = 'ok'")).n, 800);
  assert.equal((await fleet.one("SELECT inventory_changes AS left FROM sites")).left, null);
});

Deno.test("recordInventory() of many accounts writes in each turn one long statement, or some short ones", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(0);
  const { devices: [device], accounts: [account] } = inventory();
  const devices = Array.from({ length: MAX_SITE_DEVICES }, (_, no) => ({ ...device!, device: `D${no}` }));
  const accounts = devices.flatMap(({ device: key }) =>
    [0, 1].map((user) => ({ ...account!, account: `${key}/com.whatsapp/${user}` }))
  );
  const long = /INTO devices|INTO accounts|inventory_changes = \(|'device_changed'/;
  const written: number[] = [];
  const batch = fleet.ctx.db.batch.bind(fleet.ctx.db);
  fleet.ctx.db.batch = (statements, mode) => {
    written.push(statements.filter((one) => long.test((one as { sql: string }).sql)).length);
    return batch(statements, mode);
  };
  await recordInventory(fleet.ctx, site, { devices, accounts });
  assert.deepEqual(written, [1, 1, 1, 1, 1, 0]);
});

/** Returns the longest processor time of this thread between two turns of the loop while `act` runs, in ms. */
async function longestHoldMs(act: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let longest = 0;
  let last = threadCpuMs();
  const look = () => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const watching = (async () => {
    while (!isDone) {
      await new Promise((turned) => setTimeout(turned, 0));
      look();
    }
  })();
  await act();
  look();
  isDone = true;
  await watching;
  return longest;
}
