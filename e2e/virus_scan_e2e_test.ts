/** Uploads on a real edge with Debian's clamd, through a client's browser. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { EICAR } from "../edge/testing/fake_clamd.ts";
import { openClamd } from "../edge/virus_scan/clamd.ts";
import { launchBrowser, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { startDebianClamd } from "./debian_clamd.ts";
import { Product } from "./product.ts";

const SENTENCE = {
  infected: /בקובץ נמצאה תוכנה זדונית, והוא לא נקלט/,
  noVerdict: /אי אפשר לבדוק כרגע שהקובץ בטוח, ולכן הוא לא נקלט/,
};

/** A clock that never advances, however slow the machine is. */
const still = (_ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => signal.addEventListener("abort", () => done()));

Deno.test("Debian's clamd finds its test string anywhere in a file, passes 10 MB files, and refuses larger ones", async () => {
  await using clamd = await startDebianClamd({ StreamMaxLength: "11M" });
  const scan = openClamd({ hostname: "127.0.0.1", port: clamd.port }, { sleep: still });
  const found = async (file: Uint8Array) => (await scan(file)).found;
  const rows = "05012345678\n".repeat(800_000);
  assert.equal(await found(Buffer.from(EICAR)), "Test.Eicar.UNOFFICIAL");
  assert.equal(await found(Buffer.from(rows + EICAR + rows.slice(0, 1000))), "Test.Eicar.UNOFFICIAL");
  assert.equal(await found(Buffer.from(rows)), null);
  assert.equal(await found(new Uint8Array()), null);
  await assert.rejects(
    found(new Uint8Array(12 * 1024 * 1024)),
    /^ScanError: clamd refused: INSTREAM size limit exceeded\.$/,
  );
  const many = Array.from({ length: 20 }, (_, n) => found(Buffer.from(n % 2 ? EICAR : rows.slice(n))));
  const wanted = many.map((_, n) => n % 2 ? "Test.Eicar.UNOFFICIAL" : null);
  assert.deepEqual(await Promise.all(many), wanted, "twenty at once, each with its own verdict");
});

Deno.test("a list with a virus is refused in the browser, as is any list while clamd is gone, but not a clean one later", async () => {
  await using clamd = await startDebianClamd();
  const env = { edge: { CLAMD: `127.0.0.1:${clamd.port}` } };
  const product = await Product.start({ devices: 1, webDir: await builtScreens("preact"), env });
  const browser = await launchBrowser();
  try {
    const login = product.logins().find(({ role }) => role === "client")!;
    const window = await Window.open(browser, product.url, { width: 1280, theme: "light" });
    const { page } = window;
    await page.goto("/login");
    await page.getByLabel("שם משתמש").fill(login.username);
    await page.getByLabel("סיסמה").fill(login.password);
    await page.getByRole("button", { name: /כניסה|התחבר/ }).click();
    await page.getByPlaceholder("למשל: קמפיין סתיו 2024").fill("סתיו");
    await page.getByRole("textbox", { name: /הודעה/ }).fill("הסתיו כאן.");
    await page.getByRole("radio", { name: "שירות" }).check();
    await page.getByRole("button", { name: "צור קמפיין" }).click();
    const upload = async (text: string) => {
      await page.locator('input[type="file"][accept*=".csv"]').setInputFiles({
        name: "לקוחות.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(text),
      });
      await page.getByRole("button", { name: "העלה קובץ CSV" }).click();
    };
    const people = () => product.query<{ n: number }>("SELECT count(*) AS n FROM deliveries")[0]!.n;
    const list = "שם,טלפון\nא,0541234567\n";

    await upload(`${list}ב,${EICAR}\n`);
    await page.getByText(SENTENCE.infected).first().waitFor();
    assert.equal(people(), 0);
    const [row] = product.query<{ data: string; actor_name: string }>(
      "SELECT data, actor_name FROM audit_log WHERE kind = 'file_infected'",
    );
    assert.deepEqual([row!.actor_name, JSON.parse(row!.data)], [login.username, {
      file: "לקוחות.csv",
      found: "Test.Eicar.UNOFFICIAL",
    }]);

    await clamd.stop();
    await upload(list);
    await page.getByText(SENTENCE.noVerdict).first().waitFor();
    assert.equal(people(), 0);
    assert.ok(product.lines.some((line) => line.includes('"event":"scan_failed"')));

    await clamd.start();
    await upload(list);
    await page.getByText(/נוסף מספר אחד|נוספו? 1/).first().waitFor();
    assert.equal(people(), 1);
    const figures = await (await fetch(`${product.url}/metrics`)).text();
    for (const line of ['{result="clean"} 1', '{result="found"} 1', '{result="failed"} 1']) {
      assert.ok(figures.includes(`shigur_scans_total${line}`), line);
    }
  } finally {
    await browser.close();
    await product.stop();
  }
});
