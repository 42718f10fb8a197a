import { toastWith, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeAccount, makeCause, makeDevice, makeSite } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

function admin(edge: FakeEdge) {
  const now = Date.now();
  edge.admin.devices = [
    makeDevice({
      id: 1,
      name: "חולון 1",
      address: "R58M31XK2QA",
      proofAt: now - 4000,
      messagesToday: 148,
      held: 3,
      accounts: [
        makeAccount({ id: 1, messagesCount: 148, riskScore: 12, lastActivity: now - 120_000 }),
        makeAccount({
          id: 2,
          account: "com.whatsapp.w4b/0",
          status: "banned",
          riskScore: 94,
          note: "החשבון נחסם",
        }),
      ],
    }),
    makeDevice({
      id: 2,
      name: "חיפה 2",
      siteId: 2,
      site: "משרד חיפה",
      siteConnected: false,
      adbConnected: false,
      state: "offline",
      held: 2,
      proofAt: now - 12 * 60_000,
    }),
  ];
  return edge.addUser({ username: "menahel", role: "admin" });
}

Deno.test("devices are listed under their sites with state, accounts, and age of the last proof of life", async () => {
  await withApp({ path: "/admin/devices", prepare: admin }, async () => {
    await screen.findByRole("heading", { level: 1, name: "ניהול מכשירים" });
    const summary = within(await screen.findByRole("region", { name: "סיכום" }));
    const figures = summary.getAllByRole("article").map(({ textContent }) => textContent);
    assert.deepEqual(figures, ["2מכשירי ADB רשומים", "1מחוברים", "1מנותקים"]);
    const holon = within(screen.getByRole("region", { name: "מחסן חולון" }));
    assert.ok(holon.getByText("האתר מחובר"));
    const card = holon.getByRole("article").textContent!;
    for (
      const words of [
        "חולון 1",
        "R58M31XK2QA",
        "מחובר",
        "אות חיים לפני",
        "148 / 250",
        "פעיל",
        "12%",
        "2.26.18.74",
        "שלח לפני שתי דקות",
        "חסום",
        "94%",
        "החשבון נחסם",
      ]
    ) {
      assert.ok(card.includes(words), words);
    }
    const haifa = within(screen.getByRole("region", { name: "משרד חיפה" }));
    assert.ok(haifa.getByText("מכשיר אחד · שתי הודעות ממתינות לאתר"));
    assert.ok(haifa.getByText("אין חשבונות WhatsApp רשומים למכשיר זה"));
    assert.match(haifa.getByRole("article").textContent!, /מנותק.*נראה לאחרונה לפני 12 דקות/);
  });
});

Deno.test("a phone that cannot send is led by its worst state and is never green, as a card and in a table", async () => {
  const standings = {
    banned: "חסום",
    unknown_screen: "מסך לא מוכר",
    rested: "הופסק אוטומטית",
    day_full: "הגיע לתקרה",
    ready: "מחובר",
  } as const;
  const seed = (more: number) => (edge: FakeEdge) => {
    edge.admin.devices = [...Object.keys(standings), ...Array(more).fill("ready")].map((standing, index) =>
      makeDevice({
        id: index + 1,
        name: `טלפון ${index + 1}`,
        standing: standing as keyof typeof standings,
        messagesToday: 71,
        capPerDay: 71,
        leftToday: 0,
        proofAt: Date.now(),
      })
    );
    return edge.addUser({ role: "admin" });
  };
  for (const more of [0, 30]) {
    await withApp({ path: "/admin/devices", prepare: seed(more) }, async () => {
      for (const [index, [standing, label]] of Object.entries(standings).entries()) {
        const link = await screen.findByRole("link", { name: `טלפון ${index + 1}` });
        const phone = link.closest("article, tr")!;
        const [lead, ...others] = [...phone.querySelectorAll(".mark")];
        assert.equal(lead!.textContent, label);
        const greens = [lead!, ...others].filter((mark) => mark.classList.contains("tone-ok"));
        assert.equal(greens.length, standing === "ready" ? 1 : 0, standing);
        assert.match(phone.textContent!, /71 \/ 71/);
        assert.match(phone.textContent!, /לא נותרו היום/);
      }
    });
  }
});

