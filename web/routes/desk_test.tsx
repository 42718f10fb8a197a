import { withApp } from "../testing/open_app.tsx";
import assert from "node:assert/strict";
import { screen, within } from "@testing-library/react";
import { DESK_PATH, DESK_POINT_IDS, DESK_STEPS, deskSearch, pointsOf } from "shared/desk_guide.ts";
import { PATHS } from "../paths.ts";

/** Returns the ids of the shown points. */
function shownPoints(): string[] {
  return DESK_POINT_IDS.filter((id) => document.getElementById(id) !== null);
}

Deno.test("the page beside the phones needs no login and asks the server for nothing", async () => {
  assert.equal(PATHS.desk, DESK_PATH);
  await withApp({ path: DESK_PATH }, async ({ edge }) => {
    const heading = await screen.findByRole("heading", { level: 1, name: "ליד הטלפונים" });
    assert.equal(heading.closest("[dir]")!.getAttribute("dir"), "rtl");
    assert.equal(within(screen.getAllByRole("list")[0]!).getAllByRole("listitem").length, DESK_STEPS.length);
    assert.deepEqual(shownPoints(), DESK_POINT_IDS);
    assert.deepEqual(edge.requests, []);
  });
});

Deno.test("the page shows one maker's points alone, and keeps maker and language in its address", async () => {
  await withApp({ path: DESK_PATH }, async ({ user, address }) => {
    await user.click(await screen.findByRole("button", { name: "Xiaomi" }));
    assert.deepEqual(shownPoints(), pointsOf("xiaomi"));
    assert.match(
      document.getElementById("stay_awake")!.textContent!,
      /הגדרות ← הגדרות נוספות ← אפשרויות למפתחים/,
    );
    assert.doesNotMatch(document.body.textContent!, /Samsung:/);
    await user.click(screen.getByRole("button", { name: "English" }));
    const heading = await screen.findByRole("heading", { level: 1, name: "Beside the phones" });
    assert.equal(heading.closest("[dir]")!.getAttribute("lang"), "en");
    assert.equal(address(), "/desk?maker=xiaomi&lang=en");
  });
});

Deno.test("the page opens at doctor's address, and shows all makers for one that it does not know", async () => {
  await withApp({ path: `${DESK_PATH}${deskSearch("google", "en")}` }, async () => {
    await screen.findByRole("heading", { level: 1, name: "Beside the phones" });
    assert.deepEqual(shownPoints(), pointsOf("google"));
  });
  await withApp({ path: `${DESK_PATH}?maker=constructor` }, async () => {
    await screen.findByRole("heading", { level: 1, name: "ליד הטלפונים" });
    assert.deepEqual(shownPoints(), DESK_POINT_IDS);
  });
});
