/** Sends one mail as the edge does, in a process of its own: a process trusts the authorities of its start. */
import { OutsideError } from "../context.ts";
import { openEmail } from "../alerts/send_email.ts";

const { email, message } = JSON.parse(Deno.args[0]!);
let end = "sent";
try {
  await openEmail(email, 5_000)(message);
} catch (error) {
  end = error instanceof OutsideError ? error.reason : String(error);
}
await Deno.stdout.write(new TextEncoder().encode(end));