Deno.test("devices are filtered by segment and search, and the address keeps only the segment", async () => {
  await withApp({ path: "/admin/devices?show=risk", prepare: admin }, async ({ user, address }) => {
    await screen.findByRole("link", { name: "חולון 1" });
    assert.ok(screen.queryByRole("link", { name: "חיפה 2" }) === null);
    await user.click(screen.getByRole("button", { name: "מנותקים" }));
    await screen.findByRole("link", { name: "חיפה 2" });
    await user.type(screen.getByRole("searchbox"), "w4b");
    await screen.findByText("אין תוצאות ל״w4b״.");
    assert.equal(address(), "/admin/devices?show=offline");
    await user.click(screen.getByRole("button", { name: "הכול" }));
    await screen.findByRole("link", { name: "חולון 1" });
  });
});

Deno.test("devices offer export and a new one, and reload on request and by themselves", async () => {
  await withApp({ path: "/admin/devices", prepare: admin }, async ({ edge, user, untilLive }) => {
    const asked = () => edge.requests.filter((request) => request === "GET /api/devices/adb-status").length;
    await screen.findByRole("link", { name: "חולון 1" });
    edge.refusals.set("GET /api/admin/devices.csv", {
      code: "too_many_attempts",
      error: "כבר יורדים שני קבצים.",
    });
    await user.click(screen.getByRole("button", { name: "ייצוא" }));
    assert.match(await toastWith("הקובץ לא הורד"), /כבר יורדים שני קבצים/);
    assert.ok(screen.getByRole("button", { name: "הוספת מכשיר" }));
    await untilLive();
    const before = asked();
    await user.click(await screen.findByRole("button", { name: "רענון" }));
    await waitFor(() => assert.ok(asked() > before));
    await screen.findByRole("button", { name: "רענון" });
    edge.emit({ type: "device_changed", data: { siteId: 1 } });
    await waitFor(() => assert.ok(asked() >= before + 2));
  });
});

Deno.test("more than twenty devices are a table with only the visible rows in the DOM", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.devices = Array.from(
      { length: 10_000 },
      (_, index) =>
        makeDevice({ id: index + 1, name: `מכשיר ${index + 1}`, address: `10.0.0.${index}:5555` }),
    );
    return edge.addUser({ role: "admin" });
  };
  await withApp({ path: "/admin/devices", prepare }, async ({ user }) => {
    const table = await screen.findByRole("table");
    assert.equal(table.getAttribute("aria-rowcount"), "10002");
    await within(table).findByText("מכשיר 1");
    assert.ok(within(table).getAllByRole("row").length < 60);
    await user.type(screen.getByRole("searchbox"), "מכשיר 9999");
    await within(screen.getByRole("table")).findByText("מכשיר 9999");
  });
});

Deno.test("an empty list of devices says what to do, and one that does not load offers another try", async () => {
  await withApp({ path: "/admin/devices", prepare: (edge) => edge.addUser({ role: "admin" }) }, async () => {
    await screen.findByText("לא נמצאו מכשירים");
  });
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/devices/adb-status", "no_answer");
    edge.acceptsSockets = false;
    return admin(edge);
  };
  await withApp({ path: "/admin/devices", prepare }, async ({ edge, user }) => {
    await screen.findByText("המכשירים לא נטענו");
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByRole("link", { name: "חולון 1" });
  });
});

