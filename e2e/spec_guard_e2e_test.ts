/** One step for each access rule of the specification (§4, §6): visitors, clients, administrators. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { drawn } from "./focus.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { fillLogin, Room, toast, type Who } from "./spec_room.ts";

const ADMIN_PATHS = [
  "/admin",
  "/admin/devices",
  "/admin/sites",
  "/admin/anti-ban",
  "/admin/files",
  "/admin/users",
  "/admin/campaigns",
  "/admin/activity",
  "/admin/settings",
  "/admin/no/such/page",
];

Deno.test("§4, §6: every route leads each of the roles where it belongs", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const id = await makeReadyCampaign(room.client, "שלי", 1);
    const clientPaths = ["/client", `/client/campaign/${id}`, "/account"];
    const leadsTo = async (page: Page, path: string, end: string) => {
      await page.goto(path);
      await page.waitForURL(`**${end}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      assert.equal(new URL(page.url()).pathname, end);
    };

    for (const as of ["visitor", "client", "admin"] as const) {
      await room.step(`${as}: / and /login stand open`, { path: "/", as }, async (page) => {
        await page.getByRole("heading", { level: 1, name: "כל הודעה יוצאת. פעם אחת בלבד." }).waitFor();
        for (const name of ["כניסת מנהל", "כניסה", "כניסה למערכת", "מידע נוסף"]) {
          const link = page.getByRole("link", { name, exact: true }).first();
          assert.equal(await link.getAttribute("href"), "/login");
        }
        await leadsTo(page, "/login", "/login");
        await page.getByRole("link", { name: "חזרה לדף הראשי" }).click();
        await page.waitForURL(room.edge.url + "/");
      });
    }

    await room.step("visitor: every other screen leads to /login", { path: "/login" }, async (page) => {
      for (const path of [...clientPaths, ...ADMIN_PATHS]) await leadsTo(page, path, "/login");
    });
    await room.step("client: their screens stand open", { path: "/client", as: "client" }, async (page) => {
      for (const path of clientPaths) await leadsTo(page, path, path);
    });
    await room.step(
      "client: every screen of administrators leads to /client",
      { path: "/client", as: "client" },
      async (page) => {
        for (const path of ADMIN_PATHS) await leadsTo(page, path, "/client");
      },
    );
    await room.step("admin: all screens stand open", { path: "/admin", as: "admin" }, async (page) => {
      for (const path of ["/client", "/account", ...ADMIN_PATHS]) await leadsTo(page, path, path);
    });
    await room.step(
      "admin: a client's campaign opens among all campaigns, not among the administrator's own",
      { path: `/admin/campaigns/${id}`, as: "admin" },
      async (page) => {
        await page.getByRole("heading", { level: 1, name: "שלי" }).waitFor();
        assert.equal(await page.getByRole("button", { name: "שלח", exact: true }).count(), 0);
      },
    );
  });
});

Deno.test("§6: what a screen does not offer, the server refuses too", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const id = await makeReadyCampaign(room.client, "שלי", 1);
    const { id: clientId } = await room.me();
    const user = { username: "חדש", password: "sisma-aruka-1", role: "client" };
    const rows: [string, string, string, unknown, Partial<Record<Who, number>>][] = [
      ["create users", "POST", "/api/users", user, { visitor: 401, client: 403, admin: 201 }],
      ["list users", "GET", "/api/users", undefined, { visitor: 401, client: 403, admin: 200 }],
      ["add to a quota", "PATCH", `/api/users/${clientId}/quota`, { messageQuota: 600 }, {
        visitor: 401,
        client: 403,
        admin: 200,
      }],
      ["clear the queues", "POST", "/api/admin/queues/clear", undefined, { visitor: 401, client: 403 }],
      ["see the devices", "GET", "/api/devices/adb-status", undefined, {
        visitor: 401,
        client: 403,
        admin: 200,
      }],
      ["send a campaign", "POST", `/api/campaigns/${id}/send`, undefined, {
        visitor: 401,
        admin: 404,
        client: 200,
      }],
    ];
    for (const [name, method, path, json, wanted] of rows) {
      await t.step(name, async () => {
        for (const [who, status] of Object.entries(wanted)) {
          const caller = who === "visitor" ? new Caller(room.edge.url) : room[who as "client" | "admin"];
          const response = await caller.call(method, path, { json });
          await response.body?.cancel();
          assert.equal(response.status, status, `${who} ${method} ${path}`);
        }
      });
    }
  });
});

Deno.test("§4: a session begins with the login and ends with the logout, or elsewhere", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const { username, password } = room.clientLogin;

    await room.step("an administrator's login leads to /admin/users", { path: "/login" }, async (page) => {
      await fillLogin(page, room.edge.admin.username, room.edge.admin.password);
      await page.waitForURL("**/admin/users");
      await page.getByRole("heading", { level: 1, name: "ניהול משתמשים" }).waitFor();
    });

    await room.step("a client's login leads to /client", { path: "/login" }, async (page) => {
      await fillLogin(page, username, password);
      await page.waitForURL("**/client");
      await page.getByRole("heading", { level: 1, name: `ברוך הבא, ${username}` }).waitFor();
    });

    for (const [how, status] of [["answers", 0], ["fails", 503]] as const) {
      await room.step(
        `logout that ${how} clears the user: the screens behind the login are shut`,
        { path: "/login", provoked: status ? [status] : [] },
        async (page) => {
          await fillLogin(page, username, password);
          await page.getByRole("heading", { name: "הקמפיינים שלי" }).waitFor();
          if (status) await page.route("**/api/auth/logout", (route) => route.fulfill({ status }));
          await page.getByRole("button", { name: "התנתקות" }).click();
          await page.waitForURL("**/login");
          for (const leave of [() => page.goBack(), () => page.goto("/client")]) {
            await leave();
            await page.getByRole("heading", { name: "כניסה למערכת" }).waitFor();
          }
        },
      );
    }

    await room.step(
      "logout while the screen still loads: responses to earlier requests are ignored, and no channel opens",
      { path: "/login" },
      async (page) => {
        const go = Promise.withResolvers<void>();
        for (const late of ["**/assets/open_live_channel-*.js", "**/api/campaigns"]) {
          await page.route(late, async (route) => {
            await go.promise;
            // The screen no longer waits for this response.
            await route.continue().catch(() => {});
          });
        }
        let channels = 0;
        page.on("websocket", () => channels++);
        const code = page.waitForRequest("**/assets/open_live_channel-*.js");
        await fillLogin(page, username, password);
        const codeUrl = (await code).url();
        await page.getByRole("button", { name: "התנתקות" }).click();
        await page.getByRole("heading", { name: "כניסה למערכת" }).waitFor();
        go.resolve();
        // The module registry is the page's own, so this also loads it for the screen.
        await page.evaluate((url) => import(url), codeUrl);
        await drawn(page);
        assert.equal(channels, 0);
        assert.equal(await page.getByText("תוקף הכניסה פג").count(), 0);
      },
    );

    await room.step(
      "a session that ended meanwhile leads to /login, says so, and keeps what was typed",
      { path: "/login", provoked: [401] },
      async (page) => {
        await fillLogin(page, username, password);
        await page.getByPlaceholder("למשל: קמפיין סתיו 2024").fill("נשאר כאן");
        await room.client.call("DELETE", "/api/auth/sessions", { json: { password } });
        await toast(page, "תוקף הכניסה פג", "נא להתחבר שוב; הטיוטה נשמרה.");
        await page.waitForURL("**/login");
        await fillLogin(page, username, password);
        await page.waitForURL("**/client");
        const name = page.getByPlaceholder("למשל: קמפיין סתיו 2024");
        await name.waitFor();
        assert.equal(await name.inputValue(), "נשאר כאן");
      },
    );

    await room.step(
      "an administrator whose session ended meanwhile is led to /login too",
      { path: "/login", provoked: [401] },
      async (page) => {
        await fillLogin(page, room.edge.admin.username, room.edge.admin.password);
        await page.getByText("משתמשים רשומים").waitFor();
        await room.admin.call("DELETE", "/api/auth/sessions", {
          json: { password: room.edge.admin.password },
        });
        await toast(page, "תוקף הכניסה פג", "נא להתחבר שוב; הטיוטה נשמרה.");
        await page.waitForURL("**/login");
      },
    );
  });
});
