/** Kind, advertiser and consent on the client's screens. */
import { toastWith, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import assert from "node:assert/strict";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor, within } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { AdvertiserForm } from "../features/advertiser/advertiser_form.tsx";

const HADAR = { name: "משק הדר", address: "מושב נהלל", phone: "04-601-0042", email: "", removalLink: false };

Deno.test("client home asks for the kind without choosing one, and says what to do", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("שם הקמפיין"), "סתיו");
    await user.type(screen.getByLabelText("תוכן ההודעה"), "שלום");
    const radios = within(screen.getByRole("group", { name: "סוג ההודעה" })).getAllByRole<HTMLInputElement>(
      "radio",
    );
    assert.deepEqual(radios.map(({ checked }) => checked), [false, false]);
    await user.click(screen.getByRole("button", { name: "צור קמפיין" }));
    // In its place, and not in a toast as well.
    assert.match((await screen.findByRole("alert")).textContent!, /נא לבחור סוג: שיווקי או שירות/);
    assert.equal(screen.getAllByText("נא לבחור סוג: שיווקי או שירות").length, 1);
    assert.ok(document.activeElement === radios[0]);
    assert.equal(edge.requests.includes("POST /api/campaigns"), false);
    await user.click(screen.getByLabelText("שירות"));
    await user.click(screen.getByRole("button", { name: "צור קמפיין" }));
    await screen.findByRole("button", { name: "עריכה" });
    assert.deepEqual(edge.campaigns.map(({ kind }) => kind), ["service"]);
  });
});

Deno.test("client home previews an advertisement as it will be sent, and leads to the advertiser's details", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("תוכן ההודעה"), "סל ירקות");
    await user.click(screen.getByLabelText("שיווקי"));
    await screen.findByText(/^פרסומת\s+סל ירקות\s+שם המפרסם ודרך ליצור איתו קשר\s+להסרה השיבו "הסר"$/);
    await user.click(await screen.findByRole("link", { name: "למילוי פרטי המפרסם" }));
    const form = within(await screen.findByRole("region", { name: "פרטי המפרסם" }));
    await user.click(await form.findByRole("button", { name: "שמירת הפרטים" }));
    await form.findByText("נא לכתוב את שם המפרסם");
    await user.type(form.getByLabelText("שם העסק או הארגון"), HADAR.name);
    await user.click(form.getByRole("button", { name: "שמירת הפרטים" }));
    await form.findByText("נא לכתוב טלפון או כתובת דואר אלקטרוני");
    await user.type(form.getByLabelText("טלפון"), HADAR.phone);
    await user.type(form.getByLabelText("כתובת"), HADAR.address);
    await form.findByText("משק הדר, מושב נהלל, 04-601-0042");
    await user.click(form.getByRole("button", { name: "שמירת הפרטים" }));
    assert.match(await toastWith("פרטי המפרסם נשמרו"), /מעכשיו/);
    assert.deepEqual(edge.advertiser, HADAR);
    await user.click(screen.getByRole("link", { name: "חזרה לקמפיינים" }));
    await screen.findByText(/סל ירקות\s+משק הדר, מושב נהלל, 04-601-0042/);
    await screen.findByText(/תווים, כולל השורות שנוספו/);
  });
});

Deno.test("a made advertisement keeps saying that its advertiser is missing, before it has contacts", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({
      id: 7,
      name: "סלים",
      kind: "marketing",
      status: "draft",
      notices: [{ code: "advertiser_missing" }, { code: "no_contacts" }],
    });
    localStorage.setItem("draft.5", JSON.stringify({ campaignId: 7 }));
    return edge.addUser({ id: 5 });
  };
  await withApp({ path: "/client", prepare }, async () => {
    const form = within(await screen.findByRole("region", { name: "קמפיין חדש" }));
    const step = (await form.findByRole("button", { name: "עריכה" })).closest("li")!;
    await within(step).findByText("עוד לא צוין מי המפרסם.");
    within(step).getByRole("link", { name: "למילוי פרטי המפרסם" });
  });
});

function withMarketing(edge: FakeEdge) {
  edge.advertiser = HADAR;
  edge.addCampaign({ id: 7, name: "סלים", kind: "marketing", status: "draft" });
  localStorage.setItem("draft.5", JSON.stringify({ campaignId: 7 }));
  return edge.addUser({ id: 5 });
}

Deno.test("contacts of an advertisement are asked for a consent, with its source and date", async () => {
  await withApp({ path: "/client", prepare: withMarketing }, async ({ edge, user }) => {
    const numbers = await screen.findByLabelText("או מספרים, אחד בכל שורה");
    await user.type(numbers, "0521234567");
    const add = () => user.click(screen.getByRole("button", { name: "הוסף מספרים ידניים" }));
    // The campaign's kind is known only after the campaigns have loaded.
    const optIn = await screen.findByLabelText("הסכימו מראש לקבל דיוור");
    // Found once: in its place, and not in a toast as well.
    const atField = (text: string | RegExp) => screen.findByText(text);
    await add();
    await atField(/נא לבחור על מה מסתמכים/);
    assert.ok(document.activeElement === optIn, "the field may be above the window");
    await user.click(optIn);
    await add();
    await atField("נא לכתוב איפה ניתנה ההסכמה");
    const source = screen.getByLabelText("איפה ניתנה ההסכמה");
    assert.ok(document.activeElement === source);
    await user.type(source, "טופס באתר");
    await add();
    await atField("נא לכתוב מתי ניתנה ההסכמה");
    const day = screen.getByLabelText<HTMLInputElement>("מתי ניתנה");
    assert.ok(document.activeElement === day);
    assert.equal(
      day.dir,
      "auto",
      "digits from the left, also with spaces between them; months by name from the right",
    );
    await user.type(day, "1.10");
    await add();
    await atField(/^נא לכתוב תאריך: יום, חודש ושנה, למשל 31\.12\.2024/);
    assert.equal(day.getAttribute("aria-invalid"), "true");
    await user.clear(day);
    await user.type(day, "1.1.2999");
    await add();
    await atField("מועד ההסכמה לא יכול להיות בעתיד");
    await user.clear(day);
    await user.type(day, "1 באוקטובר 26");
    await user.tab();
    assert.equal(day.value, "1.10.2026", "what was understood");
    await add();
    await screen.findByText("נוסף מספר אחד.");
    assert.deepEqual(edge.consents, [{ basis: "opt_in", source: "טופס באתר", obtainedOn: "2026-10-01" }]);
    const basis = screen.getByLabelText<HTMLInputElement>("הסכימו מראש לקבל דיוור");
    await waitFor(() => assert.equal(basis.checked, false, "the next list is asked anew"));
  });
});

