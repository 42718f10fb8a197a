import assert from "node:assert/strict";
import { openTestApp, type TestApp } from "../testing/test_app.ts";
import { CONTENT_SECURITY_POLICY } from "./security_headers.ts";

const PAGE = "<!doctype html><title>שיגור</title>";

async function withScreens(test: (edge: TestApp) => Promise<void>): Promise<void> {
  const webDir = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${webDir}/assets`);
    await Deno.writeTextFile(`${webDir}/index.html`, PAGE);
    await Deno.writeTextFile(`${webDir}/developers.html`, "<title>למפתחים</title>");
    await Deno.writeTextFile(`${webDir}/developers_en.html`, "<title>Developers</title>");
    await Deno.writeTextFile(`${webDir}/robots.txt`, "User-agent: *\nDisallow: /\n");
    await Deno.writeTextFile(`${webDir}/favicon.svg`, "<svg/>");
    await Deno.writeTextFile(`${webDir}/assets/app-1234.js`, "export {};");
    await Deno.writeTextFile(`${webDir}/assets/app-1234.js.br`, "compressed");
    await Deno.writeTextFile(`${webDir}/../beside-${webDir.split("/").at(-1)}`, "secret");
    await using edge = await openTestApp({ webDir });
    await test(edge);
  } finally {
    await Deno.remove(`${webDir}/../beside-${webDir.split("/").at(-1)}`);
    await Deno.remove(webDir, { recursive: true });
  }
}

Deno.test("screens() answers every deep link with the page, which no cache may keep", async () => {
  await withScreens(async (edge) => {
    const links = [
      "/",
      "/login",
      "/client",
      "/client/campaign/12",
      "/admin",
      "/admin/devices",
      "/admin/x/y",
      "/no-such",
    ];
    for (const path of links) {
      const answer = await edge.app.request(path);
      assert.equal(answer.status, 200, path);
      assert.equal(await answer.text(), PAGE);
      assert.equal(answer.headers.get("content-type"), "text/html; charset=utf-8");
      assert.equal(answer.headers.get("cache-control"), "no-cache");
      assert.equal(answer.headers.get("content-security-policy"), CONTENT_SECURITY_POLICY);
    }
  });
});

Deno.test("screens() answers the page for developers in each language, under the strict policy", async () => {
  await withScreens(async (edge) => {
    for (const [path, title] of [["/developers", "למפתחים"], ["/developers/en", "Developers"]]) {
      const answer = await edge.app.request(path!);
      assert.equal(await answer.text(), `<title>${title}</title>`);
      assert.equal(answer.headers.get("content-security-policy"), CONTENT_SECURITY_POLICY);
    }
  });
});

Deno.test("screens() serves hashed assets to be cached for ever, compressed on request, and the root's files", async () => {
  await withScreens(async (edge) => {
    const plain = await edge.app.request("/assets/app-1234.js");
    assert.equal(await plain.text(), "export {};");
    assert.match(plain.headers.get("content-type")!, /^text\/javascript/);
    assert.equal(plain.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(plain.headers.get("vary"), "Accept-Encoding");
    const small = await edge.app.request("/assets/app-1234.js", {
      headers: { "accept-encoding": "gzip, br" },
    });
    assert.equal(await small.text(), "compressed");
    assert.equal(small.headers.get("content-encoding"), "br");
    assert.match(await (await edge.app.request("/robots.txt")).text(), /^User-agent/);
    assert.equal(
      (await edge.app.request("/favicon.svg")).headers.get("content-type"),
      "image/svg+xml; charset=utf-8",
    );
  });
});

Deno.test("screens() answers 404 to a missing file, and nothing from outside its folder", async () => {
  await withScreens(async (edge) => {
    const missing = [
      "/assets/app-0000.js",
      "/assets/",
      "/assets/nested/x.css",
      "/favicon.ico",
      "/logo.png",
      "/client/photo.jpg",
      "/.env",
      "/assets/..%2f..%2fetc%2fpasswd",
      "/..%2f..%2fetc/passwd.txt",
      "/%2e%2e/%2e%2e/etc/passwd.txt",
      "/assets/%00.js",
      "/assets/%zz",
    ];
    for (const path of missing) {
      const answer = await edge.app.request(`http://localhost${path}`);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
      await answer.body?.cancel();
    }
    for (const method of ["POST", "PUT", "DELETE"]) {
      assert.equal((await edge.app.request("/login", { method })).status, 404);
    }
  });
});

Deno.test("screens() explains that the screens were never built", async () => {
  await using edge = await openTestApp();
  const answer = await edge.app.request("/login");
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /deno task build/);
});