Deno.test("a device is stopped after a question with the effect, and the site's answer is shown", async () => {
  await withApp({ path: "/admin/devices", prepare: admin }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "פעולות: חולון 1" }));
    await user.click(screen.getByRole("menuitem", { name: "עצירה" }));
    const dialog = within(await screen.findByRole("dialog", { name: "לעצור את חולון 1?" }));
    assert.ok(dialog.getByText(/3 הודעות שטרם נשלחו יעברו למכשירים אחרים/));
    edge.admin.commandEnd = { status: "waiting", detail: null };
    await user.click(dialog.getByRole("button", { name: "עצירה" }));
    await screen.findByText("עוצר...");
    edge.admin.commandEnd = { status: "done", detail: null };
    await toastWith("המכשיר נעצר");
    await screen.findByText("נעצר");
    await user.click(screen.getByRole("button", { name: "פעולות: חולון 1" }));
    edge.admin.commandEnd = { status: "failed", detail: "המכשיר לא נמצא באתר." };
    await user.click(screen.getByRole("menuitem", { name: "חידוש השליחה" }));
    assert.match(await toastWith("הפקודה לא בוצעה"), /המכשיר לא נמצא באתר/);
  });
});

Deno.test("a device shows its site's state, and the requested one while they differ", async () => {
  interface Case {
    stopped: boolean;
    siteStopped: boolean | null;
    marks: string[];
    text: RegExp | null;
  }
  const cases: Case[] = [
    { stopped: true, siteStopped: true, marks: ["נעצר"], text: /נעצר על ידי מנהל/ },
    { stopped: true, siteStopped: false, marks: ["ממתין לעצירה"], text: /עוד לא אישר/ },
    { stopped: false, siteStopped: true, marks: ["ממתין לחידוש", "נעצר"], text: /עדיין עצור/ },
    { stopped: false, siteStopped: false, marks: [], text: null },
    { stopped: true, siteStopped: null, marks: ["נעצר"], text: /נעצר על ידי מנהל/ },
  ];
  for (const { marks, text, ...held } of cases) {
    const prepare = (edge: FakeEdge) => {
      const user = admin(edge);
      Object.assign(edge.admin.devices[0]!, held);
      return user;
    };
    await withApp({ path: "/admin/devices/1", prepare }, async () => {
      const heading = await screen.findByRole("heading", { level: 1, name: "חולון 1" });
      assert.ok(heading);
      for (const mark of ["ממתין לעצירה", "ממתין לחידוש", "נעצר"]) {
        assert.equal(screen.queryAllByText(mark).length, Number(marks.includes(mark)), mark);
      }
      if (text) assert.ok(screen.getByText(text));
    });
  }
});

Deno.test("a device has a page with facts, accounts and reasons, commands, and actions", async () => {
  await withApp({ path: "/admin/devices/1", prepare: admin }, async ({ edge, user }) => {
    await screen.findByRole("heading", { level: 1, name: "חולון 1" });
    assert.ok(screen.getByText("SM-A145F"));
    assert.ok(screen.getByText("שני נמענים ביקשו הסרה"));
    assert.ok(screen.getByText("עוד לא נשלחו פקודות למכשיר הזה."));
    await user.click(screen.getByRole("button", { name: "זיהוי המכשיר" }));
    await toastWith("מסך המכשיר מואר");
    await screen.findByText("בוצעה");
    edge.admin.commandEnd = { status: "timed_out", detail: "האתר לא ענה תוך שתי דקות." };
    await user.click(screen.getByRole("button", { name: "זיהוי המכשיר" }));
    assert.match(await toastWith("הפקודה לא בוצעה"), /האתר לא ענה תוך שתי דקות/);
    await screen.findByText("לא התקבלה תשובה");
    await user.click(screen.getByRole("link", { name: "לכל המכשירים" }));
    await screen.findByRole("heading", { level: 1, name: "ניהול מכשירים" });
  });
  await withApp({ path: "/admin/devices/999", prepare: admin }, async () => {
    await screen.findByRole("heading", { level: 1, name: "המכשיר לא נמצא" });
  });
});