Deno.test("numbers without a declared consent are counted with what to do", async () => {
  await withApp({ path: "/client", prepare: withMarketing }, async ({ user }) => {
    await user.type(await screen.findByLabelText("או מספרים, אחד בכל שורה"), "0521234567\n0531234567");
    await user.click(await screen.findByLabelText("הוצהר עליהם כבר בהעלאה קודמת"));
    await user.click(screen.getByRole("button", { name: "הוסף מספרים ידניים" }));
    await screen.findByText("לא נוסף דבר. שניים בלי בסיס להסכמה.");
    const counts = within(await screen.findByRole("group", { name: "תוצאות הטעינה" }));
    counts.getByText(/כדי לכלול אותם, מוסיפים אותם שוב עם הבסיס להסכמה/);
  });
});

Deno.test("an undeclared campaign says so before it is sent, and to an administrator", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: 7, name: "מהממשק", kind: "undeclared", status: "ready", counts: { queued: 2 } });
    localStorage.setItem("draft.5", JSON.stringify({ campaignId: 7 }));
    return edge.addUser({ id: 5 });
  };
  await withApp({ path: "/client", prepare }, async () => {
    await screen.findByText("סוג ההודעה לא הוצהר.");
  });
  const asAdmin = (edge: FakeEdge) => {
    edge.addCampaign({ id: 7, name: "מהממשק", kind: "undeclared", status: "ready", counts: { queued: 2 } });
    return edge.addUser({ username: "menahel", role: "admin" });
  };
  await withApp({ path: "/admin/campaigns/7", prepare: asAdmin }, async () => {
    await screen.findByText("סוג לא הוצהר");
  });
});

Deno.test("a preview whose advertiser does not load says so, and loads it on another try", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.advertiser = HADAR;
    edge.refusals.set("GET /api/profile", "no_answer");
    edge.acceptsSockets = false;
    return edge.addUser();
  };
  await withApp({ path: "/client", prepare }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("תוכן ההודעה"), "סל ירקות");
    await user.click(screen.getByLabelText("שיווקי"));
    await screen.findByText("פרטי המפרסם לא נטענו.");
    assert.ok(screen.queryByText("עוד לא צוין מי המפרסם.") === null, "nobody knows that");
    assert.ok(screen.queryByText("טוען את פרטי המפרסם...") === null);
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByText(/סל ירקות\s+משק הדר, מושב נהלל, 04-601-0042/);
    assert.ok(screen.queryByText("פרטי המפרסם לא נטענו.") === null);
  });
});

Deno.test("the advertiser's form takes the focus when opened, but not from a field in use", async () => {
  const open = (isTyping: boolean) =>
    withApp({ path: "/account", prepare: (edge) => edge.addUser() }, async () => {
      await screen.findByRole("region", { name: "פרטי המפרסם" });
      const typed = screen.getByLabelText("הסיסמה הנוכחית");
      if (isTyping) typed.focus();
      render(
        <MemoryRouter initialEntries={["/account#advertiser"]}>
          <QueryClientProvider client={new QueryClient()}>
            <AdvertiserForm isAdmin={false} />
          </QueryClientProvider>
        </MemoryRouter>,
      );
      const asked = screen.getAllByRole("heading", { name: "פרטי המפרסם" }).at(-1);
      await waitFor(() => assert.ok(document.activeElement === (isTyping ? typed : asked)));
    });
  await open(false);
  await open(true);
});

Deno.test("an advertiser chooses a personal link for removal, and the preview shows it", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.advertiser = HADAR;
    return edge.addUser();
  };
  await withApp({ path: "/account#advertiser", prepare }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("checkbox", { name: /קישור אישי להסרה/ }));
    await user.click(screen.getByRole("button", { name: "שמירת הפרטים" }));
    await toastWith("פרטי המפרסם נשמרו");
    assert.equal(edge.advertiser!.removalLink, true);
    await user.click(screen.getByRole("link", { name: "חזרה לקמפיינים" }));
    await user.type(await screen.findByLabelText("תוכן ההודעה"), "סל ירקות");
    await user.click(screen.getByLabelText("שיווקי"));
    await screen.findByText(/להסרה השיבו "הסר" או היכנסו: https:\/\/shigur\.example\/r\/•+$/);
  });
  const without = (edge: FakeEdge) => prepare(Object.assign(edge, { linkOrigin: null }));
  await withApp({ path: "/account#advertiser", prepare: without }, async () => {
    const box = await screen.findByRole<HTMLInputElement>("checkbox", { name: /קישור אישי להסרה/ });
    assert.ok(box.disabled);
    assert.match(box.closest("label")!.textContent!, /PUBLIC_URL/);
  });
});
