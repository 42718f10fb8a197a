import assert from "node:assert/strict";
import { type ApiDocument, reference } from "./reference.ts";
import { html, sentence } from "./html.ts";
import { developersPage, type PageParts } from "./page.ts";
import { PAGE_LANGUAGES, WORDS } from "./words.ts";

const document: PageParts["document"] = JSON.parse(
  await Deno.readTextFile(new URL("../../shared/openapi.json", import.meta.url)),
);
const assets = { themeBoot: "/assets/theme.js", styles: ["/assets/a.css"], font: "/assets/a.woff2" };

Deno.test("developersPage() shows every call, every refusal and every state in both languages, without a script or style of its own", () => {
  for (const language of PAGE_LANGUAGES) {
    const page = developersPage({ language, document, assets });
    for (const [path, calls] of Object.entries(document.paths)) {
      for (const call of Object.values(calls)) {
        assert.ok(page.includes(`id="${call.operationId}"`), `${language} ${path}`);
      }
    }
    for (const code of Object.keys(document.components.examples)) {
      assert.ok(page.includes(`<code dir="ltr">${code}</code>`), `${language} ${code}`);
    }
    const { schemas } = document.components;
    for (const name of ["CampaignStatus", "DeliveryState"]) {
      for (const state of schemas[name]!["x-extensible-enum"] as string[]) {
        assert.ok(page.includes(`<code dir="ltr">${state}</code>`), `${language} ${state}`);
      }
    }
    assert.deepEqual(page.match(/<script(?! src=)|<style|\sstyle=|\son\w+=|javascript:/g), null);
    const [, named] = /<html lang="(\w+)" dir="\w+"/.exec(page)!;
    assert.equal(named, language);
  }
});

Deno.test("developersPage() has one id for each place, and leads to no place that is missing", () => {
  const page = developersPage({ language: "he", document, assets });
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(id), id);
});

Deno.test("reference() says which calls no key may make", () => {
  const calls = { "/api/keys": document.paths["/api/keys"]! };
  const [part] = reference({ ...document, paths: calls } as ApiDocument, WORDS.en);
  assert.match(part!.text, /people only, not by key/);
});

Deno.test("html() shows values as text, and sentence() shows what stands between backquotes as code", () => {
  assert.equal(html`<p>${"<b>&\"'"}</p>`.text, "<p>&#60;b&#62;&#38;&#34;&#39;</p>");
  assert.equal(html`${sentence("a `<i>` b")}`.text, 'a <code dir="ltr">&#60;i&#62;</code> b');
});