Deno.test("a device that cannot send says why and what to do, as does an account", async () => {
  const prepare = (edge: FakeEdge) => {
    const person = admin(edge);
    const [phone] = edge.admin.devices;
    const states = [
      "unauthorized",
      "booting",
      "locked",
      "low_storage",
      "hot",
      "low_battery",
      "not_answering",
      "offline",
    ] as const;
    edge.admin.devices = states.map((state, index) =>
      makeDevice({ id: index + 10, name: state, state, stateSince: Date.now() - 5 * 60_000 })
    );
    edge.admin.devices.push({ ...phone!, id: 1 });
    edge.admin.accountFacts = {
      state: "logged_out",
      stateSince: Date.now() - 3 * 60_000,
      note: "החשבון נותק במכשיר. צריך להתחבר אליו מחדש בטלפון עצמו.",
      ownNumber: "+972541234567",
      userKind: "work",
      captions: false,
    };
    return person;
  };
  await withApp({ path: "/admin/devices", prepare }, async () => {
    await screen.findByRole("link", { name: "hot" });
    const text = (name: string) => screen.getByRole("link", { name }).closest("article")!.textContent!;
    for (const [name, step] of Object.entries(STEPS)) assert.match(text(name), step);
  });
  await withApp({ path: "/admin/devices/12", prepare }, async () => {
    await screen.findByText("הטלפון נעול בקוד. זה המצב כבר 5 דקות.");
    assert.ok(screen.getByText(/לקבוע נעילת מסך ״ללא״/));
  });
  await withApp({ path: "/admin/devices/1", prepare }, async () => {
    assert.equal((await screen.findAllByText(/להיכנס שוב במספר של החשבון/)).length, 2);
    assert.equal(screen.getAllByText(/בטלפון עצמו\. זה המצב כבר 3 דקות\./).length, 2);
    assert.equal(screen.getAllByText("פרופיל עבודה").length, 2);
    assert.equal(screen.getAllByText("תמונה נפתחת בלי הכיתוב").length, 2);
  });
});

Deno.test("a phone that may hold an unsent message of ours says what not to do, beside the words of adb", async () => {
  const prepare = (stateDetail: string | null) => (edge: FakeEdge) => {
    edge.admin.stateDetail = stateDetail;
    return admin(edge);
  };
  const path = "/admin/devices/1";
  await withApp({ path, prepare: prepare("draft_left: adb lists it as offline") }, async () => {
    await screen.findByText(/נשארה הודעה שלנו שעוד לא נשלחה/);
    assert.ok(screen.getByText(/לא לשלוח אותה משם/));
    assert.ok(screen.getByText("adb lists it as offline"));
    assert.equal(screen.queryByText(/draft_left/), null);
  });
  await withApp({ path, prepare: prepare("draft_left") }, async () => {
    await screen.findByText(/נשארה הודעה שלנו/);
    assert.equal(screen.queryByText(/draft_left|הודעת adb/), null);
  });
  await withApp({ path, prepare: prepare("adb lists it as offline") }, async () => {
    await screen.findByText("adb lists it as offline");
    assert.equal(screen.queryByText(/נשארה הודעה שלנו/), null);
  });
});

Deno.test("an account whose app shows an unknown screen says so, with the next step and what is new on it", async () => {
  const prepare = (edge: FakeEdge) => {
    const person = admin(edge);
    const [phone] = edge.admin.devices;
    edge.admin.devices = [{ ...phone!, id: 1, standing: "unknown_screen" }];
    edge.admin.accountFacts = {
      state: "unreachable",
      stateSince: Date.now() - 60 * 60_000,
      standing: "unknown_screen",
      note: "האפליקציה מציגה מסך שהמערכת לא מכירה, והחשבון נעצר.",
      unknownScreen: {
        fingerprint: "3f9a1c0b52d4e6870a1b2c3d",
        kind: "screen",
        window: "com.whatsapp.Conversation",
        ids: ["entry_n", "send_n"],
        since: Date.now() - 3 * 60_000,
      },
    };
    return person;
  };
  await withApp({ path: "/admin/devices/1", prepare }, async ({ user }) => {
    await screen.findAllByText(/והחשבון נעצר\. זה המצב כבר 3 דקות\./);
    assert.ok(screen.getAllByText(/מוסיפים באתר קובץ מסכים לגרסה הזאת/).length > 0);
    assert.ok(screen.getByRole("button", { name: "עצירה" }));
    await user.click(screen.getByRole("button", { name: "חידוש השליחה" }));
    await toastWith("המכשיר חזר לשלוח");
    for (const fact of ["com.whatsapp.Conversation", "entry_n send_n", "3f9a1c0b52d4e6870a1b2c3d"]) {
      assert.ok(screen.getAllByText(fact).length > 0, fact);
    }
  });
  await withApp({ path: "/admin/devices", prepare }, async () => {
    await screen.findByText("מסך לא מוכר");
  });
});

