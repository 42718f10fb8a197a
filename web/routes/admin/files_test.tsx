import { alertWith, toastWith, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeFile } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";

function admin(edge: FakeEdge) {
  edge.addUser();
  edge.addCampaign({ id: 41, name: "סלי סוכות", status: "draft" });
  edge.addCampaign({ id: 42, name: "כבר נשלח", status: "active" });
  edge.admin.files = [
    makeFile({
      id: 4,
      name: "members.csv",
      status: "processing",
      progress: 61,
      totalRows: 100,
      processedRows: 61,
    }),
    makeFile({ id: 3, name: "waiting.csv", status: "queued", progress: 0 }),
    makeFile({
      id: 2,
      name: "done.csv",
      added: 1240,
      duplicates: 38,
      invalid: 12,
      suppressed: 1,
      totalRows: 1294,
      processedRows: 1294,
      hasRejected: true,
    }),
    makeFile({
      id: 1,
      name: "broken.csv",
      status: "error",
      error: "לא נמצאה עמודה עם מספרי טלפון.",
      canRetry: true,
    }),
  ];
  return edge.addUser({ username: "menahel", role: "admin" });
}

const dropZone = () => screen.findByLabelText<HTMLInputElement>(/גרור קובץ CSV לכאן או לחץ לבחירה/);
const csv = (name = "list.csv") => new File(["טלפון\n0541234567\n"], name, { type: "text/csv" });

Deno.test("the screen of files says whether uploads are scanned", async () => {
  const texts = {
    on: /כל קובץ שמועלה נסרק קודם לאיתור וירוסים\.$/,
    off: /קבצים שמועלים לא נסרקים לאיתור וירוסים/,
    silent: /תוכנת הסריקה לאיתור וירוסים לא עונה/,
  };
  for (const scan of ["on", "off", "silent"] as const) {
    const prepare = (edge: FakeEdge) => {
      edge.admin.scan = scan;
      return admin(edge);
    };
    await withApp({ path: "/admin/files", prepare }, async () => {
      await screen.findByText(texts[scan]);
    });
  }
});

Deno.test("files show their state, progress, result, and reason of failure", async () => {
  await withApp({ path: "/admin/files", prepare: admin }, async ({ edge, user }) => {
    await screen.findByRole("heading", { level: 1, name: "תור קבצים" });
    const item = async (name: string) => within((await screen.findByText(name)).closest("li")!);
    const running = await item("members.csv");
    assert.ok(running.getByText("מעבד"));
    assert.ok(running.getByText("61 מתוך 100 שורות"));
    assert.equal(running.getByRole("progressbar").getAttribute("aria-valuenow"), "61");
    assert.ok((await item("waiting.csv")).getByText("בתור"));
    const done = await item("done.csv");
    assert.ok(done.getByText("הושלם"));
    assert.match(
      done.getByText("1,240").closest("p")!.textContent!,
      /1,240 נוספו38 כפולים12 לא תקינים1 ביקש הסרה/,
    );
    const path = "GET /api/admin/files/2/rejected.csv";
    edge.refusals.set(path, { code: "too_many_attempts", error: "כבר יורדים שני קבצים." });
    await user.click(done.getByRole("button", { name: "שורות שנדחו" }));
    assert.match(await toastWith("הקובץ לא הורד"), /כבר יורדים שני קבצים/);
    const broken = await item("broken.csv");
    assert.ok(broken.getByText("שגיאה"));
    assert.ok(broken.getByText("שגיאה בעיבוד - בדוק פורמט הקובץ"));
    assert.ok(broken.getByText("לא נמצאה עמודה עם מספרי טלפון."));
    await user.click(broken.getByRole("button", { name: "העלאה חוזרת" }));
    await toastWith("הקובץ חזר לתור");
    assert.equal(edge.admin.files.at(-1)!.status, "queued");
  });
});

Deno.test("a file is uploaded to a client's draft, and only when both are chosen", async () => {
  await withApp({ path: "/admin/files", prepare: admin }, async ({ edge, user }) => {
    const upload = await screen.findByRole("button", { name: "העלאת קובץ" });
    await user.click(upload);
    assert.match(await toastWith("קובץ חסר"), /נא להעלות קובץ CSV/);
    await user.upload(await dropZone(), csv());
    await user.click(upload);
    assert.match(await toastWith("הקובץ לא הועלה"), /נא לבחור קמפיין/);
    const campaign = screen.getByLabelText<HTMLSelectElement>("קמפיין");
    await screen.findByRole("option", { name: "dana: סלי סוכות" });
    assert.equal(campaign.options.length, 2, "only drafts and ready campaigns are offered");
    await user.selectOptions(campaign, "dana: סלי סוכות");
    await user.click(upload);
    assert.match(await toastWith("הקובץ נכנס לתור"), /list\.csv/);
    assert.deepEqual(edge.admin.files[0].target, {
      kind: "campaign",
      campaignId: 41,
      campaign: "סלי סוכות",
      client: "dana",
    });
    await screen.findByText("list.csv");
    assert.ok(screen.queryByRole("button", { name: "הסרת הקובץ" }) === null);
  });
});

