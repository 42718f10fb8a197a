/** Writes to a journal for ever and prints each row after it is on disk. Its test kills it. */
import { Journal } from "../journal/journal.ts";

const [path = ""] = Deno.args;
const journal = new Journal(path, { now: () => Date.now(), newId: () => "0".repeat(32) });
const encoder = new TextEncoder();
for (let number = 1;; number++) {
  const token = number.toString(16).padStart(32, "0");
  const items = [{ phone: "+972501234567", attempt: 1, account: "SIM0001/com.whatsapp/0" }];
  journal.addLease({ type: "lease", token, ttlMs: 1, campaign: 1, text: "שלום", image: null, items });
  journal.move(token, "+972501234567", "leased", { to: "tapping", reason: null, temporary: false });
  Deno.stdout.writeSync(encoder.encode(`${token} ${journal.counter}\n`));
}
