import assert from "node:assert/strict";
import { addNumbers, uploadContacts } from "./add_contacts.ts";

Deno.test("uploadContacts() throws without a file or a campaign, and addNumbers() without numbers or a campaign", async () => {
  const csv = new File(["054"], "list.csv");
  await assert.rejects(uploadContacts(null, csv), { message: "Missing file or campaign" });
  await assert.rejects(uploadContacts(1, undefined), { message: "Missing file or campaign" });
  await assert.rejects(addNumbers(null, "0541234567"), { message: "Missing numbers or campaign" });
  await assert.rejects(addNumbers(1, " \n"), { message: "Missing numbers or campaign" });
});