Deno.test("a dropped file goes to the removal list; one that is not CSV or too large is refused", async () => {
  await withApp({ path: "/admin/files", prepare: admin }, async ({ edge, user }) => {
    const zone = (await dropZone()).closest("label")!;
    fireEvent.drop(zone, { dataTransfer: { files: [csv("photo.png")] } });
    await alertWith("הקובץ לא נבחר", /זה לא קובץ CSV/);
    const large = csv();
    Object.defineProperty(large, "size", { value: 10 * 1024 * 1024 + 1 });
    fireEvent.drop(zone, { dataTransfer: { files: [large] } });
    await screen.findByText(/הקובץ גדול מדי \(\u206810\.5 MB\u2069\)/);
    fireEvent.drop(zone, { dataTransfer: { files: [csv("opt-out.csv")] } });
    await user.click(screen.getByRole("radio", { name: "רשימת ההסרה" }));
    await user.click(screen.getByRole("button", { name: "העלאת קובץ" }));
    await toastWith("הקובץ נכנס לתור");
    assert.deepEqual(edge.admin.files[0].target, { kind: "suppressions" });
  });
});

Deno.test("files are filtered by state and name, and an import under way is asked again at once", async () => {
  await withApp({ path: "/admin/files", prepare: admin }, async ({ edge, user, untilLive }) => {
    await screen.findByText("members.csv");
    await user.click(screen.getByRole("button", { name: "שגיאה" }));
    await waitFor(() => assert.ok(screen.queryByText("members.csv") === null));
    await screen.findByText("broken.csv");
    await user.click(screen.getByRole("button", { name: "הכול" }));
    await screen.findByText("members.csv");
    await untilLive();
    edge.admin.files[0].progress = 80;
    edge.emit({ type: "import_progress", data: { campaignId: null, importId: 4, rows: 80, done: false } });
    await screen.findByText("80%");
  });
});

Deno.test("an empty list of files says what to do, and one that does not load offers another try", async () => {
  await withApp({ path: "/admin/files", prepare: (edge) => edge.addUser({ role: "admin" }) }, async () => {
    await screen.findByText("אפשר לגרור CSV או XLSX לאזור ההעלאה או ללחוץ עליו לבחירה.");
    await screen.findByText(/אין קמפיין בטיוטה או מוכן/);
  });
  const broken = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/admin/files", "no_answer");
    edge.acceptsSockets = false;
    return admin(edge);
  };
  await withApp({ path: "/admin/files", prepare: broken }, async ({ edge, user }) => {
    await screen.findByText("רשימת הקבצים לא נטענה");
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByText("members.csv");
  });
});

Deno.test("a file for a client's advertisement asks for the basis of consent", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: 43, name: "מבצע", kind: "marketing", status: "draft" });
    return admin(edge);
  };
  await withApp({ path: "/admin/files", prepare }, async ({ edge, user }) => {
    await user.upload(await dropZone(), csv());
    const target = await screen.findByLabelText<HTMLSelectElement>("קמפיין");
    await waitFor(() => assert.ok(within(target).getAllByRole("option").length > 2));
    await user.selectOptions(target, "41");
    assert.ok(screen.queryByLabelText("הסכימו מראש לקבל דיוור") === null);
    await user.selectOptions(target, "43");
    const upload = screen.getByRole("button", { name: "העלאת קובץ" });
    await user.click(upload);
    await screen.findByText(/נא לבחור על מה מסתמכים/);
    assert.ok(document.activeElement === screen.getByLabelText("הסכימו מראש לקבל דיוור"));
    assert.equal(edge.requests.includes("POST /api/admin/files"), false);
    await user.click(screen.getByLabelText(/לקוחות שלנו/));
    await user.click(upload);
    await waitFor(() => assert.deepEqual(edge.consents, [{ basis: "existing_customer", source: "" }]));
  });
});