Deno.test("an account is confirmed and named on its phone's page", async () => {
  const prepare = (edge: FakeEdge) => {
    const person = admin(edge);
    const [account] = edge.admin.devices[0]!.accounts;
    edge.admin.devices[0]!.accounts = [{ ...account!, confirmed: false }];
    return person;
  };
  await withApp({ path: "/admin/devices/1", prepare }, async ({ edge, user }) => {
    await screen.findByText("עוד לא אושר");
    await user.click(screen.getByRole("button", { name: "אישור החשבון" }));
    await toastWith("החשבון אושר");
    await screen.findByText("מאושר");
    await user.click(screen.getByRole("button", { name: "שינוי שם" }));
    const dialog = within(await screen.findByRole("dialog", { name: "איך לקרוא לחשבון WhatsApp?" }));
    await user.type(dialog.getByLabelText("שם החשבון"), " מכירות דרום ");
    await user.click(dialog.getByRole("button", { name: "שמירת השם" }));
    await toastWith("שם החשבון נשמר");
    await screen.findByRole("heading", { level: 3, name: "מכירות דרום" });
    const [account] = edge.admin.devices[0]!.accounts;
    assert.deepEqual([account!.label, account!.confirmed], ["מכירות דרום", true]);
  });
  await withApp({ path: "/admin/devices", prepare }, async () => {
    await screen.findByText("עוד לא אושר");
  });
});

const STEPS = {
  unauthorized: /לא אישר.*לאפשר תמיד מהמחשב הזה/,
  booting: /עולה.*להחזיק את לחצן ההפעלה/,
  locked: /נעול בקוד.*לפתוח אותו/,
  low_storage: /מקום.*למחוק/,
  hot: /חם מדי.*להרחיק אותו משמש/,
  low_battery: /סוללה חלשה.*סמל הטעינה/,
  not_answering: /לא עונה.*לנתק את הכבל/,
  offline: /לא מחובר למחשב.*שהכבל תקוע/,
};

Deno.test("devices that do not load say so while they are asked for again", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/devices/adb-status", { code: "internal", error: "תקלה בשרת" });
    return admin(edge);
  };
  await withApp({ path: "/admin/devices", prepare }, async ({ edge, user, untilLive }) => {
    await untilLive();
    const again = await screen.findByRole("button", { name: "ניסיון נוסף" });
    const answers = Promise.withResolvers<void>();
    const ask = globalThis.fetch;
    globalThis.fetch = (...asked) => answers.promise.then(() => ask(...asked));
    await user.click(again);
    await waitFor(() => assert.equal(again.textContent, "טוען..."));
    assert.ok(screen.getByText("תקלה בשרת"));
    assert.ok(screen.queryByText("טוען מכשירים...") === null);
    answers.resolve();
    await waitFor(() => assert.equal(again.textContent, "ניסיון נוסף"));
    assert.ok(document.activeElement === again);
    edge.refusals.clear();
    await user.click(again);
    await screen.findByText("חולון 1");
  });
});

/** Returns the names of the shown devices in order. */
function namesShown(): string[] {
  return screen.getAllByRole("link").filter((link) => /\/devices\/\d+$/.test(link.getAttribute("href")!))
    .map(({ textContent }) => textContent!);
}

function many(edge: FakeEdge) {
  edge.admin.devices = Array.from({ length: 25 }, (_, index) =>
    makeDevice({
      id: index + 1,
      name: `מכשיר ${index + 1}`,
      siteId: index < 5 ? 2 : 1,
      site: index < 5 ? "משרד חיפה" : "מחסן חולון",
      batteryPercent: index === 9 ? null : 100 - 4 * index,
      state: index === 3 ? "unauthorized" : "online",
      held: index === 0 ? 3 : 0,
      accounts: [makeAccount({ id: index + 1, riskScore: (index * 7) % 25 })],
    }));
  return edge.addUser({ username: "menahel", role: "admin" });
}

Deno.test("devices are sorted by their heads and filtered by site, state and battery, and the address keeps it all", async () => {
  await withApp({ path: "/admin/devices", prepare: many }, async ({ user, address }) => {
    const head = async (name: string) => user.click(await screen.findByRole("button", { name }));
    await head("סיכון");
    await waitFor(() => assert.equal(namesShown()[0], "מכשיר 8"));
    assert.equal(screen.getByRole("columnheader", { name: "סיכון" }).getAttribute("aria-sort"), "ascending");
    await head("סיכון");
    await waitFor(() => assert.equal(namesShown()[0], "מכשיר 1"));
    assert.equal(address(), "/admin/devices?sort=risk&dir=reversed");
    await head("סיכון");
    await waitFor(() => assert.equal(address(), "/admin/devices"));
    await head("סוללה");
    await waitFor(() => assert.equal(namesShown()[0], "מכשיר 25"));
    await user.selectOptions(screen.getByRole("combobox", { name: "סוללה" }), "סוללה עד 20%");
    await waitFor(() => assert.deepEqual(namesShown(), [25, 24, 23, 22, 21].map((no) => `מכשיר ${no}`)));
    await user.selectOptions(screen.getByRole("combobox", { name: "אתר" }), "אתר משרד חיפה");
    await screen.findByText("אין מכשירים שמתאימים לסינון.");
    assert.equal(address(), "/admin/devices?site=2&battery=20&sort=battery");
    await user.click(screen.getByRole("button", { name: "ניקוי הסינון" }));
    await user.selectOptions(screen.getByRole("combobox", { name: "מצב" }), "מצב: לא מורשה");
    await waitFor(() => assert.deepEqual(namesShown(), ["מכשיר 4"]));
  });
  await withApp({ path: "/admin/devices?site=2&sort=battery&dir=reversed", prepare: many }, async () => {
    await screen.findByRole("link", { name: "מכשיר 1" });
    assert.deepEqual(namesShown(), [1, 2, 3, 4, 5].map((no) => `מכשיר ${no}`));
  });
});

Deno.test("a banned phone is found among the connected ones: its alert leads to it, and the order by state begins with it", async () => {
  const prepare = (edge: FakeEdge) => {
    const person = admin(edge);
    const account = (standing: "banned" | "ready") => [makeAccount({ standing })];
    edge.admin.devices = [
      makeDevice({ id: 1, name: "תקין", accounts: account("ready") }),
      makeDevice({ id: 2, name: "חסום", standing: "banned", accounts: account("banned") }),
      makeDevice({
        id: 3,
        name: "מנותק וחסום",
        state: "offline",
        adbConnected: false,
        accounts: account("banned"),
      }),
      makeDevice({ id: 4, name: "מלא", standing: "day_full" }),
    ];
    edge.admin.causes = [
      makeCause({
        cause: "account_banned:banned",
        code: "account_banned",
        title: "שני חשבונות נחסמו",
        count: 2,
        alerts: 2,
      }),
    ];
    return person;
  };
  await withApp({ path: "/admin/alerts", prepare }, async ({ user, address }) => {
    await user.click(await screen.findByRole("link", { name: "למכשירים" }));
    await screen.findByRole("link", { name: "חסום" });
    assert.equal(address(), "/admin/devices?state=banned");
    const named = (name: string) => screen.queryByRole("link", { name });
    assert.ok(named("מנותק וחסום"), "the worst state leads, and it is banned too");
    assert.deepEqual([named("תקין"), named("מלא")], [null, null]);
    await user.selectOptions(screen.getByRole("combobox", { name: "מצב" }), "מצב: הגיע לתקרה");
    await waitFor(() => assert.ok(named("מלא") && !named("חסום")));
    await user.selectOptions(screen.getByRole("combobox", { name: "מצב" }), "כל המצבים");
    await user.selectOptions(screen.getByRole("combobox", { name: "סדר" }), "לפי מצב");
    await waitFor(() => {
      const links = screen.getAllByRole("link").map(({ textContent }) => textContent!);
      const order = links.filter((text) => ["תקין", "חסום", "מנותק וחסום", "מלא"].includes(text));
      assert.deepEqual(order, ["מנותק וחסום", "חסום", "מלא", "תקין"]);
    });
  });
});

Deno.test("several devices are stopped after one question with their number; those that failed stay selected", async () => {
  await withApp({ path: "/admin/devices?site=2", prepare: many }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("checkbox", { name: "בחירת מכשיר 1" }));
    await user.click(screen.getByRole("checkbox", { name: "בחירת מכשיר 2" }));
    const bar = within(screen.getByRole("region", { name: "פעולות על הנבחרים" }));
    assert.ok(bar.getByText("נבחרו שני מכשירים"));
    await user.click(screen.getByRole("checkbox", { name: "בחירת כל המוצגים" }));
    assert.ok(bar.getByText("נבחרו 5 מכשירים"));
    edge.refusals.set("POST /api/admin/devices/3/stop", { code: "not_found", error: "לא נמצא" });
    await user.click(bar.getByRole("button", { name: "עצירה" }));
    const dialog = within(await screen.findByRole("dialog", { name: "לעצור 5 מכשירים?" }));
    assert.ok(dialog.getByText(/3 הודעות שטרם נשלחו יעברו למכשירים אחרים/));
    await user.click(dialog.getByRole("button", { name: "עצירה" }));
    assert.match(await toastWith("חלק מהפקודות לא בוצעו"), /בוצעו: 4\. לא בוצעו: 1/);
    assert.deepEqual(edge.admin.devices.filter(({ stopped }) => stopped).map(({ id }) => id), [1, 2, 4, 5]);
    await bar.findByText("נבחר מכשיר אחד");
    assert.equal(screen.getByRole<HTMLInputElement>("checkbox", { name: "בחירת מכשיר 3" }).checked, true);
    await user.click(bar.getByRole("button", { name: "ביטול הבחירה" }));
    assert.equal(screen.queryByRole("region", { name: "פעולות על הנבחרים" }), null);
  });
});

Deno.test("a new device is asked for its site first, and then says what to do there", async () => {
  const prepare = (edge: FakeEdge) => {
    const person = admin(edge);
    edge.admin.sites = [
      makeSite({ id: 1, name: "מחסן חולון" }),
      makeSite({ id: 2, name: "משרד חיפה", status: "not_enrolled" }),
      makeSite({ id: 3, name: "ישן", status: "revoked" }),
    ];
    return person;
  };
  await withApp({ path: "/admin/devices", prepare }, async ({ user, address }) => {
    await user.click(await screen.findByRole("button", { name: "הוספת מכשיר" }));
    const ask = within(await screen.findByRole("dialog", { name: "לאיזה אתר מתחבר המכשיר?" }));
    await user.click(await ask.findByRole("button", { name: "מחסן חולון" }));
    assert.equal(screen.queryByRole("button", { name: /ישן/ }), null);
    const steps = within(await screen.findByRole("dialog", { name: "חיבור מכשיר אל אתר מחסן חולון" }));
    assert.ok(steps.getByText(/לאפשר תמיד מהמחשב הזה/));
    const page = steps.getByRole("link", { name: "דף להדפסה: הכנת טלפון" });
    assert.deepEqual([page.getAttribute("href"), page.getAttribute("target")], ["/desk", "_blank"]);
    await user.click(steps.getByRole("button", { name: "לבחירת אתר אחר" }));
    await user.click(await screen.findByRole("button", { name: /משרד חיפה/ }));
    await user.click(await screen.findByRole("link", { name: "למסך האתרים" }));
    assert.equal(address(), "/admin/sites");
  });
});
